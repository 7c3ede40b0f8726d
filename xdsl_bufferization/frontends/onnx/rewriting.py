"""Ops that torch-mlir does not translate, or not rightly, as others.

    BitShift(x, 40)     torch-mlir: x << 8, as processors do    here: 0, as ONNX says
    CumProd(x)          log2(n) products of x and of what is moved by 1, 2, 4, ...
    Compress(x, c)      Gather(x, indices), for the numbers of `c`

Each rule gives nodes, or None where it does not fit.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Final

import numpy as np

from .builder import Builder
from .fourier import write_dft
from .nodes import renamed
from .pooling import write_average_pool, write_max_pool
from .recurrent import write_directions
from .resizing import write_resize
from .rule import Rewriting, Rule
from .scattering import write_col2im, write_max_unpool, write_tensor_scatter
from .types import ValueType, dtype_name

_FIRST_OPSET: Final = 13
"""The version of ONNX whose ops the rules write."""

_FIRST_OPSETS: Final[Mapping[str, int]] = {
    "ConvInteger": 10,
    "Dropout": 7,
    "Gemm": 11,
    "MatMulInteger": 10,
    "QLinearConv": 10,
    "QLinearMatMul": 10,
}
"""Of rules that write what earlier versions have as well."""

_FIRST_MASKS: Final = 10
"""The version of ONNX from which the masks of `Dropout` are booleans."""

_WRITTEN: Final = "written by a rule"
"""What says of an op that the rule for it has written it."""


def rewritten(
    node: Any, opset: int, types: Mapping[str, ValueType], known: Mapping[str, Any]
) -> list[Any] | None:
    """The nodes in place of a node; None if it stays."""
    rule = RULES.get(node.op_type)
    first = _FIRST_OPSETS.get(node.op_type, _FIRST_OPSET)
    if rule is None or opset < first or node.doc_string == _WRITTEN:
        return None
    if not all(name in types for name in node.input if name):
        return None
    build = Builder(node, opset)
    values = rule(Rewriting(node, types, known, build))
    if values is None:
        return None
    for each in build.nodes:
        if each.op_type == node.op_type:
            each.doc_string = _WRITTEN
    return [*build.nodes, *renamed(values, node)]


def _bit_shift(r: Rewriting) -> Sequence[str] | None:
    """A shift by as many bits as there are, or more, or a negative number, leaves none.

    Of a negative number that is shifted to the right, it leaves -1.
    """
    shifts = r.value(1)
    dtype = r.type(1).dtype
    width = np.dtype(dtype).itemsize * 8
    if shifts is not None and bool(np.all((shifts >= 0) & (shifts < width))):
        return None
    b, (x, count) = r.build, r.op.input
    zero = b.constant(0, dtype)
    is_short = b.add("Less", [count, b.constant(width, dtype)])
    is_positive = b.add("Not", [b.add("Less", [count, zero])])
    fits = b.add("And", [is_short, is_positive])
    safe = b.add("Where", [fits, count, zero])
    direction = r.attribute("direction")
    shifted = b.add("BitShift", [x, safe], direction=direction)
    none = zero
    if direction == b"RIGHT" and not dtype.startswith("uint"):
        is_negative = b.add("Less", [x, zero])
        none = b.add("Where", [is_negative, b.constant(-1, dtype), zero])
    return [b.add("Where", [fits, shifted, none])]


def _compress(r: Rewriting) -> Sequence[str] | None:
    chosen = r.value(1)
    if chosen is None:
        return None
    b, x = r.build, r.operand(0)
    axis = r.attribute("axis")
    if axis is None:
        x, axis = b.add("Reshape", [x, b.constant([-1])]), 0
    return [b.add("Gather", [x, b.constant(np.flatnonzero(chosen))], axis=axis)]


def _conv_integer(r: Rewriting) -> Sequence[str]:
    """A convolution of doubles, which is exact."""
    b = r.build
    inputs = [_centred(r, 0, 2, "float64"), _centred(r, 1, 3, "float64", axis=0)]
    return [b.cast(b.add("Conv", inputs, **r.attributes), "int32")]


def _centred(
    r: Rewriting, number: int, zero: int, dtype: str, axis: int | None = None
) -> str:
    """An operand of another type, less its zero point."""
    b, x = r.build, r.build.cast(r.operand(number), dtype)
    if not r.operand(zero):
        return x
    point = b.cast(r.operand(zero), dtype)
    if axis is not None and r.type(zero).sizes not in ((), (1,)):
        point = _along(r, point, axis, len(r.type(number).sizes or ()))
    return b.add("Sub", [x, point])


def _along(r: Rewriting, value: str, axis: int, rank: int) -> str:
    """A vector along a dimension of a tensor."""
    sizes = [1] * rank
    sizes[axis] = -1
    return r.build.add("Reshape", [value, r.build.constant(sizes)])


def _cumulative(op: str, start: float) -> Rule:
    """Sums or products of what is moved by 1, 2, 4, ... elements."""

    def rule(r: Rewriting) -> Sequence[str] | None:
        axes, shape = r.value(1), r.shape(0)
        if axes is None or shape is None:
            return None
        b, x, axis = r.build, r.operand(0), int(axes.item()) % len(shape)
        size, dtype = shape[axis], r.type(0).dtype
        is_backwards = bool(r.attribute("reverse", 0))
        neutral = b.constant(start, dtype)

        def moved(value: str, by: int) -> str:
            before, after = [0] * len(shape), [0] * len(shape)
            (after if is_backwards else before)[axis] = by
            padded = b.add("Pad", [value, b.constant([*before, *after]), neutral])
            first = by if is_backwards else 0
            bounds = [b.constant([n]) for n in (first, first + size, axis)]
            return b.add("Slice", [padded, *bounds])

        if r.attribute("exclusive", 0) and size:
            x = moved(x, 1)
        by = 1
        while by < size:
            x, by = b.add(op, [x, moved(x, by)]), 2 * by
        return [x]

    return rule


def _depth_to_space(r: Rewriting) -> Sequence[str] | None:
    """A transpose, as ONNX's documentation has it; torch-mlir errs for blocks of 1."""
    shape = r.shape(0)
    if shape is None:
        return None
    count, channels, rows, columns = shape
    size = r.attribute("blocksize")
    inner = channels // size**2
    is_deep = r.attribute("mode", b"DCR") == b"DCR"
    parts = [size, size, inner] if is_deep else [inner, size, size]
    order = [0, 3, 4, 1, 5, 2] if is_deep else [0, 1, 4, 2, 5, 3]
    b = r.build
    blocks = b.add(
        "Reshape", [r.operand(0), b.constant([count, *parts, rows, columns])]
    )
    turned = b.add("Transpose", [blocks], perm=order)
    whole = [count, inner, rows * size, columns * size]
    return [b.add("Reshape", [turned, b.constant(whole)])]


