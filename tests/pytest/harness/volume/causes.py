"""Whether reasons are causes: what becomes of a decision once its reasons are removed.

Removed in two ways. `SlowCauses` states MLIR's rules pair by pair, and leaves named
reads out of account, or takes named values for writable. `check_in_program` changes the
program: a named read gets a fresh tensor instead, a named value is copied before use.
Decisions made before stay as they are: removing a read could help them as well.

    PYTHONPATH=tests/pytest python -m harness.volume.causes --programs 1000
    PYTHONPATH=tests/pytest python -m harness.volume.causes --files a.mlir b.mlir
"""

# Decisions are made again step by step, by what is private to the analysis.
# pyright: reportPrivateUsage=false

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.test import TestOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from harness.oracles.decisions import parse
from harness.oracles.slow_reference import SlowReference
from harness.programs.random_programs import Shape, random_program
from harness.volume.compare_many import KINDS
from xdsl_bufferization.bufferization.analyses.one_shot import deciding
from xdsl_bufferization.bufferization.analyses.one_shot.alias_sets import AliasSets
from xdsl_bufferization.bufferization.analyses.one_shot.all_reasons import (
    AllReasons,
    Reason,
    find_all_reasons,
)
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import (
    ConflictRules,
    NotWritable,
    RaWConflict,
)
from xdsl_bufferization.bufferization.analyses.one_shot.heuristics import order_ops
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import (
    OneShotAnalysis,
    analyze,
)
from xdsl_bufferization.bufferization.analyses.one_shot.parallel_regions import (
    SharedWrite,
)
from xdsl_bufferization.bufferization.analyses.one_shot.root_analysis import (
    RootAnalysis,
)
from xdsl_bufferization.bufferization.analyses.tensor_facts.subsets import Subsets
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_facts import (
    TensorFacts,
)
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_uses import TensorUse
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.bufferization.models import new_ops
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.scf import InParallelOp
from xdsl_bufferization.explanation.remedies import Remedies
from xdsl_bufferization.explanation.source import print_source
from xdsl_bufferization.support.errors import OperationError

MANY = 1 << 30

# --- by the rules --------------------------------------------------------------------


class SlowCauses(SlowReference):
    """Decides as MLIR states it, and tries each decision without its reasons."""

    def __init__(
        self,
        root: Operation,
        options: BufferizationOptions,
        get_reasons: Callable[[OpOperand], AllReasons | None],
    ):
        self.get_reasons = get_reasons
        self.removed: Sequence[Reason] = ()
        self.counts: Counter[str] = Counter()
        super().__init__(root, options)

    @override
    def can_be_in_place(self, operand: OpOperand) -> bool:
        if super().can_be_in_place(operand):
            assert self.get_reasons(operand) is None
            return True
        found = self.get_reasons(operand)
        assert found is not None
        assert found.is_complete
        reasons = found.reasons
        assert self._would_be_in_place(operand, reasons), "a reason is not named"
        for number in range(len(reasons)):
            others = [*reasons[:number], *reasons[number + 1 :]]
            assert not self._would_be_in_place(operand, others), "this is no reason"
        self.counts["copies"] += 1
        self.counts["reasons"] += len(reasons)
        self.counts["with several reasons"] += len(reasons) > 1
        return False

    def _would_be_in_place(self, operand: OpOperand, removed: Sequence[Reason]) -> bool:
        self.removed = removed
        answer = super().can_be_in_place(operand)
        self.removed = ()
        return answer

    @override
    def is_read(self, operand: OpOperand) -> bool:
        return super().is_read(operand) and operand not in self._removed_reads()

    @override
    def is_kept(self, operand: OpOperand) -> bool:
        return super().is_kept(operand) and operand not in self._removed_reads()

    def _removed_reads(self) -> set[OpOperand]:
        """Those named, and those that only pass on to what is named."""
        removed = {r.read for r in self.removed if isinstance(r, RaWConflict)}
        todo = list(removed)
        while todo:
            value = todo.pop().value
            for alias in self.facts.get_aliasing_op_operands(value):
                operand = alias.operand
                if operand not in removed and self._passes_on_to(operand, removed):
                    removed.add(operand)
                    todo.append(operand)
        return removed

    def _passes_on_to(self, operand: OpOperand, removed: set[OpOperand]) -> bool:
        return not self.facts.bufferizes_to_memory_read(operand) and all(
            use in removed or not super(SlowCauses, self).is_read(use)
            for value in self.aliasing_values(operand)
            for use in (OpOperand(u.operation, u.index) for u in value.uses)
        )

    @override
    def is_writable(self, value: SSAValue) -> bool:
        return super().is_writable(value) or any(
            isinstance(reason, NotWritable) and reason.value is value
            for reason in self.removed
        )


