"""The named ops of linalg, one line each.

A row says which loops an op has, how each operand is indexed by them, and what it
computes for one point of the iteration space.

    "conv_1d_nwc_wcf": "n ow f kw c: n ow~kw c, kw c f -> n ow f"

says that there are five loops, in this order. The input element is [n, ow * stride + kw
* dilation, c], and the filter element [kw, c, f]. The output element is [n, ow, f].
Loops that the output lacks are reductions. `ow+kw` is the same without stride and
dilation, `()` is an operand that all points share, and `...` stands for the loops of an
output of any rank.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#operations
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from typing_extensions import override
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from .attributes import BinaryFn, TypeFn, UnaryFn
from .scalars import (
    Payload,
    binary,
    copy,
    first,
    multiply_add,
    quantized_multiply_add,
    random_number,
    reduce_with,
    select,
    unary,
)

_ANY_RANK = "..."


@dataclass(frozen=True)
class NamedOp:
    """A row of the table."""

    name: str
    """With the dialect's prefix."""

    loops: tuple[str, ...]
    operands: tuple[tuple[str, ...], ...]
    """Per operand, the output last: what indexes its dimensions."""

    payload: Payload
    may_cast: bool = False
    """Whether a `cast` attribute says how inputs are converted."""

    @cached_property
    def num_inputs(self) -> int:
        """The number of inputs; there is one output."""
        return len(self.operands) - 1

    @cached_property
    def num_windows(self) -> int:
        """How many dimensions have a stride and a dilation."""
        return sum("~" in index for operand in self.operands for index in operand)

    def indexing_maps(
        self,
        rank: int,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
    ) -> ArrayAttr[AffineMapAttr]:
        """The maps of the operands; `rank` is that of the output."""
        return _indexing_maps(self, rank, tuple(strides), tuple(dilations))

    def iterator_types(self, rank: int) -> ArrayAttr[IteratorTypeAttr]:
        """Which loops are reductions; `rank` is that of the output."""
        return _iterator_types(self, rank)

    @override
    def __hash__(self) -> int:
        return hash(self.name)


@lru_cache(maxsize=1024)
def _iterator_types(op: NamedOp, rank: int) -> ArrayAttr[IteratorTypeAttr]:
    if op.loops == (_ANY_RANK,):
        return ArrayAttr([IteratorTypeAttr.parallel()] * rank)
    return ArrayAttr(
        IteratorTypeAttr.parallel()
        if loop in op.operands[-1]
        else IteratorTypeAttr.reduction()
        for loop in op.loops
    )


@lru_cache(maxsize=1024)
def _indexing_maps(
    op: NamedOp, rank: int, strides: tuple[int, ...], dilations: tuple[int, ...]
) -> ArrayAttr[AffineMapAttr]:
    loops = op.loops
    if loops == (_ANY_RANK,):
        loops = tuple(str(loop) for loop in range(rank))
    windows = iter(zip(strides, dilations, strict=True))
    maps: list[AffineMapAttr] = []
    for operand in op.operands:
        indices = loops if operand == (_ANY_RANK,) else operand
        results = tuple(_index(index, loops, windows) for index in indices)
        maps.append(AffineMapAttr(AffineMap(len(loops), 0, results)))
    return ArrayAttr(maps)


def _index(
    index: str, loops: Sequence[str], windows: Iterator[tuple[int, int]]
) -> AffineExpr:
    if "~" in index:
        outer, inner = index.split("~")
        stride, dilation = next(windows)
        return _loop(outer, loops) * stride + _loop(inner, loops) * dilation
    if "+" in index:
        outer, inner = index.split("+")
        return _loop(outer, loops) + _loop(inner, loops)
    return _loop(index, loops)


def _loop(name: str, loops: Sequence[str]) -> AffineExpr:
    return AffineDimExpr(loops.index(name))


def _rows(
    payload: Payload, specifications: Mapping[str, str], *, may_cast: bool = False
) -> Iterator[NamedOp]:
    for name, specification in specifications.items():
        loops, operands = specification.split(":")
        inputs, output = operands.split("->")
        yield NamedOp(
            f"linalg.{name}",
            tuple(loops.split()),
            tuple(_indices(text) for text in (*inputs.split(","), output)),
            payload,
            may_cast,
        )


def _indices(text: str) -> tuple[str, ...]:
    return tuple(text.replace("()", "").split())


