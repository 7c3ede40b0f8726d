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
from typing import ClassVar

from xdsl_bufferization.transforms.tpp.packing.packed_convolutions import (
    NCHW_FCHW,
    Format,
    PackConvolutionsPass,
)


@dataclass(frozen=True)
class PackConv2DNchwFchwPass(PackConvolutionsPass):
    """Pack the channels of convolutions into blocks, where pixels come last."""

    name = "pack-conv2DNchwFchw"

    format: ClassVar[Format] = NCHW_FCHW
