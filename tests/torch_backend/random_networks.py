"""Random whole networks of PyTorch: images, sequences, sound and vectors.

    network, inputs = random_network(7)
    PYTHONPATH=tests python -m torch_backend.random_networks --seeds 0-500

Layers of all kinds follow each other, with ragged numbers of channels and sizes, with
residuals, branches and gates. Some are there several times, with other weights. Run as
a program, it compares each network with PyTorch, in both pipelines and on two threads,
and prints the seeds that differ.
"""

# pyright: basic, reportMissingImports=false

import argparse
import random
import sys
import warnings
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

import xdsl_bufferization as xbuf

CHANNELS = (1, 3, 4, 7, 8, 12, 16, 24, 32, 33, 48)
WIDTHS = (5, 8, 16, 20, 32, 48, 64, 65)
MOST_ELEMENTS = 40_000
"""A layer whose result is larger is left out."""

TOLERANCE = 2e-4
"""Relative to the largest number: sums are added up in another order."""

TIMES = 4
"""Or so many times as much as PyTorch differs from 64 bits."""

ACTIVATIONS = (
    nn.ReLU,
    nn.SiLU,
    nn.GELU,
    nn.Tanh,
    nn.Sigmoid,
    nn.Hardswish,
    nn.LeakyReLU,
    nn.ReLU6,
    nn.ELU,
    nn.Softplus,
)


class Residual(nn.Module):
    def __init__(self, inner: nn.Module):
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        return x + self.inner(x)


class Branches(nn.Module):
    """Two layers on one tensor, whose results are put together along dimension 1."""

    def __init__(self, first: nn.Module, second: nn.Module):
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([self.first(x), self.second(x)], 1)


class Halves(nn.Module):
    """A layer on the second half of the channels, which then are shuffled."""

    def __init__(self, inner: nn.Module):
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        first, second = x.chunk(2, 1)
        joined = torch.cat([first, self.inner(second)], 1)
        shape = joined.shape
        return joined.unflatten(1, (2, -1)).transpose(1, 2).reshape(shape)


class Gate(nn.Module):
    """Channels are scaled by what a small network says of their means."""

    def __init__(self, channels: int, inner: int):
        super().__init__()
        self.down, self.up = nn.Linear(channels, inner), nn.Linear(inner, channels)

    def forward(self, x: Tensor) -> Tensor:
        spread = (...,) + (None,) * (x.dim() - 2)
        means = x.flatten(2).mean(2)
        scale = torch.sigmoid(self.up(functional.relu(self.down(means))))
        return x * scale[spread]