# --- in the program ------------------------------------------------------------------


@dataclass(frozen=True)
class Decided:
    """An analysis with the order of its decisions."""

    module: ModuleOp
    options: BufferizationOptions
    analysis: OneShotAnalysis
    root: RootAnalysis
    order: Sequence[OpOperand]
    kept: int
    """So many reasons of each copy are tried alone."""


def check_in_program(
    module: ModuleOp,
    options: BufferizationOptions,
    counts: Counter[str],
    kept: int = MANY,
) -> None:
    """Remove the reasons of each copy from the program, and decide about it again."""
    analysis = analyze(module, options, wants_all_reasons=True)
    for op in module.ops:
        if not isinstance(op, FuncOp) or op.is_declaration:
            continue
        root = analysis.get_root_analysis(op)
        assert root is not None
        order = [
            use.operand
            for inner in order_ops(root.facts)
            for use in root.facts.get_uses(inner)
        ]
        decided = Decided(module, options, analysis, root, order, kept)
        remedies = Remedies(print_source(module), root)
        for operand, found in root.all_reasons.items():
            _check_operand(decided, operand, found, counts)
            for reason in found.reasons:
                if isinstance(reason, RaWConflict):
                    _check_move(decided, operand, reason, remedies, counts)


def _check_operand(
    decided: Decided, operand: OpOperand, found: AllReasons, counts: Counter[str]
) -> None:
    assert found.is_complete
    counts["copies"] += 1
    counts["reasons"] += len(found.reasons)
    counts["with several reasons"] += len(found.reasons) > 1
    removable = [r for r in found.reasons if _is_removable(r, operand)]
    if len(removable) == len(found.reasons):
        counts["copies without their reasons"] += 1
        _remove_all(decided, operand, removable, counts)
    for kept in found.reasons[: decided.kept]:
        # What is read is given up for all reasons with that read.
        others = [r for r in removable if r is not kept and not _share_read(r, kept)]
        again = _Without(decided, operand, others)
        if again.reason is None:
            assert not again.has(kept), _tell("this is no reason", operand, kept)
            counts["reasons that go with others"] += 1
        else:
            counts["reasons that do alone"] += 1


class Fresh(Enum):
    """What is read instead by an op whose read is removed."""

    DEFINED = "a new tensor, made right before the op"
    """So nothing is written in between, and no older definition is seen by others."""

    UNDEFINED = "a tensor with undefined contents, made right before the op"
    """For what reads after a write whatever it is given, as a call that writes too."""

    FAR = "a tensor with undefined contents, made where the function starts"
    """For what would make it a definition inside of a region, which others see."""


def _remove_all(
    decided: Decided, operand: OpOperand, reasons: list[Reason], counts: Counter[str]
) -> None:
    """Without its reasons an operand is in place.

    But for a few whose change takes away from another use what excused it: the part of
    a tensor that it was known to work on, say.
    """
    left: Reason | None = None
    for fresh in Fresh:
        again = _Without(decided, operand, reasons, fresh=fresh)
        left = again.reason
        if left is None:
            counts[fresh.name] += 1
            return
        is_new = isinstance(left, RaWConflict) and not again.is_named(
            left.read, reasons
        )
        left = None if is_new else left
    counts["spoiled by the change"] += 1
    assert left is None, _tell("still out of place", operand, left)


def _check_move(
    decided: Decided,
    operand: OpOperand,
    reason: RaWConflict,
    remedies: Remedies,
    counts: Counter[str],
) -> None:
    """Move a read before a write where that is the advice: it is no reason any more."""
    facts = decided.root.facts
    read, write = (facts.get_use(each) for each in (reason.read, reason.write))
    ops = remedies.find_ops_to_move(read, write)
    if ops is None:
        return
    counts["reads moved"] += 1
    again = _Without(decided, operand, [], moved=ops, before=write.point.op)
    assert not again.conflicts(reason), _tell("moved in vain", operand, reason)
    counts["reads moved that other writes spoil"] += again.spoils(reason.read)


def _share_read(first: Reason, second: Reason) -> bool:
    return (
        not isinstance(first, NotWritable)
        and not isinstance(second, NotWritable)
        and first.read == second.read
    )


def _is_removable(reason: Reason, operand: OpOperand) -> bool:
    """Whether the program can do without.

    Not if an op reads what it writes itself, or if a function that is called returns
    what must not be written.
    """
    if isinstance(reason, NotWritable):
        owner = reason.value.owner
        return isinstance(owner, Block) or not tensor_operands(owner)
    return isinstance(reason, RaWConflict) and reason.read != operand


