"""Networks on images, by the sizes of their papers, with random weights.

    resnet18()(torch.randn(1, 3, 224, 224))     scores of 1000 classes

Each function makes a network that is ready for inference.
"""

# PyTorch is not installed where the project is checked.
# What a network computes is its forward, by the convention of PyTorch.
# ruff: noqa: D102
# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812, as everybody calls it

CLASSES = 1000


def convolution(
    inputs: int,
    outputs: int,
    kernel: int = 3,
    stride: int = 1,
    groups: int = 1,
    activation: Callable[[], nn.Module] | None = nn.ReLU,
) -> nn.Sequential:
    """A convolution with padding, batch normalization and an activation."""
    layers: list[nn.Module] = [
        nn.Conv2d(
            inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False
        ),
        nn.BatchNorm2d(outputs),
    ]
    if activation is not None:
        layers.append(activation())
    return nn.Sequential(*layers)


class Residual(nn.Module):
    """What a body computes, added to its input, or to a projection of the input."""

    def __init__(
        self,
        body: nn.Module,
        shortcut: nn.Module | None = None,
        after: nn.Module | None = None,
    ):
        super().__init__()
        self.body = body
        self.shortcut = shortcut or nn.Identity()
        self.after = after or nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        return self.after(self.shortcut(x) + self.body(x))


