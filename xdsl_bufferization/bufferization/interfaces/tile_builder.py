"""Index arithmetic and slices of tensors, emitted at one place and each only once.

    builder.apply(d0 * 32, [%i])      %0 = affine.apply (d0) -> (d0 * 32) (%i)
    builder.apply(d0 * 32, [2])       64
    builder.extract(%t, [%0], [32])   %1 = tensor.extract_slice %t[%0] [32] [1]

Numbers that are known stay Python integers, so that no op is emitted for them.
"""

from collections.abc import Sequence
from math import gcd

from xdsl.dialects import affine, tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    LocationAttr,
    TensorType,
    UnknownLoc,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    dynamic_values,
    index_constant,
    static_values,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from .destination_style import DestinationStyleOpInterface

_Key = tuple[object, ...]


class TileBuilder:
    """Emits ops at `place`; what does not change in the loops goes where `around` does.

    New ops have the location of the op at `place`, or else that of those `around`.
    Everything emitted is used by what is emitted later at the same place only, so that
    equal numbers and slices need to be there only once.
    """

    location: LocationAttr
    """Of new ops."""

    def __init__(self, place: InsertPoint, around: "TileBuilder | None" = None):
        self._place = place
        self._around = around
        self.location = _location_at(place, around)
        self._known: dict[_Key, SSAValue] = {}
        self._emitted: list[Operation] = []
        self._loops: dict[SSAValue, frozenset[SSAValue]] = {}
        self._factors: dict[SSAValue, int] = {}
        self._aliases: dict[SSAValue, SSAValue] = {}

    def insert(self, op: Operation) -> None:
        """Insert any op."""
        if isinstance(op.location, UnknownLoc):
            op.location = self.location
        Rewriter.insert_op(op, self._place)

    def add_index(self, index: SSAValue, step: int) -> None:
        """Make an index of a loop known, which starts at 0."""
        self._loops[index] = frozenset((index,))
        self._factors[index] = step

    def add_alias(self, argument: SSAValue, value: SSAValue) -> None:
        """Make an argument of the loops known, which has the sizes of `value`."""
        self._aliases[argument] = value

    def erase_unused(self) -> None:
        """Erase the numbers and slices that nothing uses."""
        for op in reversed(self._emitted):
            if all(result.first_use is None for result in op.results):
                op.detach()
                op.erase()
        self._emitted.clear()
        self._known.clear()

    # Numbers.

    def loops_of(self, numbers: Sequence[OpFoldResult]) -> frozenset[SSAValue]:
        """The indices of loops that these numbers depend on."""
        sets = (self._loops.get(n) for n in numbers if isinstance(n, SSAValue))
        return frozenset[SSAValue]().union(*filter(None, sets))

    def is_multiple_of(self, number: OpFoldResult, factor: int) -> bool:
        """Whether `number` is certainly a multiple of `factor`."""
        if isinstance(number, int):
            return number % factor == 0
        if number not in self._factors and self._around is not None:
            return self._around.is_multiple_of(number, factor)
        return self._factors.get(number, 1) % factor == 0

    def apply(self, expr: AffineExpr, dims: Sequence[OpFoldResult]) -> OpFoldResult:
        """The value of an expression."""
        return self._evaluate(affine.ApplyOp, [expr], dims)

    def minimum(
        self, exprs: Sequence[AffineExpr], dims: Sequence[OpFoldResult]
    ) -> OpFoldResult:
        """The smallest value of several expressions."""
        return self._evaluate(affine.MinOp, exprs, dims)

    def _evaluate(
        self,
        op_type: type[affine.ApplyOp | affine.MinOp],
        exprs: Sequence[AffineExpr],
        dims: Sequence[OpFoldResult],
    ) -> OpFoldResult:
        values = list(dict.fromkeys(n for n in dims if isinstance(n, SSAValue)))
        positions = {value: AffineDimExpr(at) for at, value in enumerate(values)}
        new_dims = [
            AffineConstantExpr(n) if isinstance(n, int) else positions[n] for n in dims
        ]
        exprs = [_simplify(e.replace_dims_and_symbols(new_dims, ())) for e in exprs]
        constants = [e.value for e in exprs if isinstance(e, AffineConstantExpr)]
        if len(constants) == len(exprs):
            return min(constants)
        if len(exprs) == 1 and isinstance(exprs[0], AffineDimExpr):
            return values[exprs[0].position]
        map_, used = _compress(exprs, values)
        key = (op_type, map_, *used)
        if key not in self._known:
            op = op_type.create(
                operands=used,
                result_types=[IndexType()],
                properties={"map": AffineMapAttr(map_)},
            )
            self._keep(key, op)
            self._loops[op.results[0]] = self.loops_of(used)
            factors = (_factor(expr, values, self._factors) for expr in exprs)
            self._factors[op.results[0]] = gcd(*factors)
        return self._known[key]

    def _keep(self, key: _Key, op: Operation) -> None:
        self.insert(op)
        self._emitted.append(op)
        self._known[key] = op.results[0]

    def constant(self, number: int) -> SSAValue:
        """A number as a value."""
        key = (ConstantOp, number)
        if key not in self._known:
            self._keep(key, index_constant(number))
        return self._known[key]

    # Tensors.

    def size_of(self, value: SSAValue, dimension: int) -> OpFoldResult:
        """The size of a tensor that is visible around the loops."""
        size = ranked_type(value).get_shape()[dimension]
        if size != DYNAMIC_INDEX:
            return size
        if self._around is not None:
            return self._around.size_of(self._aliases.get(value, value), dimension)
        # The destination has the same size, and may be needed anyway.
        value = _first_destination(value)
        owner = value.owner
        if isinstance(owner, tensor.EmptyOp):
            shape = ranked_type(value).get_shape()
            return owner.dynamic_sizes[shape[:dimension].count(DYNAMIC_INDEX)]
        key = (tensor.DimOp, value, dimension)
        if key not in self._known:
            self._keep(key, tensor.DimOp(value, self.constant(dimension)))
        return self._known[key]

    def extract(
        self,
        value: SSAValue,
        offsets: Sequence[OpFoldResult],
        sizes: Sequence[OpFoldResult],
    ) -> SSAValue:
        """A tile of a tensor: the tensor itself if that is all of it."""
        if self._is_whole(value, offsets, sizes):
            return value
        key = (tensor.ExtractSliceOp, value, *offsets, *sizes)
        if key not in self._known:
            self._keep(key, self._slice(value, offsets, sizes))
        return self._known[key]

    def _slice(
        self,
        value: SSAValue,
        offsets: Sequence[OpFoldResult],
        sizes: Sequence[OpFoldResult],
    ) -> Operation:
        type_ = tile_type(value, sizes)
        if isinstance(value.owner, tensor.EmptyOp):
            # A tile of a tensor without contents, which iterations would have to share.
            return tensor.EmptyOp(dynamic_values(sizes), type_)
        strides = [1] * len(sizes)
        return tensor.ExtractSliceOp(value, offsets, sizes, strides, type_)

    def _is_whole(
        self,
        value: SSAValue,
        offsets: Sequence[OpFoldResult],
        sizes: Sequence[OpFoldResult],
    ) -> bool:
        return all(offset == 0 for offset in offsets) and all(
            size == self.size_of(value, dimension)
            for dimension, size in enumerate(sizes)
        )


