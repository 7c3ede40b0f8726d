"""How ops that combine the elements of vectors with each other are lowered.

Elements are combined one after the other, in the order of their numbers: for floats
that order is part of the result, and for the rest LLVM knows better.

    %r = vector.reduction <add>, %v, %a : vector<4xf32> into f32
        -> ((((%a + v0) + v1) + v2) + v3)
    %c = vector.contract {... matmul ...} %a, %b, %c
        -> for each row of %c, for each step of the sum: c += a * b, on a row at once
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.vector import contractions
from xdsl_bufferization.dialects.vector.checks import IteratorType
from xdsl_bufferization.support.errors import fail_at

from ..emission.function import FunctionLowering, Rules
from ..emission.stand_ins import apply
from ..emission.vector_elements import (
    Vector,
    all_indices,
    element,
    lane,
    number_of,
    outer_indices,
    rearrange,
    row_width,
    rows_of,
    splat,
)
from ..scalars.combining import OPS, neutral_value
from .shapes import bind_vector, check_fixed, vector_or_scalar

_NAMES = {
    "minui": "minu",
    "minsi": "mins",
    "maxui": "maxu",
    "maxsi": "maxs",
    "and": "andi",
    "or": "ori",
    "xor": "xori",
}


def _name(kind: CombiningKindAttr, element: Attribute) -> str:
    """Return the name that `scalars.combining` has for a kind."""
    name = kind.data.value
    if name in ("add", "mul"):
        name += "f" if isinstance(element, AnyFloat) else "i"
    return _NAMES.get(name, name)


class Combiner:
    """Combines scalars, or rows, of one element type in one way."""

    op_type: type[Operation]
    element_type: Attribute

    def __init__(self, kind: CombiningKindAttr, type: Attribute):
        self.element_type = get_element_type_or_self(type)
        self.is_float = isinstance(self.element_type, AnyFloat)
        self.op_type = OPS[_name(kind, self.element_type)]

    def combine(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        f: FunctionLowering,
        mask: SSAValue | None = None,
    ) -> SSAValue:
        """Emit the combination; where a mask is not set, `lhs`."""
        combined = apply(self.op_type, [lhs, rhs], self._type_of(lhs), f)
        return combined if mask is None else f.select(mask, combined, lhs)

    def multiply(self, lhs: SSAValue, rhs: SSAValue, f: FunctionLowering) -> SSAValue:
        """Emit a product of two elements."""
        op = arith.MulfOp if self.is_float else arith.MuliOp
        return apply(op, [lhs, rhs], self._type_of(lhs), f)

    def extend(self, op: Operation, factor: SSAValue, f: FunctionLowering) -> Vector:
        """Emit a factor in the type that is combined, which may have more bits.

        Integers have a sign, as where MLIR lowers a contraction by outer products.
        """
        vector, source = f.vector(factor), get_element_type_or_self(factor.type)
        if source == self.element_type:
            return vector
        if not _has_fewer_bits(source, self.element_type):
            fail_at(
                op,
                f"'{op.name}' of {source} into {self.element_type} cannot be lowered; "
                "cast its operands before",
            )
        op_type = arith.ExtFOp if self.is_float else arith.ExtSIOp
        narrow = VectorType(source, [vector.width])
        rows = (
            apply(op_type, [row], narrow, f, self._type_of(row)) for row in vector.rows
        )
        return Vector(vector.shape, tuple(rows))

    def _type_of(self, lowered: SSAValue) -> Attribute:
        """Return the type that `lowered` is combined as."""
        if isa(lowered.type, VectorType):
            return VectorType(self.element_type, lowered.type.shape)
        return self.element_type


def _has_fewer_bits(type: Attribute, other: Attribute) -> bool:
    if isinstance(type, AnyFloat) and isinstance(other, AnyFloat):
        return type.bitwidth < other.bitwidth
    if isinstance(type, IntegerType) and isinstance(other, IntegerType):
        return type.bitwidth < other.bitwidth
    return False


def lower_reduction(
    op: vector.ReductionOp, f: FunctionLowering, mask: Vector | None = None
) -> None:
    """Lower a reduction of the elements that a mask selects."""
    check_fixed(op)
    source = f.vector(op.vector)
    values = [lane(source.rows[0], at, f) for at in range(source.width)]
    combiner = Combiner(op.kind, op.dest.type)
    if op.acc is not None:
        values.insert(0, f.scalar(op.acc))
    elif mask is not None:
        type = op.dest.type
        values.insert(0, neutral_value(_name(op.kind, type), type, f))
    total, *others = values
    first = len(values) - source.width
    for number, value in enumerate(others, 1):
        selected = None if mask is None else lane(mask.rows[0], number - first, f)
        total = combiner.combine(total, value, f, selected)
    f.bind(op.dest, total)


def lower_multi_reduction(
    op: contractions.MultiReductionOp, f: FunctionLowering, mask: Vector | None = None
) -> None:
    """Lower a reduction along some dimensions: all elements, one after the other."""
    check_fixed(op)
    source, acc = f.vector(op.source), vector_or_scalar(op.acc, f)
    reduced = set(op.reduction_dims.get_values())
    kept = [at for at in range(len(source.shape)) if at not in reduced]
    combiner = Combiner(op.kind, op.dest.type)
    totals = [element(acc, index, f) for index in all_indices(acc.shape)]
    for index in all_indices(source.shape):
        target = number_of([index[at] for at in kept], acc.shape)
        selected = None if mask is None else element(mask, index, f)
        totals[target] = combiner.combine(
            totals[target], element(source, index, f), f, selected
        )
    rows = rows_of(totals, row_width(acc.shape), f)
    bind_vector(op.dest, Vector(acc.shape, tuple(rows)), f)


def _lower_outer_product(op: contractions.OuterProductOp, f: FunctionLowering) -> None:
    check_fixed(op)
    combiner = Combiner(op.kind, op.result.type)
    lhs, rhs = f.vector(op.lhs), vector_or_scalar(op.rhs, f)
    rows: list[SSAValue] = []
    if not isa(op.rhs.type, VectorType):  # A scaled vector.
        factor = splat(f.scalar(op.rhs), lhs.width, f)
        rows = [combiner.multiply(lhs.rows[0], factor, f)]
    else:
        for at in range(lhs.width):
            factor = splat(lane(lhs.rows[0], at, f), rhs.width, f)
            rows.append(combiner.multiply(factor, rhs.rows[0], f))
    if op.acc is not None:
        totals = f.vector(op.acc).rows
        rows = [combiner.combine(a, b, f) for a, b in zip(totals, rows, strict=True)]
    f.bind_rows(op.result, rows)


def lower_contract(
    op: contractions.ContractionOp, f: FunctionLowering, mask: Vector | None = None
) -> None:
    """Lower a contraction: each row of the result takes up the products in order.

    The mask has a dimension for each iterator.
    """
    check_fixed(op)
    combiner = Combiner(op.kind, op.result.type)
    lhs, rhs = combiner.extend(op, op.lhs, f), combiner.extend(op, op.rhs, f)
    acc = vector_or_scalar(op.acc, f)
    maps = [_dimensions(map.data) for map in op.indexing_maps]
    sizes = _iterator_sizes(maps, (lhs.shape, rhs.shape, acc.shape))
    reduced = [
        number
        for number, iterator in enumerate(op.iterator_types)
        if iterator.data is not IteratorType.PARALLEL
    ]
    rows: list[SSAValue] = []
    for outer, total in zip(outer_indices(acc.shape), acc.rows, strict=True):
        for step in product(*(range(sizes[number]) for number in reduced)):
            fixed = dict(zip(reduced, step, strict=True))
            points = _points(maps[2], outer, acc.shape, fixed)
            a = _gather(lhs, maps[0], points, f)
            b = _gather(rhs, maps[1], points, f)
            every = list(range(len(sizes)))
            selected = None if mask is None else _gather(mask, every, points, f)
            total = combiner.combine(total, combiner.multiply(a, b, f), f, selected)
        rows.append(total)
    bind_vector(op.result, Vector(acc.shape, tuple(rows)), f)


def _dimensions(map: AffineMap) -> list[int]:
    return [e.position for e in map.results if isinstance(e, AffineDimExpr)]


def _iterator_sizes(
    maps: Iterable[Sequence[int]], shapes: Iterable[Sequence[int]]
) -> dict[int, int]:
    return {
        number: size
        for map, shape in zip(maps, shapes, strict=True)
        for number, size in zip(map, shape, strict=True)
    }


def _points(
    map: Sequence[int],
    outer: Sequence[int],
    shape: Sequence[int],
    step: dict[int, int],
) -> list[dict[int, int]]:
    """Return the values of all iterators for each element of a row of the result."""
    if not shape:
        return [step]
    return [
        {**step, **dict(zip(map, (*outer, at), strict=True))} for at in range(shape[-1])
    ]


def _gather(
    source: Vector,
    map: Sequence[int],
    points: Sequence[dict[int, int]],
    f: FunctionLowering,
) -> SSAValue:
    """Return the row of the elements of `source` at some points of the iterators."""
    numbers = [number_of([point[n] for n in map], source.shape) for point in points]
    return rearrange([source], numbers, (len(points),), f).rows[0]


def _lower_scan(op: contractions.ScanOp, f: FunctionLowering) -> None:
    check_fixed(op)
    source, initial = f.vector(op.source), f.vector(op.initial_value)
    dimension: int = op.reduction_dim.value.data
    combiner = Combiner(op.kind, op.dest.type)
    inclusive = bool(op.inclusive.value.data)
    shape = source.shape
    values = {index: element(source, index, f) for index in all_indices(shape)}
    running: dict[tuple[int, ...], SSAValue] = {}
    for index in all_indices((shape[dimension], *initial.shape)):
        step, others = index[0], index[1:]
        here = (*others[:dimension], step, *others[dimension:])
        before = (*others[:dimension], step - 1, *others[dimension:])
        if step == 0:
            first = values[here] if inclusive else element(initial, others, f)
            running[here] = first
        else:
            added = values[here if inclusive else before]
            running[here] = combiner.combine(running[before], added, f)
    ordered = [running[index] for index in all_indices(shape)]
    f.bind_rows(op.dest, rows_of(ordered, source.width, f))
    last = [
        running[(*index[:dimension], shape[dimension] - 1, *index[dimension:])]
        for index in all_indices(initial.shape)
    ]
    f.bind_rows(op.accumulated_value, rows_of(last, row_width(initial.shape), f))


def _lower_fma(op: vector.FMAOp, f: FunctionLowering) -> None:
    check_fixed(op)
    type = get_element_type_or_self(op.res.type)
    vectors = [f.vector(operand) for operand in op.operands]
    row_type = VectorType(type, [vectors[0].width])
    rows = zip(*(each.rows for each in vectors), strict=True)
    f.bind_rows(op.res, [apply(math.FmaOp, row, row_type, f) for row in rows])


RULES: Rules = {
    vector.FMAOp: _lower_fma,
    vector.ReductionOp: lower_reduction,
    contractions.ContractionOp: lower_contract,
    contractions.MultiReductionOp: lower_multi_reduction,
    contractions.OuterProductOp: _lower_outer_product,
    contractions.ScanOp: _lower_scan,
}
