"""Networks on rows and sequences, by the sizes of their papers, with random weights.

    nano_gpt()(torch.randint(0, 256, (1, 64)))     scores of the next character

Each function makes a network that is ready for inference.
"""

# PyTorch is not installed where the project is checked.
# What a network computes is its forward, by the convention of PyTorch.
# ruff: noqa: D102
# pyright: basic, reportMissingImports=false

from itertools import pairwise

import torch
from models_vision import CLASSES, Patches
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812, as everybody calls it


def mlp() -> nn.Module:
    """A perceptron of three layers."""
    return nn.Sequential(
        nn.Linear(1024, 4096),
        nn.ReLU(),
        nn.Linear(4096, 4096),
        nn.ReLU(),
        nn.Linear(4096, 1024),
    )


class Attention(nn.Module):
    """Self-attention of several heads, with one product for query, key and value."""

    def __init__(self, width: int, heads: int, is_causal: bool):
        super().__init__()
        self.heads, self.is_causal = heads, is_causal
        self.inner = nn.Linear(width, 3 * width)
        self.outer = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, rows, width = x.shape
        parts = self.inner(x).view(batch, rows, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        joined = F.scaled_dot_product_attention(
            query, key, value, is_causal=self.is_causal
        )
        return self.outer(joined.transpose(1, 2).reshape(batch, rows, width))


class Block(nn.Module):
    """A layer of a transformer; the norms come first or last."""

    def __init__(
        self,
        width: int,
        heads: int,
        *,
        is_causal: bool = False,
        norm_first: bool = True,
        approximate: str = "none",
    ):
        super().__init__()
        self.norm_first = norm_first
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, is_causal)
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width),
            nn.GELU(approximate=approximate),
            nn.Linear(4 * width, width),
        )

    def forward(self, x: Tensor) -> Tensor:
        if self.norm_first:
            x = x + self.attention(self.norm_1(x))
            return x + self.feed(self.norm_2(x))
        x = self.norm_1(x + self.attention(x))
        return self.norm_2(x + self.feed(x))


class Embedding(nn.Module):
    """The rows of a table for tokens, and those for their positions."""

    def __init__(self, tokens: int, length: int, width: int):
        super().__init__()
        self.tokens = nn.Embedding(tokens, width)
        self.register_buffer("positions", torch.randn(length, width))

    def forward(self, tokens: Tensor) -> Tensor:
        return self.tokens(tokens) + self.positions


def nano_gpt() -> nn.Module:
    """Karpathy's nanoGPT on characters: four layers, 256 numbers wide."""
    return nn.Sequential(
        Embedding(256, 64, 256),
        *(Block(256, 8, is_causal=True, approximate="tanh") for _ in range(4)),
        nn.LayerNorm(256),
        nn.Linear(256, 256, bias=False),
    )


def bert_mini() -> nn.Module:
    """Turc et al., "Well-Read Students Learn Better": BERT of four layers."""
    return nn.Sequential(
        Embedding(30522, 128, 256),
        nn.LayerNorm(256),
        *(Block(256, 4, norm_first=False) for _ in range(4)),
    )