class MeanOfPixels(nn.Module):
    """The mean of each channel."""

    def forward(self, x: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(x, 1).flatten(1)


def resnet18() -> nn.Module:
    """He et al., "Deep Residual Learning for Image Recognition", table 1."""

    def block(inputs: int, outputs: int, stride: int) -> nn.Module:
        body = nn.Sequential(
            convolution(inputs, outputs, 3, stride),
            convolution(outputs, outputs, activation=None),
        )
        if inputs == outputs:
            return Residual(body, after=nn.ReLU())
        shortcut = convolution(inputs, outputs, 1, stride, activation=None)
        return Residual(body, shortcut, nn.ReLU())

    stages: list[nn.Module] = []
    inputs = 64
    for outputs in (64, 128, 256, 512):
        stages += [block(inputs, outputs, 1 if outputs == 64 else 2)]
        stages += [block(outputs, outputs, 1)]
        inputs = outputs
    return nn.Sequential(
        convolution(3, 64, 7, 2),
        nn.MaxPool2d(3, 2, 1),
        *stages,
        MeanOfPixels(),
        nn.Linear(512, CLASSES),
    )


class UNet(nn.Module):
    """Ronneberger et al., "U-Net", with 16 channels in the first layer."""

    def __init__(self, widths: tuple[int, ...] = (16, 32, 64, 128)):
        super().__init__()
        self.down, self.up, self.join = (nn.ModuleList() for _ in range(3))
        inputs = 3
        for width in widths:
            self.down.append(self._pair(inputs, width))
            inputs = width
        self.bottom = self._pair(inputs, 2 * inputs)
        for width in reversed(widths):
            self.up.append(nn.ConvTranspose2d(2 * width, width, 2, 2))
            self.join.append(self._pair(2 * width, width))
        self.head = nn.Conv2d(widths[0], 2, 1)

    def _pair(self, inputs: int, outputs: int) -> nn.Module:
        return nn.Sequential(
            convolution(inputs, outputs), convolution(outputs, outputs)
        )

    def forward(self, x: Tensor) -> Tensor:
        kept = []
        for each in self.down:
            x = each(x)
            kept.append(x)
            x = F.max_pool2d(x, 2)
        x = self.bottom(x)
        for up, join in zip(self.up, self.join, strict=True):
            x = join(torch.cat([kept.pop(), up(x)], 1))
        return self.head(x)


def separable() -> nn.Module:
    """Three convolutions of each channel by itself, each with a product behind it."""
    widths = (32, 64, 128, 128)
    layers: list[nn.Module] = []
    for number, (inputs, outputs) in enumerate(pairwise(widths)):
        stride = 2 if number == 1 else 1
        layers.append(convolution(inputs, inputs, 3, stride, inputs, nn.ReLU6))
        layers.append(convolution(inputs, outputs, 1, activation=nn.ReLU6))
    return nn.Sequential(*layers)


def mobilenet_v2() -> nn.Module:
    """Sandler et al., "MobileNetV2", table 2."""

    def block(inputs: int, outputs: int, stride: int, factor: int) -> nn.Module:
        inner = inputs * factor
        layers = [convolution(inputs, inner, 1, activation=nn.ReLU6)]
        body = nn.Sequential(
            *(layers if factor > 1 else []),
            convolution(inner, inner, 3, stride, inner, nn.ReLU6),
            convolution(inner, outputs, 1, activation=None),
        )
        return Residual(body) if stride == 1 and inputs == outputs else body

    rows = (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    )
    layers: list[nn.Module] = [convolution(3, 32, 3, 2, activation=nn.ReLU6)]
    inputs = 32
    for factor, outputs, repeats, stride in rows:
        for number in range(repeats):
            layers.append(block(inputs, outputs, 1 if number else stride, factor))
            inputs = outputs
    return nn.Sequential(
        *layers,
        convolution(320, 1280, 1, activation=nn.ReLU6),
        MeanOfPixels(),
        nn.Linear(1280, CLASSES),
    )


class Squeeze(nn.Module):
    """Channels scaled by what a small perceptron says of their means."""

    def __init__(self, channels: int, inner: int):
        super().__init__()
        self.narrow = nn.Conv2d(channels, inner, 1)
        self.widen = nn.Conv2d(inner, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        means = F.adaptive_avg_pool2d(x, 1)
        return x * torch.sigmoid(self.widen(F.silu(self.narrow(means))))


def efficientnet_b0() -> nn.Module:
    """Tan and Le, "EfficientNet", table 1."""

    def block(
        inputs: int, outputs: int, kernel: int, stride: int, factor: int
    ) -> nn.Module:
        inner = inputs * factor
        layers = [convolution(inputs, inner, 1, activation=nn.SiLU)]
        body = nn.Sequential(
            *(layers if factor > 1 else []),
            convolution(inner, inner, kernel, stride, inner, nn.SiLU),
            Squeeze(inner, inputs // 4),
            convolution(inner, outputs, 1, activation=None),
        )
        return Residual(body) if stride == 1 and inputs == outputs else body

    rows = (
        (1, 3, 16, 1, 1),
        (6, 3, 24, 2, 2),
        (6, 5, 40, 2, 2),
        (6, 3, 80, 3, 2),
        (6, 5, 112, 3, 1),
        (6, 5, 192, 4, 2),
        (6, 3, 320, 1, 1),
    )
    layers: list[nn.Module] = [convolution(3, 32, 3, 2, activation=nn.SiLU)]
    inputs = 32
    for factor, kernel, outputs, repeats, stride in rows:
        for number in range(repeats):
            step = 1 if number else stride
            layers.append(block(inputs, outputs, kernel, step, factor))
            inputs = outputs
    return nn.Sequential(
        *layers,
        convolution(320, 1280, 1, activation=nn.SiLU),
        MeanOfPixels(),
        nn.Linear(1280, CLASSES),
    )


class ChannelNorm(nn.Module):
    """A layer norm over the channels of each pixel."""

    def __init__(self, channels: int):
        super().__init__()
        self.norm = nn.LayerNorm(channels, eps=1e-6)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class ConvNeXtBlock(nn.Module):
    """Liu et al., "A ConvNet for the 2020s", figure 4, at the right."""

    def __init__(self, channels: int):
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 7, padding=3, groups=channels)
        self.norm = nn.LayerNorm(channels, eps=1e-6)
        self.widen = nn.Linear(channels, 4 * channels)
        self.narrow = nn.Linear(4 * channels, channels)
        self.scale = nn.Parameter(torch.randn(channels))

    def forward(self, x: Tensor) -> Tensor:
        pixels = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        pixels = self.scale * self.narrow(F.gelu(self.widen(pixels)))
        return x + pixels.permute(0, 3, 1, 2)


def convnext_tiny() -> nn.Module:
    """Liu et al., "A ConvNet for the 2020s", the smallest one."""
    layers: list[nn.Module] = [nn.Conv2d(3, 96, 4, 4), ChannelNorm(96)]
    inputs = 96
    for outputs, repeats in ((96, 3), (192, 3), (384, 9), (768, 3)):
        if outputs != inputs:
            layers += [ChannelNorm(inputs), nn.Conv2d(inputs, outputs, 2, 2)]
        layers += [ConvNeXtBlock(outputs) for _ in range(repeats)]
        inputs = outputs
    return nn.Sequential(
        *layers,
        MeanOfPixels(),
        nn.LayerNorm(768, eps=1e-6),
        nn.Linear(768, CLASSES),
    )


class Patches(nn.Module):
    """An image as rows, one for each patch."""

    def __init__(self, width: int, patch: int = 16):
        super().__init__()
        self.project = nn.Conv2d(3, width, patch, patch)

    def forward(self, x: Tensor) -> Tensor:
        return self.project(x).flatten(2).transpose(1, 2)


class MixerBlock(nn.Module):
    """Tolstikhin et al., "MLP-Mixer", figure 1."""

    def __init__(self, tokens: int, width: int, tokens_inner: int, inner: int):
        super().__init__()
        self.norm_tokens, self.norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.tokens = self._perceptron(tokens, tokens_inner)
        self.channels = self._perceptron(width, inner)

    def _perceptron(self, width: int, inner: int) -> nn.Module:
        return nn.Sequential(
            nn.Linear(width, inner), nn.GELU(), nn.Linear(inner, width)
        )

    def forward(self, x: Tensor) -> Tensor:
        mixed = self.tokens(self.norm_tokens(x).transpose(1, 2))
        x = x + mixed.transpose(1, 2)
        return x + self.channels(self.norm(x))


class MeanOfRows(nn.Module):
    """The mean over the rows of each matrix."""

    def forward(self, x: Tensor) -> Tensor:
        return x.mean(1)


def mixer() -> nn.Module:
    """Four blocks of an MLP-Mixer on 196 patches."""
    return nn.Sequential(
        Patches(384),
        *(MixerBlock(196, 384, 392, 768) for _ in range(4)),
        nn.LayerNorm(384),
        MeanOfRows(),
        nn.Linear(384, CLASSES),
    )


class Fire(nn.Module):
    """Iandola et al., "SqueezeNet", figure 1: few channels, then two kinds of many."""

    def __init__(self, inputs: int, narrow: int, wide: int):
        super().__init__()
        self.narrow = nn.Conv2d(inputs, narrow, 1)
        self.points = nn.Conv2d(narrow, wide, 1)
        self.windows = nn.Conv2d(narrow, wide, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.narrow(x))
        return torch.cat([F.relu(self.points(x)), F.relu(self.windows(x))], 1)


def squeezenet() -> nn.Module:
    """Iandola et al., "SqueezeNet", version 1.1."""
    layers: list[nn.Module] = [nn.Conv2d(3, 64, 3, 2), nn.ReLU(), nn.MaxPool2d(3, 2)]
    inputs = 64
    for number, (narrow, wide) in enumerate(
        ((16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256))
    ):
        if number in (2, 4):
            layers.append(nn.MaxPool2d(3, 2))
        layers.append(Fire(inputs, narrow, wide))
        inputs = 2 * wide
    return nn.Sequential(
        *layers,
        Fire(512, 64, 256),
        nn.Conv2d(512, CLASSES, 1),
        nn.ReLU(),
        MeanOfPixels(),
    )


def dcgan() -> nn.Module:
    """Radford et al., "DCGAN", figure 1: an image of 64 x 64 made of 100 numbers."""
    layers: list[nn.Module] = [nn.Unflatten(1, (100, 1, 1))]
    widths = (100, 512, 256, 128, 64)
    for number, (inputs, outputs) in enumerate(pairwise(widths)):
        step = (2, 1) if number else (1, 0)
        layers += [
            nn.ConvTranspose2d(inputs, outputs, 4, *step, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
        ]
    return nn.Sequential(*layers, nn.ConvTranspose2d(64, 3, 4, 2, 1), nn.Tanh())


class MostOfPoints(nn.Module):
    """The largest number of each channel."""

    def forward(self, x: Tensor) -> Tensor:
        return x.amax(-1)


def pointnet() -> nn.Module:
    """Qi et al., "PointNet", figure 2, without the networks that turn the points."""

    def part(inputs: int, outputs: int) -> list[nn.Module]:
        return [nn.Conv1d(inputs, outputs, 1), nn.BatchNorm1d(outputs), nn.ReLU()]

    widths = (3, 64, 64, 64, 128, 1024)
    layers = [layer for sizes in pairwise(widths) for layer in part(*sizes)]
    return nn.Sequential(
        *layers,
        MostOfPoints(),
        nn.Linear(1024, 512),
        nn.ReLU(),
        nn.Linear(512, 256),
        nn.ReLU(),
        nn.Linear(256, 40),
    )
