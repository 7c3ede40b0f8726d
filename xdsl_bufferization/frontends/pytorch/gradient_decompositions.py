"""Gradients of PyTorch that are decomposed, because torch-mlir has no form for them.

aten.adaptive_max_pool2d_backward(...)     ->   zeros, and a scatter that adds
aten.convolution_backward, transposed      ->   a convolution, and its gradient
"""

from collections.abc import Callable, Sequence
from math import inf, prod
from typing import Any

from .frameworks import torch


def gradient_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that compute a gradient by other ops, by op."""
    aten: Any = torch().ops.aten
    # PyTorch's names of some of these ops begin with an underscore.
    return {
        aten._cdist_backward.default: _cdist_gradient,  # noqa: SLF001
        aten.adaptive_max_pool2d_backward.default: _largest_gradient(2),
        aten.adaptive_max_pool3d_backward.default: _largest_gradient(3),
        aten.convolution_backward.default: _convolution_gradient,
        aten.replication_pad1d_backward.default: _replication_gradient,
        aten.replication_pad2d_backward.default: _replication_gradient,
        aten.replication_pad3d_backward.default: _replication_gradient,
    }


def _convolution_gradient(
    grad: Any,
    x: Any,
    weight: Any,
    bias_sizes: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    output_mask: Sequence[bool],
) -> Any:
    """The gradients of a convolution that is transposed, or has groups.

    torch-mlir has no form for the first, and wrong numbers for weights of the second.
    """
    if not transposed and not (groups > 1 and output_mask[1]):
        return NotImplemented
    aten: Any = torch().ops.aten
    of_x = of_weight = of_bias = None
    sizes, none = (stride, padding, dilation), [0] * len(padding)
    if output_mask[0] and transposed:
        # A transposed convolution is the gradient of a convolution.
        of_x = aten.convolution(grad, weight, None, *sizes, False, none, groups)
        of_x = _cropped(of_x, x.shape)
    elif output_mask[0]:
        mask = [True, False, False]
        of_x = aten.convolution_backward(
            grad, x, weight, None, *sizes, False, none, groups, mask
        )[0]
    if output_mask[1]:
        pair = (grad, x) if transposed else (x, grad)
        of_weight = _weight_gradient(*pair, weight.shape, *sizes, groups)
    if output_mask[2]:
        of_bias = grad.sum([0, *range(2, grad.dim())])
    return of_x, of_weight, of_bias


def _weight_gradient(
    x: Any, grad: Any, shape: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """The gradient of the weights, which is a convolution of `x` by `grad`.

    The batch has the place of the channels, and so many groups as before. A window's
    step becomes the distance of the elements, and the other way round.
    """
    batch, inner = x.shape[0], shape[1]
    parts = x.reshape(batch, groups, inner, *x.shape[2:]).transpose(0, 2)
    by = grad.reshape(batch, groups, -1, *grad.shape[2:]).permute(
        1, 2, 0, *range(3, grad.dim() + 1)
    )
    result = torch().ops.aten.convolution(
        parts.reshape(inner, groups * batch, *x.shape[2:]),
        by.reshape(shape[0], batch, *grad.shape[2:]),
        *(None, dilation, padding, stride, False, [0] * len(padding), groups),
    )
    return _cropped(result, shape).transpose(0, 1)


def _cropped(x: Any, shape: Any) -> Any:
    """The front of an image: what lies behind belongs to rows that were padded."""
    for dimension, size in enumerate(shape[2:], start=2):
        x = x.narrow(dimension, 0, size)
    return x


def _largest_gradient(spatial: int) -> Callable[..., Any]:
    """The gradient of maxima over so many dimensions: each goes to its element."""

    def gradient(grad: Any, x: Any, indices: Any) -> Any:
        outer, inner = x.shape[:-spatial], x.shape[-spatial:]
        zeros = grad.new_zeros((*outer, prod(inner)))
        places, values = (
            y.reshape(*outer, prod(y.shape[-spatial:])) for y in (indices, grad)
        )
        return zeros.scatter_add(len(outer), places, values).reshape(x.shape)

    return gradient


def _replication_gradient(grad: Any, x: Any, padding: Sequence[int]) -> Any:
    """Each element of the border adds to the element that it repeats."""
    for number, before in enumerate(padding[::2], start=1):
        size, padded = x.shape[-number], grad.shape[-number]
        places = torch().arange(padded, device=x.device) - before
        shape = (*grad.shape[:-number], size, *grad.shape[grad.dim() - number + 1 :])
        grad = grad.new_zeros(shape).index_add(-number, places.clamp(0, size - 1), grad)
    return grad


def _cdist_gradient(grad: Any, x: Any, y: Any, p: float, distances: Any) -> Any:
    """The gradient of `x`. A distance of zero has the gradient zero, as in PyTorch."""
    steps = x.unsqueeze(-2) - y.unsqueeze(-3)
    grad, distances = grad.unsqueeze(-1), distances.unsqueeze(-1)
    if p == 0 or not steps.shape[-1]:
        return torch().zeros_like(x)
    if p == 1:
        parts = steps.sign()
    elif p == inf:
        parts = steps.sign() * (steps.abs() == distances)
    else:
        parts = steps.sign() * (steps.abs() / distances).pow(p - 1)
        is_zero = (distances == 0) | ((steps == 0) & (p < 1))
        parts = parts.masked_fill(is_zero, 0.0)
    return (parts * grad).sum(-2)
