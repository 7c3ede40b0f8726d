"""Random programs of element-wise ops around packs and unpacks."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from harness.programs.packs.relayouts import Program

_PARALLEL = 'iterator_types = ["parallel", "parallel"]'
_MAPS = {
    "same": "affine_map<(d0, d1) -> (d0, d1)>",
    "rows": "affine_map<(d0, d1) -> (d0)>",
    "columns": "affine_map<(d0, d1) -> (d1)>",
    "transposed": "affine_map<(d0, d1) -> (d1, d0)>",
}


class _Layout(NamedTuple):
    text: str
    packed: tuple[int, ...]


class _Value(NamedTuple):
    name: str
    shape: tuple[int, ...]


class _Writer:
    """Writes ops on values of 12 x 24 elements, or 24 x 12."""

    def __init__(self, rng: np.random.Generator):
        self.rng = rng
        self.lines: list[str] = []
        self.arguments: list[_Value] = []
        self.values: list[_Value] = []

    def argument(self, shape: Sequence[int]) -> _Value:
        value = _Value(f"%a{len(self.arguments)}", tuple(shape))
        self.arguments.append(value)
        return value

    def empty(self, shape: Sequence[int]) -> _Value:
        value = _Value(f"%e{len(self.lines)}", tuple(shape))
        self.lines.append(f"{value.name} = tensor.empty() : {type_of(shape)}")
        return value

    def result(self, shape: Sequence[int]) -> _Value:
        value = _Value(f"%v{len(self.lines)}", tuple(shape))
        self.values.append(value)
        return value

    def pick(self, shape: Sequence[int]) -> _Value:
        """A value of this shape; an argument, if there is no other."""
        known = [value for value in self.values if value.shape == tuple(shape)]
        if not known or self.rng.integers(4) == 0:
            return self.argument(shape)
        return known[-1 - int(self.rng.integers(min(3, len(known))))]

    def shape(self) -> tuple[int, int]:
        if self.values and self.rng.integers(3):
            rows, columns = self.values[-1].shape
            return rows, columns
        return (12, 24) if self.rng.integers(2) else (24, 12)

    def layout(self, shape: tuple[int, int]) -> _Layout:
        rng = self.rng
        cut = rng.permutation(2)[: rng.integers(1, 3)].tolist()
        tiles = rng.choice([2, 3, 4, 6], len(cut)).tolist()
        outer = rng.permutation(2).tolist()
        counts = [
            size // dict(zip(cut, tiles, strict=True)).get(d, 1)
            for d, size in enumerate(shape)
        ]
        return _Layout(
            f"outer_dims_perm = {outer} inner_dims_pos = {cut} inner_tiles = {tiles}",
            (*(counts[d] for d in outer), *tiles),
        )

    def unpack(self) -> None:
        shape = self.shape()
        layout = self.layout(shape)
        source, dest = self.argument(layout.packed), self.empty(shape)
        types = f"{type_of(layout.packed)} -> {type_of(shape)}"
        name = self.result(shape).name
        self.lines.append(
            f"{name} = linalg.unpack {source.name} {layout.text} into {dest.name} "
            f": {types}"
        )

    def pack(self) -> None:
        """The result is used by an unpack only, with the same tiles or without."""
        source = self.pick(self.shape())
        rows, columns = source.shape
        layout = self.layout((rows, columns))
        dest, back = self.empty(layout.packed), self.empty(source.shape)
        packed, plain = type_of(layout.packed), type_of(source.shape)
        name = f"%p{len(self.lines)}"
        self.lines.append(
            f"{name} = linalg.pack {source.name} {layout.text} into {dest.name} "
            f": {plain} -> {packed}"
        )
        self.lines.append(
            f"{self.result(source.shape).name} = linalg.unpack {name} {layout.text} "
            f"into {back.name} : {packed} -> {plain}"
        )

    def generic(self) -> None:
        shape = self.shape()
        kinds = [str(kind) for kind in self.rng.choice(list(_MAPS), 2)]
        shapes = {
            "same": shape,
            "rows": shape[:1],
            "columns": shape[1:],
            "transposed": shape[::-1],
        }
        inputs = [self.pick(shapes[kind]) for kind in kinds]
        uses_output = bool(self.rng.integers(2))
        output = self.pick(shape) if uses_output else self.empty(shape)
        maps = ", ".join(_MAPS[kind] for kind in (*kinds, "same"))
        names = ", ".join(value.name for value in inputs)
        types = ", ".join(type_of(value.shape) for value in inputs)
        last = "%out" if uses_output else "%y"
        result_type = type_of(shape)
        self.lines += [
            f"{self.result(shape).name} = linalg.generic "
            f"{{indexing_maps = [{maps}], {_PARALLEL}}} "
            f"ins({names} : {types}) outs({output.name} : {result_type}) {{",
            "^bb0(%x: f32, %y: f32, %out: f32):",
            "  %sum = arith.addf %x, %y : f32",
            f"  %max = arith.maximumf %sum, {last} : f32",
            "  linalg.yield %max : f32",
            f"}} -> {result_type}",
        ]


def type_of(shape: Sequence[int]) -> str:
    return f"tensor<{'x'.join([*map(str, shape), 'f32'])}>"


def random_elementwise_program(rng: np.random.Generator, length: int = 8) -> Program:
    """A function `@f` that returns some of what it computes."""
    writer = _Writer(rng)
    writer.unpack()
    for _ in range(length):
        choice = int(rng.integers(5))
        if choice == 0:
            writer.unpack()
        elif choice == 1:
            writer.pack()
        else:
            writer.generic()
    results = [writer.values[-1], writer.values[int(rng.integers(len(writer.values)))]]
    arguments = ", ".join(f"{v.name}: {type_of(v.shape)}" for v in writer.arguments)
    types = ", ".join(type_of(value.shape) for value in results)
    names = ", ".join(value.name for value in results)
    lines = [
        f"func.func @f({arguments}) -> ({types}) {{",
        *writer.lines,
        f"return {names} : {types}",
        "}",
    ]
    values = [rng.normal(size=v.shape).astype(np.float32) for v in writer.arguments]
    return Program("\n".join(lines), values)
