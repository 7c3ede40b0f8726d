"""What linalg's named ops compute, in NumPy, from their names and documentation.

Sums of products are written as `einsum`s. The dimensions of convolutions and poolings
are read from the name of the op: `conv_2d_nhwc_hwcf` has an input of dimensions n, h, w
and c. This module shares nothing with the table of the package.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def _round_half_away(x: Array) -> Array:
    return np.where(x < 0, np.ceil(x - 0.5), np.floor(x + 0.5))


def _reciprocal_root(x: Array) -> Array:
    return 1 / np.sqrt(x)


def _divide(x: Array, y: Array) -> Array:
    quotient = x / y
    return np.trunc(quotient) if np.issubdtype(x.dtype, np.integer) else quotient


_ELEMENTWISE: dict[str, Callable[..., Array]] = {
    "exp": np.exp,
    "log": np.log,
    "abs": np.abs,
    "ceil": np.ceil,
    "floor": np.floor,
    "negf": np.negative,
    "reciprocal": np.reciprocal,
    "round": _round_half_away,
    "sqrt": np.sqrt,
    "rsqrt": _reciprocal_root,
    "square": np.square,
    "tanh": np.tanh,
    "erf": np.vectorize(math.erf),
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": _divide,
    "div_unsigned": _divide,
    "max": np.maximum,
    "min": np.minimum,
    "powf": np.power,
    "select": np.where,
    "copy": np.copy,
}

_PRODUCTS = {
    "matmul": "mk,kn->mn",
    "batch_matmul": "bmk,bkn->bmn",
    "batch_reduce_matmul": "bmk,bkn->mn",
    "dot": "m,m->",
    "matvec": "mn,n->m",
    "vecmat": "m,mn->n",
    "batch_matvec": "bmk,bk->bm",
    "batch_vecmat": "bk,bkn->bn",
    "mmt4d": "mkac,nkbc->mnab",
    "batch_mmt4d": "xmkac,xnkbc->xmnab",
    "quantized_matmul": "mk,kn->mn",
    "quantized_batch_matmul": "bmk,bkn->bmn",
}


def evaluate(
    name: str,
    operands: Sequence[Array],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> Array:
    """The result of op `name` on inputs and an output."""
    name = name.removeprefix("linalg.")
    output = np.asarray(operands[-1])
    wide = [_widen(operand) for operand in operands[:-1]]
    if name in _ELEMENTWISE:
        result = _ELEMENTWISE[name](*wide)
    elif name == "fill":
        result = np.full(output.shape, wide[0])
    elif name == "fill_rng_2d":
        result = _random_numbers(output.shape, *wide)
    elif name.startswith("pooling"):
        result = _pool(name, wide, output, strides, dilations)
    else:
        lhs, rhs = wide[:2]
        if len(wide) > len(("lhs", "rhs")):
            lhs, rhs = lhs - wide[2], rhs - wide[3]
        if name in _PRODUCTS:
            product = np.einsum(_PRODUCTS[name], lhs, rhs)
        else:
            product = _convolve(name, lhs, rhs, strides, dilations)
        result = output + product
    return result.astype(output.dtype)


def _widen(operand: Array) -> Array:
    operand = np.asarray(operand)
    if operand.dtype == np.bool_:
        return operand
    if np.issubdtype(operand.dtype, np.integer):
        return operand.astype(np.int64)
    return operand.astype(np.float64)


def _random_numbers(shape: Sequence[int], low: Any, high: Any, seed: Any) -> Array:
    """The generator that the documentation of `linalg.fill_rng_2d` describes."""

    def following(state: int) -> int:
        state = (state * 1103515245 + 12345) & 0xFFFFFFFF
        return state - (1 << 32) if state >> 31 else state

    result = np.empty(shape)
    for row, column in np.ndindex(*shape):
        state = following(column + following(row + int(seed)))
        scale = (high - low) * 2.3283064e-10
        result[row, column] = (state + 2**31 - 1) * scale + low
    return result


# Windows. A spatial dimension `h` of the input becomes `h`, the place of the window,
# and `H`, the place in the window.

_SPATIAL = {"1": "w", "2": "hw", "3": "dhw"}


def _windows(
    x: Array,
    layout: str,
    sizes: dict[str, int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> tuple[Array, str]:
    """The input with windows of `sizes`, and the names of its dimensions."""
    spatial = [letter for letter in layout if letter in "dhw"]
    for at, letter in enumerate(spatial):
        stride = strides[at] if strides else 1
        dilation = dilations[at] if dilations else 1
        axis, size = layout.index(letter), sizes[letter]
        places = (x.shape[axis] - (size - 1) * dilation - 1) // stride + 1
        indices = [
            [place * stride + step * dilation for step in range(size)]
            for place in range(places)
        ]
        x = np.take(x, indices, axis)
        layout = layout.replace(letter, letter + letter.upper())
    return x, layout


def _convolve(
    name: str,
    x: Array,
    filter: Array,
    strides: Sequence[int],
    dilations: Sequence[int],
) -> Array:
    match = re.fullmatch(r"(depthwise_)?conv_(\d)d(?:_([a-z]+)_([a-z]+))?(_q)?", name)
    assert match is not None, name
    depthwise, dimensions, layout, filter_layout, _ = match.groups()
    layout = layout or _SPATIAL[dimensions]
    filter_layout = filter_layout or _SPATIAL[dimensions]
    if depthwise:
        output_layout = layout + ("m" if "m" in filter_layout else "")
    else:
        output_layout = layout.replace("c", "f")
    sizes = dict(zip(filter_layout, filter.shape, strict=True))
    windows, window_layout = _windows(x, layout, sizes, strides, dilations)
    for letter in _SPATIAL[dimensions]:
        filter_layout = filter_layout.replace(letter, letter.upper())
    return np.einsum(
        f"{window_layout},{filter_layout}->{output_layout}", windows, filter
    )


def _pool(
    name: str,
    inputs: Sequence[Array],
    output: Array,
    strides: Sequence[int],
    dilations: Sequence[int],
) -> Array:
    _, layout, kind, *_unsigned = name.split("_")
    spatial = [letter for letter in layout if letter in "dhw"]
    sizes = dict(zip(spatial, inputs[1].shape, strict=True))
    windows, window_layout = _windows(inputs[0], layout, sizes, strides, dilations)
    axes = tuple(at for at, letter in enumerate(window_layout) if letter.isupper())
    if kind == "sum":
        return output + windows.sum(axes)
    if kind == "max":
        return np.maximum(output, windows.max(axes))
    return np.minimum(output, windows.min(axes))
