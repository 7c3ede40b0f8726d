"""Gradients of means over windows, because torch-mlir has no form for them.

    aten.avg_pool2d_backward(grad, ...)    ->   a transposed convolution by ones
    aten._adaptive_avg_pool2d_backward     ->   copies, if windows have one size; else
                                                sums of those that have an element

Each element of a window has the gradient of the mean, divided by how many elements
PyTorch counts.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from .frameworks import torch
from .wide_decompositions import widened


def pool_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that compute a gradient of means by other ops, by op."""
    aten: Any = torch().ops.aten
    # PyTorch's names of some of these ops begin with an underscore.
    plane = aten._adaptive_avg_pool2d_backward  # noqa: SLF001
    room = aten._adaptive_avg_pool3d_backward  # noqa: SLF001
    return {
        aten.avg_pool2d_backward.default: _mean_gradient(2),
        aten.avg_pool3d_backward.default: _mean_gradient(3),
        plane.default: _adaptive_gradient(2),
        room.default: _adaptive_gradient(3),
    }


def _mean_gradient(spatial: int) -> Callable[..., Any]:
    """The gradient of means over so many dimensions."""

    def gradient(
        grad: Any,
        x: Any,
        kernel: Sequence[int],
        stride: Sequence[int],
        padding: Sequence[int],
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None,
    ) -> Any:
        kernel, padding = (_each(one, spatial) for one in (kernel, padding))
        stride = _each(stride, spatial) if stride else kernel
        sizes, windows = x.shape[-spatial:], grad.shape[-spatial:]
        wide = widened(grad)
        for number in range(spatial if divisor_override is None else 0):
            counts = _counts(
                *(windows[number], sizes[number], kernel[number]),
                *(stride[number], padding[number], count_include_pad),
            ).to(wide.dtype)
            wide = wide / counts.reshape(-1, *[1] * (spatial - 1 - number))
        if divisor_override is not None:
            wide = wide / divisor_override
        full = _spread(wide, kernel, stride, spatial)
        amounts: list[int] = []
        for number in reversed(range(spatial)):
            before = -padding[number]
            amounts += [before, sizes[number] - full.shape[number - spatial] - before]
        full = torch().constant_pad_nd(full, amounts)
        return full.reshape(x.shape).to(grad.dtype)

    return gradient


def _each(value: Sequence[int], spatial: int) -> list[int]:
    """One number for each dimension."""
    return [*value] if len(value) == spatial else [*value] * spatial


def _counts(
    windows: int, size: int, kernel: int, stride: int, padding: int, with_border: bool
) -> Any:
    """How many elements of each window PyTorch counts, along a dimension."""
    start = torch().arange(windows) * stride - padding
    end = (start + kernel).clamp(max=size + padding)
    if not with_border:
        start, end = start.clamp(min=0), end.clamp(max=size)
    return end - start


def _spread(grad: Any, kernel: Sequence[int], stride: Sequence[int], rank: int) -> Any:
    """The sum of the windows, each of which has one number."""
    image = grad.reshape(prod(grad.shape[:-rank]), 1, *grad.shape[-rank:])
    ones = torch().ones((1, 1, *kernel), dtype=grad.dtype)
    none = [0] * rank
    return torch().ops.aten.convolution(
        image, ones, None, stride, none, [1] * rank, True, none, 1
    )


def _adaptive_gradient(spatial: int) -> Callable[..., Any]:
    """The gradient of means over windows that share what they do not divide."""

    def gradient(grad: Any, x: Any) -> Any:
        sizes, windows = x.shape[-spatial:], grad.shape[-spatial:]
        pairs = [*zip(sizes, windows, strict=True)]
        if not all(windows):
            return NotImplemented
        if any(size % window for size, window in pairs):
            wide = widened(grad)
            for dimension, size in enumerate(sizes, start=x.dim() - spatial):
                wide = _of_windows(wide, size, dimension)
            return wide.to(grad.dtype)
        kernel = [size // window for size, window in pairs]
        each = grad / prod(kernel)
        for number, count in enumerate(kernel, start=x.dim() - spatial):
            shape = [*each.shape]
            parts = each.unsqueeze(number + 1)
            parts = parts.expand(*shape[: number + 1], count, *shape[number + 1 :])
            shape[number] *= count
            each = parts.reshape(shape)
        return each

    return gradient


def _of_windows(grad: Any, size: int, dimension: int) -> Any:
    """The gradient along a dimension: an element adds up those of its windows.

    Window i of n is from i * size / n, rounded down, to (i + 1) * size / n, rounded up.
    """
    count, behind = grad.shape[dimension], [1] * (grad.dim() - dimension - 1)
    element = torch().arange(size).reshape(size, *behind)
    window = torch().arange(count).reshape(count, 1, *behind)
    has_started = window * size < (element + 1) * count
    has_element = has_started & (element * count < (window + 1) * size)
    sizes = has_element.sum(1, keepdim=True).to(grad.dtype)
    each = grad.unsqueeze(dimension + 1) / sizes
    return torch().where(has_element, each, 0.0).sum(dimension)