def _functions(
    build: Callable[[BinaryFn], Payload], functions: Mapping[str, BinaryFn], spec: str
) -> Iterator[NamedOp]:
    for name, function in functions.items():
        yield from _rows(build(function), {name: spec})


# Element by element.

_UNARY = [
    row
    for function in UnaryFn
    for row in _rows(unary(function), {str(function): "...: ... -> ..."})
]

_BINARY = _functions(
    binary,
    {
        "add": BinaryFn.ADD,
        "sub": BinaryFn.SUB,
        "mul": BinaryFn.MUL,
        "div": BinaryFn.DIV,
        "div_unsigned": BinaryFn.DIV_UNSIGNED,
        "max": BinaryFn.MAX_SIGNED,
        "min": BinaryFn.MIN_SIGNED,
        "powf": BinaryFn.POWF,
    },
    "...: ..., ... -> ...",
)

_OTHERS = (
    *_rows(select, {"select": "...: ..., ..., ... -> ..."}),
    *_rows(copy, {"copy": "...: ... -> ..."}, may_cast=True),
    *_rows(first, {"fill": "...: () -> ..."}),
    *_rows(random_number, {"fill_rng_2d": "m n: (), (), () -> m n"}),
)

# Sums of products.

_CONTRACTIONS = _rows(
    multiply_add,
    {
        "matmul": "m n k: m k, k n -> m n",
        "batch_matmul": "b m n k: b m k, b k n -> b m n",
        "batch_reduce_matmul": "b m n k: b m k, b k n -> m n",
    },
    may_cast=True,
)

_PRODUCTS = _rows(
    multiply_add,
    {
        "dot": "m: m, m ->",
        "matvec": "m n: m n, n -> m",
        "vecmat": "n m: m, m n -> n",
        "batch_matvec": "b m k: b m k, b k -> b m",
        "batch_vecmat": "b n k: b k, b k n -> b n",
        "mmt4d": "m n k m0 n0 k0: m k m0 k0, n k n0 k0 -> m n m0 n0",
        "batch_mmt4d": "b m n k m0 n0 k0: b m k m0 k0, b n k n0 k0 -> b m n m0 n0",
    },
)

_QUANTIZED_PRODUCTS = _rows(
    quantized_multiply_add,
    {
        "quantized_matmul": "m n k: m k, k n, (), () -> m n",
        "quantized_batch_matmul": "b m n k: b m k, b k n, (), () -> b m n",
    },
)

_CONVOLUTION_SPECIFICATIONS = {
    "conv_1d": "ow kw: ow+kw, kw -> ow",
    "conv_2d": "oh ow kh kw: oh+kh ow+kw, kh kw -> oh ow",
    "conv_3d": "od oh ow kd kh kw: od+kd oh+kh ow+kw, kd kh kw -> od oh ow",
    "conv_1d_nwc_wcf": "n ow f kw c: n ow~kw c, kw c f -> n ow f",
    "conv_1d_ncw_fcw": "n f ow c kw: n c ow~kw, f c kw -> n f ow",
    "conv_2d_nhwc_hwcf": ("n oh ow f kh kw c: n oh~kh ow~kw c, kh kw c f -> n oh ow f"),
    "conv_2d_nhwc_fhwc": ("n oh ow f kh kw c: n oh~kh ow~kw c, f kh kw c -> n oh ow f"),
    "conv_2d_nchw_fchw": ("n f oh ow c kh kw: n c oh~kh ow~kw, f c kh kw -> n f oh ow"),
    "conv_2d_ngchw_fgchw": (
        "n g f oh ow c kh kw: n g c oh~kh ow~kw, f g c kh kw -> n g f oh ow"
    ),
    "conv_2d_ngchw_gfchw": (
        "n g f oh ow c kh kw: n g c oh~kh ow~kw, g f c kh kw -> n g f oh ow"
    ),
    "conv_2d_nhwgc_gfhwc": (
        "n oh ow g f kh kw c: n oh~kh ow~kw g c, g f kh kw c -> n oh ow g f"
    ),
    "conv_3d_ndhwc_dhwcf": (
        "n od oh ow f kd kh kw c: n od~kd oh~kh ow~kw c, kd kh kw c f -> n od oh ow f"
    ),
    "conv_3d_ncdhw_fcdhw": (
        "n f od oh ow c kd kh kw: n c od~kd oh~kh ow~kw, f c kd kh kw -> n f od oh ow"
    ),
    "depthwise_conv_1d_nwc_wc": "n ow c kw: n ow~kw c, kw c -> n ow c",
    "depthwise_conv_1d_ncw_cw": "n ow c kw: n c ow~kw, c kw -> n c ow",
    "depthwise_conv_1d_nwc_wcm": "n ow c m kw: n ow~kw c, kw c m -> n ow c m",
    "depthwise_conv_2d_nhwc_hwc": (
        "n oh ow c kh kw: n oh~kh ow~kw c, kh kw c -> n oh ow c"
    ),
    "depthwise_conv_2d_nchw_chw": (
        "n oh ow c kh kw: n c oh~kh ow~kw, c kh kw -> n c oh ow"
    ),
    "depthwise_conv_2d_nhwc_hwcm": (
        "n oh ow c m kh kw: n oh~kh ow~kw c, kh kw c m -> n oh ow c m"
    ),
    "depthwise_conv_3d_ndhwc_dhwc": (
        "n od oh ow kd kh kw c: n od~kd oh~kh ow~kw c, kd kh kw c -> n od oh ow c"
    ),
    "depthwise_conv_3d_ncdhw_cdhw": (
        "n od oh ow kd kh kw c: n c od~kd oh~kh ow~kw, c kd kh kw -> n c od oh ow"
    ),
    "depthwise_conv_3d_ndhwc_dhwcm": (
        "n od oh ow m kd kh kw c: n od~kd oh~kh ow~kw c, kd kh kw c m -> n od oh ow c m"
    ),
}