def _dequantize(r: Rewriting) -> Sequence[str] | None:
    """Differences from the zero point, scaled, in the type of the scale."""
    b, dtype = r.build, r.type(1).dtype
    if r.attribute("output_dtype") or r.type(0).dtype not in _QUANTIZED:
        return None
    scale, zero = _spread(r, r.operand(1)), r.operand(2)
    x = b.cast(r.operand(0), "int32")
    if zero:
        x = b.add("Sub", [x, b.cast(_spread(r, zero), "int32")])
    wide = "float64" if dtype == "float64" else "float32"
    product = b.add("Mul", [b.cast(x, wide), b.cast(scale, wide)])
    return [b.cast(product, dtype)]


def _quantize(r: Rewriting) -> Sequence[str] | None:
    """Rounded quotients, moved by the zero point, within the bounds of the type."""
    result = r.types.get(r.op.output[0])
    if r.attribute("precision") or result is None:
        return None
    dtype = result.dtype
    if dtype not in _QUANTIZED[:-1]:
        return None
    b = r.build
    wide = "float64" if r.type(0).dtype == "float64" else "float32"
    scale = b.cast(_spread(r, r.operand(1)), wide)
    quotient = b.add("Div", [b.cast(r.operand(0), wide), scale])
    moved = b.add("Round", [quotient])
    if r.operand(2):
        point = b.cast(_spread(r, r.operand(2)), wide)
        moved = b.add("Add", [moved, point])
    return [_saturated(b, moved, wide, dtype)]


