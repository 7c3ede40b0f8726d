"""Convolutions whose channels come last, with their channels in blocks.

    linalg.conv_2d_nhwc_hwcf ins(%i, %f : tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>)
        outs(%o : tensor<1x54x54x64xf32>)
        ->
    linalg.generic ins(%0, %1 : tensor<1x2x56x56x32xf32>, tensor<2x2x3x3x32x32xf32>)
        outs(%2 : tensor<1x2x54x54x32xf32>)          // between packs and an unpack

The first of the passes on tensors; `rewrite-conv-to-matmul-or-brgemm` follows. Strides
and dilations are kept. A convolution with a number of channels that is dynamic, or not
a multiple of its block, is left as it is, with a remark if `explain` is set.

Source: `pack-conv2DNhwcHwcf` of tpp-mlir.
"""

from dataclasses import dataclass
from typing import ClassVar

from xdsl_bufferization.transforms.tpp.packing.packed_convolutions import (
    NHWC_HWCF,
    Format,
    PackConvolutionsPass,
)


@dataclass(frozen=True)
class PackConv2DNhwcHwcfPass(PackConvolutionsPass):
    """Pack the channels of convolutions into blocks, where they come last."""

    name = "pack-conv2DNhwcHwcf"

    format: ClassVar[Format] = NHWC_HWCF
