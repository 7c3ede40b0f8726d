"""Images that are packed tile by tile, against NumPy."""

from typing import NamedTuple

import numpy as np
import pytest
from harness.programs.random_windows import random_windows, tensor
from harness.volume.model_stages import Model, check_model

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.linalg.pack import PackOp
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.optimization.packing.pack_convolutions import (
    pack_convolutions,
)
from xdsl_bufferization.optimization.packing.propagate_pack_and_unpack import (
    propagate_pack_and_unpack,
)
from xdsl_bufferization.optimization.tiling import packs_in_tiles
from xdsl_bufferization.optimization.tiling.tile_convolutions import (
    tile_convolutions,
)
from xdsl_bufferization.support.traversal import ops_inside

SEEDS = 60

BODIES = {
    "linalg.depthwise_conv_2d_nchw_chw": "0.0",
    "linalg.conv_2d_nchw_fchw": "0.0",
    "linalg.pooling_nchw_max": "0xFF800000",
    "linalg.pooling_nchw_sum": "0.0",
}


class Window(NamedTuple):
    """A convolution or pooling of an image that is an argument."""

    name: str
    images: int
    channels: int
    size: tuple[int, int]
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    low: tuple[int, int]
    high: tuple[int, int]

    def text(self, *, has_known_batch: bool = True) -> str:
        """The program; perhaps for any number of images."""
        padded, pixels = self._sizes()
        start = BODIES[self.name]
        types = (
            tensor((self.images, self.channels, *size))
            for size in (self.size, padded, pixels)
        )
        if not has_known_batch:
            types = (type_.replace(f"<{self.images}x", "<?x") for type_ in types)
        image, wide, result = types
        shape: tuple[int, ...] = self.kernel
        if "pooling" not in self.name:
            shape = (self.channels, *shape)
        if "fchw" in self.name:
            shape = (self.channels, *shape)
        window = tensor(shape)
        size = "" if has_known_batch else "%n"
        return f"""
        func.func @entry(%x: {image}, %w: {window}) -> {result} {{
          %start = arith.constant {start} : f32
          %zero = arith.constant 0 : index
          %n = tensor.dim %x, %zero : {image}
          %p = tensor.pad %x low[0, 0, {self.low[0]}, {self.low[1]}]
              high[0, 0, {self.high[0]}, {self.high[1]}] {{
          ^bb0(%a: index, %b: index, %c: index, %d: index):
            tensor.yield %start : f32
          }} : {image} to {wide}
          %e = tensor.empty({size}) : {result}
          %f = linalg.fill ins(%start : f32) outs(%e : {result}) -> {result}
          %r = {self.name} {{strides = dense<{list(self.stride)}> : vector<2xi64>,
              dilations = dense<{list(self.dilation)}> : vector<2xi64>}}
              ins(%p, %w : {wide}, {window}) outs(%f : {result}) -> {result}
          return %r : {result}
        }}
        """

    def _sizes(self) -> tuple[list[int], list[int]]:
        """Of the image with its border, and of the result."""
        padded = [
            before + size + behind
            for before, size, behind in zip(self.low, self.size, self.high, strict=True)
        ]
        pixels = [
            (size - (width - 1) * apart - 1) // stride + 1
            for size, width, apart, stride in zip(
                padded, self.kernel, self.dilation, self.stride, strict=True
            )
        ]
        return padded, pixels


def random_window(seed: int) -> Window:
    """Any kind, with all borders that fit."""
    rng = np.random.default_rng(seed)

    def two(low: int, high: int) -> tuple[int, int]:
        first, second = (int(each) for each in rng.integers(low, high, 2))
        return first, second

    return Window(
        str(rng.choice(list(BODIES))),
        int(rng.integers(1, 4)),
        int(rng.choice([16, 20, 48, 64])),
        two(6, 12),
        two(1, 5),
        two(1, 4),
        two(1, 3),
        two(0, 5),
        two(0, 5),
    )


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pack images of any size in tiles, with a few rows each."""
    monkeypatch.setattr(packs_in_tiles, "SMALL_BYTES", 0)
    monkeypatch.setattr(packs_in_tiles, "FEWEST_TILES", 2)


@pytest.mark.usefixtures("any_size")
@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_single_windows_keep_their_meaning(seed: int):
    text = random_window(seed).text()
    assert check_model(Model("window", text, "f32"), seed) >= 4


@pytest.mark.usefixtures("any_size")
@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_chains_of_windows_keep_their_meaning(seed: int):
    text = random_windows(np.random.default_rng(seed))
    assert check_model(Model("windows", text, "f32", 3), seed) >= 4


LARGE = Window(
    "linalg.depthwise_conv_2d_nchw_chw",
    images=3,
    channels=64,
    size=(31, 35),
    kernel=(5, 5),
    stride=(2, 2),
    dilation=(1, 1),
    low=(2, 2),
    high=(2, 2),
)


ANY_BATCH = LARGE._replace(channels=192)
"""One image is large."""


@pytest.mark.parametrize("has_known_batch", [True, False])
def test_a_large_image_is_not_packed_as_a_whole(has_known_batch: bool):
    window = LARGE if has_known_batch else ANY_BATCH
    text = window.text(has_known_batch=has_known_batch)
    module = parse_module(text, "window.mlir", get_context())
    pack_convolutions(module)
    propagate_pack_and_unpack(module)
    tile_convolutions(module)
    packed = [
        op.result.type.get_shape()
        for op in ops_inside(module)
        if isinstance(op, PackOp) and len(op.result.type.get_shape()) > 4
    ]
    assert packed == []


@pytest.mark.parametrize("has_known_batch", [True, False])
def test_two_threads_compute_the_same_bits(has_known_batch: bool):
    window = LARGE if has_known_batch else ANY_BATCH
    text = window.text(has_known_batch=has_known_batch)
    rng = np.random.default_rng(1)
    image = rng.normal(size=(3, window.channels, *window.size)).astype(np.float32)
    weights = rng.normal(size=(window.channels, 5, 5)).astype(np.float32)
    one, two = (xbuf.jit(text, threads=count)(image, weights) for count in (1, 2))
    np.testing.assert_array_equal(one, two)
    padded = np.pad(image.astype(np.float64), ((0, 0), (0, 0), (2, 2), (2, 2)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (5, 5), (2, 3))
    wanted = np.einsum("ncpqij,cij->ncpq", windows[:, :, ::2, ::2], weights)
    np.testing.assert_allclose(one, wanted, rtol=1e-4, atol=1e-4)
