"""The steps of random programs: functions of JAX with options that are drawn.

    make = STEPS[1]["roll"]                 # Of one array.
    step = make(Draw(7), x)                 # lambda x: jnp.roll(x, -2, 1)
    step(x)

An entry draws the options for arrays like those given, and gives a function of these.
Options need not fit: whoever calls the function hears of it from JAX.
"""

# JAX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import operator
from collections.abc import Callable
from typing import Any

import drawing
import jax
import jax.numpy as jnp
import numpy as np
from drawing import OPERATORS
from jax import lax

special = jax.scipy.special
Step = Callable[..., Any]
Maker = Callable[..., Step]
"""From what options are drawn with, and one array or several, to a step."""

FLOATS = ("float32", "float64", "bfloat16", "float16")
SIGNED = ("int64", "int32", "int16", "int8")
UNSIGNED = ("uint64", "uint32", "uint16", "uint8")
TYPES = (*FLOATS, *SIGNED, *UNSIGNED, "bool")
NUMBERS = (0, 1, 2, -1, 3, 0.5, -1.5, 0.25, True)


class Draw(drawing.Draw):
    """What options are drawn with."""

    def axis(self, x: Any) -> int:
        """A dimension, counted from either end."""
        return self.randrange(-x.ndim, x.ndim) if x.ndim else 0

    def axes(self, x: Any) -> tuple[int, ...]:
        """Some of the dimensions, or none of them."""
        return tuple(self.sample(range(x.ndim), self.randint(0, x.ndim)))

    def number(self) -> Any:
        """A number beside an array."""
        return self.choice(NUMBERS)

    def flag(self) -> bool:
        """True or false."""
        return self.random() < 0.5

    def below(self, bound: int, *shape: int) -> np.ndarray:
        """Integers below a bound, and some below 0 or too large for an index."""
        low, high = self.choice([(0, bound), (0, bound), (-bound, bound + 1)])
        return self.rng().integers(low, max(high, low + 1), shape).astype(np.int32)


def after(function: Callable[..., Any], *options: Any, **named: Any) -> Step:
    """A function of arrays whose options, which follow them, are known."""
    return lambda *arrays: function(*arrays, *options, **named)


def _plain(function: Callable[..., Any]) -> Maker:
    return lambda *_: after(function)


def _along(function: Callable[..., Any]) -> Maker:
    return lambda draw, x, *_: after(function, draw.axis(x))