_QUANTIZED: Final = ("int8", "uint8", "int16", "uint16", "int32")


def _spread(r: Rewriting, value: str) -> str:
    """A scale or a zero point for each element, along the axis or by blocks."""
    sizes, b = r.types[value].sizes or (), r.build
    shape = r.shape(0) or ()
    axis, block = int(r.attribute("axis", 1)), int(r.attribute("block_size", 0))
    if block:
        axis %= len(shape)
        each = b.unsqueezed(value, axis + 1)
        repeats = [1] * (len(shape) + 1)
        repeats[axis + 1] = block
        many = b.add("Tile", [each, b.constant(repeats)])
        long = [*sizes[:axis], int(sizes[axis] or 0) * block, *sizes[axis + 1 :]]
        joined = b.add("Reshape", [many, b.constant(long)])
        bounds = [b.constant([n]) for n in (0, shape[axis], axis)]
        return b.add("Slice", [joined, *bounds])
    if sizes in ((), (1,)):
        return value
    return _along(r, value, axis % len(shape), len(shape))


def _dropout(r: Rewriting) -> Sequence[str] | None:
    """Nothing is left out where nobody trains."""
    ratio, training = r.value(1), r.value(2)
    trains = r.operand(2) and (training is None or training.item())
    keeps_all = ratio is not None and not ratio.item()
    shape = r.shape(0)
    if (trains and not keeps_all) or shape is None:
        return None
    b = r.build
    values = [r.operand(0)]
    if len(r.op.output) > 1 and r.op.output[1]:
        if b.opset < _FIRST_MASKS:
            return None
        yes = b.constant(True, "bool")
        values.append(b.add("Expand", [yes, b.constant([*shape])]))
    return values


def _gemm(r: Rewriting) -> Sequence[str] | None:
    """A product and a sum: torch-mlir leaves `alpha` out where there is no sum.

    Of integers, it cuts the factors.
    """
    alpha, beta = (r.attribute(name, 1.0) for name in ("alpha", "beta"))
    dtype, b = r.type(0).dtype, r.build
    if alpha == 1 and (beta == 1 or not r.operand(2)):
        return None
    if _has_floats(r) and r.operand(2):
        return None
    wide = dtype if _has_floats(r) else "float64"
    named = {name: r.attribute(name, 0) for name in ("transA", "transB")}
    inputs = [b.cast(r.operand(number), wide) for number in (0, 1)]
    result = b.add("Gemm", inputs, **named)
    result = b.add("Mul", [result, b.constant(alpha, wide)])
    if r.operand(2):
        summand = b.cast(r.operand(2), wide)
        summand = b.add("Mul", [summand, b.constant(beta, wide)])
        result = b.add("Add", [result, summand])
    return [b.cast(result, dtype)]


def _lp_normalization(r: Rewriting) -> Sequence[str]:
    """Quotients by a norm; where all elements are 0, they stay 0."""
    b, (x, *_), dtype = r.build, r.op.input, r.type(0).dtype
    axes = b.constant([r.attribute("axis", -1)])
    if r.attribute("p", 2) == 1:
        norm = b.add("ReduceSum", [b.add("Abs", [x]), axes], keepdims=1)
    else:
        squares = b.add("ReduceSum", [b.add("Mul", [x, x]), axes], keepdims=1)
        norm = b.add("Sqrt", [squares])
    is_zero = b.add("Equal", [norm, b.constant(0, dtype)])
    divisor = b.add("Where", [is_zero, b.constant(1, dtype), norm])
    return [b.add("Div", [x, divisor])]


