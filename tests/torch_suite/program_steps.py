"""The steps of random programs: ops of PyTorch with options that are drawn.

    make = STEPS[1]["roll"]                 # Of one tensor.
    step = make(Draw(7), x)                 # lambda x: torch.roll(x, -2, 1)
    step(x)

An entry draws the options for tensors like those given, and gives a function of these.
Options need not fit: whoever calls the function hears of it from PyTorch.
"""

# pyright: basic, reportMissingImports=false

import operator
from collections.abc import Callable
from typing import Any

import drawing
import torch
from drawing import OPERATORS
from torch import Tensor
from torch.nn import functional

Step = Callable[..., Tensor]
Maker = Callable[..., Step]
"""From what options are drawn with, and one tensor or several, to a step."""

FLOATS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
TYPES = (*FLOATS, *INTEGERS, torch.bool)
NUMBERS = (0, 1, 2, -1, 3, 0.5, -1.5, 0.25, True)


class Draw(drawing.Draw):
    """What options are drawn with."""

    def axis(self, x: Tensor) -> int:
        """A dimension, counted from either end."""
        return self.randrange(-x.dim(), x.dim()) if x.dim() else 0

    def axes(self, x: Tensor) -> list[int]:
        """Some of the dimensions."""
        return self.sample(range(x.dim()), self.randint(1, x.dim())) if x.dim() else [0]

    def number(self) -> Any:
        """A number beside a tensor."""
        return self.choice(NUMBERS)

    def flag(self) -> bool:
        """True or false."""
        return self.random() < 0.5

    def generator(self) -> torch.Generator:
        """What numbers of tensors are drawn with."""
        return torch.Generator().manual_seed(self.randrange(1 << 30))

    def below(self, bound: int, *shape: int) -> Tensor:
        """A tensor of integers below a bound."""
        return torch.randint(0, bound, shape, generator=self.generator())

    def axis_and_places(self, x: Tensor) -> tuple[int, Tensor]:
        """A dimension, and a place in it for each element."""
        axis = self.axis(x)
        return axis, self.below(_size(x, axis), *x.shape)

    def axis_and_rows(self, x: Tensor, count: int | None = None) -> tuple[int, Tensor]:
        """A dimension, and so many places in it, each once if there is no count."""
        axis = self.axis(x)
        if count is not None:
            return axis, self.below(_size(x, axis), count)
        return axis, torch.randperm(_size(x, axis), generator=self.generator())

    def weights(self, x: Tensor, *shape: int) -> Tensor:
        """Quarters from -4 to 4 of the type of a tensor, or else of `float32`."""
        found = torch.randint(-16, 17, shape, generator=self.generator()) / 4
        return found.to(x.dtype if x.dtype.is_floating_point else torch.float32)


def _size(x: Tensor, axis: int) -> int:
    return x.shape[axis] if x.dim() else 1


def after(function: Callable[..., Any], *options: Any, **named: Any) -> Step:
    """A function of tensors whose options, which follow them, are known."""
    return lambda *tensors: function(*tensors, *options, **named)


def _plain(function: Callable[..., Any]) -> Maker:
    """A function without options."""
    return lambda *_: after(function)


def _along(function: Callable[..., Any]) -> Maker:
    """A function whose only option is a dimension."""
    return lambda draw, x, *_: after(function, draw.axis(x))


def _reduction(function: Callable[..., Any]) -> Maker:
    """A reduction over one dimension, over several ones, or over all."""

    def make(draw: Draw, x: Tensor) -> Step:
        axes = draw.choice([draw.axis(x), draw.axis(x), tuple(draw.axes(x)), None])
        if axes is None:
            return after(function)
        return after(function, axes, keepdim=draw.flag())

    return make


def _with_number(function: Callable[..., Any]) -> Maker:
    """A function of two, of which one is a number."""

    def make(draw: Draw, _: Tensor) -> Step:
        number, is_first = draw.number(), draw.flag()
        if is_first:
            return after(lambda x, number: function(number, x), number)
        return after(function, number)

    return make


def _part(function: Callable[..., Any], place: int) -> Callable[..., Any]:
    return lambda *given, **named: function(*given, **named)[place]


