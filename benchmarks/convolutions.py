"""How fast single convolutions run, beside oneDNN as PyTorch calls it. One thread.

    python benchmarks/convolutions.py [--samples 60] [--seed 0] [--svg convolutions.svg]
    python benchmarks/convolutions.py --cpu x86-64-v3

Needs PyTorch and torch-mlir. A sample is a layer of a grid of channels, kernels,
strides and sizes of images, depthwise or not, with padding, bias and ReLU. Both runners
have turns in one process. Times are of the processor, the shortest of all turns, so
that other work on the machine disturbs less. Small layers get a batch of images: then
the call itself counts less.

Prints a table in Markdown: GFLOP/s of both, and their ratio; above 1, ours is faster.
The plot has a dot for each layer: the ratio over the number of operations.
"""

# PyTorch is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from lesser_processor import add_cpu, begin_again_for

CHANNELS = (3, 16, 24, 32, 64, 96, 144, 192, 960)
KERNELS = (1, 3, 5, 7)
STRIDES = (1, 2)
SIZES = (7, 14, 28, 56, 112)

LEAST_FLOPS = 5e7
LEAST_NUMBERS = 1e6
MOST_FLOPS = 3e9
MOST_IMAGES = 32
TURNS = 20
TURN_SECONDS = 0.004

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 420, 60, 50, 40


class Layer(NamedTuple):
    """A convolution from `channels` to as many, or from 3 to 32."""

    channels: int
    kernel: int
    stride: int
    size: int
    is_depthwise: bool

    @property
    def outputs(self) -> int:
        """Channels of the output."""
        return 32 if self.channels == 3 and not self.is_depthwise else self.channels

    @property
    def flops(self) -> float:
        """Operations for one image."""
        pixels = math.ceil(self.size / self.stride) ** 2
        summed = self.kernel**2 * (1 if self.is_depthwise else self.channels)
        return 2.0 * pixels * self.outputs * summed

    @property
    def images(self) -> int:
        """As many as are needed for a call of about half a millisecond."""
        numbers = self.channels * self.size**2
        wanted = max(1, min(LEAST_FLOPS / self.flops, LEAST_NUMBERS / numbers))
        return min(MOST_IMAGES, math.ceil(wanted))


class Result(NamedTuple):
    """What one layer took."""

    layer: Layer
    ours: float
    """Seconds."""
    eager: float
    difference: float

    @property
    def ratio(self) -> float:
        """How many times as fast as PyTorch."""
        return self.eager / self.ours


def grid() -> list[Layer]:
    """All layers that do not take too long."""
    layers = [
        Layer(channels, kernel, stride, size, is_depthwise)
        for channels in CHANNELS
        for kernel in KERNELS
        for stride in STRIDES
        for size in SIZES
        for is_depthwise in (False, True)
        if kernel <= size and not (is_depthwise and (kernel == 1 or channels == 3))
    ]
    return [layer for layer in layers if layer.flops <= MOST_FLOPS]


def measure(layer: Layer) -> Result:
    """Run a layer by both."""
    import torch
    from torch import nn

    import xdsl_bufferization as xbuf

    groups = layer.channels if layer.is_depthwise else 1
    convolution = nn.Conv2d(
        layer.channels,
        layer.outputs,
        layer.kernel,
        layer.stride,
        layer.kernel // 2,
        groups=groups,
    )
    module = nn.Sequential(convolution, nn.ReLU()).eval()
    with torch.no_grad():
        image = torch.randn(layer.images, layer.channels, layer.size, layer.size)
        compiled = xbuf.jit(module, image, threads=1)
        wanted, got = module(image), compiled(image)
        difference = float((got - wanted).abs().max() / wanted.abs().max())
        ours, eager = in_turns(lambda: compiled(image), lambda: module(image))
    return Result(layer, ours, eager, difference)