def _matmul(r: Rewriting) -> Sequence[str] | None:
    """A vector times matrices, or matrices times a vector, as matrices."""
    ranks = [len(r.type(number).sizes or ()) for number in (0, 1)]
    if sorted(ranks) < [1, 3] or 1 not in ranks:
        return None
    b, (x, y) = r.build, r.op.input
    if ranks[0] == 1:
        product = b.add("MatMul", [b.unsqueezed(x, 0), y])
        return [b.add("Squeeze", [product, b.constant([-2])])]
    product = b.add("MatMul", [x, b.unsqueezed(y, 1)])
    return [b.add("Squeeze", [product, b.constant([-1])])]


def _pad(r: Rewriting) -> Sequence[str] | None:
    """What is repeated, gathered along one dimension after the other.

    torch-mlir has no `wrap`, and reflects once. Negative numbers cut elements off
    before others are repeated, as in ONNX Runtime.
    """
    pads, axes, shape = r.value(1), r.value(3), r.shape(0)
    mode = r.attribute("mode", b"constant").decode()
    if mode == "constant" or pads is None or shape is None or 0 in shape:
        return None
    if r.operand(3) and axes is None:
        return None
    padded = [*range(len(shape))] if axes is None else [int(axis) for axis in axes]
    x, count = r.operand(0), len(padded)
    each = [*zip(padded, pads[:count], pads[count:], strict=True)]
    most = {"edge": inf, "reflect": 0, "wrap": -inf}[mode]
    if all(0 <= n < most + shape[axis] for axis, *both in each for n in both):
        return None
    for axis, before, after in each:
        first, last = max(-int(before), 0), shape[axis] - max(-int(after), 0)
        size = last - first
        if size <= 0:
            return None
        places = np.arange(-max(int(before), 0), size + max(int(after), 0))
        if mode == "edge":
            places = places.clip(0, size - 1)
        elif mode == "wrap":
            places %= size
        else:
            around = max(2 * size - 2, 1)
            places %= around
            places = np.minimum(places, around - places) % size
        x = r.build.add("Gather", [x, r.build.constant(first + places)], axis=axis)
    return [x]


def _quantized_product(r: Rewriting) -> Sequence[str] | None:
    """A product of doubles, which is exact, scaled and rounded."""
    if any(r.type(number).sizes not in ((), (1,)) for number in (1, 2, 4, 5, 6, 7)):
        return None
    b, wide = r.build, "float64"
    inputs = [_centred(r, 0, 2, wide), _centred(r, 3, 5, wide)]
    scales = [b.cast(r.operand(number), wide) for number in (1, 4, 6)]
    scale = b.add("Div", [b.add("Mul", scales[:2]), scales[2]])
    scaled = b.add("Mul", [b.add("MatMul", inputs), scale])
    moved = b.add("Add", [b.add("Round", [scaled]), b.cast(r.operand(7), wide)])
    return [_saturated(b, moved, wide, r.type(7).dtype)]


def _saturated(b: Builder, x: str, dtype: str, wanted: str) -> str:
    """Integers as another type has them, or the nearest that it has."""
    bounds = np.iinfo(wanted)
    least, most = (b.constant(each, dtype) for each in (bounds.min, bounds.max))
    clipped = b.add("Min", [b.add("Max", [x, least]), most])
    return b.cast(b.cast(clipped, "int32"), wanted)


