"""linalg's operations without a payload in NumPy: pack, unpack and softmax.

pack 8x8 into 2x4x4x2 tiles     pad, reshape to 2x4x4x2 (outer, inner, outer, inner),
                                and bring the tile dimensions to the end
unpack                          the same backwards, without the padding

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import fail_at

from .buffers import on_buffers_too
from .machine import HandlerTable, Machine
from .values import Value, of_type, undefined


class _Tiling(NamedTuple):
    """How a tensor is cut into tiles."""

    sizes: tuple[int, ...]
    """The unpacked sizes, in whole tiles."""

    split: tuple[int, ...]
    """The same with each tiled dimension as two: how many tiles, and their size."""

    order: tuple[int, ...]
    """From dimensions of the packed tensor to those of the split one."""


def _integers(op: Operation, name: str) -> list[int]:
    array = op.properties.get(name)
    if array is None:
        return []
    values = cast("DenseArrayBase[Any]", array).get_values()
    return [int(value) for value in values]


def _tiling(op: Operation, packed: Sequence[int]) -> _Tiling:
    tiled = _integers(op, "inner_dims_pos")
    rank = len(packed) - len(tiled)
    permutation = _integers(op, "outer_dims_perm") or list(range(rank))
    outer = {dimension: packed[at] for at, dimension in enumerate(permutation)}
    tiles = dict(zip(tiled, packed[rank:], strict=True))
    split: list[int] = []
    places: dict[int, int] = {}
    for dimension in range(rank):
        places[dimension] = len(split)
        split.append(outer[dimension])
        if dimension in tiles:
            split.append(tiles[dimension])
    return _Tiling(
        tuple(outer[d] * tiles.get(d, 1) for d in range(rank)),
        tuple(split),
        (*(places[d] for d in permutation), *(places[d] + 1 for d in tiled)),
    )


def _check(op: Operation, tiling: _Tiling, unpacked: Sequence[int]) -> None:
    """Stop if the tiles do not cover the tensor, or one is all beyond it."""
    positions = _integers(op, "inner_dims_pos")
    for dimension, (whole, size) in enumerate(zip(tiling.sizes, unpacked, strict=True)):
        place = tiling.split[dimension + sum(p < dimension for p in positions)]
        tile = whole // place if place else 1
        if whole < size or whole - size >= max(tile, 1):
            fail_at(
                op,
                f"{size} elements along dimension {dimension} in {place} tiles of "
                f"{tile}",
            )


def _pack(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, dest = operands[:2]
    tiling = _tiling(op, dest.shape)
    _check(op, tiling, source.shape)
    padded = source
    if tiling.sizes != source.shape:
        padded = (
            np.broadcast_to(operands[2], tiling.sizes).copy()
            if _integers(op, "operandSegmentSizes")[2] == 1
            else undefined(op.operands[0].type, tiling.sizes, op)
        )
        padded[tuple(slice(size) for size in source.shape)] = source
    return [padded.reshape(tiling.split).transpose(tiling.order)]


def _unpack(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, dest = operands[:2]
    tiling = _tiling(op, source.shape)
    _check(op, tiling, dest.shape)
    padded = source.transpose(np.argsort(tiling.order)).reshape(tiling.sizes)
    return [padded[tuple(slice(size) for size in dest.shape)]]


def _softmax(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source = operands[0]
    axis = cast("IntegerAttr[Any]", op.properties["dimension"]).value.data
    if not source.shape[axis]:
        return [operands[1]]
    exponentials = np.exp(source - source.max(axis, keepdims=True))
    result = exponentials / exponentials.sum(axis, keepdims=True)
    return [of_type(op.operands[1].type, result, op)]


RELAYOUTS: HandlerTable = {
    "linalg.pack": _pack,
    "linalg.unpack": _unpack,
    **on_buffers_too({"linalg.softmax": _softmax}),
}
