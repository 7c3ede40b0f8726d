"""Fourier transforms as products with matrices of sines and cosines.

    DFT(x)    ->    real: x @ cos, imaginary: -x @ sin

The matrices are constants, as the lengths are known. They take the square of a length,
so that long transforms are refused.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from .rule import Rewriting

_LONGEST: Final = 1024

_AXIS_AS_INPUT: Final = 20
"""The version of ONNX from which the axis is an operand."""


def write_dft(r: Rewriting) -> Sequence[str] | None:
    """Products for the real and the imaginary part."""
    shape, dtype = r.shape(0), r.type(0).dtype
    axis, length = _axis(r), r.value(1)
    if shape is None or axis is None or (r.operand(1) and length is None):
        return None
    rank = len(shape) - 1
    axis %= len(shape)
    size = shape[axis] if length is None else int(length.item())
    is_inverse, is_onesided = (bool(r.attribute(n, 0)) for n in ("inverse", "onesided"))
    is_complex = shape[-1] == 2
    if max(size, shape[axis]) > _LONGEST or axis >= rank:
        return None
    if is_inverse and is_onesided:
        size = 2 * (shape[axis] - 1) if length is None else size
    half = size // 2 + 1
    taken = min(shape[axis], half if is_inverse and is_onesided else size)
    count = half if is_onesided and not is_inverse else size
    angles = 2 * np.pi * np.outer(np.arange(taken), np.arange(count)) / size
    scale = np.full((taken, 1), 1 / size if is_inverse else 1.0)
    if is_inverse and is_onesided:
        # The other half of the numbers are the conjugates of those in between.
        scale[1 : (size + 1) // 2] *= 2
    sign = 1 if is_inverse else -1
    b = r.build
    cosines, sines = (
        b.constant(scale * each, dtype)
        for each in (np.cos(angles), sign * np.sin(angles))
    )
    order = [*range(rank)]
    order[axis], order[-1] = order[-1], order[axis]

    def part(number: int) -> str:
        """A part of the numbers, with the axis last."""
        picked = b.add("Gather", [r.operand(0), b.constant(number)], axis=rank)
        cut = [b.constant([n]) for n in (0, taken, axis)]
        return b.add("Transpose", [b.add("Slice", [picked, *cut])], perm=order)

    real = part(0)
    results = [b.add("MatMul", [real, each]) for each in (cosines, sines)]
    if is_complex:
        imaginary = part(1)
        others = [b.add("MatMul", [imaginary, each]) for each in (sines, cosines)]
        results = [
            b.add("Sub", [results[0], others[0]]),
            b.add("Add", [results[1], others[1]]),
        ]
    if is_inverse and is_onesided:
        results = results[:1]
    back = [b.add("Transpose", [each], perm=order) for each in results]
    return [b.add("Concat", [b.unsqueezed(each, rank) for each in back], axis=rank)]


def _axis(r: Rewriting) -> int | None:
    if r.build.opset < _AXIS_AS_INPUT:
        return int(r.attribute("axis", 1))
    if not r.operand(2):
        return -2
    value = r.value(2)
    return None if value is None else int(value.item())