def tile_type(value: SSAValue, sizes: Sequence[OpFoldResult]) -> TensorType:
    """The type of a tile of a tensor."""
    type_ = ranked_type(value)
    return TensorType(type_.element_type, static_values(sizes), type_.encoding)


def _first_destination(value: SSAValue) -> SSAValue:
    """Where the ops that make `value` start to write it: a tensor of its size."""
    while isinstance(owner := value.owner, Operation):
        model = owner.get_trait(DestinationStyleOpInterface)
        if model is None:
            break
        for result, init in zip(
            owner.results, model.get_dps_inits(owner), strict=False
        ):
            if result is value:
                value = init.value
                break
        else:
            break
    return value


def _location_at(place: InsertPoint, around: "TileBuilder | None") -> LocationAttr:
    if place.insert_before is not None:
        return place.insert_before.location
    return UnknownLoc() if around is None else around.location


# Expressions.


def is_size_of_tile(size: OpFoldResult, index: SSAValue, count: int, step: int) -> bool:
    """Whether `size` is what is left of `count` from `index` on, but at most `step`.

    For an index that starts at 0, and grows by `step`.
    """
    if isinstance(size, int):
        return size == step and count % step == 0
    op = size.owner
    rest = _simplify(AffineDimExpr(0) * -1 + count)
    map_ = AffineMap(1, 0, (rest, AffineConstantExpr(step)))
    return (
        isinstance(op, affine.MinOp)
        and tuple(op.operands) == (index,)
        and op.properties["map"] == AffineMapAttr(map_)
    )


def _simplify(expr: AffineExpr) -> AffineExpr:
    dims = expr.used_dims()
    if not expr.is_pure_affine() or isinstance(expr, AffineDimExpr):
        return expr
    return expr.simplify(max(dims, default=-1) + 1, 0)


def _compress(
    exprs: Sequence[AffineExpr], values: Sequence[SSAValue]
) -> tuple[AffineMap, list[SSAValue]]:
    """A map of just the dimensions that are used, and their values."""
    used = sorted(set[int]().union(*(expr.used_dims() for expr in exprs)))
    dims: list[AffineExpr] = [AffineConstantExpr(0)] * len(values)
    for new, old in enumerate(used):
        dims[old] = AffineDimExpr(new)
    results = tuple(expr.replace_dims_and_symbols(dims, ()) for expr in exprs)
    return AffineMap(len(used), 0, results), [values[old] for old in used]


def _factor(
    expr: AffineExpr, dims: Sequence[OpFoldResult], factors: dict[SSAValue, int]
) -> int:
    """A number that divides the value of `expr`."""
    match expr:
        case AffineConstantExpr():
            return abs(expr.value)
        case AffineDimExpr():
            number = dims[expr.position]
            return abs(number) if isinstance(number, int) else factors.get(number, 1)
        case AffineBinaryOpExpr():
            left = _factor(expr.lhs, dims, factors)
            right = _factor(expr.rhs, dims, factors)
            if expr.kind is AffineBinaryOpKind.Add:
                return gcd(left, right)
            return left * right if expr.kind is AffineBinaryOpKind.Mul else 1
        case _:
            return 1
