"""The index by position and part finds what asking about every pair finds."""

import random
from collections.abc import Callable

import pytest
from harness.oracles.decisions import parse
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.one_shot import part_index
from xdsl_bufferization.bufferization.analyses.one_shot.conflict_ranges import (
    ConflictRanges,
)
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import ConflictRules
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.analyses.one_shot.part_index import (
    LocatedParts,
    UsesByPart,
)
from xdsl_bufferization.bufferization.analyses.one_shot.parts import Parts
from xdsl_bufferization.bufferization.analyses.tensor_facts.subsets import Subsets
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_facts import (
    TensorFacts,
)
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_uses import TensorUse
from xdsl_bufferization.bufferization.interfaces.operands import tensor_operands
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions

OPTIONS = BufferizationOptions(bufferize_function_boundaries=True)


def random_uses(seed: int, count: int = 60) -> str:
    """Elements and slices of one tensor, read and written at offsets of all kinds."""
    choose = random.Random(seed)
    lines: list[str] = []
    tensors = ["%t"]
    for number in range(count):
        tensor = choose.choice(tensors[-3:])
        i = choose.choice(["%i", "%j", "%k", *map(str, range(0, 40, 3))])
        j = choose.choice(["%i", "%j", "0", "0", "4", "8"])
        kind = choose.choice(["slice", "insert", "insert", "put"])
        if kind == "insert":
            x, y = (f"%c{n}" if n.isdigit() else n for n in (i, j))
            lines.append(f"%{number} = tensor.insert %f into {tensor}[{x}, {y}] : T")
            tensors.append(f"%{number}")
            continue
        n, m, s = choose.choice([(1, 2, 1), (3, 4, 1), (4, 2, 2), (2, 4, 3)])
        place = f"[{i}, {j}] [{n}, {m}] [{s}, 1]"
        small = f"tensor<{n}x{m}xf32>"
        lines.append(
            f"%s{number} = tensor.extract_slice {tensor}{place} : T to {small}"
        )
        if kind == "put":
            lines.append(
                f"%{number} = tensor.insert_slice %s{number} into {tensor}{place} "
                f": {small} into T"
            )
            tensors.append(f"%{number}")
        else:
            lines.append(f"%e{number} = tensor.extract %s{number}[%c0, %c0] : {small}")
    constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(40))
    body = "\n".join(lines)
    text = f"""
func.func @f(%t: T, %f: f32, %i: index, %j: index) {{
  {constants}
  %k = arith.addi %i, %c4 : index
  {body}
  func.return
}}"""
    return text.replace("T", "tensor<100x100xf32>")


class Uses:
    """All reads and writes of a program, as if their buffers were one."""

    def __init__(self, module: ModuleOp):
        [function] = module.ops
        facts = TensorFacts(function, OPTIONS, lambda _: None)
        rules = ConflictRules(facts, Subsets(facts))
        uses = [use for op in facts.ops for use in facts.get_uses(op)]
        self.reads = [use for use in uses if use.reads]
        self.writes = [use for use in uses if use.writes]
        self.parts = Parts(facts, rules)
        self.ranges = ConflictRanges(facts, rules)
        self.index = UsesByPart(LocatedParts(self.parts), self.ranges)
        self.index.add_reads(self.reads)
        self.index.add_writes(self.writes)

    def may_meet(self, read: TensorUse, write: TensorUse) -> bool:
        position = write.point.start
        return any(
            low <= position <= high for low, high in self.ranges.get(read)
        ) and not self.parts.are_disjoint(read, write)


@pytest.mark.parametrize("seed", range(20))
def test_finds_what_may_meet_and_nothing_else(seed: int) -> None:
    uses = Uses(parse(random_uses(seed)))
    count = 0
    for write in uses.writes:
        expected = {read for read in uses.reads if uses.may_meet(read, write)}
        assert set(uses.index.reads_around(write)) == expected
        count += len(expected)
    for read in uses.reads:
        expected = {write for write in uses.writes if uses.may_meet(read, write)}
        assert set(uses.index.writes_before(read)) == expected
    assert 0 < count < len(uses.writes) * len(uses.reads)


@pytest.mark.parametrize("seed", range(5))
def test_without_budget_leaves_out_less(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part_index, "_BUDGET", 0)
    uses = Uses(parse(random_uses(seed)))
    for write in uses.writes:
        expected = {read for read in uses.reads if uses.may_meet(read, write)}
        assert set(uses.index.reads_around(write)) >= expected


def insertions(count: int, place: Callable[[int], str]) -> ModuleOp:
    """So many elements, each put into the tensor as it was at first."""
    lines = "\n".join(
        f"%{n} = tensor.insert %f into %t[{place(n)}] : tensor<?xf32>"
        for n in range(count)
    )
    constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(count))
    return parse(f"""
func.func @f(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {{
  {constants}
  {lines}
  func.return %{count - 1} : tensor<?xf32>
}}""")


def count_out_of_place(module: ModuleOp) -> int:
    analysis = analyze(module, OPTIONS)
    return sum(
        not analysis.is_in_place(operand)
        for op in module.walk()
        for operand in tensor_operands(op)
    )


def test_however_many_uses_of_one_part_are_told_apart() -> None:
    # Each overwrites what the others write, and reads nothing of that.
    assert count_out_of_place(insertions(600, lambda _: "%i")) == 0


def test_elements_that_others_read_are_copied() -> None:
    # Each but one: MLIR copies as many.
    assert count_out_of_place(insertions(40, lambda n: f"%c{n}")) == 39