def _tell(what: str, operand: OpOperand, reason: Reason) -> str:
    parts = {"operand": operand, **vars(reason)}
    texts = (
        f"{name}: {part.owner}#{part.number}" if isinstance(part, OpOperand) else part
        for name, part in parts.items()
    )
    return "\n  ".join((what, *map(str, texts)))


class _Without:
    """The program without some reasons, and the decision about one operand in it.

    Other decisions before it are as they were.
    """

    reason: Reason | None
    """Why the operand is out of place, if it still is."""

    def __init__(
        self,
        decided: Decided,
        operand: OpOperand,
        removed: list[Reason],
        *,
        fresh: Fresh = Fresh.DEFINED,
        moved: Sequence[Operation] = (),
        before: Operation | None = None,
    ):
        clone = decided.module.clone()
        self._twins = dict(zip(decided.module.walk(), clone.walk(), strict=True))
        for reason in removed:
            if isinstance(reason, NotWritable):
                _make_writable(_twin_value(reason.value, self._twins))
        for reason in removed:
            if isinstance(reason, RaWConflict):
                _remove_read(_twin(reason.read, self._twins), fresh)
        for op in moved:
            assert before is not None
            twin = self._twins[op]
            twin.detach()
            Rewriter.insert_op(twin, InsertPoint.before(self._twins[before]))
        root = self._twins[decided.root.root]
        summary = decided.analysis.get_function_summary
        self._facts = TensorFacts(root, decided.options, summary)
        rules = ConflictRules(
            self._facts,
            Subsets(self._facts, as_searched=not decided.options.disjoint_subsets),
        )
        by_part = decided.root.alias_sets._parts is not None
        self._sets = AliasSets(self._facts, rules, tells_parts_apart=by_part)
        deciding.begin(self._facts, self._sets)
        self._use = self._facts.get_use(_twin(operand, self._twins))
        self._repeat_decisions(decided)
        self._found = self._sets.sets_of(self._use)
        self._all = find_all_reasons(
            self._use, NotWritable(operand.value, operand), self._facts, self._sets
        )
        self.reason = deciding.put_in_place(self._use, self._sets)

    def _repeat_decisions(self, decided: Decided) -> None:
        for each in decided.order:
            use = self._facts.get_use(_twin(each, self._twins))
            if use is self._use:
                return
            is_in_place = use in self._sets.in_place
            if not is_in_place and decided.analysis.is_in_place(each):
                self._sets.unite(use, self._sets.sets_of(use))

    def is_named(self, read: OpOperand, reasons: Sequence[Reason]) -> bool:
        """Whether a read of this program is one of those that were removed."""
        return any(
            isinstance(reason, RaWConflict) and _twin(reason.read, self._twins) == read
            for reason in reasons
        )

    def conflicts(self, reason: RaWConflict) -> bool:
        """Whether a read would still see a write."""
        read, write = (
            self._facts.get_use(_twin(each, self._twins))
            for each in (reason.read, reason.write)
        )
        return self._sets.rules.find_conflict(read, write) is not None

    def spoils(self, read: OpOperand) -> bool:
        """Whether a read is a reason why the operand is out of place."""
        twin = _twin(read, self._twins)
        return any(
            isinstance(reason, RaWConflict) and reason.read == twin
            for reason in self._all.reasons
        )

    def has(self, kept: Reason) -> bool:
        """Whether what `kept` names is still there: one may lead to another."""
        if isinstance(kept, NotWritable):
            return _twin_value(kept.value, self._twins) in {
                value for each in self._found for value in each.values
            }
        read, write = (
            self._facts.get_use(_twin(operand, self._twins))
            for operand in (kept.read, kept.write)
        )
        return (
            read.reads
            and any(read in each.reads for each in self._found)
            and (write is self._use or any(write in s.writes for s in self._found))
            and (isinstance(kept, SharedWrite) or self._is_defined(read, kept))
        )

    def _is_defined(self, read: TensorUse, kept: RaWConflict) -> bool:
        definition = _twin_value(kept.definition, self._twins)
        known = read.definitions
        return known is not None and definition in (known.result, known.argument)


def _twin(operand: OpOperand, twins: dict[Operation, Operation]) -> OpOperand:
    return OpOperand(twins[operand.owner], operand.number)


def _twin_value(value: SSAValue, twins: dict[Operation, Operation]) -> SSAValue:
    if isinstance(value, OpResult):
        return twins[value.op].results[value.index]
    assert isinstance(value, BlockArgument)
    region = value.block.parent
    assert region is not None
    op = region.parent
    assert op is not None
    twin = twins[op].regions[op.regions.index(region)]
    return twin.blocks[region.blocks.index(value.block)].args[value.index]


