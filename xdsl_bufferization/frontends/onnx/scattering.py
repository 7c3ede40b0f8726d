"""Ops that put elements at places, by `ScatterElements`.

    Col2Im(x)                 ->   ScatterElements(zeros, places, x, reduction=add)
    MaxUnpool(x, i)           ->   ScatterElements(zeros, i, x)
    TensorScatter(c, u, i)    ->   ScatterElements(c, [i, i + 1, ...], u)

The places of `Col2Im` are constants, as the sizes are known.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from .rule import Rewriting
from .types import Numbers


def write_col2im(r: Rewriting) -> Sequence[str] | None:
    """Sums at places that are constants; the padding is cut off."""
    image, block, shape = r.value(1), r.value(2), r.shape(0)
    if image is None or block is None or shape is None:
        return None
    rank = len(image)
    dilations: list[int] = r.attribute("dilations", [1] * rank)
    strides: list[int] = r.attribute("strides", [1] * rank)
    pads: list[int] = r.attribute("pads", [0] * (2 * rank))
    sizes = [int(image[n]) + pads[n] + pads[n + rank] for n in range(rank)]
    places = np.zeros((1, 1), np.int64)
    for n in range(rank):
        reach = dilations[n] * (int(block[n]) - 1) + 1
        starts = np.arange(0, sizes[n] - reach + 1, strides[n])
        here = np.arange(int(block[n]))[:, None] * dilations[n] + starts
        places = _both(places * sizes[n], here)
    b, dtype = r.build, r.type(0).dtype
    channels = shape[1] // prod(int(size) for size in block)
    parts = [shape[0], channels, places.size]
    flat = b.add("Reshape", [r.operand(0), b.constant(parts)])
    whole = b.constant([*parts[:2], prod(sizes)])
    zeros = b.add("Expand", [b.constant(0, dtype), whole])
    indices = b.add("Expand", [b.constant(places.ravel()), b.constant(parts)])
    sums = b.add("ScatterElements", [zeros, indices, flat], axis=2, reduction="add")
    padded = b.add("Reshape", [sums, b.constant([*parts[:2], *sizes])])
    ends = [pads[n] + int(image[n]) for n in range(rank)]
    axes = [*range(2, rank + 2)]
    bounds = [b.constant(each) for each in ([*pads[:rank]], ends, axes)]
    return [b.add("Slice", [padded, *bounds])]


def _both(outer: Numbers, inner: Numbers) -> Numbers:
    """The sums of all pairs, of blocks and of starts each by themselves."""
    sums = outer[:, None, :, None] + inner[None, :, None, :]
    return sums.reshape(len(outer) * len(inner), -1)


def write_max_unpool(r: Rewriting) -> Sequence[str] | None:
    """Zeros, and elements where they were."""
    shape = r.shape(0)
    if shape is None or r.operand(2):
        return None
    kernel = r.attribute("kernel_shape")
    rank = len(kernel)
    strides = r.attribute("strides", [1] * rank)
    pads = r.attribute("pads", [0] * (2 * rank))
    sizes = [
        (shape[n + 2] - 1) * strides[n] + kernel[n] - pads[n] - pads[n + rank]
        for n in range(rank)
    ]
    b, whole = r.build, [*shape[:2], *sizes]
    flat, indices = (
        b.add("Reshape", [r.operand(number), b.constant([-1])]) for number in (0, 1)
    )
    zero = b.constant(0, r.type(0).dtype)
    zeros = b.add("Expand", [zero, b.constant([prod(whole)])])
    put = b.add("ScatterElements", [zeros, indices, flat], axis=0)
    return [b.add("Reshape", [put, b.constant(whole)])]


def write_tensor_scatter(r: Rewriting) -> Sequence[str] | None:
    """Rows at the places from an index of each batch on, or from the first row."""
    shape, update = r.shape(0), r.shape(1)
    if shape is None or update is None:
        return None
    axis = int(r.attribute("axis", -2)) % len(shape)
    sizes = [1] * len(shape)
    sizes[axis] = update[axis]
    b = r.build
    places = b.constant(np.arange(update[axis]).reshape(sizes))
    if r.operand(2):
        batches = [-1, *[1] * (len(shape) - 1)]
        starts = b.add("Reshape", [r.operand(2), b.constant(batches)])
        places = b.add("Add", [places, starts])
    if r.attribute("mode", b"linear") == b"circular":
        places = b.add("Mod", [places, b.constant(shape[axis])])
    indices = b.add("Expand", [places, b.constant([*update])])
    inputs = [r.operand(0), indices, r.operand(1)]
    return [b.add("ScatterElements", inputs, axis=axis)]
