"""The PyTorch models of the corpus: small, deterministic, and unlike each other.

Each class shows one family of programs that people export; `CORPUS`, at the end, lists
them with the inputs they are run on. `export.py` turns each entry into a pair of files.

    Entry("mlp", Mlp, [normal(8, 16)])   ->   mlp.mlir, mlp.npz

Models use only what torch-mlir lowers to upstream dialects: cumulative sums, sorting
and scattering become `tm_tensor` ops, which no other tool reads. They also avoid what
torch-mlir lowers to numbers that are not PyTorch's: `while_loop`, whose condition is
lost, and GELU by tanh, whose constant is rounded to three digits.
"""

# PyTorch is not installed where the project is checked.
# pyright: standard, reportMissingImports=false

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


class Mlp(nn.Module):
    """Three linear layers with ReLU between them."""

    def __init__(self, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(16, 32, dtype=dtype),
            nn.ReLU(),
            nn.Linear(32, 24, dtype=dtype),
            nn.ReLU(),
            nn.Linear(24, 10, dtype=dtype),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


class Cnn(nn.Module):
    """Convolutions, maximum and average pooling, and a linear classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 6, kernel_size=3, padding=1)
        self.second = nn.Conv2d(6, 8, kernel_size=3)
        self.classify = nn.Linear(8, 5)

    def forward(self, image: Tensor) -> Tensor:
        x = functional.max_pool2d(torch.relu(self.first(image)), 2)
        x = functional.max_pool2d(x, kernel_size=3, stride=1, padding=1)
        x = functional.avg_pool2d(torch.relu(self.second(x)), 2)
        x = functional.adaptive_avg_pool2d(x, 1)
        return self.classify(torch.flatten(x, 1))


class Residual(nn.Module):
    """A residual block with batch norm and a projected shortcut, as in ResNet."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(4, 6, kernel_size=3, stride=2, padding=1, bias=False)
        self.first_norm = _used_batch_norm(6)
        self.second = nn.Conv2d(6, 6, kernel_size=3, padding=1, bias=False)
        self.second_norm = _used_batch_norm(6)
        self.shortcut = nn.Conv2d(4, 6, kernel_size=1, stride=2, bias=False)
        self.shortcut_norm = _used_batch_norm(6)

    def forward(self, image: Tensor) -> Tensor:
        x = torch.relu(self.first_norm(self.first(image)))
        x = self.second_norm(self.second(x))
        return torch.relu(x + self.shortcut_norm(self.shortcut(image)))


def _used_batch_norm(channels: int) -> nn.BatchNorm2d:
    """A batch norm whose statistics and scales are not the initial zeros and ones."""
    norm = nn.BatchNorm2d(channels)
    for values in (norm.running_mean, norm.weight.data, norm.bias.data):
        assert values is not None
        values.normal_()
    assert norm.running_var is not None
    norm.running_var.uniform_(0.5, 2.0)
    return norm


class Attention(nn.Module):
    """A transformer block: layer norm, masked attention of two heads, GELU."""

    mask: Tensor

    def __init__(self, width: int = 16, heads: int = 2, length: int = 6) -> None:
        super().__init__()
        self.heads = heads
        self.before_attention = nn.LayerNorm(width)
        self.project_in = nn.Linear(width, 3 * width)
        self.project_out = nn.Linear(width, width)
        self.before_mlp = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)
        later = torch.ones(length, length, dtype=torch.bool).triu(diagonal=1)
        self.register_buffer("mask", later)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attend(self.before_attention(x))
        return x + self.down(functional.gelu(self.up(self.before_mlp(x))))

    def attend(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        shape = (batch, length, self.heads, width // self.heads)
        query, key, value = (
            part.reshape(shape).transpose(1, 2)
            for part in self.project_in(x).chunk(3, dim=-1)
        )
        scores = query @ key.transpose(-2, -1) * shape[-1] ** -0.5
        weights = torch.softmax(scores.masked_fill(self.mask, float("-inf")), dim=-1)
        mixed = (weights @ value).transpose(1, 2).reshape(batch, length, width)
        return self.project_out(mixed)


class CrossAttention(nn.Module):
    """PyTorch's own scaled dot-product attention, over a sequence of another length."""

    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(8, 8, bias=False)
        self.key_value = nn.Linear(6, 16, bias=False)

    def forward(self, x: Tensor, context: Tensor) -> Tensor:
        key, value = self.key_value(context).chunk(2, dim=-1)
        query = self.query(x)
        return functional.scaled_dot_product_attention(query, key, value)


class Rnn(nn.Module):
    """A recurrent cell, unrolled over four steps by a loop in Python."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.RNNCell(6, 8)
        self.read_out = nn.Linear(8, 3)

    def forward(self, sequence: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        outputs: list[Tensor] = []
        for step in sequence.unbind(0):
            state = self.cell(step, state)
            outputs.append(self.read_out(state))
        return torch.stack(outputs), state


class Lstm(nn.Module):
    """An LSTM cell, unrolled over three steps; returns both of its states."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(5, 6)

    def forward(self, sequence: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        hidden = torch.zeros(sequence.shape[1], 6)
        cell = torch.zeros(sequence.shape[1], 6)
        outputs: list[Tensor] = []
        for step in range(sequence.shape[0]):
            hidden, cell = self.cell(sequence[step], (hidden, cell))
            outputs.append(hidden)
        return torch.cat(outputs, dim=1), hidden, cell


class Gru(nn.Module):
    """PyTorch's whole GRU layer, which export itself unrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.GRU(4, 5, batch_first=True)

    def forward(self, sequence: Tensor) -> tuple[Tensor, Tensor]:
        return self.layer(sequence)


class Indexing(nn.Module):
    """Padding, joining, slicing and gathering, with constant and given indices."""

    def forward(
        self, x: Tensor, y: Tensor, rows: Tensor, columns: Tensor
    ) -> tuple[Tensor, ...]:
        padded = functional.pad(x, (1, 2, 0, 1), value=0.5)
        joined = torch.cat([x, y, x[:2]], dim=0)
        strided = joined[1::3, ::2]
        selected = torch.index_select(y, 0, rows)
        gathered = torch.gather(x, 1, columns)
        stacked = torch.stack([x[:, 1], y[0, :4]], dim=1)
        turned = torch.roll(torch.flip(x, [0, 1]), shifts=1, dims=1)
        replaced = torch.slice_scatter(x, y[:2], dim=0, start=1, end=3)
        return padded, strided, selected, gathered, stacked, turned, replaced


class Shapes(nn.Module):
    """Reshapes, permutations and broadcasts: mostly views, if the compiler sees it."""

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        flat = x.reshape(6, 4)
        halves = x.permute(2, 0, 1).unflatten(0, (2, 2))
        squeezed = x[:, :1].squeeze(1).unsqueeze(-1)
        broadcast = y.expand(2, 3, 4) + x
        repeated = y.repeat(2, 3)
        reflected = functional.pad(x, (2, 1), mode="reflect")
        first, second = x.split([1, 2], dim=1)
        return flat, halves, squeezed, broadcast, repeated, reflected, first * second


class Reductions(nn.Module):
    """Sums, means, extrema with and without indices, norms and soft maxima."""

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        largest, where = torch.max(x, dim=2)
        return (
            x.sum(),
            x.sum(dim=(0, 2)),
            x.mean(dim=1, keepdim=True),
            x.amin(dim=0),
            largest,
            where,
            x.argmax(dim=1),
            x.argmin(dim=2),
            x.var(dim=2),
            x.prod(dim=1),
            torch.linalg.vector_norm(x, dim=2),
            torch.softmax(x, dim=1),
            torch.log_softmax(x, dim=2),
            torch.logsumexp(x, dim=2),
            (x > 0.9).any(dim=1),
            (x > -1).all(dim=2),
        )


class Convolutions(nn.Module):
    """Depthwise, strided, dilated, grouped, transposed and one-dimensional."""

    def __init__(self) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(4, 4, kernel_size=3, padding=1, groups=4)
        self.strided = nn.Conv2d(4, 6, kernel_size=(3, 2), stride=(2, 1))
        self.grouped = nn.Conv2d(6, 4, kernel_size=2, groups=2)
        self.dilated = nn.Conv2d(4, 3, kernel_size=2, dilation=2, bias=False)
        self.transposed = nn.ConvTranspose2d(3, 2, kernel_size=3, stride=2)
        self.along_rows = nn.Conv1d(2, 3, kernel_size=3, padding=1)

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        x = functional.hardtanh(self.depthwise(image), 0.0, 6.0)
        x = self.grouped(functional.leaky_relu(self.strided(x), 0.1))
        x = self.transposed(functional.silu(self.dilated(x)))
        return x, self.along_rows(x.amax(dim=3))


class Embedding(nn.Module):
    """Token and position embeddings, averaged and scored against all tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(20, 8)
        self.positions = nn.Embedding(6, 8)

    def forward(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        positions = torch.arange(tokens.shape[1])
        x = self.tokens(tokens) + self.positions(positions)
        return x.mean(dim=1), x @ self.tokens.weight.T


class Elementwise(nn.Module):
    """The functions of one and two numbers that are floats."""

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        size = x.abs() + 0.5
        return (
            torch.exp(x) + torch.expm1(y),
            torch.tanh(x) * torch.sigmoid(y),
            torch.erf(x) - functional.gelu(y),
            torch.pow(size, y) + torch.pow(x, 3),
            torch.where(x > y, x, 2.0 * y),
            torch.clamp(x, -0.75, 0.5) + torch.clamp(y, min=0.1),
            torch.sin(x) / (2 + torch.cos(y)),
            torch.log(size) + torch.log1p(size) + torch.log2(size),
            torch.sqrt(size) * torch.rsqrt(size + 1) + torch.reciprocal(size),
            torch.floor(x) + torch.ceil(y) + torch.round(3 * x) + torch.sign(y),
            torch.atan(x) + torch.atan2(y, size),
            torch.maximum(x, y) - torch.minimum(x, y),
            torch.fmod(x, size) + torch.remainder(y, size),
            functional.elu(x) + functional.softplus(y) + functional.hardswish(x),
        )


class Integers(nn.Module):
    """Integer and boolean arithmetic, conversions and products."""

    def forward(self, a: Tensor, b: Tensor, x: Tensor) -> tuple[Tensor, ...]:
        size = b.abs() + 1
        return (
            a + 3 * b - 1,
            torch.div(a, size, rounding_mode="floor"),
            torch.div(a, size, rounding_mode="trunc"),
            torch.remainder(a, size),
            (a & b) | (a ^ size),
            (a << 2) + (b >> 1),
            torch.maximum(a, b).clamp(-3, 3),
            a @ b.T,
            a.to(torch.float32) / size,
            x.to(torch.int32) + a.to(torch.int32),
            (a > b) & (b != 2),
            torch.where(a == b, a, -b),
            a.sum(dim=1),
            torch.full((2, 2), 7) * a[:2, :2],
        )


class Products(nn.Module):
    """Vector, matrix and batched products, in f64."""

    def forward(
        self, left: Tensor, right: Tensor, matrix: Tensor, vector: Tensor
    ) -> tuple[Tensor, ...]:
        return (
            torch.bmm(left, right),
            torch.baddbmm(left @ right, left, right, beta=0.5, alpha=2.0),
            torch.mv(matrix, vector),
            torch.dot(vector, vector),
            torch.outer(vector, vector),
            torch.matmul(left, matrix.T),
            torch.einsum("bij,bjk->ik", left, right),
            torch.addmm(left[0, :, :3], matrix, right[0]),
        )


class Precisions(nn.Module):
    """One product in bf16, f16 and f64; arguments and bf16's result are f32."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(6, 5))
        self.half_weight = nn.Parameter(torch.randn(6, 5, dtype=torch.float16))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return (
            torch.relu(x.bfloat16() @ self.weight.bfloat16()).float(),
            x.half() @ self.half_weight + 1,
            torch.tanh(x.double() @ self.weight.double()),
        )


class Norms(nn.Module):
    """Group, instance and RMS norm; nearest and bilinear resizing."""

    def __init__(self) -> None:
        super().__init__()
        self.group = nn.GroupNorm(2, 4)
        self.instance = nn.InstanceNorm2d(4, affine=True)
        self.scale = nn.Parameter(torch.rand(4))

    def forward(self, image: Tensor) -> tuple[Tensor, ...]:
        grouped, single = self.group(image), self.instance(image)
        length = (image * image).mean(dim=-1, keepdim=True) + 1e-5
        return (
            grouped + single,
            image * torch.rsqrt(length) * self.scale,
            functional.interpolate(image, scale_factor=2, mode="nearest"),
            functional.interpolate(image, size=(3, 6), mode="bilinear"),
        )


@dataclass(frozen=True)
class Entry:
    """A model of the corpus, and how to export it.

    `model` and `inputs` draw from the generator, in this order, after it was seeded.
    `dynamic` gives the dimensions left open, by name of the argument; if there are any,
    it must name all arguments. `dense` writes the weights as `dense` constants instead
    of `dense_resource`.
    """

    name: str
    model: Callable[[], nn.Module]
    inputs: Callable[[], Sequence[Tensor]]
    dynamic: Mapping[str, Sequence[int]] | None = None
    dense: bool = False


def normal(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """A tensor of normally distributed numbers."""
    return torch.randn(*shape, dtype=dtype)


def integers(low: int, high: int, *shape: int) -> Tensor:
    """An i64 tensor of integers from `low` up to but not including `high`."""
    return torch.randint(low, high, shape)


def _product_inputs() -> Sequence[Tensor]:
    shapes = [(2, 4, 5), (2, 5, 3), (4, 5), (5,)]
    return [normal(*shape, dtype=torch.float64) for shape in shapes]


CORPUS = [
    Entry("mlp", Mlp, lambda: [normal(8, 16)]),
    Entry("mlp_dense", Mlp, lambda: [normal(8, 16)], dense=True),
    Entry("mlp_dynamic_batch", Mlp, lambda: [normal(5, 16)], dynamic={"x": [0]}),
    Entry("cnn", Cnn, lambda: [normal(1, 3, 12, 12)]),
    Entry("residual", Residual, lambda: [normal(1, 4, 8, 8)]),
    Entry("attention", Attention, lambda: [normal(2, 6, 16)]),
    Entry(
        "cross_attention", CrossAttention, lambda: [normal(2, 3, 8), normal(2, 5, 6)]
    ),
    Entry("rnn", Rnn, lambda: [normal(4, 2, 6), normal(2, 8)]),
    Entry("lstm", Lstm, lambda: [normal(3, 2, 5)]),
    Entry("gru_dense", Gru, lambda: [normal(2, 3, 4)], dense=True),
    Entry(
        "indexing",
        Indexing,
        lambda: [
            normal(4, 5),
            normal(3, 5),
            integers(0, 3, 4),
            integers(0, 5, 4, 2),
        ],
    ),
    Entry("shapes", Shapes, lambda: [normal(2, 3, 4), normal(3, 1)]),
    Entry("reductions", Reductions, lambda: [normal(3, 4, 5)]),
    Entry("convolutions", Convolutions, lambda: [normal(1, 4, 9, 8)]),
    Entry("embedding", Embedding, lambda: [integers(0, 20, 3, 6)]),
    Entry("elementwise", Elementwise, lambda: [normal(4, 6), normal(4, 6)]),
    Entry(
        "integers",
        Integers,
        lambda: [integers(-9, 9, 4, 6), integers(-9, 9, 4, 6), 5 * normal(4, 6)],
    ),
    Entry("products", Products, _product_inputs),
    Entry("precisions", Precisions, lambda: [normal(4, 6)]),
    Entry("norms", Norms, lambda: [normal(2, 4, 4, 4)]),
]
"""Every model of the corpus; the name is the stem of its two files."""