class Attention(nn.Module):
    def __init__(self, width: int, heads: int, *, is_causal: bool):
        super().__init__()
        self.heads, self.is_causal = heads, is_causal
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        parts = self.qkv(x).view(batch, length, 3, self.heads, -1)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) * (width // self.heads) ** -0.5
        if self.is_causal:
            mask = torch.ones(length, length, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(mask, float("-inf"))
        joined = (scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width)
        return self.out(joined)


class GatedFeed(nn.Module):
    def __init__(self, width: int, inner: int):
        super().__init__()
        self.gate, self.up = nn.Linear(width, inner), nn.Linear(width, inner)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(functional.silu(self.gate(x)) * self.up(x))


class Recurrent(nn.Module):
    """A cell, unrolled over a few steps."""

    def __init__(self, cell: nn.Module):
        super().__init__()
        self.cell = cell

    def forward(self, x: Tensor) -> Tensor:
        hidden: Any = x.new_zeros(x.shape[0], self.cell.hidden_size)
        if isinstance(self.cell, nn.LSTMCell):
            hidden = (hidden, hidden)
        outputs = []
        for step in range(x.shape[1]):
            hidden = self.cell(x[:, step], hidden)
            outputs.append(hidden[0] if isinstance(hidden, tuple) else hidden)
        return torch.stack(outputs, 1)


class Swapped(nn.Module):
    """Sequences as images of one row, or back: (batch, length, width) transposed."""

    def forward(self, x: Tensor) -> Tensor:
        return x.transpose(1, 2)


def _windows(rng: random.Random, shape: torch.Size) -> list[nn.Module]:
    """Layers for (batch, channels, sizes...)."""
    channels, rank = shape[1], len(shape) - 2
    conv = (nn.Conv1d, nn.Conv2d)[rank - 1]
    transposed = (nn.ConvTranspose1d, nn.ConvTranspose2d)[rank - 1]
    norm = (nn.BatchNorm1d, nn.BatchNorm2d)[rank - 1]
    largest = (nn.MaxPool1d, nn.MaxPool2d)[rank - 1]
    mean = (nn.AvgPool1d, nn.AvgPool2d)[rank - 1]
    kernel = rng.choice((1, 2, 3, 4, 5))
    pad = rng.randrange(kernel // 2 + 1)
    stride, dilation = rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2))
    groups = rng.choice([g for g in (1, 2, 3, 4, channels) if channels % g == 0])
    outputs = rng.choice(CHANNELS)
    window = {"stride": stride, "padding": pad, "bias": rng.random() < 0.5}
    layers: list[nn.Module] = [
        conv(channels, outputs, kernel, dilation=dilation, **window),
        conv(channels, outputs, kernel, **window),
        conv(channels, groups * rng.choice((1, 3, 8)), kernel, groups=groups, **window),
        conv(channels, channels, kernel, groups=channels, **window),
        conv(channels, outputs, 1),
        transposed(channels, outputs, kernel, **window),
        transposed(channels, outputs, 2, 2),
        nn.Sequential(conv(channels, outputs, 3, padding=1), norm(outputs), nn.ReLU()),
        Residual(nn.Sequential(norm(channels), conv(channels, channels, 3, padding=1))),
        Branches(conv(channels, outputs, 1), conv(channels, 8, 3, padding=1)),
        Branches(nn.Identity(), conv(channels, 16, 3, padding=1)),
        Gate(channels, 4),
        norm(channels),
        nn.GroupNorm(groups, channels),
        largest(kernel, stride, pad, ceil_mode=rng.random() < 0.3),
        mean(kernel, stride, pad, count_include_pad=rng.random() < 0.5),
        nn.Upsample(scale_factor=2),
        (nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d)[rank - 1](1),
    ]
    if channels % 2 == 0:
        layers.append(Halves(conv(channels // 2, channels // 2, 3, padding=1)))
    if rank == 1:
        layers.append(Swapped())
    else:
        layers.append(nn.Flatten(2))
    return layers


def _sequences(rng: random.Random, shape: torch.Size) -> list[nn.Module]:
    """Layers for (batch, length, width)."""
    width, other = shape[2], rng.choice(WIDTHS)
    heads = rng.choice([h for h in (1, 2, 4, 8) if width % h == 0])
    layers: list[nn.Module] = [
        nn.Linear(width, other, bias=rng.random() < 0.7),
        nn.LayerNorm(width),
        nn.RMSNorm(width, eps=1e-6),
        Residual(Attention(width, heads, is_causal=rng.random() < 0.5)),
        Residual(nn.Sequential(nn.LayerNorm(width), GatedFeed(width, other))),
        Residual(
            nn.Sequential(nn.Linear(width, other), nn.GELU(), nn.Linear(other, width))
        ),
        nn.Softmax(rng.choice((1, 2))),
        Swapped(),
        nn.Flatten(),
    ]
    if shape[1] <= 6:
        cell = rng.choice((nn.LSTMCell, nn.GRUCell, nn.RNNCell))
        layers.append(Recurrent(cell(width, other)))
    return layers


def _vectors(rng: random.Random, shape: torch.Size) -> list[nn.Module]:
    """Layers for (batch, width)."""
    width, other = shape[1], rng.choice(WIDTHS)
    return [
        nn.Linear(width, other, bias=rng.random() < 0.7),
        nn.Sequential(nn.Linear(width, other), nn.ReLU(), nn.Linear(other, 10)),
        nn.LayerNorm(width),
        nn.BatchNorm1d(width),
        nn.Softmax(1),
        nn.LogSoftmax(1),
        Residual(nn.Linear(width, width)),
    ]


def _layer(rng: random.Random, shape: torch.Size) -> nn.Module:
    if rng.random() < 0.25:
        return rng.choice(ACTIVATIONS)()
    if len(shape) == 2:
        return rng.choice(_vectors(rng, shape))
    if len(shape) == 4 or rng.random() < 0.5:
        return rng.choice(_windows(rng, shape))
    return rng.choice(_sequences(rng, shape))


def random_network(seed: int) -> tuple[nn.Module, Tensor]:
    """A network of up to six kinds of layers, to evaluate, and what to call it with."""
    rng, depth = random.Random(seed), random.Random(~seed)
    torch.manual_seed(seed)
    batch = rng.choice((1, 1, 2, 3))
    x = rng.choice(
        (
            lambda: torch.randn(
                batch, rng.choice(CHANNELS), *rng.choices(range(5, 20), k=2)
            ),
            lambda: torch.randn(batch, rng.choice(CHANNELS), rng.randrange(5, 60)),
            lambda: torch.randn(batch, rng.randrange(1, 12), rng.choice(WIDTHS)),
            lambda: torch.randn(batch, rng.choice(WIDTHS)),
        )
    )()
    layers: list[nn.Module] = []
    value = x
    for _ in range(rng.randrange(2, 7)):
        layer = _layer(rng, value.shape).eval()
        _give_statistics(layer)
        try:
            with torch.no_grad():
                result = layer(value)
        except RuntimeError:
            continue  # A window that is larger than the image, for example.
        if 0 < result.numel() <= MOST_ELEMENTS:
            layers.append(layer)
            if result.shape == value.shape and depth.random() < 0.3:
                layers += _more_like(layer, depth.randrange(2, 5))
            value = result
    return nn.Sequential(*layers).eval(), x


def _more_like(layer: nn.Module, count: int) -> list[nn.Module]:
    """Layers that differ in their weights."""
    layers = [deepcopy(layer) for _ in range(count)]
    for each in layers:
        for part in each.modules():
            if hasattr(part, "reset_parameters"):
                part.reset_parameters()
        _give_statistics(each)
    return layers


def _give_statistics(layer: nn.Module) -> None:
    for each in layer.modules():
        if isinstance(each, nn.BatchNorm1d | nn.BatchNorm2d):
            assert each.running_mean is not None
            assert each.running_var is not None
            each.running_mean.normal_()
            each.running_var.uniform_(0.5, 2)


def check_network(seed: int) -> None:
    """Both pipelines compute what PyTorch does, on two threads the same bits."""
    network, x = random_network(seed)
    with torch.no_grad():
        fast = xbuf.jit(network, x, threads=1)
        first = fast(x)
        _compare(first, network, x)
        assert torch.equal(fast(x), first)
        assert torch.equal(xbuf.jit(network, x, threads=2)(x), first)
        _compare(xbuf.jit(network, x, optimize=False, threads=1)(x), network, x)


def check_batches(seed: int) -> None:
    """The network as compiled for any batch computes what PyTorch does."""
    network, x = random_network(seed)
    batch = torch.export.Dim("batch", min=2, max=16)
    x = torch.cat([x, x])
    with torch.no_grad():
        fast = xbuf.jit(network, x, dynamic_shapes=({0: batch},))
        for each in (x, torch.cat([x, x, x[:1]])):
            _compare(fast(each), network, each)


def _compare(result: Tensor, network: nn.Module, x: Tensor) -> None:
    expected = network(x)
    assert result.shape == expected.shape
    finite = expected.isfinite()
    assert torch.equal(result.isfinite(), finite)
    if not finite.any():
        return
    expected = expected[finite]
    difference = (result[finite] - expected).abs().max()
    if difference > TOLERANCE * expected.abs().max():
        # Where numbers cancel out, PyTorch is as far from the exact result.
        exact = deepcopy(network).double()(x.double())[finite]
        assert difference <= TIMES * (expected - exact).abs().max(), difference


def _run(check: Callable[[int], None], seed: int) -> str:
    try:
        check(seed)
    except AssertionError as error:
        return f"differs: {error}"
    except Exception as error:  # Whatever stops a network is what is looked for.
        return f"{type(error).__name__}: {error}"
    return ""


def _one_line(text: str) -> str:
    return " ".join(text.split())[:400]


def main() -> int:
    """Compare many networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0-100", help="the first, and one past")
    parser.add_argument("--batches", action="store_true", help="leave the batch open")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    first, end = map(int, options.seeds.split("-"))
    wrong = 0
    for seed in range(first, end):
        torch._dynamo.reset()
        problem = _run(check_batches if options.batches else check_network, seed)
        if problem:
            wrong += 1
            sys.stdout.write(f"{seed} {_one_line(problem)}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{end - first} networks, {wrong} wrong\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
