"""Convolutions whose channels come before their pixels, with them in blocks.

    linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>)
        outs(%o : tensor<1x64x54x54xf32>)
        ->
    linalg.generic ins(%0, %1 : tensor<1x2x56x56x32xf32>, tensor<2x2x3x3x32x32xf32>)
        outs(%2 : tensor<1x2x54x54x32xf32>)          // between packs and an unpack

The first of the passes on tensors; `rewrite-conv-to-matmul-or-brgemm` follows. Strides
and dilations are kept. A convolution with a number of channels that is dynamic, or not
a multiple of its block, is left as it is, with a remark if `explain` is set.

Source: `pack-conv2DNchwFchw` of tpp-mlir.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.transforms.mlir_pass import MLIRPass
from xdsl_bufferization.transforms.tpp.block_factors import check_factors
from xdsl_bufferization.transforms.tpp.packed_convolutions import (
    DEFAULT_FACTORS,
    ChannelFactors,
    Format,
    pack_convolutions,
)
from xdsl_bufferization.transforms.tpp.remarks import Report, write_remark

_FORMAT = Format(
    "linalg.conv_2d_nchw_fchw",
    loops="nkpqcrs",
    image="nchw",
    filter="kcrs",
    output="nkpq",
)


def pack_conv2d_nchw_fchw(
    module: ModuleOp,
    factors: ChannelFactors = DEFAULT_FACTORS,
    report: Report | None = None,
) -> None:
    """Pack the operands of all `linalg.conv_2d_nchw_fchw` in `module`.

    `report` is told of convolutions that are left as they are.
    """
    pack_convolutions(module, _FORMAT, factors, report)


@dataclass(frozen=True)
class PackConv2DNchwFchwPass(MLIRPass):
    """Pack the channels of convolutions into blocks, where pixels come last."""

    name = "pack-conv2DNchwFchw"

    block_factors: tuple[int, ...] = DEFAULT_FACTORS
    """Channels of the output, and of the image, in a block."""
    explain: bool = False
    """Whether to say why convolutions are left as they are, on stderr."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        factors = check_factors(self.block_factors, ChannelFactors._fields)
        report = write_remark if self.explain else None
        pack_conv2d_nchw_fchw(op, ChannelFactors(*factors), report)