def _of_signed(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function where JAX does not make an unsigned integer of an infinity."""

    def checked(x: Any, *options: Any) -> Any:
        if x.dtype.kind == "u":
            raise TypeError
        return function(x, *options)

    return checked


def _reduction(function: Callable[..., Any]) -> Maker:
    """A reduction over one dimension, over several ones, or over all."""

    def make(draw: Draw, x: Any) -> Step:
        axes = draw.choice([draw.axis(x), draw.axis(x), draw.axes(x), None])
        named: dict[str, Any] = {"axis": axes, "keepdims": draw.flag()}
        if draw.random() < 0.2 and function in (jnp.sum, jnp.prod, jnp.max):
            named |= {"where": draw.rng().integers(0, 2, x.shape) > 0, "initial": 1}
        return after(function, **named)

    return make


def _over_one(function: Callable[..., Any]) -> Maker:
    """A reduction over one dimension or over all."""
    return lambda draw, x: after(function, axis=draw.choice([draw.axis(x), None]))


def _with_number(function: Callable[..., Any]) -> Maker:
    """A function of two, of which one is a number."""

    def make(draw: Draw, _: Any) -> Step:
        number = draw.number()
        if draw.flag():
            return lambda x: function(number, x)
        return after(function, number)

    return make


def _key(draw: Draw, x: Any) -> tuple[Any, ...]:
    """Between brackets: slices, numbers, arrays and None."""
    key: list[Any] = []
    for size in x.shape:
        start, stop = draw.randint(-3, 2), draw.choice([None, None, -1, 3])
        key.append(
            draw.choice(
                [
                    *[slice(None)] * 2,
                    slice(start, stop, draw.choice([1, 1, 2, 3, -1])),
                    draw.randint(-1, 0),
                    draw.below(size, draw.choice([1, 3])),
                ]
            )
        )
    if draw.flag():
        key.insert(draw.randint(0, len(key)), draw.choice([None, ...]))
    return tuple(key)


def _changed(draw: Draw, x: Any, *_: Any) -> Step:
    """An array of which a part is another one, or computed from another one."""
    way = draw.choice(["set", "add", "multiply", "min", "max", "get"])
    options: dict[str, Any] = {}
    if draw.flag():
        options["mode"] = draw.choice(["clip", "drop", "fill"])
    if options.get("mode") == "fill" and way == "get":
        options["fill_value"] = 2
    key = _key(draw, x)
    if way == "get":
        return lambda x, *_: x.at[key].get(**options)
    number = draw.number()
    return lambda x, *y: getattr(x.at[key], way)(y[0] if y else number, **options)


def _shape(draw: Draw, x: Any) -> tuple[int, ...]:
    """Another shape with as many elements."""
    return tuple(draw.factors(x.size))


def _window(draw: Draw, x: Any) -> Step:
    """A reduction over windows."""
    start, function = draw.choice(
        [(0, lax.add), (1, lax.mul), (-4, lax.max), (4, lax.min)]
    )

    def some(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw.randint(low, high) for _ in x.shape)

    padding = [(draw.randint(-1, 2), draw.randint(-1, 2)) for _ in x.shape]
    named: dict[str, Any] = {
        "window_dimensions": some(1, 3),
        "window_strides": some(1, 2),
        "padding": draw.choice(["SAME", "VALID", padding]),
        "base_dilation": draw.choice([None, some(1, 2)]),
        "window_dilation": draw.choice([None, some(1, 2)]),
    }
    return lambda x: lax.reduce_window(x, x.dtype.type(start), function, **named)


def _convolution(draw: Draw, x: Any) -> Step:
    rank, channels = x.ndim - 2, x.shape[1]
    groups = draw.choice([1, 1, channels])
    number = groups * draw.randint(1, 2)
    window = [draw.randint(1, 3) for _ in range(rank)]
    weights = draw.quarters(x.dtype, number, channels // groups, *window)

    def some(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw.randint(low, high) for _ in range(rank))

    padding = [(draw.randint(-1, 2), draw.randint(0, 2)) for _ in range(rank)]
    return after(
        lax.conv_general_dilated,
        weights,
        window_strides=some(1, 2),
        padding=draw.choice(["SAME", "VALID", padding]),
        lhs_dilation=draw.choice([None, some(1, 2)]),
        rhs_dilation=draw.choice([None, some(1, 2)]),
        feature_group_count=groups,
    )


def _padded(draw: Draw, x: Any) -> Step:
    """Padding between elements and around them, or fewer elements."""
    each = [
        (draw.randint(-1, 2), draw.randint(-1, 2), draw.randint(0, 2)) for _ in x.shape
    ]
    number = draw.choice([0, 1, 2])
    return lambda x: lax.pad(x, x.dtype.type(number), each)


def _padded_by_a_mode(draw: Draw, x: Any) -> Step:
    each = [(draw.randint(0, 2), draw.randint(0, 2)) for _ in x.shape]
    modes = ["edge", "reflect", "symmetric", "wrap", "constant", "mean", "maximum"]
    return after(jnp.pad, each, mode=draw.choice(modes))


def _sliced(draw: Draw, x: Any) -> Step:
    """A part whose place is known only as the program runs."""
    sizes = [draw.randint(min(1, size), size) for size in x.shape]
    starts = [int(draw.below(size + 1)) for size in x.shape]
    if draw.flag():
        number = draw.number()
        return lambda x: lax.dynamic_update_slice(
            x, jnp.full(sizes, number).astype(x.dtype), starts
        )
    # Places that the compiler does not know.
    return lambda x: lax.dynamic_slice(
        x, [start + (0 * x.sum()).astype(int) for start in starts], sizes
    )


# Control flow. The bodies take arrays of one shape and type, and give such ones.


def _scanned(draw: Draw, x: Any) -> Step:
    reverse, unroll = draw.flag(), draw.choice([1, 1, 2])
    part = draw.choice([0, 1])

    def step(state: Any, row: Any) -> Any:
        state = jnp.where(row > state, row, (state + row) / 2).astype(row.dtype)
        return state, state - row if row.dtype != bool else state

    return lambda x: lax.scan(
        step, jnp.zeros_like(x[0]), x, reverse=reverse, unroll=unroll
    )[part]


def _repeated(draw: Draw, _: Any) -> Step:
    count = draw.randint(0, 3)
    function = draw.choice([lambda x: x + x.T[: x.shape[0]], jnp.negative, jnp.flip])
    return lambda x: lax.fori_loop(
        0, count, lambda _, x: function(x).astype(x.dtype), x
    )


def _while(draw: Draw, _: Any) -> Step:
    bound = draw.choice([1, 10, 50])

    def ends(state: Any) -> Any:
        return (state[0] < 5) & (jnp.sum(state[1]) < bound)

    def step(state: Any) -> Any:
        number, x = state
        return number + 1, (x + number).astype(x.dtype)

    return lambda x: lax.while_loop(ends, step, (jnp.int32(0), x))[1]


def _chosen(draw: Draw, _: Any) -> Step:
    ways = draw.sample(
        [lambda x: x, lambda x: x + x, lambda x: x * x, jnp.zeros_like, jnp.flip], 3
    )
    if draw.flag():
        return lambda x: lax.cond(jnp.sum(x) > 1, ways[0], ways[1], x)
    return lambda x: lax.switch(jnp.sum(x).astype(jnp.int32), ways, x)


_OF_ONE: dict[str, Maker] = {
    **{
        name: _plain(getattr(jnp, name))
        for name in (
            *("abs", "negative", "sign", "floor", "ceil", "round", "trunc", "exp"),
            *("square", "expm1", "log1p", "sqrt", "sin", "cos", "tan", "tanh", "cbrt"),
            *("arctan", "arcsinh", "reciprocal", "sinh", "logical_not", "invert"),
            *("isnan", "isfinite", "signbit", "sinc", "exp2", "ravel", "squeeze"),
            *("nan_to_num", "positive", "bitwise_count", "transpose", "nonzero"),
            *("zeros_like", "ones_like", "cov", "atleast_2d", "deg2rad", "i0"),
        )
    },
    **{
        name: _plain(getattr(jax.nn, name))
        for name in (
            *("relu", "relu6", "gelu", "silu", "softplus", "hard_swish", "mish", "elu"),
            *("hard_tanh", "hard_sigmoid", "soft_sign", "selu", "leaky_relu", "celu"),
            *("log_sigmoid", "sigmoid", "squareplus"),
        )
    },
    **{
        name: _plain(getattr(special, name))
        for name in ("erf", "erfc", "expit", "entr", "gammaln", "digamma", "log_ndtr")
    },
    **{
        name: _reduction(getattr(jnp, name))
        for name in (
            *("sum", "mean", "max", "min", "var", "std", "any", "all", "prod"),
            *("nansum", "nanmax", "count_nonzero", "ptp", "median"),
        )
    },
    **{
        name: _over_one(getattr(jnp, name))
        for name in ("argmax", "argmin", "cumsum", "cumprod", "nancumsum", "sort")
    },
    **{
        name: _along(each)
        for name, each in {
            "softmax": _of_signed(jax.nn.softmax),
            "log_softmax": _of_signed(jax.nn.log_softmax),
            "logsumexp": _of_signed(jax.nn.logsumexp),
            "standardize": jax.nn.standardize,
            "expand_dims": jnp.expand_dims,
            "trapezoid": lambda x, axis: jnp.trapezoid(x, axis=axis),
            "diff": lambda x, axis: jnp.diff(x, axis=axis),
            "argsort": lambda x, axis: jnp.argsort(x, axis=axis, stable=True),
            "argsort descending": lambda x, axis: jnp.argsort(
                x, axis=axis, descending=True
            ),
            "cummax": lambda x, axis: lax.cummax(x, axis % max(x.ndim, 1)),
            "cummin reversed": lambda x, axis: lax.cummin(
                x, axis % max(x.ndim, 1), reverse=True
            ),
            "cumlogsumexp": lambda x, axis: lax.cumlogsumexp(x, axis % x.ndim),
            "associative scan": lambda x, axis: lax.associative_scan(
                jnp.add, x, axis=axis
            ),
            "stack with itself": lambda x, axis: jnp.stack([x, x], axis),
            "vmap": lambda x, axis: jax.vmap(lambda row: row + row.sum(), axis, axis)(
                x
            ),
            "vmap of a sort": lambda x, axis: jax.vmap(jnp.sort, axis)(x),
            "map": lambda x, _: lax.map(lambda row: row * 2, x),
            "glu": jax.nn.glu,
        }.items()
    },
    **{f"{name} a number": _with_number(each) for name, each in OPERATORS.items()},
    "clip": lambda d, _: after(
        jnp.clip, *d.choice([(-1, 2), (0, None), (None, 1), (2, -1), (0.5, 1.5)])
    ),
    "norm": lambda d, x: after(
        jnp.linalg.norm, d.choice([1, 2, 3, np.inf]), d.axis(x), d.flag()
    ),
    "sum of a type": lambda d, _: after(jnp.sum, dtype=d.choice([*FLOATS, *SIGNED])),
    "astype": lambda d, _: after(
        lambda x, dtype: jnp.clip(x, 0, 100).astype(dtype), d.choice(TYPES)
    ),
    "reduce_precision": lambda d, _: after(
        lax.reduce_precision, d.choice([5, 8]), d.choice([3, 7, 10])
    ),
    "bits": lambda d, x: after(
        lax.bitcast_convert_type,
        d.choice([f"int{8 * x.dtype.itemsize}", f"uint{8 * x.dtype.itemsize}", "int8"]),
    ),
    "flip": lambda d, x: after(jnp.flip, d.choice([d.axis(x), d.axes(x), None])),
    "roll": lambda d, x: after(jnp.roll, d.randint(-3, 3), d.choice([None, d.axis(x)])),
    "rot90": lambda d, _: after(jnp.rot90, d.randint(-3, 3)),
    "permute": lambda d, x: after(jnp.transpose, d.sample(range(x.ndim), x.ndim)),
    "swapaxes": lambda d, x: after(jnp.swapaxes, d.axis(x), d.axis(x)),
    "moveaxis": lambda d, x: after(jnp.moveaxis, d.axis(x), d.axis(x)),
    "reshape": lambda d, x: after(jnp.reshape, _shape(d, x)),
    "reshape by columns": lambda d, x: after(
        lambda x, shape: jnp.reshape(x, shape, order="F"), _shape(d, x)
    ),
    "broadcast_to": lambda d, x: after(jnp.broadcast_to, (d.randint(0, 3), *x.shape)),
    "tile": lambda d, x: after(
        jnp.tile, [d.choice([1, 1, 2, 0]) for _ in range(x.ndim + d.flag())]
    ),
    "repeat": lambda d, x: after(
        jnp.repeat, d.randint(0, 3), axis=d.choice([None, d.axis(x)])
    ),
    "index": lambda d, x: after(operator.getitem, _key(d, x)),
    "change": _changed,
    "dynamic slice": _sliced,
    "slice": lambda d, x: after(
        lax.slice,
        [min(1, size) for size in x.shape],
        x.shape,
        [d.randint(1, 3) for _ in x.shape],
    ),
    "slice in dim": lambda d, x: after(
        lambda x, *options: lax.slice_in_dim(x, *options[:-1], axis=options[-1]),
        0,
        -1,
        d.randint(1, 2),
        d.axis(x),
    ),
    "take": lambda d, x: after(
        jnp.take,
        d.below(x.shape[-1], 2, 3),
        axis=d.choice([None, -1]),
        mode=d.choice(["clip", "wrap", "fill"]),
        fill_value=1,
    ),
    "take along": lambda d, x: after(
        jnp.take_along_axis, d.below(x.shape[-1], *x.shape), axis=-1
    ),
    "split": lambda d, x: after(
        lambda x, axis: jnp.array_split(x, 2, axis)[-1], d.axis(x)
    ),
    "diagonal": lambda d, _: after(jnp.diagonal, d.randint(-1, 1), 0, -1),
    "diag": lambda d, _: after(jnp.diag, d.randint(-1, 1)),
    "trace": lambda d, _: after(jnp.trace, d.randint(-1, 1)),
    "tril": lambda d, _: after(jnp.tril, d.randint(-1, 1)),
    "triu": lambda d, _: after(jnp.triu, d.randint(-1, 1)),
    "pad": _padded,
    "pad of a mode": _padded_by_a_mode,
    "reduce_window": _window,
    "convolution": _convolution,
    "linear": lambda d, x: after(operator.matmul, d.quarters(x.dtype, x.shape[-1], 3)),
    "gram": _plain(lambda x: x @ jnp.swapaxes(x, -1, -2)),
    "einsum": lambda d, _: after(
        lambda x, formula: jnp.einsum(formula, x, x),
        d.choice(["...ij,...kj->...ki", "...ij,...ij->...i", "ij,kl->ikjl", "i,i->"]),
    ),
    "trace by einsum": _plain(lambda x: jnp.einsum("...ii->...", x)),
    "top_k": lambda d, _: after(lambda x, k: lax.top_k(x, k)[0], d.randint(0, 2)),
    "places of top_k": lambda d, _: after(
        lambda x, k: lax.top_k(x, k)[1], d.randint(1, 2)
    ),
    "unique": _plain(lambda x: jnp.unique(x, size=4, fill_value=0)),
    "searchsorted": lambda d, _: after(
        lambda x, side: jnp.searchsorted(jnp.array([-2.0, -1, 0, 1.5]), x, side=side),
        d.choice(["left", "right"]),
    ),
    "histogram": _plain(lambda x: jnp.histogram(x, 4, (-2, 2))[0]),
    "bincount": _plain(lambda x: jnp.bincount(_picked(x.ravel(), 5), length=6)),
    "one_hot": _plain(lambda x: jax.nn.one_hot(_picked(x, 12), 12)),
    "segment_sum": lambda d, x: after(
        lambda x, places: jax.ops.segment_sum(x, places, 4), d.below(4, x.shape[0])
    ),
    "interp": _plain(
        lambda x: jnp.interp(x, jnp.array([-2.0, 0, 1]), jnp.array([1.0, -1, 2]))
    ),
    "percentile": lambda d, x: after(jnp.percentile, 25, d.axis(x)),
    "resize": lambda d, x: after(
        jax.image.resize,
        [d.choice([size, 2 * size, 3]) for size in x.shape],
        d.choice(["nearest", "linear", "cubic"]),
    ),
    "full_like": lambda d, _: after(jnp.full_like, d.number()),
    "iota": _plain(lambda x: x + jnp.arange(x.shape[-1]).astype(x.dtype)),
    "scan": _scanned,
    "fori_loop": _repeated,
    "while_loop": _while,
    "cond": _chosen,
    "checkpoint": _plain(jax.checkpoint(lambda x: jnp.sin(x) * x)),
    "jit": _plain(jax.jit(lambda x: x + 1)),
    "fft": _plain(lambda x: jnp.fft.rfft(x).real),
    "complex": _plain(lambda x: jnp.abs((x + 1j) * (x - 2j))),
    "convolve": _plain(lambda x: jnp.convolve(x, x[:2], mode="same")),
    "polyval": _plain(lambda x: jnp.polyval(jnp.array([1.0, -2, 0.5]), x)),
    "vander": _plain(lambda x: jnp.vander(x, 3)),
    "tri solve": _plain(
        lambda x: jax.scipy.linalg.solve_triangular(
            jnp.tril(x) + 5 * jnp.eye(x.shape[0], dtype=x.dtype), x, lower=True
        )
    ),
}


def _picked(x: Any, bound: int) -> Any:
    """Integers below a bound, made of any numbers."""
    return jnp.abs(x.astype(jnp.int32)) % bound


_OF_TWO: dict[str, Maker] = {
    **{name: _plain(each) for name, each in OPERATORS.items()},
    **{
        name: _plain(getattr(jnp, name))
        for name in (
            *("maximum", "minimum", "fmax", "fmin", "arctan2", "hypot", "fmod"),
            *("logical_and", "logical_or", "logical_xor", "copysign", "logaddexp"),
            *("matmul", "dot", "outer", "kron", "heaviside", "isclose", "inner", "gcd"),
            *("ldexp", "remainder", "floor_divide", "float_power", "lcm", "nextafter"),
            *("cross", "vdot", "array_equal", "logaddexp2", "divmod"),
        )
    },
    "concatenate": _along(lambda x, y, axis: jnp.concatenate([x, y, x], axis)),
    "stack": _along(lambda x, y, axis: jnp.stack([x, y], axis)),
    "broadcast": _plain(lambda x, y: jnp.broadcast_arrays(x, y)[0]),
    "change by an array": _changed,
    "tensordot": lambda d, *_: after(jnp.tensordot, d.randint(0, 2)),
    "batched dot": lambda d, *_: after(
        lambda x, y, formula: jnp.einsum(formula, x, y),
        d.choice(["bij,bjk->bik", "bij,bkj->ibk", "ij,ij->ji", "i,j->ji", "bij,j->ib"]),
    ),
    "dot of a type": lambda *_: after(
        lambda x, y: jnp.matmul(x, y, preferred_element_type=jnp.float32)
    ),
    "index by an array": _plain(lambda x, y: x[_picked(y, x.shape[0])]),
    "take along an array": _plain(
        lambda x, y: jnp.take_along_axis(x, _picked(y, x.shape[-1]), -1)
    ),
    "scatter by an array": lambda d, *_: after(
        lambda x, y, way: getattr(x.at[_picked(y, x.shape[0])], way)(2),
        d.choice(["set", "add", "multiply", "min"]),
    ),
    "slice at an array": _plain(
        lambda x, y: lax.dynamic_slice_in_dim(
            x, y.sum().astype(jnp.int32), (x.shape[0] + 1) // 2
        )
    ),
    "update at an array": _plain(
        lambda x, y: lax.dynamic_update_slice_in_dim(
            x, y.astype(x.dtype), y.sum().astype(jnp.int32), 0
        )
    ),
    "sort pairs": _plain(lambda x, y: lax.sort((x, y), num_keys=1)[1]),
    "lexsort": _plain(lambda x, y: jnp.lexsort((x, y))),
    "isin": _plain(jnp.isin),
    "xlogy": _plain(special.xlogy),
    "cond of two": _plain(
        lambda x, y: lax.cond(jnp.sum(y) > 0, lambda: x, lambda: jnp.flip(x))
    ),
    "scan of two": _plain(
        lambda x, y: lax.scan(
            lambda state, row: ((state * 0.5 + row.sum()).astype(x.dtype), state), x, y
        )[1]
    ),
    "while of two": _plain(
        lambda x, y: lax.while_loop(
            lambda state: state[0] < 3,
            lambda state: (state[0] + 1, state[1] + y),
            (0, x),
        )[1]
    ),
    "vmap of two": _plain(lambda x, y: jax.vmap(jnp.outer, (0, None))(x, y)),
    "reshape as": _plain(lambda x, y: x.reshape(y.shape)),
    "attention": _plain(
        lambda x, y: jax.nn.dot_product_attention(x, y, y, is_causal=True)
    ),
}

_OF_THREE: dict[str, Maker] = {
    "where": _plain(lambda x, y, z: jnp.where(x > 0, y, z)),
    "choose": _plain(lambda x, y, z: jnp.where((x > y) & (z != 0), x, z)),
    "select": _plain(lambda x, y, z: jnp.select([x > 0, y > 0], [y, z], x)),
    "clip by arrays": _plain(jnp.clip),
    "multiply and add": _plain(lambda x, y, z: x * y + z),
    "dot and add": _plain(lambda x, y, z: jnp.maximum(x @ y + z, 0)),
    "scan of three": _plain(
        lambda x, y, z: (
            lax.fori_loop(0, 3, lambda i, state: (state + y * i).astype(x.dtype), x) + z
        )
    ),
    "choose rows": _plain(
        lambda x, y, z: lax.select_n(
            jnp.broadcast_to(x > 0, y.shape), y, jnp.broadcast_to(z, y.shape)
        )
    ),
}

STEPS: dict[int, dict[str, Maker]] = {1: _OF_ONE, 2: _OF_TWO, 3: _OF_THREE}
"""By how many arrays they take, and by name."""

JUMPS = {
    *("sign", "floor", "ceil", "round", "trunc", "logical_not", "signbit"),
    *("any", "all", "argmax", "argmin", "count_nonzero", "argsort", "searchsorted"),
    *("argsort descending", "places of top_k", "one_hot", "bincount", "histogram"),
    *("astype", "reduce_precision", "bits", "sum of a type", "isclose", "floordiv"),
    *("mod", "lt", "le", "gt", "ge", "eq", "ne", "pow", "fmod", "remainder", "divmod"),
    *("floor_divide", "logical_and", "logical_or", "logical_xor", "copysign", "where"),
    *("heaviside", "choose", "select", "cond", "while_loop", "unique", "nonzero"),
    *("index by an array", "take along an array", "scatter by an array", "isin"),
    *("slice at an array", "update at an array", "sort pairs", "lexsort", "invert"),
    *("cond of two", "choose rows", "nextafter", "array_equal", "standardize"),
    *("norm", "cov", "xlogy", "isnan", "isfinite", "clip by arrays", "dynamic slice"),
    *("float_power", "interp", "scan", "segment_sum"),
}
"""Steps whose result may be another one where an argument is nearly the same."""

KINKS = {
    *("abs", "relu", "relu6", "elu", "hard_tanh", "hard_sigmoid", "hard_swish", "max"),
    *("min", "clip", "sort", "top_k", "median", "maximum", "minimum", "fmax", "fmin"),
    *("leaky_relu", "selu", "celu", "sqrt", "cbrt", "soft_sign", "ptp", "nanmax"),
    *("cummax", "cummin reversed", "hypot", "arctan2", "prod", "cumprod", "complex"),
    *("nan_to_num", "reduce_window", "percentile", "vmap of a sort", "std", "change"),
    *("change by an array", "dot and add", "nansum", "nancumsum", "entr", "logsumexp"),
    *("pad of a mode", "sinc"),
}
"""Steps whose gradients may be other ones then."""