def in_turns(first: Callable[[], object], second: Callable[[], object]) -> list[float]:
    """The seconds of the best turn of both."""
    first()
    second()
    seconds: list[list[float]] = [[], []]
    for _ in range(TURNS):
        for number, run in enumerate((first, second)):
            start, calls = time.thread_time(), 0
            while time.thread_time() - start < TURN_SECONDS:
                run()
                calls += 1
            seconds[number].append((time.thread_time() - start) / calls)
    return [min(each) for each in seconds]


def row(result: Result) -> str:
    """A line of the table."""
    layer = result.layer
    kind = "depthwise" if layer.is_depthwise else ""
    flops = layer.flops * layer.images
    speeds = (flops / seconds / 1e9 for seconds in (result.ours, result.eager))
    cells = (
        f"{layer.channels} to {layer.outputs}",
        kind,
        f"{layer.kernel} x {layer.kernel}",
        str(layer.stride),
        f"{layer.images} x {layer.size} x {layer.size}",
        *(f"{speed:.1f}" for speed in speeds),
        f"{result.ratio:.2f}",
    )
    return f"| {' | '.join(cells)} |"


HEADER = """\
| channels | kind | window | stride | images | ours | PyTorch | ratio |
|---|---|---|---|---|---|---|---|"""


def summary(results: Sequence[Result]) -> str:
    """What holds of all of them."""
    ratios = sorted(result.ratio for result in results)
    slow = sum(ratio < 0.8 for ratio in ratios)
    return (
        f"Median ratio {statistics.median(ratios):.2f}, lowest {ratios[0]:.2f}; "
        f"{slow} of {len(ratios)} below 0.8; largest relative difference "
        f"{max(result.difference for result in results):.1e}."
    )


def plot(results: Sequence[Result]) -> str:
    """The ratios as the text of an SVG file."""
    flops = [result.layer.flops * result.layer.images for result in results]
    low, high = min(flops) / 1.5, max(flops) * 1.5
    bottom = min(0.5, *(result.ratio for result in results)) / 1.1
    top = max(4.0, *(result.ratio for result in results)) * 1.1

    def at_x(value: float) -> float:
        share = math.log(value / low) / math.log(high / low)
        return LEFT + (WIDTH - LEFT - 20) * share

    def at_y(value: float) -> float:
        share = math.log(value / bottom) / math.log(top / bottom)
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share

    parts: list[str] = []
    for ratio in (0.25, 0.5, 0.8, 1, 2, 4, 8):
        if bottom <= ratio <= top:
            color = "#888" if ratio == 1 else "#ddd"
            y = at_y(ratio)
            parts.append(
                f'<path d="M{LEFT} {y:.1f}H{WIDTH - 20}" stroke="{color}"/>'
                f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
                f"{ratio:g}</text>"
            )
    for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1):
        x = at_x(10.0**power)
        parts.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">'
            f"1e{power}</text>"
        )
    for result, count in zip(results, flops, strict=True):
        fill = "none" if result.layer.is_depthwise else "#0b6e4f"
        parts.append(
            f'<circle cx="{at_x(count):.1f}" cy="{at_y(result.ratio):.1f}" r="4" '
            f'fill="{fill}" stroke="#0b6e4f"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'role="img" aria-label="Convolutions beside oneDNN"><style>'
        "text{font:13px system-ui,sans-serif;fill:#333}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<text x="{LEFT}" y="20">Times as fast as PyTorch; rings are depthwise</text>'
        f'<text x="{WIDTH - 20}" y="{HEIGHT - 10}" text-anchor="end">operations</text>'
        f"{''.join(parts)}</svg>\n"
    )


def main() -> int:
    """Measure as many layers as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--svg", type=Path)
    add_cpu(parser)
    options = parser.parse_args()
    begin_again_for(options.cpu)
    import torch

    torch.set_num_threads(1)
    layers = grid()
    random.Random(options.seed).shuffle(layers)
    print(HEADER)
    results: list[Result] = []
    for layer in layers[: options.samples]:
        results.append(measure(layer))
        print(row(results[-1]), flush=True)
    print(f"\n{summary(results)}")
    if options.svg:
        options.svg.write_text(plot(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