class VisionTransformer(nn.Module):
    """Dosovitskiy et al., "An Image is Worth 16x16 Words", with six layers."""

    def __init__(self, width: int = 384, heads: int = 6, layers: int = 6):
        super().__init__()
        self.patches = Patches(width)
        self.first = nn.Parameter(torch.randn(1, 1, width))
        self.positions = nn.Parameter(torch.randn(1, 197, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, CLASSES)

    def forward(self, image: Tensor) -> Tensor:
        rows = torch.cat([self.first, self.patches(image)], 1) + self.positions
        return self.head(self.norm(self.blocks(rows))[:, 0])


class RootMeanSquareNorm(nn.Module):
    """Rows divided by the root of the mean of their squares, and scaled."""

    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * self.weight


def rotated(x: Tensor, angles: Tensor) -> Tensor:
    """The two halves of each row as vectors of the plane, turned by angles."""
    left, right = x.chunk(2, -1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([left * cos - right * sin, right * cos + left * sin], -1)


class LlamaLayer(nn.Module):
    """Touvron et al., "Llama", section 2.2, with or without a cache."""

    def __init__(self, width: int, inner: int, heads: int):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (
            nn.Linear(width, width, bias=False) for _ in range(4)
        )
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)
        self.norm_1, self.norm_2 = RootMeanSquareNorm(width), RootMeanSquareNorm(width)
        frequencies = 10000 ** -(torch.arange(width // heads // 2) / (width // heads))
        self.register_buffer("frequencies", frequencies)

    def _split(self, x: Tensor) -> Tensor:
        batch, rows, width = x.shape
        return x.view(batch, rows, self.heads, width // self.heads).transpose(1, 2)

    def projected(self, x: Tensor, places: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Query, key and value of each head, the first two turned."""
        angles = places[:, None] * self.frequencies
        x = self.norm_1(x)
        query = rotated(self._split(self.query(x)), angles)
        key = rotated(self._split(self.key(x)), angles)
        return query, key, self._split(self.value(x))

    def finished(self, x: Tensor, attended: Tensor) -> Tensor:
        """The rest of the layer, behind the attention."""
        x = x + self.out(attended.transpose(1, 2).reshape(x.shape))
        y = self.norm_2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class LlamaPrefill(nn.Module):
    """All rows of a prompt at once."""

    def __init__(self, width: int, inner: int, heads: int, layers: int):
        super().__init__()
        self.layers = nn.ModuleList(
            LlamaLayer(width, inner, heads) for _ in range(layers)
        )
        self.norm = RootMeanSquareNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        places = torch.arange(x.shape[1], dtype=torch.float32)
        for layer in self.layers:
            query, key, value = layer.projected(x, places)
            attended = F.scaled_dot_product_attention(query, key, value, is_causal=True)
            x = layer.finished(x, attended)
        return self.norm(x)


class LlamaDecode(LlamaPrefill):
    """One row, behind those that a cache of each layer has.

    Takes the row, its place, and keys and values of each layer. Returns the row, and
    the keys and values with those of the row among them.
    """

    def forward(self, x: Tensor, place: Tensor, *caches: Tensor):
        positions = torch.arange(caches[0].shape[-2])
        is_here = (positions == place)[:, None]
        is_visible = positions[None] <= place
        written = []
        for number, layer in enumerate(self.layers):
            query, key, value = layer.projected(x, place.float()[None])
            keys = torch.where(is_here, key, caches[2 * number])
            values = torch.where(is_here, value, caches[2 * number + 1])
            attended = F.scaled_dot_product_attention(
                query, keys, values, attn_mask=is_visible
            )
            x = layer.finished(x, attended)
            written += [keys, values]
        return self.norm(x), *written


def llama_prefill() -> nn.Module:
    """Two layers of a small Llama, for a prompt."""
    return LlamaPrefill(1024, 2816, 16, 2)


def llama_decode() -> nn.Module:
    """The same for one token."""
    return LlamaDecode(1024, 2816, 16, 2)


class Recurrent(nn.Module):
    """The last row of what a recurrent network makes of a sequence."""

    def __init__(self, network: nn.Module):
        super().__init__()
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        return self.network(x)[0][:, -1]


def lstm() -> nn.Module:
    """Two layers of an LSTM, 128 numbers wide."""
    return Recurrent(nn.LSTM(128, 128, 2, batch_first=True))


def gru() -> nn.Module:
    """Two layers of a GRU, 128 numbers wide."""
    return Recurrent(nn.GRU(128, 128, 2, batch_first=True))


class MeanOfTime(nn.Module):
    """The mean of each channel."""

    def forward(self, x: Tensor) -> Tensor:
        return x.mean(-1)


def audio_cnn() -> nn.Module:
    """Dai et al., "Very Deep Convolutional Neural Networks for Raw Waveforms": M5."""

    def part(inputs: int, outputs: int, kernel: int, stride: int) -> list[nn.Module]:
        return [
            nn.Conv1d(inputs, outputs, kernel, stride),
            nn.BatchNorm1d(outputs),
            nn.ReLU(),
            nn.MaxPool1d(4),
        ]

    return nn.Sequential(
        *part(1, 128, 80, 4),
        *part(128, 128, 3, 1),
        *part(128, 256, 3, 1),
        *part(256, 512, 3, 1),
        MeanOfTime(),
        nn.Linear(512, 35),
    )


class CausalConvolution(nn.Module):
    """Two convolutions that see the past alone, added to their input."""

    def __init__(self, channels: int, dilation: int):
        super().__init__()
        self.past = 2 * dilation
        self.convolutions = nn.ModuleList(
            nn.Conv1d(channels, channels, 3, dilation=dilation) for _ in range(2)
        )

    def forward(self, x: Tensor) -> Tensor:
        y = x
        for each in self.convolutions:
            y = F.relu(each(F.pad(y, (self.past, 0))))
        return F.relu(x + y)


def temporal_cnn() -> nn.Module:
    """Bai et al., "An Empirical Evaluation of ... Sequence Modeling", figure 1."""
    return nn.Sequential(
        nn.Conv1d(16, 64, 1),
        *(CausalConvolution(64, 2**number) for number in range(6)),
        nn.Conv1d(64, 16, 1),
    )


class CrossLayer(nn.Module):
    """Vaswani et al., "Attention Is All You Need", figure 1, at the right."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.own = Attention(width, heads, is_causal=True)
        self.query, self.out = (nn.Linear(width, width) for _ in range(2))
        self.keys_and_values = nn.Linear(width, 2 * width)
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))

    def _split(self, x: Tensor) -> Tensor:
        batch, rows, width = x.shape
        return x.view(batch, rows, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x: Tensor, memory: Tensor) -> Tensor:
        x = self.norms[0](x + self.own(x))
        keys, values = map(self._split, self.keys_and_values(memory).chunk(2, -1))
        seen = F.scaled_dot_product_attention(self._split(self.query(x)), keys, values)
        x = self.norms[1](x + self.out(seen.transpose(1, 2).reshape(x.shape)))
        return self.norms[2](x + self.feed(x))


class Translator(nn.Module):
    """Three layers that read a sequence, and three that write one."""

    def __init__(self, width: int = 256, heads: int = 8, layers: int = 3):
        super().__init__()
        self.reads = nn.Sequential(
            *(Block(width, heads, norm_first=False) for _ in range(layers))
        )
        self.writes = nn.ModuleList(CrossLayer(width, heads) for _ in range(layers))

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        memory = self.reads(source)
        for layer in self.writes:
            target = layer(target, memory)
        return target


class Recommender(nn.Module):
    """Naumov et al., "Deep Learning Recommendation Model", figure 1."""

    def __init__(self, tables: int = 26, rows: int = 10000, width: int = 64):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, width) for _ in range(tables))
        self.below = self._perceptron(13, 512, 256, width)
        pairs = torch.triu_indices(tables + 1, tables + 1, 1)
        self.register_buffer("places", pairs[0] * (tables + 1) + pairs[1])
        self.above = self._perceptron(width + pairs.shape[1], 512, 256, 1)

    def _perceptron(self, *widths: int) -> nn.Module:
        layers: list[nn.Module] = []
        for sizes in pairwise(widths):
            layers += [nn.Linear(*sizes), nn.ReLU()]
        return nn.Sequential(*layers)

    def forward(self, numbers: Tensor, kinds: Tensor) -> Tensor:
        dense = self.below(numbers)
        rows = [table(kinds[:, n]) for n, table in enumerate(self.tables)]
        together = torch.stack([dense, *rows], 1)
        products = (together @ together.transpose(1, 2)).flatten(1)
        return self.above(torch.cat([dense, products[:, self.places]], 1))
