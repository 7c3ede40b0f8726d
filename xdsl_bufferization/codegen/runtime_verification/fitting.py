"""Ops that name no loops, but whose operands must have sizes in common.

    tensor.concat dim(0) %a, %b        size 1 of %b is size 1 of %a
    arith.addf %a, %b                  each size of %b is that of %a
    tm_tensor.attention ins(%q, ...)   sizes of the batches, of the rows, ...

Each dimension of each operand has a key. Dimensions with one key have one size.
"""

from collections.abc import Hashable, Iterable, Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.linalg.structure import rank_of
from xdsl_bufferization.dialects.tensor.elements import ScatterOp
from xdsl_bufferization.dialects.tm_tensor.attention import AttentionOp
from xdsl_bufferization.dialects.tm_tensor.scan import ScanOp
from xdsl_bufferization.dialects.tm_tensor.scatter import ScatterOp as TMScatterOp
from xdsl_bufferization.dialects.tm_tensor.sort import SortOp
from xdsl_bufferization.dialects.tm_tensor.topk import TopkOp

from .accesses import Rules
from .checks import Checks

Keyed = tuple[SSAValue, Sequence[Hashable]]
"""A tensor, and a key for each dimension; None: its size is nobody else's."""


def require_fit(operands: Iterable[Keyed], checks: Checks) -> None:
    """Demand that dimensions of one key have one size."""
    first: dict[Hashable, tuple[OpFoldResult, str]] = {}
    for value, keys in operands:
        name = _name(value, checks.op)
        for dimension, key in enumerate(keys):
            if key is None:
                continue
            size, place = checks.size(value, dimension), f"dimension {dimension} {name}"
            known = first.setdefault(key, (size, place))
            if known[1] != place:
                reason = f"size {{0}} of {place} is not the {{1}} of {known[1]}"
                checks.require_same(size, known[0], reason, size, known[0])


def _name(value: SSAValue, op: Operation) -> str:
    return f"of operand {list(op.operands).index(value)}"


def all_alike(op: Operation) -> list[Keyed]:
    """The keys of an op whose tensors all have the sizes of the first."""
    tensors = [each for each in op.operands if isinstance(each.type, TensorType)]
    return [(each, range(rank_of(each.type))) for each in tensors]


def _check_concat(op: tensor.ConcatOp, checks: Checks) -> None:
    along = op.dim.value.data
    keys = _with(range(op.result.type.get_num_dims()), along, None)
    require_fit([(each, keys) for each in op.inputs], checks)
    for dimension, wanted in enumerate(op.result.type.get_shape()):
        sizes = [checks.size(each, dimension) for each in op.inputs]
        found = sizes[0]
        if dimension == along:
            for size in sizes[1:]:
                found = checks.add(found, size)
        checks.require_static(found, wanted, dimension)


def _with(keys: Iterable[Hashable], place: int, key: Hashable) -> list[Hashable]:
    """The keys, with another one at a place."""
    return [key if number == place else each for number, each in enumerate(keys)]


def _check_scatter(op: ScatterOp, checks: Checks) -> None:
    """The source has a slice of the destination for each index."""
    leading = rank_of(op.indices.type) - 1
    rank = rank_of(op.dest.type)
    places = [("index", number) for number in range(leading)]
    chosen = op.scatter_dims.get_values()
    whole = [None if number in chosen else number for number in range(rank)]
    is_full = rank_of(op.source.type) == leading + rank
    slices = whole if is_full else [key for key in whole if key is not None]
    operands: list[Keyed] = [
        (op.indices, [*places, None]),
        (op.dest, whole),
        (op.source, [*places, *slices]),
    ]
    require_fit(operands, checks)


# tm_tensor.


def _check_scan(op: ScanOp, checks: Checks) -> None:
    keys = range(rank_of(op.input.type))
    others = [key for key in keys if key != op.along]
    operands: list[Keyed] = [
        (op.input, keys),
        (op.output, keys),
        (op.accumulator, others),
    ]
    require_fit(operands, checks)


def _check_sort(op: SortOp, checks: Checks) -> None:
    keys = range(rank_of(op.outputs[0].type))
    require_fit([(each, keys) for each in op.outputs], checks)


def _check_topk(op: TopkOp, checks: Checks) -> None:
    given = range(rank_of(op.values.type))
    kept = _with(given, op.along, "kept")
    operands: list[Keyed] = [(each, given) for each in op.inputs]
    operands += [(each, kept) for each in op.outputs]
    require_fit(operands, checks)


def _check_attention(op: AttentionOp, checks: Checks) -> None:
    batches = range(rank_of(op.query.type) - 2)
    operands: list[Keyed] = [
        (op.query, [*batches, "rows", "depth"]),
        (op.key, [*batches, "keys", "depth"]),
        (op.value, [*batches, "keys", "columns"]),
        (op.output, [*batches, "rows", "columns"]),
    ]
    if op.mask is not None:
        operands.append((op.mask, [*batches, "rows", "keys"]))
    require_fit(operands, checks)


def _check_tm_scatter(op: TMScatterOp, checks: Checks) -> None:
    """There is a row of indices for each update; the loops check where they lead."""
    others = [None] * (rank_of(op.updates.type) - 1)
    operands: list[Keyed] = [
        (op.indices, ["row", None]),
        (op.updates, ["row", *others]),
    ]
    require_fit(operands, checks)


RULES: Rules = {
    AttentionOp: _check_attention,
    ScanOp: _check_scan,
    ScatterOp: _check_scatter,
    SortOp: _check_sort,
    TMScatterOp: _check_tm_scatter,
    TopkOp: _check_topk,
    tensor.ConcatOp: _check_concat,
}
