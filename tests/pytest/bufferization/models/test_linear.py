"""Index values as sums of other values and a number."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from xdsl_bufferization.bufferization.interfaces.boxes import Linear
from xdsl_bufferization.bufferization.models.linear import linear

Parse = Callable[[str], ModuleOp]

SUMS: dict[str, tuple[str, tuple[int, dict[str, int]]]] = {
    "constant": ("%r = arith.constant 7 : index", (7, {})),
    "value": ("%r = arith.minui %i, %j : index", (0, {"r": 1})),
    "sum": (
        "%c = arith.constant 3 : index\n%r = arith.addi %i, %c : index",
        (3, {"i": 1}),
    ),
    "difference": (
        "%a = arith.addi %i, %j : index\n%r = arith.subi %a, %i : index",
        (0, {"j": 1}),
    ),
    "product": (
        "%c = arith.constant 4 : index\n%r = arith.muli %c, %i : index",
        (0, {"i": 4}),
    ),
    "product of two": ("%r = arith.muli %i, %j : index", (0, {"r": 1})),
    "apply": (
        "%r = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 - 1)> (%i)[%j]",
        (-1, {"i": 2, "j": 1}),
    ),
    "apply of a remainder": (
        "%r = affine.apply affine_map<(d0) -> (d0 mod 4)> (%i)",
        (0, {"r": 1}),
    ),
}


@pytest.mark.parametrize(("ops", "expected"), SUMS.values(), ids=SUMS)
def test_sums(ops: str, expected: tuple[int, dict[str, int]], parse: Parse) -> None:
    module = parse(f"func.func @f(%i: index, %j: index) {{\n{ops}\nfunc.return\n}}")
    assert linear(find(module, "r")) == in_names(module, *expected)


BOUNDS = {
    "one round": ("%c2", 2),
    "no round": ("%c0", 2),
    "two rounds": ("%c4", None),
    "unknown": ("%n", None),
}


@pytest.mark.parametrize(("end", "expected"), BOUNDS.values(), ids=BOUNDS)
def test_the_index_of_a_loop_of_one_round_is_its_start(
    end: str, expected: int | None, parse: Parse
) -> None:
    module = parse(f"""
func.func @f(%n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = arith.constant 2 : index
  scf.for %r = %start to {end} step %c1 {{
  }}
  func.return
}}""")
    index = find(module, "r")
    is_start = expected is not None
    assert linear(index) == (Linear(expected) if is_start else Linear.of({index: 1}))


def test_a_long_chain_is_followed_for_a_few_ops(parse: Parse) -> None:
    chain = "\n".join(f"%{n + 1} = arith.addi %{n}, %one : index" for n in range(100))
    module = parse(f"""
func.func @f(%i: index) {{
  %one = arith.constant 1 : index
  %0 = arith.addi %i, %one : index
  {chain}
  %r = arith.addi %100, %one : index
  func.return
}}""")
    found = linear(find(module, "r"))
    assert len(found.terms) == 1
    assert 0 < found.constant < 100


def in_names(module: ModuleOp, constant: int, terms: dict[str, int]) -> Linear:
    factors = {find(module, name): factor for name, factor in terms.items()}
    return Linear.of(factors, constant)


def find(module: ModuleOp, name: str) -> SSAValue:
    """The value that the text calls `name`."""
    for op in module.walk():
        arguments = [a for r in op.regions for b in r.blocks for a in b.args]
        for value in (*op.results, *arguments):
            if value.name_hint == name:
                return value
    raise LookupError(name)
