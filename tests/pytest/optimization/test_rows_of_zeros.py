"""Convolutions of small images with wide borders, against NumPy.

Rows of zeros are left out of sums. Products of zeros with weights that are infinite or
NaN have to stay NaN.
"""

from typing import NamedTuple

import numpy as np
import pytest
from harness.programs.random_windows import tensor
from numpy.typing import NDArray

import xdsl_bufferization as xbuf
from xdsl_bufferization.codegen.xsmm import window_kernels

SEEDS = 40

Array = NDArray[np.float32]


class Layer(NamedTuple):
    """A convolution with a bias and ReLU."""

    images: int
    inputs: int
    outputs: int
    size: tuple[int, int]
    low: tuple[int, int]
    high: tuple[int, int]
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]

    @property
    def padded(self) -> list[int]:
        """Rows and columns of an image with its border."""
        return [sum(each) for each in zip(self.low, self.size, self.high, strict=True)]

    @property
    def pixels(self) -> list[int]:
        """Rows and columns of the result."""
        numbers = zip(self.padded, self.kernel, self.dilation, self.stride, strict=True)
        return [
            (size - (width - 1) * apart - 1) // by + 1
            for size, width, apart, by in numbers
        ]

    def text(self) -> str:
        """The program."""
        image, wide = (
            tensor((self.images, self.inputs, *each))
            for each in (self.size, self.padded)
        )
        weights = tensor((self.outputs, self.inputs, *self.kernel))
        bias = tensor((self.outputs,))
        result = tensor((self.images, self.outputs, *self.pixels))
        same = "affine_map<(a, b, c, d) -> (a, b, c, d)>"
        return f"""
        func.func @entry(%x: {image}, %w: {weights}, %b: {bias}) -> {result} {{
          %zero = arith.constant 0.0 : f32
          %p = tensor.pad %x low[0, 0, {self.low[0]}, {self.low[1]}]
              high[0, 0, {self.high[0]}, {self.high[1]}] {{
          ^bb0(%i: index, %j: index, %k: index, %l: index):
            tensor.yield %zero : f32
          }} : {image} to {wide}
          %e = tensor.empty() : {result}
          %f = linalg.broadcast ins(%b : {bias}) outs(%e : {result})
              dimensions = [0, 2, 3]
          %c = linalg.conv_2d_nchw_fchw {{
              strides = dense<{list(self.stride)}> : vector<2xi64>,
              dilations = dense<{list(self.dilation)}> : vector<2xi64>}}
              ins(%p, %w : {wide}, {weights}) outs(%f : {result}) -> {result}
          %r = linalg.generic {{indexing_maps = [{same}, {same}],
              iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
              ins(%c : {result}) outs(%e : {result}) {{
          ^bb0(%s: f32, %o: f32):
            %m = arith.maximumf %s, %zero : f32
            linalg.yield %m : f32
          }} -> {result}
          return %r : {result}
        }}
        """

    def computed_by_numpy(self, image: Array, weights: Array, bias: Array) -> Array:
        """The result."""
        borders = zip(self.low, self.high, strict=True)
        padded = np.pad(image, ((0, 0), (0, 0), *borders))
        reach = [
            (width - 1) * apart + 1
            for width, apart in zip(self.kernel, self.dilation, strict=True)
        ]
        windows = np.lib.stride_tricks.sliding_window_view(padded, reach, (2, 3))
        rows, columns = self.stride
        down, across = self.dilation
        windows = windows[:, :, ::rows, ::columns, ::down, ::across]
        sums = (windows[:, None] * weights[:, :, None, None]).sum((2, 5, 6))
        return np.maximum(sums + bias[:, None, None], 0)


def random_layer(rng: np.random.Generator) -> Layer:
    """All borders and windows that fit."""

    def two(low: int, high: int) -> tuple[int, int]:
        first, second = (int(each) for each in rng.integers(low, high, 2))
        return first, second

    layer = Layer(
        images=int(rng.integers(1, 3)),
        inputs=int(rng.choice((3, 16, 24, 40))),
        outputs=int(rng.choice((16, 24, 64))),
        size=two(2, 9),
        low=two(0, 5),
        high=two(0, 5),
        kernel=(1, 1),
        stride=two(1, 3),
        dilation=two(1, 3),
    )
    most = [
        min(7, (size - 1) // apart + 1)
        for size, apart in zip(layer.padded, layer.dilation, strict=True)
    ]
    rows, columns = (int(rng.integers(1, each + 1)) for each in most)
    return layer._replace(kernel=(rows, columns))


@np.errstate(invalid="ignore")
@pytest.mark.volume(sample=6)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_results_are_those_of_numpy(seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(window_kernels, "LEAST_LEFT_OUT", 0)
    rng = np.random.default_rng(seed)
    layer = random_layer(rng)
    shapes = (
        (layer.images, layer.inputs, *layer.size),
        (layer.outputs, layer.inputs, *layer.kernel),
        (layer.outputs,),
    )
    arguments = [rng.integers(-4, 5, shape).astype(np.float32) for shape in shapes]
    compiled = xbuf.jit(layer.text(), threads=1)
    np.testing.assert_array_equal(
        compiled(*arguments), layer.computed_by_numpy(*arguments)
    )
    weights = arguments[1].reshape(-1)
    odd = rng.integers(0, weights.size, 3)
    weights[odd] = [np.inf, -np.inf, np.nan]
    np.testing.assert_array_equal(
        compiled(*arguments), layer.computed_by_numpy(*arguments)
    )
