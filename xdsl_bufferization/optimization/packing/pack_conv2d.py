"""Convolutions with their channels in blocks.

    linalg.conv_2d_nhwc_hwcf ins(%i, %f : tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>)
        outs(%o : tensor<1x54x54x64xf32>)
        ->
    linalg.generic ins(%0, %1 : tensor<1x2x56x56x32xf32>, tensor<2x2x3x3x32x32xf32>)
        outs(%2 : tensor<1x2x54x54x32xf32>)          // between packs and an unpack

    image  [N, C, H, W] or [N, H, W, C]     ->  [N, C', H, W, c]
    filter [K, C, R, S] or [R, S, C, K]     ->  [K', C', R, S, c, k]
    output [N, K, P, Q] or [N, P, Q, K]     ->  [N, K', P, Q, k]

There is a pass for each of the two formats of convolutions. Either is the first of the
passes on tensors; `rewrite-conv-to-matmul-or-brgemm` follows. Each block of an image is
as in NHWC. So the convolution is a product of matrices of blocks of channels, for
each row of the output and each place in the window.

Strides and dilations are kept. Some convolutions stay as they are, with a remark if
`explain` is set: the number of channels is dynamic, or not a multiple of its block.

Source: the passes `pack-conv2DNhwcHwcf` and `pack-conv2DNchwFchw` of tpp-mlir.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.remarks import (
    Report,
    ignore_remark,
    remark,
    write_remark,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import Layout, pack, unpack
from .block_factors import check_factors
from .packed_loops import Loop, PackedLoops, packed_op


class ChannelFactors(NamedTuple):
    """The sizes of blocks of channels."""

    k: int = 32
    """Channels of the output."""
    c: int = 32
    """Channels of the image."""


DEFAULT_FACTORS = ChannelFactors()


@dataclass(frozen=True)
class Format:
    """Where a convolution has its loops and dimensions, by letters.

    The loops n, p and q are over the output, r and s over the window, c and k over
    channels. An image has the dimensions h and w: p and r index h, q and s index w.
    """

    name: str
    """Of the op."""
    loops: str
    image: str
    filter: str
    output: str

    def layouts(self, factors: ChannelFactors) -> list[Layout]:
        """Of image, filter and output."""
        sizes = factors._asdict()
        return [
            _layout(dimensions, outer, inner, sizes)
            for dimensions, outer, inner in (
                (self.image, "nchw", "c"),
                (self.filter, "kcrs", "ck"),
                (self.output, "nkpq", "k"),
            )
        ]

    def packed_loops(self) -> PackedLoops:
        """First the loops over the output, then those that sum."""
        # A capital is the loop over blocks, or the only one.
        return PackedLoops(
            tuple(
                Loop(self.loops.index(letter.lower()), is_tile=letter in "kc")
                for letter in "NKPQkCRSc"
            )
        )


NHWC_HWCF = Format(
    "linalg.conv_2d_nhwc_hwcf",
    loops="npqkrsc",
    image="nhwc",
    filter="rsck",
    output="npqk",
)
"""Channels come last."""

NCHW_FCHW = Format(
    "linalg.conv_2d_nchw_fchw",
    loops="nkpqcrs",
    image="nchw",
    filter="kcrs",
    output="nkpq",
)
"""Channels come before pixels."""


def _layout(dimensions: str, outer: str, inner: str, sizes: dict[str, int]) -> Layout:
    return Layout(
        tuple(dimensions.index(letter) for letter in inner),
        tuple(sizes[letter] for letter in inner),
        tuple(dimensions.index(letter) for letter in outer),
    )


def pack_convolutions(
    module: ModuleOp,
    format: Format,
    factors: ChannelFactors = DEFAULT_FACTORS,
    report: Report[str] = ignore_remark,
) -> None:
    """Pack the operands of all convolutions of `format` in `module`.

    `report` is told of those that are left as they are.
    """
    layouts = format.layouts(factors)
    for op in ops_inside(module):
        if op.name != format.name or not op.results:
            continue
        problem = _problem(op, layouts)
        if problem is None:
            _pack(op, layouts, format.packed_loops())
        else:
            report(remark(op, f"is not packed: {problem}"))


def _problem(op: Operation, layouts: Sequence[Layout]) -> str | None:
    """Why the convolution cannot be packed, and what to do."""
    for value, layout in zip(op.operands, layouts, strict=True):
        shape = ranked_type(value).get_shape()
        for dimension, tile in layout.tiles.items():
            size = shape[dimension]
            if size == DYNAMIC_INDEX:
                return "the number of channels is dynamic; make it static"
            if size % tile:
                return (
                    f"the number of channels, {size}, is not a multiple of the block "
                    f"factor {tile}; set block-factors"
                )
    return None


def _pack(op: Operation, layouts: Sequence[Layout], loops: PackedLoops) -> None:
    structure = structure_of(op)
    assert structure is not None, "a convolution is a structured op"
    builder = ArithBuilder.before(op)
    operands = [
        pack(builder, value, layout)
        for value, layout in zip(op.operands, layouts, strict=True)
    ]
    packed = builder.insert(packed_op(structure, loops, layouts, operands))
    (dest,) = structure.outputs
    result = unpack(builder, packed.results[0], layouts[-1], dest)
    Rewriter.replace_op(op, [], [result])


@dataclass(frozen=True)
class _PackConvolutionsPass(TensorPass):
    format: ClassVar[Format]

    block_factors: tuple[int, ...] = DEFAULT_FACTORS
    """Channels of the output, and of the image, in a block."""
    explain: bool = False
    """Whether to say why convolutions are left as they are, on stderr."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        factors = check_factors(self.block_factors, ChannelFactors._fields)
        report = write_remark if self.explain else ignore_remark
        pack_convolutions(op, self.format, ChannelFactors(*factors), report)


class PackConv2DNhwcHwcfPass(_PackConvolutionsPass):
    """Pack the channels of convolutions into blocks, where they come last."""

    name = "pack-conv2DNhwcHwcf"
    format = NHWC_HWCF


class PackConv2DNchwFchwPass(_PackConvolutionsPass):
    """Pack the channels of convolutions into blocks, where pixels come last."""

    name = "pack-conv2DNchwFchw"
    format = NCHW_FCHW
