"""Views of unpacked tensors, done on the packed side, are what they were."""

from collections.abc import Callable
from math import prod

import numpy as np
import pytest
from harness.programs.packs.models import check_passes
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.optimization.packing.lower_packs_unpacks import (
    lower_packs_unpacks,
)
from xdsl_bufferization.optimization.packing.propagate_pack_and_unpack import (
    propagate_pack_and_unpack,
)

PASSES = (propagate_pack_and_unpack, lower_packs_unpacks)
TILE = 2


def spell(shape: list[int]) -> str:
    """The type of a tensor."""
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


class _Unpacked:
    """Text that unpacks arguments whose last tile is of one dimension."""

    def __init__(self, rng: np.random.Generator, rank: int):
        self.order = [int(each) for each in rng.permutation(rank)]
        self.cut = int(rng.integers(rank))

    def packed_shape(self, shape: list[int]) -> list[int]:
        """The shape of the argument for a tensor of this shape."""
        sizes = [n // TILE if d == self.cut else n for d, n in enumerate(shape)]
        return [*(sizes[d] for d in self.order), TILE]

    def text(self, name: str, shape: list[int]) -> str:
        """Unpack %p_NAME to %NAME."""
        return (
            f"  %e_{name} = tensor.empty() : {spell(shape)}\n"
            f"  %{name} = linalg.unpack %p_{name} outer_dims_perm = {self.order} "
            f"inner_dims_pos = [{self.cut}] inner_tiles = [{TILE}] into %e_{name} : "
            f"{spell(self.packed_shape(shape))} -> {spell(shape)}\n"
        )


def reshape(rng: np.random.Generator) -> tuple[str, list[list[int]]]:
    """A program that expands or collapses, and the shapes of its arguments."""
    groups: list[list[int]] = []
    sizes: list[int] = []
    for _ in range(int(rng.integers(1, 4))):
        group = [int(rng.choice([1, 1, 2, 4])) for _ in range(int(rng.integers(1, 4)))]
        groups.append(list(range(len(sizes), len(sizes) + len(group))))
        sizes += group
    is_expansion = bool(rng.integers(2))
    unpacked = _Unpacked(rng, len(groups if is_expansion else sizes))
    cut = groups[unpacked.cut][0] if is_expansion else unpacked.cut
    sizes[cut] = max(sizes[cut], TILE)
    small = [prod(sizes[each] for each in group) for group in groups]
    before, after = (small, sizes) if is_expansion else (sizes, small)
    name = "expand_shape" if is_expansion else "collapse_shape"
    shape = f"output_shape {after} " if is_expansion else ""
    packed = unpacked.packed_shape(before)
    text = (
        f"func.func @f(%p_a: {spell(packed)}) -> {spell(after)} {{\n"
        f"{unpacked.text('a', before)}  %r = tensor.{name} %a {groups} {shape}: "
        f"{spell(before)} into {spell(after)}\n"
        f"  return %r : {spell(after)}\n}}"
    )
    return text, [packed]


def concat(rng: np.random.Generator) -> tuple[str, list[list[int]]]:
    """A program that puts two tensors together, and the shapes of its arguments."""
    rank = int(rng.integers(1, 4))
    unpacked = _Unpacked(rng, rank)
    dim = int(rng.integers(rank))
    shapes = [[TILE * int(rng.integers(1, 3)) for _ in range(rank)]]
    shapes.append([n + TILE if d == dim else n for d, n in enumerate(shapes[0])])
    whole = [
        a + b if d == dim else a for d, (a, b) in enumerate(zip(*shapes, strict=True))
    ]
    packed = [unpacked.packed_shape(shape) for shape in shapes]
    parts = f"%a, %b : ({spell(shapes[0])}, {spell(shapes[1])})"
    text = (
        f"func.func @f(%p_a: {spell(packed[0])}, %p_b: {spell(packed[1])}) "
        f"-> {spell(whole)} {{\n"
        f"{unpacked.text('a', shapes[0])}{unpacked.text('b', shapes[1])}"
        f"  %r = tensor.concat dim({dim}) {parts} -> {spell(whole)}\n"
        f"  return %r : {spell(whole)}\n}}"
    )
    return text, packed


@pytest.mark.parametrize("make", [reshape, concat])
def test_random_views(
    parse: Callable[[str], ModuleOp],
    make: Callable[[np.random.Generator], tuple[str, list[list[int]]]],
):
    moved = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        text, shapes = make(rng)
        arguments = [rng.integers(-9, 9, shape).astype(np.float32) for shape in shapes]
        module = parse(text)
        check_passes(module, PASSES, arguments)
        module = parse(text)
        propagate_pack_and_unpack(module)
        last = next(op for op in module.walk() if op.name == "func.return")
        moved += last.operands[0].owner.name == "linalg.unpack"  # pyright: ignore
    assert moved > 10
