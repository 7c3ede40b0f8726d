"""Pools whose last windows reach over the border, and places of largest elements.

    AveragePool(x, ceil_mode=1)     ->   AveragePool(x, pads=...) * what was not counted
    MaxPool(x, ceil_mode=1)         ->   MaxPool(x, pads=...)
    _, i = MaxPool(x)               ->   i + the place of the image in all of x

ONNX leaves out windows that begin behind the last element. It counts the elements of
`pads`, if it is asked to, and never those that `ceil_mode` adds. torch-mlir does
neither. Its places are those in one image of one channel, and count what `auto_pad`
adds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .rule import Rewriting
from .types import Numbers


@dataclass(frozen=True)
class _Windows:
    """The windows along one dimension."""

    size: int
    kernel: int
    stride: int
    dilation: int
    before: int
    """How many elements are added in front."""

    after: int
    """How many elements are added behind, for which the program asks."""

    is_ceiled: bool

    @property
    def reach(self) -> int:
        return (self.kernel - 1) * self.dilation + 1

    @property
    def count(self) -> int:
        """The size of the result."""
        rest = self.size + self.before + self.after - self.reach
        if not self.is_ceiled:
            return rest // self.stride + 1
        count = -(-rest // self.stride) + 1
        begins_behind = (count - 1) * self.stride >= self.size + self.before
        return count - begins_behind

    @property
    def border(self) -> int:
        """How many elements behind are in some window."""
        end = (self.count - 1) * self.stride + self.reach
        return max(end - self.size - self.before, 0)

    @property
    def counted(self) -> Numbers:
        """How many elements of each window the program has, or asks for."""
        starts = np.arange(self.count)[:, None] * self.stride
        places = starts + np.arange(self.kernel) * self.dilation
        return (places < self.size + self.before + self.after).sum(1)


def write_average_pool(r: Rewriting) -> Sequence[str] | None:
    """Means over windows that have a border in numbers."""
    windows = _windows(r)
    if windows is None or not r.attribute("ceil_mode", 0):
        return None
    counts = bool(r.attribute("count_include_pad", 0))
    if counts and any(each.dilation > 1 for each in windows):
        # ONNX Runtime counts in one way along two dimensions, in another along three.
        return None
    pool = r.build.add("AveragePool", [r.operand(0)], **_attributes(r, windows))
    if not counts:
        return [pool]
    factor = np.ones((), np.float64)
    for each in windows:
        factor = factor[..., None] * (each.kernel / each.counted)
    return [r.build.add("Mul", [pool, r.build.constant(factor, r.type(0).dtype)])]


def write_max_pool(r: Rewriting) -> Sequence[str] | None:
    """The largest elements of windows, and where they are among all elements.

    torch-mlir takes bytes without a sign to have one: they are computed as floats.
    """
    b, dtype, windows = r.build, r.type(0).dtype, _windows(r)
    wants_places = len(r.op.output) > 1 and bool(r.op.output[1])
    is_byte = dtype == "uint8"
    if windows is None or r.attribute("storage_order", 0):
        return None
    if not (is_byte or wants_places or r.attribute("ceil_mode", 0)):
        return None
    x = b.cast(r.operand(0), "float32") if is_byte else r.operand(0)
    count = 2 if wants_places else 1
    largest, *places = b.add_several("MaxPool", [x], count, **_attributes(r, windows))
    if is_byte:
        largest = b.cast(largest, dtype)
    return [largest, *(_in_all(r, windows, each) for each in places)]


def _in_all(r: Rewriting, windows: Sequence[_Windows], places: str) -> str:
    """Places among all elements, of places in an image of one channel.

    torch-mlir makes an image larger, if its borders differ, and counts in that.
    """
    b, sizes = r.build, [each.size for each in windows]
    if any(each.before != each.border for each in windows):
        step, found = 1, b.constant(0)
        for each in reversed(windows):
            size = b.constant(each.size + each.before + each.border)
            place = b.add(
                "Sub", [b.add("Mod", [places, size]), b.constant(each.before)]
            )
            found = b.add("Add", [found, b.add("Mul", [place, b.constant(step)])])
            places, step = b.add("Div", [places, size]), step * each.size
        places = found
    images = (r.shape(0) or ())[:2]
    firsts = np.arange(prod(images)).reshape(*images, *[1] * len(sizes))
    return b.add("Add", [places, b.constant(firsts * prod(sizes))])


def _windows(r: Rewriting) -> list[_Windows] | None:
    """The windows along each dimension; None if sizes are not known."""
    shape, kernel = r.shape(0), r.attribute("kernel_shape")
    if shape is None:
        return None
    sizes, ones = shape[2:], [1] * (len(shape) - 2)
    strides, dilations = r.attribute("strides", ones), r.attribute("dilations", ones)
    mode = r.attribute("auto_pad", b"NOTSET").decode()
    pads = r.attribute("pads", [0] * (2 * len(sizes)))
    if mode == "VALID":
        pads = [0] * (2 * len(sizes))
    found: list[_Windows] = []
    for n, size in enumerate(sizes):
        before, after = pads[n], pads[n + len(sizes)]
        if mode.startswith("SAME"):
            reach = (kernel[n] - 1) * dilations[n] + 1
            total = max((-(-size // strides[n]) - 1) * strides[n] + reach - size, 0)
            less = total // 2
            before = less if mode == "SAME_UPPER" else total - less
            after = total - before
        is_ceiled = bool(r.attribute("ceil_mode", 0)) and not mode.startswith("SAME")
        found.append(
            _Windows(
                size, kernel[n], strides[n], dilations[n], before, after, is_ceiled
            )
        )
    return found


def _attributes(r: Rewriting, windows: Sequence[_Windows]) -> dict[str, Any]:
    """The attributes of the op, with a border in numbers."""
    borders = [each.before for each in windows] + [each.border for each in windows]
    said = {"pads": borders, "auto_pad": "NOTSET", "ceil_mode": 0}
    return {**r.attributes, **said}
