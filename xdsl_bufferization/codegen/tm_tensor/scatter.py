"""The loops of `tm_tensor.scatter`: one iteration for each element of the updates.

    for every element (u, w...) of the updates:
        place = w..., in the last dimensions;  place[map[c]] += indices[u, c]
        out[place] = f(updates[u, w...], out[place])

The iterations are independent if no two updates write to one place. Otherwise the
loops are in order, and so are the updates of a place.
"""

from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.tm_tensor.scatter import ScatterOp

from ..loop_builder import LoopBuilder, Values


def write_scatter(op: ScatterOp, code: LoopBuilder) -> None:
    """Write the loops of a scatter on buffers."""
    sizes = code.sizes(op.updates)
    if op.is_unique:
        code.parallel(sizes, lambda inner, indices: _update(op, inner, indices))
    else:
        _in_order(op, code, sizes, ())


def _in_order(op: ScatterOp, code: LoopBuilder, sizes: Values, indices: Values) -> None:
    if len(indices) == len(sizes):
        _update(op, code, indices)
        return
    code.count(
        sizes[len(indices)],
        lambda inner, index: _in_order(op, inner, sizes, [*indices, index]),
    )


def _update(op: ScatterOp, code: LoopBuilder, indices: Values) -> None:
    first = op.first_window_dimension
    place: dict[int, SSAValue] = dict(enumerate(indices[1:], first))
    for column, dimension in enumerate(op.indexed):
        entry = code.load(op.indices, [indices[0], code.index(column)])
        start = code.as_index(entry)
        offset = place.get(dimension)
        place[dimension] = start if offset is None else code.add(start, offset)
    at = [place[dimension] for dimension in range(len(place))]
    update = code.load(op.updates, indices)
    old = code.load(op.original, at)
    code.store(code.inline(op.payload, [update, old]), op.original, at)