def _conv_transpose(r: Rewriting) -> Sequence[str] | None:
    """A convolution for each group, without padding that is not said in numbers."""
    shape, kernel = r.shape(0), r.shape(1)
    if shape is None or kernel is None:
        return None
    attributes = {**r.attributes}
    groups = attributes.pop("group", 1)
    mode = attributes.pop("auto_pad", b"NOTSET").decode()
    if groups == 1 and not mode.startswith("SAME"):
        return None
    rank = len(shape) - 2
    cuts: list[tuple[int, int]] = []
    if mode.startswith("SAME"):
        # Padding is what is cut off, and may differ at both ends.
        attributes.pop("pads", None)
        strides = attributes.get("strides", [1] * rank)
        dilations = attributes.get("dilations", [1] * rank)
        extra = attributes.get("output_padding", [0] * rank)
        for n in range(rank):
            reach = (kernel[n + 2] - 1) * dilations[n] + 1 + extra[n]
            total = max(reach - strides[n], 0)
            first = total // 2 if mode == "SAME_UPPER" else total - total // 2
            cuts.append((first, first + shape[n + 2] * strides[n]))
    b, (x, weight, *bias) = r.build, r.op.input
    size = shape[1] // groups
    parts: list[str] = []
    for group in range(groups):
        first, last = (b.constant([n * size]) for n in (group, group + 1))
        xs = b.add("Slice", [x, first, last, b.constant([1])])
        weights = b.add("Slice", [weight, first, last, b.constant([0])])
        parts.append(b.add("ConvTranspose", [xs, weights], **attributes))
    result = b.add("Concat", parts, axis=1)
    for axis, (first, last) in enumerate(cuts, 2):
        bounds = [b.constant([n]) for n in (first, last, axis)]
        result = b.add("Slice", [result, *bounds])
    if bias and bias[0]:
        result = b.add("Add", [result, _along(r, bias[0], 1, len(shape))])
    return [result]


def _matmul_integer(r: Rewriting) -> Sequence[str]:
    """A product of doubles, which is exact."""
    inputs = [_centred(r, 0, 2, "float64"), _centred(r, 1, 3, "float64", axis=-1)]
    return [r.build.cast(r.build.add("MatMul", inputs), "int32")]


def _quantized_conv(r: Rewriting) -> Sequence[str]:
    """A convolution of doubles, which is exact, scaled and rounded."""
    b, wide = r.build, "float64"
    inputs = [_centred(r, 0, 2, wide), _centred(r, 3, 5, wide, axis=0)]
    if r.operand(8):
        inputs.append(b.cast(r.operand(8), wide))
    scales = [b.cast(r.operand(number), wide) for number in (1, 4, 6)]
    scale = b.add("Div", [b.add("Mul", scales[:2]), scales[2]])
    if r.type(4).sizes not in ((), (1,)):
        scale = _along(r, scale, 1, len(r.type(0).sizes or ()))
    scaled = b.add("Mul", [b.add("Conv", inputs, **r.attributes), scale])
    moved = b.add("Add", [b.add("Round", [scaled]), b.cast(r.operand(7), wide)])
    return [_saturated(b, moved, wide, r.type(7).dtype)]


def _cast(r: Rewriting) -> Sequence[str] | None:
    """To an unsigned byte by way of more bits: 200.0 is no number of a signed byte."""
    to = dtype_name(r.attribute("to"))
    if to != "uint8" or not r.type(0).dtype.startswith(("float", "bfloat")):
        return None
    return [r.build.cast(r.build.cast(r.operand(0), "int32"), to)]


def _absolute(r: Rewriting) -> Sequence[str] | None:
    """A number without a sign is its own magnitude."""
    return [r.operand(0)] if r.type(0).dtype.startswith("uint") else None


def _in_more_bits(wide: str) -> Rule:
    """An op of unsigned bytes, which torch-mlir takes to have a sign."""

    def rule(r: Rewriting) -> Sequence[str] | None:
        if r.type(0).dtype != "uint8":
            return None
        b = r.build
        inputs = [
            b.cast(name, wide) if name and r.types[name].dtype == "uint8" else name
            for name in r.op.input
        ]
        count = len(r.op.output)
        first, *rest = b.add_several(r.op.op_type, inputs, count, **r.attributes)
        return [b.cast(b.cast(first, "int64"), "uint8"), *rest]

    return rule


def _clip(r: Rewriting) -> Sequence[str] | None:
    """Bounds where comparisons say so: what is no number stays, as in ONNX's `Clip`."""
    if not _has_floats(r):
        return _in_more_bits("int32")(r)
    b, x = r.build, r.operand(0)
    for number, comparison in ((1, "Less"), (2, "Greater")):
        if bound := r.operand(number):
            x = b.add("Where", [b.add(comparison, [x, bound]), bound, x])
    return [x]