def _key(draw: Draw, x: Tensor) -> tuple[Any, ...]:
    """Between brackets: slices, numbers, tensors and None."""
    key: list[Any] = [slice(None)] * x.dim()
    for axis, size in enumerate(x.shape):
        start, stop = draw.randint(-3, 2), draw.choice([None, None, -1, 3])
        key[axis] = draw.choice(
            [
                *[slice(None)] * 2,
                slice(start, stop, draw.randint(1, 3)),
                draw.randint(-1, 0),
                draw.below(size, 3) if size else slice(None),
                draw.below(2, size).bool() if draw.random() < 0.1 else slice(1, None),
            ]
        )
    if draw.flag():
        key.insert(draw.randint(0, len(key)), draw.choice([None, ...]))
    return tuple(key)


def _set(x: Tensor, y: Any, key: Any) -> Tensor:
    copy = x.clone()
    copy[key] = y
    return copy


def _changed(draw: Draw, x: Tensor) -> Step:
    """A tensor that is written, all of it or a part."""
    name, *options = draw.choice(
        [
            ("add_", 1),
            ("mul_", -1),
            ("fill_", 2),
            ("clamp_", -2, 2),
            ("neg_",),
            ("zero_",),
        ]
    )
    part = draw.choice(
        [lambda x: x, lambda x: x.mT, lambda x: x[..., 1:], lambda x: x.select(0, -1)]
    )

    def change(x: Tensor) -> Tensor:
        getattr(part(x), name)(*options)
        return x

    return change


def _shape(draw: Draw, x: Tensor) -> tuple[int, ...]:
    """Another shape with as many elements."""
    sizes = draw.factors(x.numel())
    if x.numel() and draw.flag():
        sizes[draw.randrange(len(sizes))] = -1
    return tuple(sizes)


def _loss(function: Callable[..., Any]) -> Maker:
    return lambda draw, *_: after(
        function, reduction=draw.choice(["none", "sum", "mean"])
    )


def _pool(*functions: Callable[..., Any]) -> Maker:
    def make(draw: Draw, x: Tensor) -> Step:
        window = {
            "kernel_size": draw.randint(1, 3),
            "stride": draw.randint(1, 3),
            "padding": draw.randint(0, 1),
            "ceil_mode": draw.flag(),
        }
        return after(functions[x.dim() - 3], **window)

    return make