_CONVOLUTIONS = _rows(multiply_add, _CONVOLUTION_SPECIFICATIONS)

_QUANTIZED_CONVOLUTIONS = _rows(
    quantized_multiply_add,
    {
        f"{name}_q": _CONVOLUTION_SPECIFICATIONS[name].replace(" ->", ", (), () ->")
        for name in (
            "conv_2d_nhwc_hwcf",
            "conv_2d_nhwc_fhwc",
            "conv_2d_nchw_fchw",
            "conv_2d_ngchw_gfchw",
            "conv_2d_nhwgc_gfhwc",
            "conv_3d_ndhwc_dhwcf",
            "depthwise_conv_2d_nhwc_hwc",
            "depthwise_conv_2d_nhwc_hwcm",
        )
    },
)

# Windows that slide over an input; the second input has only a shape.

_POOLING = {
    "nwc": "n ow c kw: n ow~kw c, kw -> n ow c",
    "ncw": "n c ow kw: n c ow~kw, kw -> n c ow",
    "nhwc": "n oh ow c kh kw: n oh~kh ow~kw c, kh kw -> n oh ow c",
    "nchw": "n c oh ow kh kw: n c oh~kh ow~kw, kh kw -> n c oh ow",
    "ndhwc": "n od oh ow c kd kh kw: n od~kd oh~kh ow~kw c, kd kh kw -> n od oh ow c",
}


def _pooling(
    suffix: str, formats: Sequence[str], function: BinaryFn, cast: TypeFn
) -> Iterator[NamedOp]:
    return _rows(
        reduce_with(function, cast),
        {f"pooling_{format}_{suffix}": _POOLING[format] for format in formats},
    )


_SIGNED, _UNSIGNED = TypeFn.CAST_SIGNED, TypeFn.CAST_UNSIGNED
_UNSIGNED_FORMATS = ("nwc", "nhwc")
_MINIMUM_FORMATS = ("nwc", "nhwc", "ndhwc")

_POOLINGS = (
    *_pooling("sum", tuple(_POOLING), BinaryFn.ADD, _SIGNED),
    *_pooling("max", tuple(_POOLING), BinaryFn.MAX_SIGNED, _SIGNED),
    *_pooling("min", _MINIMUM_FORMATS, BinaryFn.MIN_SIGNED, _SIGNED),
    *_pooling("max_unsigned", _UNSIGNED_FORMATS, BinaryFn.MAX_UNSIGNED, _UNSIGNED),
    *_pooling("min_unsigned", _UNSIGNED_FORMATS, BinaryFn.MIN_UNSIGNED, _UNSIGNED),
)

NAMED_OPS: dict[str, NamedOp] = {
    row.name: row
    for row in (
        *_UNARY,
        *_BINARY,
        *_OTHERS,
        *_CONTRACTIONS,
        *_PRODUCTS,
        *_QUANTIZED_PRODUCTS,
        *_CONVOLUTIONS,
        *_QUANTIZED_CONVOLUTIONS,
        *_POOLINGS,
    )
}
"""The rows by name of the op."""