def _remove_read(read: OpOperand, fresh: Fresh) -> None:
    """Let an op read a fresh tensor of the same type."""
    op, number = read
    type_ = read.value.type
    assert isa(type_, TensorType)
    size = index_constant(1)
    element = TestOp(result_types=[type_.element_type])
    sizes = [size.result] * type_.get_shape().count(DYNAMIC_INDEX)
    new = (
        tensor.SplatOp(element.results[0], sizes, type_)
        if fresh is Fresh.DEFINED
        else new_ops.alloc_tensor(type_, sizes)
    )
    parent = op.parent_op()
    point = InsertPoint.before(parent if isinstance(parent, InParallelOp) else op)
    if fresh is Fresh.FAR:
        while not isinstance(parent, FuncOp):
            assert parent is not None
            parent = parent.parent_op()
        point = InsertPoint.at_start(parent.body.blocks[0])
    Rewriter.insert_op([size, element, new], point)
    op.operands[number] = new.results[0]


def _make_writable(value: SSAValue) -> None:
    """Let all users of `value` use a copy of it."""
    uses = list(value.uses)
    assert isa(value.type, TensorType)
    copy = new_ops.alloc_tensor(value.type, copied=value)
    owner = value.owner
    at_start = isinstance(owner, Block)
    point = InsertPoint.at_start(owner) if at_start else InsertPoint.after(owner)
    Rewriter.insert_op(copy, point)
    for use in uses:
        use.operation.operands[use.index] = copy.tensor


# --- many programs -------------------------------------------------------------------

HEURISTICS = tuple(h for h in AnalysisHeuristic if h is not AnalysisHeuristic.AUTO)


def check_random_program(number: int, counts: Counter[str], kept: int = MANY) -> None:
    """The program of that number, by the rules and changed."""
    kinds = [kind for name, kind in KINDS.items() if name != "unknown ops"]
    kind = kinds[number % len(kinds)]
    module = parse(kind.write(number))
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True,
        analysis_heuristic=HEURISTICS[number // len(kinds) % len(HEURISTICS)],
        analysis_fuzzer_seed=number,
        bufferize_function_boundaries=number % 4 > 0,
    )
    counts["programs"] += 1
    check_in_program(module, options, counts, kept)


def check_model(file: Path, counts: Counter[str], kept: int = MANY) -> None:
    """The program of a file, changed."""
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True, bufferize_function_boundaries=True
    )
    check_in_program(parse(file.read_text()), options, counts, kept)


def check_by_the_rules(number: int, counts: Counter[str]) -> None:
    """Another such program, by MLIR's rules as they are stated."""
    shapes = (Shape(), Shape(ops=6, depth=4, undefined=True), Shape(ops=30, depth=1))
    shape = replace(shapes[number % 3], writable_arguments=number % 2 > 0)
    module = parse(random_program(number, shape))
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=number % 4 > 0,
        disjoint_subsets=False,
        exchange_buffers=False,
    )
    analysis = analyze(module, options, wants_all_reasons=True)
    counts["programs"] += 1
    for function in module.ops:
        counts += SlowCauses(function, options, _all_reasons(analysis)).counts


def _all_reasons(analysis: OneShotAnalysis) -> Callable[[OpOperand], AllReasons | None]:
    def get_reasons(operand: OpOperand) -> AllReasons | None:
        root = analysis.get_root_analysis(operand.owner)
        return None if root is None else root.all_reasons.get(operand)

    return get_reasons


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kept", type=int, default=MANY)
    parser.add_argument("--files", type=Path, nargs="*", default=())
    options = parser.parse_args()
    for file in options.files:
        of_file = Counter[str]()
        check_model(file, of_file, options.kept)
        sys.stdout.write(f"{file.name} {dict(of_file)}\n")
        sys.stdout.flush()
    if not options.files:
        _check_many(options)


def _check_many(options: argparse.Namespace) -> None:
    write = sys.stdout.write
    by_rules, in_program = Counter[str](), Counter[str]()
    for number in range(options.first, options.first + options.programs):
        for check, counts in (
            (check_by_the_rules, by_rules),
            (partial(check_random_program, kept=options.kept), in_program),
        ):
            try:
                check(number, counts)
            except AssertionError as error:
                counts["WRONG"] += 1
                write(f"{number}: {error}\n")
            except OperationError:
                counts["refused"] += 1
        if number % 100 == 99 or number == options.first + options.programs - 1:
            write(f"{number + 1} by the rules {dict(by_rules)}\n")
            write(f"{number + 1} in the program {dict(in_program)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
