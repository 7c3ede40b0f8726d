"""Random packs and unpacks, of any rank, order and tiles, static or not."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Program(NamedTuple):
    """A function `@f` with one pack or unpack, and what to call it with."""

    text: str
    arguments: list[Array]


class _Shape(NamedTuple):
    """Sizes at run time, and which of them the type leaves out."""

    sizes: Sequence[int]
    dynamic: Sequence[bool]

    @property
    def type(self) -> str:
        words = ["?" if d else str(s) for s, d in zip(*self, strict=True)]
        return f"tensor<{'x'.join([*words, 'f32'])}>"

    def random(self, rng: np.random.Generator) -> Array:
        return rng.normal(size=self.sizes).astype(np.float32)


def random_relayout(rng: np.random.Generator, *, static: bool = False) -> Program:
    """A program with its arguments; with `static` all sizes are in the types."""
    rank = int(rng.integers(1, 5))
    sizes = rng.integers(1, 9, rank).tolist()
    outer = rng.permutation(rank).tolist() if rng.integers(2) else list(range(rank))
    cut = rng.permutation(rank)[: rng.integers(0, rank + 1)].tolist()
    tiles = rng.integers(1, 6, len(cut)).tolist()
    if rng.integers(2):
        # Full tiles.
        for dimension, tile in zip(cut, tiles, strict=True):
            sizes[dimension] = tile * int(rng.integers(1, 4))
    dynamic = [not static and bool(rng.integers(3) == 0) for _ in range(rank)]
    unpacked = _Shape(sizes, dynamic)
    sizes_of_tiles = dict(zip(cut, tiles, strict=True))
    packed = _Shape(
        [*(-(-sizes[d] // sizes_of_tiles.get(d, 1)) for d in outer), *tiles],
        [*(dynamic[d] for d in outer), *[False] * len(tiles)],
    )
    order = "" if outer == sorted(outer) else f"outer_dims_perm = {outer} "
    layout = f"{order}inner_dims_pos = {cut} inner_tiles = {tiles}"
    if rng.integers(2):
        return _unpack(rng, packed, unpacked, layout)
    is_full = all(sizes[d] % tile == 0 for d, tile in sizes_of_tiles.items())
    return _pack(rng, unpacked, packed, layout, padded=not is_full)


def _pack(
    rng: np.random.Generator,
    unpacked: _Shape,
    packed: _Shape,
    layout: str,
    *,
    padded: bool,
) -> Program:
    padding = "padding_value(%z : f32) " if padded or rng.integers(2) else ""
    text = f"""
    func.func @f(%t: {unpacked.type}, %d: {packed.type}, %z: f32) -> {packed.type} {{
      %0 = linalg.pack %t {padding}{layout} into %d : {unpacked.type} -> {packed.type}
      return %0 : {packed.type}
    }}
    """
    value = np.asarray(rng.normal(), np.float32)
    return Program(text, [unpacked.random(rng), packed.random(rng), value])


def _unpack(
    rng: np.random.Generator, packed: _Shape, unpacked: _Shape, layout: str
) -> Program:
    text = f"""
    func.func @f(%p: {packed.type}, %d: {unpacked.type}) -> {unpacked.type} {{
      %0 = linalg.unpack %p {layout} into %d : {packed.type} -> {unpacked.type}
      return %0 : {unpacked.type}
    }}
    """
    return Program(text, [packed.random(rng), unpacked.random(rng)])
