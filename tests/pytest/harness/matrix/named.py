"""Forms of the named ops of linalg, from the rows of their table.

    "conv_1d_nwc_wcf", strides 2, element f32, sizes ragged, all sizes open

A new row of the table gets forms by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from xdsl.ir import Attribute
from xdsl.parser import Parser

from harness.matrix.family import Family
from harness.matrix.form import (
    ELEMENTS,
    Form,
    LeftOut,
    Numbers,
    Operand,
    Role,
    Type,
)
from harness.matrix.sizes import OPEN, PATTERNS, loop_sizes, tensor
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.linalg.attributes import TypeFn
from xdsl_bufferization.dialects.linalg.named import MAPPED_OPS
from xdsl_bufferization.dialects.linalg.scalars import (
    UnsupportedPayloadError,
    build_payload,
)
from xdsl_bufferization.dialects.linalg.table import NAMED_OPS, NamedOp

_ANY_RANK: Final = ("...",)

_WIDER: Final[Mapping[str, str]] = {
    "i8": "i32", "i16": "i32", "i32": "i64", "f16": "f32", "bf16": "f32", "f32": "f64",
    "i1": "i32",
}  # fmt: skip
"""The element type of an output that is larger than that of its inputs."""

_SCALARS: Final[Mapping[str, tuple[str, ...]]] = {
    "linalg.fill_rng_2d": ("f64", "f64", "i32")
}
"""Ops whose numbers have types of their own."""

_NUMBERS: Final[Mapping[str, Numbers]] = {
    "linalg.log": Numbers.POSITIVE,
    "linalg.sqrt": Numbers.POSITIVE,
    "linalg.rsqrt": Numbers.POSITIVE,
    "linalg.reciprocal": Numbers.POSITIVE,
    "linalg.powf": Numbers.POSITIVE,
    "linalg.div": Numbers.POSITIVE,
    "linalg.div_unsigned": Numbers.POSITIVE,
}
"""Where an op is not defined for all small numbers."""

_MAPS: Final[Mapping[str, tuple[str, ...]]] = {
    "transposed left": ("k", "m", "k", "n"),
    "transposed right": ("m", "k", "n", "k"),
    "broadcast left": ("k", "k", "n"),
    "broadcast right": ("m", "k", "k"),
}
"""Loops that index the two inputs of a matrix product, other than the usual."""


def _indices(row: NamedOp, choice: Mapping[str, str]) -> list[tuple[str, ...]] | None:
    """What indexes each operand; None: the op has no such maps."""
    indices = [*row.operands]
    maps = choice.get("maps", "usual")
    if maps == "usual":
        return indices
    if row.name not in MAPPED_OPS:
        return None
    if maps.startswith("broadcast") and row.name == "linalg.batch_reduce_matmul":
        return None
    batch = row.loops[0] if row.loops[0] == "b" else ""
    given = _MAPS[maps]
    one_has = 1 if maps == "broadcast left" else 2
    split = (given[:one_has], given[one_has:])
    if batch and maps.startswith("transposed"):
        split = ((batch, *split[0]), (batch, *split[1]))
    return [*split, indices[-1]]


class _Named:
    """The form of a row, while it is written."""

    def __init__(self, row: NamedOp, choice: Mapping[str, str]):
        self.row = row
        self.choice = choice
        rank = 2 if row.loops == _ANY_RANK else len(row.loops)
        self.loops = row.loops if row.loops != _ANY_RANK else ("0", "1")
        self.sizes = dict(
            zip(self.loops, loop_sizes(choice["sizes"], rank), strict=True)
        )
        self.stride = int(choice.get("strides", "1").replace("absent", "1"))
        self.dilation = int(choice.get("dilations", "1").replace("absent", "1"))

    def form(self) -> Form | LeftOut:
        """The form, or why there is none."""
        indices = _indices(self.row, self.choice)
        if indices is None:
            return LeftOut("only products may have maps of their own")
        if self.choice.get("cast", "absent") != "absent" and not self.row.may_cast:
            return LeftOut("the op has no attribute `cast`")
        types = self._types(indices)
        if isinstance(types, LeftOut):
            return types
        operands = tuple(
            Operand(type_, self._role(at, indices), self._numbers(at))
            for at, type_ in enumerate(types)
        )
        return Form(self.row.name, operands, (types[-1],), self._text(types, indices))

    def _types(self, indices: Sequence[Sequence[str]]) -> list[Type] | LeftOut:
        element = self.choice["element"]
        output = element
        if self.choice.get("output", "same") == "wider":
            if element not in _WIDER:
                return LeftOut("there is no wider type")
            output = _WIDER[element]
        elements = [element] * len(indices)
        elements[-1] = output
        if self.row.name == "linalg.select":
            elements[0] = "i1"
        if "quantized" in self.row.name or self.row.name.endswith("_q"):
            elements[2:4] = ["i32", "i32"]
        for at, scalar in enumerate(_SCALARS.get(self.row.name, ())):
            elements[at] = scalar
        kind = self.choice.get("cast", "absent")
        if not _has_payload(self.row.name, tuple(elements), kind):
            return LeftOut("the op has no payload for these element types")
        types: list[Type] = []
        for each, index in zip(elements, indices, strict=True):
            if not index and self._takes_numbers():
                types.append(each)
                continue
            loops = self.loops if index == _ANY_RANK else index
            sizes = [self._size(loop) for loop in loops]
            types.append(tensor(sizes, each, self.choice["open"]))
        return types

    def _takes_numbers(self) -> bool:
        return self.row.name.startswith(
            ("linalg.fill", "linalg.quantized")
        ) or self.row.name.endswith("_q")

    def _size(self, index: str) -> int:
        if "~" in index or "+" in index:
            outer, inner = index.replace("+", "~").split("~")
            stride, dilation = (self.stride, self.dilation) if "~" in index else (1, 1)
            reach = (self.sizes[inner] - 1) * dilation
            return max((self.sizes[outer] - 1) * stride + reach + 1, 0)
        return self.sizes[index]

    def _role(self, at: int, indices: Sequence[Sequence[str]]) -> Role:
        if at + 1 < len(indices):
            return Role.READ
        if self.row.loops == _ANY_RANK or not {*self.row.loops} - {*indices[-1]}:
            return Role.OVERWRITTEN
        return Role.INIT

    def _numbers(self, at: int) -> Numbers:
        if at + 1 == len(self.row.operands):
            return Numbers.SMALL
        return _NUMBERS.get(self.row.name, Numbers.SMALL)

    def _text(self, types: Sequence[Type], indices: Sequence[Sequence[str]]) -> str:
        attributes = [
            f"{name} = dense<{self.choice[name]}> : tensor<{self.row.num_windows}xi64>"
            for name in ("strides", "dilations")
            if self.choice.get(name, "absent") != "absent"
        ]
        if self.choice.get("cast", "absent") != "absent":
            attributes.append(f"cast = #linalg.type_fn<{self.choice['cast']}>")
        shown = f" {{{', '.join(attributes)}}}" if attributes else ""
        maps = ""
        if self.choice.get("maps", "usual") != "usual":
            loops = ", ".join(self.loops)
            listed = ", ".join(
                f"affine_map<({loops}) -> ({', '.join(index)})>" for index in indices
            )
            maps = f" indexing_maps = [{listed}]"
        inputs = ", ".join(f"${at}" for at in range(len(types) - 1))
        input_types = ", ".join(map(str, types[:-1]))
        return (
            f"$r = {self.row.name}{maps}{shown} ins({inputs} : {input_types}) "
            f"outs(${len(types) - 1} : {types[-1]}) -> {types[-1]}"
        )


@cache
def _has_payload(name: str, elements: tuple[str, ...], cast: str) -> bool:
    row = NAMED_OPS[name]
    kind = TypeFn.CAST_UNSIGNED if cast == "cast_unsigned" else TypeFn.CAST_SIGNED
    try:
        build_payload(row.payload, [_type(each) for each in elements], kind)
    except UnsupportedPayloadError:
        return False
    return True


@cache
def _type(text: str) -> Attribute:
    return Parser(get_context(), text).parse_type()


def _family(
    name: str, rows: Sequence[NamedOp], more: Mapping[str, Sequence[str]], most: int
) -> Family:
    by_name = {row.name: row for row in rows}

    def make(choice: Mapping[str, str]) -> Form | LeftOut:
        return _Named(by_name[choice["op"]], choice).form()

    dimensions = {
        "op": tuple(by_name),
        "element": ELEMENTS,
        "sizes": tuple(PATTERNS),
        "open": OPEN,
        **more,
    }
    return Family(name, dimensions, make, most=most)


def _families() -> Iterator[Family]:
    rows = NAMED_OPS.values()
    output = {"output": ("same", "wider")}
    cast = {"cast": ("absent", "cast_unsigned", "cast_signed")}
    windows = {"strides": ("absent", "1", "2"), "dilations": ("absent", "1", "2")}
    windowed = [row for row in rows if row.num_windows]
    others = [row for row in rows if not row.num_windows]
    whole = [
        row
        for row in others
        if row.loops == _ANY_RANK or {*row.loops} == {*row.operands[-1]}
    ]
    products = [row for row in others if row not in whole]
    yield _family("named: each element", whole, {**output, **cast}, 100)
    yield _family(
        "named: products",
        products,
        {**output, **cast, "maps": ("usual", *_MAPS)},
        100,
    )
    yield _family("named: windows", windowed, {**output, **windows}, 130)


FAMILIES: Final = (*_families(),)