def _equal(r: Rewriting) -> Sequence[str] | None:
    """torch-mlir takes a value to be equal to itself, also what is no number."""
    if not _has_floats(r):
        return None
    b, operands = r.build, [r.operand(0), r.operand(1)]
    orders = [b.add(f"{each}OrEqual", operands) for each in ("Less", "Greater")]
    return [b.add("And", orders)]


def _sign(r: Rewriting) -> Sequence[str] | None:
    """What is no number has no sign."""
    if not _has_floats(r):
        return None
    b, x = r.build, r.operand(0)
    return [b.add("Where", [b.add("IsNaN", [x]), x, b.add("Sign", [x])])]


def _reciprocal(r: Rewriting) -> Sequence[str]:
    """A quotient: torch-mlir asserts that no element is zero."""
    b = r.build
    return [b.add("Div", [b.constant(1, r.type(0).dtype), r.operand(0)])]


def _one_hot(r: Rewriting) -> Sequence[str] | None:
    """Places are cut to integers before those from the end are counted."""
    if not _has_floats(r):
        return None
    places = r.build.cast(r.operand(0), "int64")
    inputs = [places, r.operand(1), r.operand(2)]
    return [r.build.add("OneHot", inputs, **r.attributes)]


def _scatter_of_bools(r: Rewriting) -> Sequence[str] | None:
    """The largest of booleans is whether a sum of 0 and 1 is any, as in ONNX."""
    reduction = r.attribute("reduction", b"none").decode()
    if r.type(0).dtype != "bool" or reduction == "none":
        return None
    b, wide = r.build, "int32"
    inputs = [b.cast(r.operand(0), wide), r.operand(1), b.cast(r.operand(2), wide)]
    named = {**r.attributes, "reduction": _OF_BOOLS.get(reduction, reduction)}
    return [b.cast(b.add(r.op.op_type, inputs, **named), "bool")]


_OF_BOOLS: Final = {"max": "add", "min": "mul"}
"""The reduction of 0 and 1 that is not 0 where another one is true."""


def _selu(r: Rewriting) -> Sequence[str] | None:
    """ONNX's usual factors: torch-mlir has six digits of them."""
    if {"alpha", "gamma"} <= r.attributes.keys():
        return None
    named = {"alpha": 1.6732631921768188, "gamma": 1.0507010221481323, **r.attributes}
    return [r.build.add("Selu", [r.operand(0)], **named)]


def _has_floats(r: Rewriting) -> bool:
    return r.type(0).dtype.startswith(("float", "bfloat"))


RULES: Final[Mapping[str, Rule]] = {
    "Abs": _absolute,
    "AveragePool": write_average_pool,
    "BitShift": _bit_shift,
    "Cast": _cast,
    "Clip": _clip,
    "Col2Im": write_col2im,
    "Compress": _compress,
    "ConvInteger": _conv_integer,
    "ConvTranspose": _conv_transpose,
    "CumProd": _cumulative("Mul", 1),
    "DepthToSpace": _depth_to_space,
    "DequantizeLinear": _dequantize,
    "DFT": write_dft,
    "Div": _in_more_bits("int32"),
    "Dropout": _dropout,
    "Equal": _equal,
    "GRU": write_directions,
    "Gemm": _gemm,
    "LSTM": write_directions,
    "LpNormalization": _lp_normalization,
    "MatMul": _matmul,
    "MatMulInteger": _matmul_integer,
    "MaxPool": write_max_pool,
    "MaxUnpool": write_max_unpool,
    "Mod": _in_more_bits("int32"),
    "OneHot": _one_hot,
    "Pad": _pad,
    "QLinearConv": _quantized_conv,
    "QLinearMatMul": _quantized_product,
    "QuantizeLinear": _quantize,
    "RNN": write_directions,
    "Reciprocal": _reciprocal,
    "Resize": write_resize,
    "ScatterElements": _scatter_of_bools,
    "ScatterND": _scatter_of_bools,
    "Selu": _selu,
    "Sign": _sign,
    "TensorScatter": write_tensor_scatter,
    "TopK": _in_more_bits("int32"),
}
"""What gives other nodes, by the name of the op."""
