"""What a kernel for windows is told of rows of zeros, so that it leaves them out.

    linalg.generic ins(%a, %b) outs(%c) {xsmm.image_rows = array<i64: 3, 10>}
        // 13x13x16, 7x7x16x16, 7x7x16
        ->
    xsmm.window.dispatch product [..., 2, 624, 2080] flags = (beta_0) data_type = f32

For `convert-windows-to-xsmm`. Loop 2 of the kernel is over rows of the window. Rows of
%a are 208 elements apart: the first one that is not zeros is at 624, and the first one
behind at 2080. So the first row of pixels is summed over four rows of the window only.
"""

from collections.abc import Sequence
from math import prod
from typing import Final

from xdsl.ir import Operation

from xdsl_bufferization.dialects.linalg.structure import Structure
from xdsl_bufferization.dialects.xsmm.attributes import WindowKind
from xdsl_bufferization.optimization.common.contractions import factors_of
from xdsl_bufferization.optimization.common.rows_of_zeros import (
    dimension_of_rows,
    noted_rows,
)
from xdsl_bufferization.optimization.tiling.tile_convolutions import CACHE_BYTES
from xdsl_bufferization.support import abi

from .strided_matrices import as_buffer
from .window_kernels import MOST_PIXEL_LOOPS, Step, Window

LEAST_LEFT_OUT: Final = 0.0625
"""The share of products with zeros that is worth the code that leaves them out."""

_F32_BYTES: Final = 4


def zeros_of(op: Operation, structure: Structure, window: Window) -> Sequence[int]:
    """The inputs `loop`, `first` and `end` of a dispatch; none if all rows are summed.

    `op` computes `window`.
    """
    rows, dimension = noted_rows(op), dimension_of_rows(structure)
    if rows is None or dimension is None or not _is_small_product(window):
        return ()
    factors = factors_of(structure.maps[0].results[dimension]) or {}
    stride = _stride(structure, window, dimension)
    of_a, pixels = window.distances[0], window.pixels[0]
    others = [loop for loop in factors if loop != pixels]
    if stride is None or pixels not in factors or len(others) != 1:
        return ()
    if any(of_a.get(loop) != by * stride for loop, by in factors.items()):
        return ()
    (loop,) = others
    step = Step(window.counts[loop], of_a[loop], window.distances[1].get(loop, 0))
    met = [
        row * factors[pixels] + iteration * factors[loop]
        for row in range(window.counts[pixels])
        for iteration in range(step.iterations)
    ]
    left_out = sum(not rows[0] <= row < rows[1] for row in met)
    if left_out < LEAST_LEFT_OUT * len(met) or step not in window.steps:
        return ()
    number = window.steps.index(step) + abi.XSMM_WINDOW_STEPS - len(window.steps)
    return number, rows[0] * stride, rows[1] * stride


def _is_small_product(window: Window) -> bool:
    """Whether a row of pixels may be summed alone.

    Each row then reads the weights from the second-level cache. Otherwise several rows
    share what is read.
    """
    channels = 1 if window.channels is None else window.counts[window.channels]
    weights = channels * prod(step.iterations for step in window.steps)
    return (
        window.kind is WindowKind.PRODUCT
        and len(window.pixels) == MOST_PIXEL_LOOPS
        and weights * _F32_BYTES <= CACHE_BYTES
    )


def _stride(structure: Structure, window: Window, dimension: int) -> int | None:
    """How far neighbours in a dimension of the image are apart, if the image is A."""
    buffer = as_buffer(window.a.type)
    if buffer is None or window.a is not structure.inputs[0]:
        return None
    strides = buffer.get_strides()
    return None if strides is None else strides[dimension]
