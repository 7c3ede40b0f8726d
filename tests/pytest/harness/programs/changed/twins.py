"""Bodies that are almost equal: what another body computes, with one difference.

    differ(random, op, copy)      True if the bodies of the two differ now

A pass that takes two ops for one is found by such a pair.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

_KINDS: Final[tuple[tuple[type[Operation], ...], ...]] = (
    (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.MaximumfOp, arith.MinnumfOp),
    (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.MaxSIOp, arith.MinUIOp),
    (arith.AndIOp, arith.OrIOp, arith.XOrIOp),
    (arith.ExtSIOp, arith.ExtUIOp),
)
"""Ops that take and give the same types."""

_NARROWER: Final[dict[type[Attribute], tuple[Attribute, Attribute]]] = {
    Float32Type: (Float16Type(), BFloat16Type()),
    Float64Type: (Float32Type(), Float16Type()),
}

_ENDS: Final = (YieldOp, scf.YieldOp, tensor.YieldOp)


def differ(random: Random, op: Operation, copy: Operation) -> bool:
    """Change one of two equal ops with bodies, or both, so that they differ."""
    ways = [*_WAYS]
    random.shuffle(ways)
    return any(way(random, op, copy) for way in ways)


def _another_op(random: Random, _: Operation, copy: Operation) -> bool:
    """Another op of the same types."""
    for inner in _shuffled(random, copy):
        for kind in _KINDS:
            if type(inner) in kind:
                block = inner.parent
                assert block is not None
                others = [each for each in kind if each is not type(inner)]
                other = random.choice(others)
                new = other.create(
                    operands=inner.operands,
                    result_types=inner.result_types,
                    properties=dict(inner.properties),
                )
                block.insert_op_before(new, inner)
                inner.results[0].replace_all_uses_with(new.results[0])
                block.erase_op(inner)
                return True
    return False


def _other_order(random: Random, _: Operation, copy: Operation) -> bool:
    """Two operands of one type, the other way round."""
    for inner in _shuffled(random, copy):
        first, *others = [*inner.operands, None, None]
        second = others[0]
        if first is None or second is None or first is second:
            continue
        if first.type == second.type and not inner.regions:
            inner.operands[0], inner.operands[1] = second, first
            return True
    return False


def _other_predicate(random: Random, _: Operation, copy: Operation) -> bool:
    """Another comparison."""
    for inner in _shuffled(random, copy):
        if isinstance(inner, arith.CmpiOp | arith.CmpfOp):
            number = inner.predicate.value.data
            others = [each for each in range(1, 9) if each != number]
            inner.predicate = IntegerAttr(random.choice(others), inner.predicate.type)
            return True
    return False


def _other_width(random: Random, op: Operation, copy: Operation) -> bool:
    """What is given at the end is rounded to one of two types in between."""
    at = random.randrange(8)
    narrow = [*_rounded(at, (op, copy))]
    return len(narrow) > 1


def _rounded(at: int, pair: tuple[Operation, Operation]) -> Iterator[Operation]:
    for number, op in enumerate(pair):
        ends = [each for each in op.walk() if isinstance(each, _ENDS)]
        ends = [each for each in ends if each.operands]
        if not ends:
            return
        end = ends[at % len(ends)]
        place = at % len(end.operands)
        value = end.operands[place]
        block = end.parent
        new = _there_and_back(value, number)
        if not new or block is None:
            return
        block.insert_ops_before(new, end)
        end.operands[place] = new[-1].results[0]
        yield op


def _there_and_back(value: SSAValue, number: int) -> list[Operation]:
    """Ops that make a value narrower, and as wide as before; none if none can."""
    if isa(value.type, IntegerType) and value.type.width.data > 4:
        there = arith.TruncIOp(value, IntegerType(4 - number))
        return [there, arith.ExtSIOp(there.result, value.type)]
    narrower = _NARROWER.get(type(value.type))
    if narrower is None:
        return []
    cut = arith.TruncFOp.create(operands=[value], result_types=[narrower[number]])
    back = arith.ExtFOp.create(operands=cut.results, result_types=[value.type])
    return [cut, back]


_WAYS: Final[tuple[Callable[[Random, Operation, Operation], bool], ...]] = (
    _another_op,
    _other_order,
    _other_predicate,
    _other_width,
)


def _shuffled(random: Random, op: Operation) -> list[Operation]:
    ops = [each for each in op.walk() if each is not op]
    random.shuffle(ops)
    return ops
