"""Random chains of convolutions and pooling, of all kinds and with ragged sizes.

    %p1 = tensor.pad %x ...
    %c2 = linalg.depthwise_conv_2d_nchw_chw ins(%p1, %w0) outs(%b1)
    %r3 = linalg.generic { relu } ins(%c2)

Each op works on what the one before it computes, with a pad, a bias, an activation or a
residual between them, or without. Weights are arguments of the function.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

Shape = tuple[int, ...]

CHANNELS = (1, 3, 5, 8, 16, 20, 24, 33, 40, 48)
TRANSPOSED = ("conv", "depthwise", "grouped")
FIRST = ("conv", "depthwise", "grouped", "max", "sum")


def tensor(shape: Shape) -> str:
    """The type of a tensor."""
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


@dataclass
class Chain:
    """A program while it is written; channels come before the sizes, or last."""

    rng: np.random.Generator
    is_channels_last: bool
    value: str
    batch: int
    channels: int
    sizes: list[int]
    arguments: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    @property
    def shape(self) -> Shape:
        """Of the value."""
        return self.shape_of(self.channels, self.sizes)

    def shape_of(self, channels: int, sizes: Sequence[int]) -> Shape:
        """The shape of an image."""
        if self.is_channels_last:
            return (self.batch, *sizes, channels)
        return (self.batch, channels, *sizes)

    def new(self) -> str:
        """A name that no value has."""
        self.count += 1
        return f"%v{self.count}"

    def argument(self, shape: Shape) -> str:
        """A new argument."""
        name = f"%w{len(self.arguments)}"
        self.arguments.append(f"{name}: {tensor(shape)}")
        return name

    def emit(self, text: str) -> str:
        """A new op with one result."""
        name = self.new()
        self.lines.append(f"{name} = {text}")
        return name

    def filled(self, shape: Shape, number: str) -> str:
        """A tensor full of a number."""
        empty = self.emit(f"tensor.empty() : {tensor(shape)}")
        return self.emit(
            f"linalg.fill ins({number} : f32) outs({empty} : {tensor(shape)}) "
            f"-> {tensor(shape)}"
        )

    # Steps.

    def pad(self, number: str) -> None:
        """Put a border around the pixels."""
        low = self.rng.integers(0, 3, len(self.sizes)).tolist()
        high = self.rng.integers(0, 3, len(self.sizes)).tolist()
        sizes = [
            size + before + after
            for size, before, after in zip(self.sizes, low, high, strict=True)
        ]
        old, new = self.shape, self.shape_of(self.channels, sizes)
        lows, highs = (
            [0, *by, 0] if self.is_channels_last else [0, 0, *by] for by in (low, high)
        )
        indices = ", ".join(f"%i{each}: index" for each in range(len(old)))
        self.value = self.emit(
            f"tensor.pad {self.value} low{lows} high{highs} {{\n^bb0({indices}):\n"
            f"  tensor.yield {number} : f32\n}} : {tensor(old)} to {tensor(new)}"
        )
        self.sizes = sizes

    def spread(self) -> None:
        """Put zeros between the pixels and around them, as a transposed convolution."""
        rank = len(self.sizes)
        strides = self.rng.integers(1, 5, rank).tolist()
        offsets = self.rng.integers(0, 4, rank).tolist()
        ends = self.rng.integers(0, 4, rank).tolist()
        places = zip(self.sizes, strides, offsets, ends, strict=True)
        sizes = [
            offset + (size - 1) * stride + 1 + end
            for size, stride, offset, end in places
        ]
        old, new = self.shape, self.shape_of(self.channels, sizes)
        zeros = self.filled(new, "%zero")
        where, every = (
            [0, *each, 0] if self.is_channels_last else [0, 0, *each]
            for each in (offsets, strides)
        )
        every = [each or 1 for each in every]
        self.value = self.emit(
            f"tensor.insert_slice {self.value} into {zeros}{where} {list(old)} {every} "
            f": {tensor(old)} into {tensor(new)}"
        )
        self.sizes = sizes

    def window(self, kind: str, *, is_plain: bool = False) -> None:
        """A convolution or pooling, if the image is large enough for one.

        A plain one has no strides or dilations.
        """
        rng, rank = self.rng, len(self.sizes)
        kernel = [int(rng.integers(1, min(5, size) + 1)) for size in self.sizes]
        dilations = [
            int(rng.integers(1, 3)) if (width - 1) * 2 < size else 1
            for width, size in zip(kernel, self.sizes, strict=True)
        ]
        strides = rng.integers(1, 3, rank).tolist()
        if is_plain:
            dilations = strides = [1] * rank
        sizes = [
            (size - (width - 1) * dilation - 1) // stride + 1
            for size, width, dilation, stride in zip(
                self.sizes, kernel, dilations, strides, strict=True
            )
        ]
        attributes = (
            f"{{dilations = dense<{dilations}> : tensor<{rank}xi64>, "
            f"strides = dense<{strides}> : tensor<{rank}xi64>}}"
        )
        match kind:
            case "conv":
                self._convolution(kernel, sizes, attributes)
            case "depthwise":
                self._depthwise(kernel, sizes, attributes)
            case "grouped":
                self._grouped(kernel, sizes, attributes)
            case _:
                self._pooling(kind, kernel, sizes, attributes)

    def _convolution(
        self, kernel: list[int], sizes: list[int], attributes: str
    ) -> None:
        channels = int(self.rng.choice(CHANNELS))
        if len(kernel) == 1:
            name = "conv_1d_nwc_wcf" if self.is_channels_last else "conv_1d_ncw_fcw"
        else:
            name = "conv_2d_nhwc_hwcf" if self.is_channels_last else "conv_2d_nchw_fchw"
        shape = (channels, self.channels, *kernel)
        if self.is_channels_last:
            shape = (*kernel, self.channels, channels)
            if len(kernel) == 2 and self.rng.integers(3) == 0:
                name = "conv_2d_nhwc_fhwc"
                shape = (channels, *kernel, self.channels)
        self._apply(name, attributes, self.argument(shape), shape, channels, sizes)

    def _depthwise(self, kernel: list[int], sizes: list[int], attributes: str) -> None:
        name, shape = "depthwise_conv_", (self.channels, *kernel)
        if self.is_channels_last:
            name += "1d_nwc_wc" if len(kernel) == 1 else "2d_nhwc_hwc"
            shape = (*kernel, self.channels)
        else:
            name += "1d_ncw_cw" if len(kernel) == 1 else "2d_nchw_chw"
        self._apply(name, attributes, self.argument(shape), shape, self.channels, sizes)

    def _pooling(
        self, kind: str, kernel: list[int], sizes: list[int], attributes: str
    ) -> None:
        if self.is_channels_last:
            name = "pooling_nwc_" if len(kernel) == 1 else "pooling_nhwc_"
        else:
            name = "pooling_ncw_" if len(kernel) == 1 else "pooling_nchw_"
        window = self.emit(f"tensor.empty() : {tensor(tuple(kernel))}")
        number = "%lowest" if kind == "max" else "%zero"
        self._apply(
            name + kind, attributes, window, tuple(kernel), self.channels, sizes, number
        )

    def _grouped(self, kernel: list[int], sizes: list[int], attributes: str) -> None:
        """A convolution of groups, between reshapes."""
        if len(kernel) == 1:
            self._convolution(kernel, sizes, attributes)
            return
        groups = int(
            self.rng.choice([g for g in (1, 2, 3, 4) if self.channels % g == 0])
        )
        inputs, outputs = self.channels // groups, int(self.rng.choice((1, 3, 8, 16)))
        if self.is_channels_last:
            name, filter_ = "conv_2d_nhwgc_gfhwc", (groups, outputs, *kernel, inputs)
            pairs = "[[0], [1], [2], [3, 4]]"
            image = (self.batch, *self.sizes, groups, inputs)
            output = (self.batch, *sizes, groups, outputs)
        else:
            name, filter_ = "conv_2d_ngchw_gfchw", (groups, outputs, inputs, *kernel)
            if self.rng.integers(2):
                name = "conv_2d_ngchw_fgchw"
                filter_ = (outputs, groups, inputs, *kernel)
            pairs = "[[0], [1, 2], [3], [4]]"
            image = (self.batch, groups, inputs, *self.sizes)
            output = (self.batch, groups, outputs, *sizes)
        expanded = self.emit(
            f"tensor.expand_shape {self.value} {pairs} output_shape {list(image)} : "
            f"{tensor(self.shape)} into {tensor(image)}"
        )
        start = self.filled(output, "%zero")
        weights = self.argument(filter_)
        result = self.emit(
            f"linalg.{name} {attributes} ins({expanded}, {weights} : {tensor(image)}, "
            f"{tensor(filter_)}) outs({start} : {tensor(output)}) -> {tensor(output)}"
        )
        self.channels, self.sizes = groups * outputs, sizes
        self.value = self.emit(
            f"tensor.collapse_shape {result} {pairs} : {tensor(output)} into "
            f"{tensor(self.shape)}"
        )

    def _apply(
        self,
        name: str,
        attributes: str,
        weights: str,
        weights_shape: Shape,
        channels: int,
        sizes: list[int],
        number: str = "%zero",
    ) -> None:
        old, new = self.shape, self.shape_of(channels, sizes)
        if number == "%zero" and self.rng.integers(2):
            bias = self.argument((channels,))
            empty = self.emit(f"tensor.empty() : {tensor(new)}")
            dimensions = [
                d for d in range(len(new)) if d != self.channel_dimension(new)
            ]
            start = self.emit(
                f"linalg.broadcast ins({bias} : {tensor((channels,))}) outs({empty} : "
                f"{tensor(new)}) dimensions = {dimensions}"
            )
        else:
            start = self.filled(new, number)
        self.value = self.emit(
            f"linalg.{name} {attributes} ins({self.value}, {weights} : {tensor(old)}, "
            f"{tensor(weights_shape)}) outs({start} : {tensor(new)}) -> {tensor(new)}"
        )
        self.channels, self.sizes = channels, sizes

    def channel_dimension(self, shape: Shape) -> int:
        """Where the channels are."""
        return len(shape) - 1 if self.is_channels_last else 1

    def activation(self) -> None:
        """ReLU, or one with an upper bound."""
        lines = ["  %r = arith.maximumf %a, %zero : f32"]
        if self.rng.integers(3) == 0:
            lines.append("  %s = arith.minimumf %r, %six : f32")
        lines.append(f"  linalg.yield {'%s' if len(lines) > 1 else '%r'} : f32")
        self._elementwise(self.value, [], "%a: f32", lines)

    def residual(self, other: str) -> None:
        """Add another tensor of the same shape."""
        lines = ["  %r = arith.addf %a, %b : f32", "  linalg.yield %r : f32"]
        self._elementwise(self.value, [other], "%a: f32, %b: f32", lines)

    def _elementwise(
        self, value: str, others: list[str], arguments: str, lines: list[str]
    ) -> None:
        type_, rank = tensor(self.shape), len(self.shape)
        letters = ", ".join(f"d{each}" for each in range(rank))
        count = len(others) + 2
        maps = ", ".join([f"affine_map<({letters}) -> ({letters})>"] * count)
        kinds = ", ".join(['"parallel"'] * rank)
        inputs = [value, *others]
        empty = self.emit(f"tensor.empty() : {type_}")
        body = "\n".join(lines)
        self.value = self.emit(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({', '.join(inputs)} : {', '.join([type_] * len(inputs))}) "
            f"outs({empty} : {type_}) {{\n^bb0({arguments}, %o: f32):\n{body}\n}} "
            f"-> {type_}"
        )


def random_windows(
    rng: np.random.Generator, steps: int = 2, *, is_transposed: bool = False
) -> str:
    """A program with a function `@entry` and some windows in a row.

    They are transposed convolutions, if `is_transposed`.
    """
    rank = 1 if rng.integers(5) == 0 else 2
    chain = Chain(
        rng,
        is_channels_last=bool(rng.integers(3) == 0),
        value="%x",
        batch=int(rng.integers(1, 3)),
        channels=int(rng.choice(CHANNELS)),
        sizes=rng.integers(1, 12, rank).tolist(),
    )
    image = tensor(chain.shape)
    for _ in range(steps):
        kind = str(rng.choice(FIRST))
        if is_transposed:
            kind = str(rng.choice(TRANSPOSED))
            chain.spread()
        elif rng.integers(2):
            chain.pad("%lowest" if kind == "max" else "%zero")
        chain.window(kind, is_plain=is_transposed)
        if rng.integers(3) == 0:
            chain.residual(chain.argument(chain.shape))
        if rng.integers(2):
            chain.activation()
    arguments = ", ".join([f"%x: {image}", *chain.arguments])
    body = "\n".join(chain.lines)
    return f"""
func.func @entry({arguments}) -> {tensor(chain.shape)} {{
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %lowest = arith.constant -1.0e+3 : f32
  {body}
  return {chain.value} : {tensor(chain.shape)}
}}
"""