def _convolution(draw: Draw, x: Tensor) -> Step:
    rank, channels = x.dim() - 2, x.shape[1]
    groups = draw.choice([1, 1, channels])
    window = [draw.randint(1, 3) for _ in range(rank)]
    number = groups * draw.randint(1, 2)
    bias = draw.choice([None, draw.weights(x, number)])
    options = {
        "stride": draw.randint(1, 2),
        "padding": draw.randint(0, 2),
        "dilation": draw.randint(1, 2),
        "groups": groups,
    }
    way = draw.choice(["conv", "conv_transpose"])
    rows, columns = (number, channels) if way == "conv" else (channels, number)
    weights = draw.weights(x, rows, columns // groups, *window)
    function = _weighted(getattr(functional, f"{way}{rank}d"))
    return after(function, weights, bias, **options)


def _normalization(draw: Draw, x: Tensor) -> Step:
    size = x.shape[-1:]
    weight, bias = (draw.choice([None, draw.weights(x, *size)]) for _ in range(2))
    return draw.choice(
        [
            after(_weighted(functional.layer_norm), size, weight, bias),
            after(_weighted(functional.rms_norm), size, weight),
            after(functional.group_norm, draw.choice([1, 2])),
            after(functional.instance_norm),
            after(functional.normalize, dim=draw.axis(x)),
        ]
    )


def _attention(draw: Draw, x: Tensor) -> Step:
    options = {"is_causal": draw.flag(), "scale": draw.choice([None, 0.5])}
    attend = functional.scaled_dot_product_attention
    return after(lambda x, **options: attend(x, x.flip(-2), x, **options), **options)


def _weighted(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose weights get the type of what they weigh."""

    def call(x: Tensor, *given: Any, **named: Any) -> Any:
        weights = (
            each.to(x.dtype) if isinstance(each, Tensor) else each for each in given
        )
        return function(x, *weights, **named)

    return call


def _picked(y: Tensor, bound: int) -> Tensor:
    """Indices below a bound, made of any numbers."""
    return y.long().abs() % bound


_OF_ONE: dict[str, Maker] = {
    **{
        name: _plain(getattr(torch, name))
        for name in (
            *("abs", "neg", "sign", "floor", "ceil", "round", "trunc", "frac", "exp"),
            *("square", "expm1", "log1p", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh"),
            *("sigmoid", "erf", "atan", "asinh", "reciprocal", "sinh", "logit", "erfc"),
            *("logical_not", "bitwise_not", "isnan", "isfinite", "signbit", "sinc"),
            *("exp2", "ravel", "squeeze", "nan_to_num", "cov", "clone", "positive"),
        )
    },
    **{
        name: _plain(getattr(functional, name))
        for name in (
            *("relu", "relu6", "gelu", "silu", "softplus", "hardswish", "mish", "elu"),
            *("hardtanh", "hardsigmoid", "softsign", "selu", "leaky_relu", "celu"),
            *("logsigmoid", "tanhshrink", "hardshrink", "softshrink"),
        )
    },
    **{
        name: _reduction(getattr(torch, name))
        for name in (
            *("sum", "mean", "amax", "amin", "var", "std", "logsumexp", "any", "all"),
            *("prod", "nansum", "argmax", "argmin", "count_nonzero"),
        )
    },
    **{
        name: _along(getattr(torch, name))
        for name in (
            *("cumsum", "cumprod", "softmax", "log_softmax", "logcumsumexp", "diff"),
            *("unsqueeze", "trapezoid"),
        )
    },
    **{f"{name} a number": _with_number(each) for name, each in OPERATORS.items()},
    "clamp": lambda d, _: after(
        torch.clamp, *d.choice([(-1, 2), (0,), (None, 1), (2, -1), (0.5, 1.5)])
    ),
    "vector_norm": lambda d, x: after(
        torch.linalg.vector_norm, d.choice([1, 2, 3, 0.5]), d.axes(x), d.flag()
    ),
    "max along": lambda d, x: after(_part(torch.max, 0), d.axis(x), d.flag()),
    "place of min": lambda d, x: after(_part(torch.min, 1), d.axis(x), d.flag()),
    "aminmax": lambda d, x: after(_part(torch.aminmax, 1), dim=d.axis(x)),
    "cummax": _along(_part(torch.cummax, 0)),
    "place of cummin": _along(_part(torch.cummin, 1)),
    "sum of a type": lambda d, _: after(torch.sum, dtype=d.choice(TYPES)),
    "mean of a type": lambda d, x: after(torch.mean, d.axis(x), dtype=d.choice(FLOATS)),
    "to": lambda d, _: after(Tensor.to, d.choice(TYPES)),
    "flip": lambda d, x: after(torch.flip, d.axes(x)),
    "roll": lambda d, x: after(
        torch.roll, d.randint(-3, 3), d.choice([None, d.axis(x)])
    ),
    "rot90": lambda d, _: after(torch.rot90, d.randint(-3, 3), [0, -1]),
    "permute": lambda d, x: after(torch.permute, d.sample(range(x.dim()), x.dim())),
    "transpose": lambda d, x: after(torch.transpose, d.axis(x), d.axis(x)),
    "movedim": lambda d, x: after(torch.movedim, d.axis(x), d.axis(x)),
    "squeeze along": _along(torch.squeeze),
    "reshape": lambda d, x: after(torch.reshape, _shape(d, x)),
    "view": lambda d, x: after(Tensor.view, _shape(d, x)),
    "flatten": lambda d, x: after(torch.flatten, d.axis(x)),
    "expand": lambda d, x: after(Tensor.expand, d.choice([1, 2, 3]), *x.shape),
    "repeat": lambda d, x: after(
        Tensor.repeat, *(d.choice([1, 1, 2]) for _ in range(x.dim() + d.flag()))
    ),
    "repeat_interleave": lambda d, x: after(
        torch.repeat_interleave, d.randint(0, 3), d.axis(x)
    ),
    "index": lambda d, x: after(operator.getitem, _key(d, x)),
    "set": lambda d, x: after(_set, d.number(), _key(d, x)),
    "change": _changed,
    "narrow": lambda d, x: after(
        torch.narrow, d.axis(x), d.randint(0, 1), d.randint(0, 3)
    ),
    "select": lambda d, x: after(torch.select, d.axis(x), d.choice([0, -1])),
    "chunk": lambda d, x: after(_part(torch.chunk, -1), d.randint(1, 3), d.axis(x)),
    "split": lambda d, x: after(_part(torch.split, -1), 2, d.axis(x)),
    "unfold": lambda d, x: after(
        Tensor.unfold, d.axis(x), d.randint(1, 3), d.randint(1, 3)
    ),
    "diagonal": lambda d, _: after(torch.diagonal, d.randint(-1, 1), 0, -1),
    "diag_embed": lambda d, _: after(torch.diag_embed, d.randint(-1, 1)),
    "tril": lambda d, _: after(torch.tril, d.randint(-1, 1)),
    "triu": lambda d, _: after(torch.triu, d.randint(-1, 1)),
    "as_strided": lambda d, _: after(torch.as_strided, (2, 2), (1, 1), d.randint(0, 1)),
    "index_select": lambda d, x: after(
        torch.index_select, *d.axis_and_rows(x, d.randint(0, 4))
    ),
    "gather": lambda d, x: after(torch.gather, *d.axis_and_places(x)),
    "take": lambda d, x: after(torch.take, d.below(x.numel(), 2, 3)),
    "embedding": lambda d, x: after(
        lambda x, places: functional.embedding(places, x), d.below(x.shape[0], 2, 3)
    ),
    "index_fill": lambda d, x: after(
        torch.index_fill, *d.axis_and_rows(x, 2), d.number()
    ),
    "pad": lambda d, _: after(
        functional.pad,
        [d.randint(-1, 2) for _ in range(2 * d.randint(1, 2))],
        value=d.choice([None, 1.5, -2]),
    ),
    "pad of a mode": lambda d, x: after(
        functional.pad,
        [d.randint(0, 2) for _ in range(2 * (x.dim() - 2))],
        mode=d.choice(["reflect", "replicate", "circular"]),
    ),
    "max_pool": _pool(
        functional.max_pool1d, functional.max_pool2d, functional.max_pool3d
    ),
    "avg_pool": _pool(
        functional.avg_pool1d, functional.avg_pool2d, functional.avg_pool3d
    ),
    "adaptive_avg_pool2d": lambda d, _: after(
        functional.adaptive_avg_pool2d, d.choice([1, 2, (3, None), (2, 5)])
    ),
    "adaptive_max_pool1d": lambda d, _: after(functional.adaptive_max_pool1d, 2),
    "interpolate": lambda d, _: after(
        functional.interpolate,
        scale_factor=d.choice([2, 0.5, 1.5]),
        mode=d.choice(["nearest", "bilinear", "linear", "nearest-exact"]),
    ),
    "pixel_shuffle": lambda *_: after(functional.pixel_shuffle, 2),
    "pixel_unshuffle": lambda *_: after(functional.pixel_unshuffle, 2),
    "channel_shuffle": lambda *_: after(torch.channel_shuffle, 2),
    "im2col": lambda d, _: after(functional.unfold, 2, padding=d.randint(0, 1)),
    "convolution": _convolution,
    "linear": lambda d, x: after(
        _weighted(functional.linear),
        d.weights(x, 3, x.shape[-1]),
        d.choice([None, d.weights(x, 3)]),
    ),
    "normalization": _normalization,
    "glu": _along(functional.glu),
    "attention": _attention,
    "einsum": lambda d, _: after(
        lambda x, formula: torch.einsum(formula, x, x),
        d.choice(["...ij,...kj->...ki", "...ij,...ij->...i", "ij,kl->ikjl", "i,i->"]),
    ),
    "gram": _plain(lambda x: x @ x.mT),
    "cosine": _along(lambda x, axis: functional.cosine_similarity(x, x.flip(0), axis)),
    "sort": lambda d, x: after(
        _part(torch.sort, 0), dim=d.axis(x), descending=d.flag(), stable=d.flag()
    ),
    "argsort": lambda d, x: after(
        torch.argsort, dim=d.axis(x), descending=d.flag(), stable=True
    ),
    "topk": lambda d, x: after(
        _part(torch.topk, 0), d.randint(0, 2), d.axis(x), d.flag()
    ),
    "kthvalue": _along(lambda x, axis: torch.kthvalue(x, 1, axis)[0]),
    "median": _along(_part(torch.median, 0)),
    "searchsorted": lambda d, _: after(
        lambda x, right: torch.searchsorted(
            torch.tensor([-2.0, -1, 0, 1.5]), x, right=right
        ),
        d.flag(),
    ),
    "bucketize": lambda d, _: after(
        torch.bucketize, torch.tensor([-1.0, 0.5, 2]), right=d.flag()
    ),
    "one_hot": _plain(lambda x: functional.one_hot(_picked(x, 12), 12)),
    "masked_fill": lambda d, _: after(
        lambda x, number: x.masked_fill(x > 0, number), d.number()
    ),
    "full_like": lambda d, _: after(torch.full_like, d.number()),
    "full": lambda d, x: after(
        lambda _, *constant, dtype: torch.full(*constant, dtype=dtype),
        x.shape,
        d.number(),
        dtype=d.choice(TYPES),
    ),
    "new_zeros": _plain(lambda x: x.new_zeros(2, x.shape[0])),
    "arange": lambda d, _: after(
        lambda x, step: torch.arange(0, x.shape[0] * step, step), d.choice([1, 2, 0.5])
    ),
    "stack": _along(lambda x, axis: torch.stack([x, x], axis)),
    "sum_to_size": lambda d, x: after(
        Tensor.sum_to_size, [d.choice([size, 1]) for size in x.shape]
    ),
}

_OF_TWO: dict[str, Maker] = {
    **{name: _plain(each) for name, each in OPERATORS.items()},
    **{
        name: _plain(getattr(torch, name))
        for name in (
            *("maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "fmod", "rsub"),
            *("logical_and", "logical_or", "logical_xor", "copysign", "logaddexp"),
            *("matmul", "bmm", "mv", "dot", "outer", "kron", "cdist", "heaviside"),
            *("isclose", "xlogy", "inner", "gcd", "ldexp"),
        )
    },
    **{
        name: _loss(getattr(functional, name))
        for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div")
    },
    "add with alpha": lambda d, *_: after(torch.add, alpha=d.choice([2, -1, 0.5])),
    "div with rounding": lambda d, *_: after(
        torch.div, rounding_mode=d.choice(["floor", "trunc"])
    ),
    "lerp": lambda d, *_: after(torch.lerp, d.choice([0.25, 0.75, 2])),
    "cat": _along(lambda x, y, axis: torch.cat([x, y, x], axis)),
    "stack two": _along(lambda x, y, axis: torch.stack([x, y], axis)),
    "broadcast": _plain(_part(torch.broadcast_tensors, 0)),
    "set to a tensor": lambda d, x, _: after(_set, _key(d, x)),
    "copy": _plain(lambda x, y: x.clone().copy_(y)),
    "add in place": _plain(lambda x, y: x.clone().add_(y)),
    "mul in place": _plain(lambda x, y: x.clone().mul_(y)),
    "prelu": _plain(functional.prelu),
    "scatter_add": lambda d, x, _: after(
        lambda x, y, axis, places: x.scatter_add(axis, places, y.expand(places.shape)),
        *d.axis_and_places(x),
    ),
    "scatter_reduce": lambda d, x, _: after(
        lambda x, y, axis, places, *how: x.scatter_reduce(
            axis, places, y.expand(places.shape), how[0], include_self=how[1]
        ),
        *d.axis_and_places(x),
        d.choice(["sum", "prod", "mean", "amax", "amin"]),
        d.flag(),
    ),
    "index_add": lambda d, x, y: after(
        lambda x, y, axis, places: x.index_add(axis, places, y),
        *d.axis_and_rows(x, _size(y, 0)),
    ),
    "index_copy": lambda d, x, _: after(
        lambda x, y, axis, places: x.index_copy(axis, places, y.expand_as(x)),
        *d.axis_and_rows(x),
    ),
    "index_put": lambda d, x, _: after(
        lambda x, y, places: x.index_put((places,), y, accumulate=True),
        d.below(x.shape[0], *x.shape[:1]),
    ),
    "slice_scatter": _along(
        lambda x, y, axis: x.slice_scatter(y, axis, 0, y.shape[axis])
    ),
    "select_scatter": _along(
        lambda x, y, axis: x.select_scatter(y.select(axis, 0), axis, -1)
    ),
    "diagonal_scatter": _plain(lambda x, y: x.diagonal_scatter(y.diagonal())),
    "take_along_dim": _along(
        lambda x, y, axis: x.take_along_dim(_picked(y, x.shape[axis]), axis)
    ),
    "index by a tensor": _plain(lambda x, y: x[_picked(y, x.shape[0])]),
    "mask": _plain(lambda x, y: torch.where(y.bool(), x, 0)),
    "cross_entropy": _plain(
        lambda x, y: functional.cross_entropy(
            x, _picked(y, x.shape[1]).reshape(-1)[: x.shape[0]]
        )
    ),
    "tensordot": lambda d, *_: after(torch.tensordot, d.randint(0, 2)),
    "grid_sample": lambda d, *_: after(
        lambda x, y, **named: functional.grid_sample(x, y[..., :2] / 4, **named),
        align_corners=d.flag(),
    ),
    "reshape as": _plain(Tensor.reshape_as),
}

_OF_THREE: dict[str, Maker] = {
    "where": _plain(lambda x, y, z: torch.where(x > 0, y, z)),
    "choose": _plain(lambda x, y, z: torch.where((x > y) & (z != 0), x, z)),
    "addcmul": lambda d, *_: after(torch.addcmul, value=d.choice([1, 2, -1])),
    "addcdiv": lambda d, *_: after(torch.addcdiv, value=d.choice([1, 2, 0.5])),
    "addmm": lambda d, *_: after(
        torch.addmm, alpha=d.choice([1, 2]), beta=d.choice([0, 1, -1])
    ),
    "baddbmm": lambda d, *_: after(torch.baddbmm, beta=d.choice([0, 1])),
    "clamp of tensors": _plain(torch.clamp),
    "lerp of tensors": _plain(torch.lerp),
}

STEPS: dict[int, dict[str, Maker]] = {1: _OF_ONE, 2: _OF_TWO, 3: _OF_THREE}
"""By how many tensors they take, and by name."""

JUMPS = {
    *("sign", "floor", "ceil", "round", "trunc", "frac", "logical_not", "bitwise_not"),
    *("any", "all", "argmax", "argmin", "count_nonzero", "place of min", "signbit"),
    *("place of cummin", "argsort", "searchsorted", "bucketize", "one_hot", "to"),
    *("masked_fill", "hardshrink", "sum of a type", "mean of a type", "isclose"),
    *("floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne", "pow", "copy"),
    *("fmod", "logical_and", "logical_or", "logical_xor", "copysign", "heaviside"),
    *("div with rounding", "index by a tensor", "take_along_dim", "mask", "where"),
    *("choose", "cross_entropy", "set to a tensor", "vector_norm", "normalization"),
    *("cosine", "cdist", "isnan", "isfinite", "clamp of tensors", "cov", "xlogy"),
}
"""Steps whose result may be another one where an argument is nearly the same."""

KINKS = {
    *("abs", "relu", "relu6", "elu", "hardtanh", "hardsigmoid", "hardswish", "amax"),
    *("amin", "max along", "aminmax", "cummax", "clamp", "sort", "topk", "kthvalue"),
    *("median", "maximum", "minimum", "fmax", "fmin", "prelu", "leaky_relu", "selu"),
    *("celu", "softshrink", "max_pool", "adaptive_max_pool1d", "l1_loss", "sqrt"),
    *("smooth_l1_loss", "huber_loss", "scatter_reduce", "grid_sample", "hypot"),
    *("atan2", "prod", "cumprod", "nan_to_num", "kl_div", "softsign"),
}
"""Steps whose gradients may be other ones then."""
