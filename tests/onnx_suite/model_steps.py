"""The steps of random models: ops of ONNX with operands and attributes that are drawn.

    node = STEPS["Transpose"](Draw(7), x)       # Node("Transpose", [x], {"perm": ...})

An entry draws a node for arrays like those given. Operands may be arrays of their own,
such as axes. Options need not fit: whoever runs the node hears of it from ONNX.
"""

# ONNX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import drawing
import ml_dtypes
import numpy as np
from onnx import helper

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64")
TYPES = (*FLOATS, *INTEGERS, "bool")


@dataclass(frozen=True)
class Node:
    """An op with operands: arrays, or None for those that are left out."""

    op: str
    operands: Sequence[Any]
    attributes: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1


Maker = Callable[..., Node]
"""From what options are drawn with, and one array or several, to a node."""


def dtype_of(name: str) -> Any:
    """A type of NumPy."""
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def code_of(name: str) -> int:
    """ONNX's number for a type."""
    return helper.np_dtype_to_tensor_dtype(dtype_of(name))


class Draw(drawing.Draw):
    """What options are drawn with."""

    def flag(self) -> int:
        """One or zero."""
        return self.randint(0, 1)

    def axis(self, x: Any, more: int = 0) -> int:
        """A dimension, counted from either end."""
        rank = x.ndim + more
        return self.randrange(-rank, rank) if rank else 0

    def axes(self, x: Any) -> list[int]:
        """Some of the dimensions, counted from either end."""
        found = self.sample(range(x.ndim), self.randint(min(1, x.ndim), x.ndim))
        return [axis - x.ndim * self.flag() for axis in found]

    def some(self, count: int, low: int, high: int) -> list[int]:
        """So many numbers."""
        return [self.randint(low, high) for _ in range(count)]

    def places(self, size: int, *shape: int) -> np.ndarray:
        """Places in a dimension, some of them counted from its end."""
        low = self.choice([0, -size])
        dtype = self.choice([np.int64, np.int32])
        return self.rng().integers(low, max(size, low + 1), shape).astype(dtype)

    def maybe(self, value: Any) -> Any:
        """A value, or None."""
        return self.choice([value, None])

    def number(self, x: Any) -> np.ndarray:
        """One number of the type of an array."""
        return self.quarters(x.dtype)


def ints(values: Sequence[int]) -> np.ndarray:
    """An operand that is a list of numbers."""
    return np.array(values, np.int64)


def _plain(op: str, **options: Sequence[Any]) -> Maker:
    """An op; each option is one of some values, or left out."""

    def make(draw: Draw, *operands: Any) -> Node:
        chosen = {
            name: draw.choice(values)
            for name, values in options.items()
            if draw.random() < 0.7
        }
        return Node(op, operands, chosen)

    return make


def _along(op: str, **options: Sequence[Any]) -> Maker:
    """An op along an axis, or along the usual one."""

    def make(draw: Draw, *operands: Any) -> Node:
        node = _plain(op, **options)(draw, *operands)
        if draw.random() < 0.8:
            node.attributes["axis"] = draw.axis(operands[0])
        return node

    return make


def _reduction(op: str) -> Maker:
    def make(draw: Draw, x: Any) -> Node:
        if (
            op in ("ReduceL2", "ReduceLogSum", "ReduceLogSumExp")
            and x.dtype.kind in "iu"
        ):
            raise TypeError  # Nobody says how a root or a logarithm is rounded.
        axes = draw.choice([ints(draw.axes(x)), ints(draw.axes(x)), None, ints([])])
        named = {"keepdims": draw.flag(), "noop_with_empty_axes": draw.flag()}
        return Node(op, [x, axes], named)

    return make


def _reshape(draw: Draw, x: Any) -> Node:
    sizes = draw.factors(x.size)
    if sizes and draw.random() < 0.3 and x.size:
        sizes[draw.randrange(len(sizes))] = -1
    for place in range(min(len(sizes), x.ndim)):
        if sizes[place] == x.shape[place] and draw.random() < 0.3:
            sizes[place] = 0
    return Node("Reshape", [x, ints(sizes)], {"allowzero": int(draw.random() < 0.1)})


def _slice(draw: Draw, x: Any) -> Node:
    axes = draw.axes(x)
    steps = [draw.choice([1, 1, 2, -1, -2, 3]) for _ in axes]
    starts = [draw.choice([0, 1, -1, -2, 100, -100, 2]) for _ in axes]
    ends = [draw.choice([1, 3, -1, 100, -100, 2**31, -(2**31)]) for _ in axes]
    operands = [x, ints(starts), ints(ends), ints(axes), draw.maybe(ints(steps))]
    if draw.random() < 0.2:
        operands[3:] = []
        operands[1:] = [each[: x.ndim] for each in operands[1:]]
    return Node("Slice", operands)


def _pad(draw: Draw, x: Any) -> Node:
    mode = draw.choice(["constant", "reflect", "edge", "wrap"])
    low = draw.choice([-1, 0])
    if draw.flag():
        axes = draw.axes(x)
        pads = draw.some(2 * len(axes), low, 2)
        value = draw.number(x) if mode == "constant" else None
        return Node("Pad", [x, ints(pads), value, ints(axes)], {"mode": mode})
    pads = draw.some(2 * x.ndim, low, 2)
    value = draw.number(x) if mode == "constant" and draw.flag() else None
    return Node("Pad", [x, ints(pads), value], {"mode": mode})


def _window(draw: Draw, rank: int, *, has_dilation: bool) -> dict[str, Any]:
    """Options of what moves a window."""
    named: dict[str, Any] = {"kernel_shape": draw.some(rank, 1, 3)}
    if draw.flag():
        named["strides"] = draw.some(rank, 1, 3)
    if has_dilation and draw.flag():
        named["dilations"] = draw.some(rank, 1, 2)
    if draw.flag():
        named["auto_pad"] = draw.choice(["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"])
        # Gaps between windows need no padding. ONNX Runtime forgets the dilations.
        named["kernel_shape"] = [3] * rank
        named.pop("dilations", None)
    if named.get("auto_pad", "NOTSET") == "NOTSET" and draw.flag():
        named["pads"] = draw.some(2 * rank, 0, 1)
    return named


def _pool(op: str, **options: Sequence[Any]) -> Maker:
    def make(draw: Draw, x: Any) -> Node:
        has_dilation = op != "LpPool" or draw.flag()
        named = _window(draw, x.ndim - 2, has_dilation=bool(has_dilation))
        named |= {name: draw.choice(values) for name, values in options.items()}
        return Node(op, [x], named)

    return make


def _convolution(draw: Draw, x: Any) -> Node:
    rank, channels = x.ndim - 2, x.shape[1]
    groups = draw.choice([1, 1, channels])
    named = _window(draw, rank, has_dilation=True)
    named["group"] = groups
    window = named["kernel_shape"]
    if draw.flag():
        del named["kernel_shape"]
    number = groups * draw.randint(1, 2)
    if draw.flag():
        weights = draw.quarters(x.dtype, number, channels // groups, *window)
        bias = draw.maybe(draw.quarters(x.dtype, number))
        return Node("Conv", [x, weights, bias], named)
    weights = draw.quarters(x.dtype, channels, number // groups, *window)
    if draw.flag() and "strides" in named:
        named["output_padding"] = [draw.randrange(each) for each in named["strides"]]
    bias = draw.maybe(draw.quarters(x.dtype, number))
    return Node("ConvTranspose", [x, weights, bias], named)


def _normalization(draw: Draw, x: Any) -> Node:
    count = x.shape[1]
    scale, bias, mean = (draw.quarters(x.dtype, count) for _ in range(3))
    variance = abs(draw.quarters(x.dtype, count)) + x.dtype.type(1)
    epsilon = {"epsilon": draw.choice([1e-5, 0.25])}
    axis = draw.axis(x)
    row = x.shape[axis:]
    groups = draw.choice([1, count])
    return draw.choice(
        [
            Node("BatchNormalization", [x, scale, bias, mean, variance], epsilon),
            Node("InstanceNormalization", [x, scale, bias], epsilon),
            Node(
                "LayerNormalization",
                [
                    x,
                    draw.quarters(x.dtype, *row),
                    draw.maybe(draw.quarters(x.dtype, *row)),
                ],
                {"axis": axis, **epsilon},
            ),
            Node("GroupNormalization", [x, scale, bias], {"num_groups": groups}),
            Node(
                "LRN",
                [x],
                {"size": draw.randint(1, 4), "alpha": 0.5, "beta": 0.75, "bias": 1.5},
            ),
            Node("MeanVarianceNormalization", [x], {"axes": draw.axes(x)}),
            Node("LpNormalization", [x], {"axis": axis, "p": draw.randint(1, 2)}),
            Node(
                "RMSNormalization",
                [x, draw.quarters(x.dtype, *row)],
                {"axis": axis, **epsilon},
            ),
            Node(
                "BatchNormalization",
                [x, scale, bias, mean, variance],
                {"training_mode": 1, "momentum": 0.75},
                3,
            ),
        ]
    )


def _resize(draw: Draw, x: Any) -> Node:
    mode = draw.choice(["nearest", "linear", "cubic"])
    ways = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    named: dict[str, Any] = {
        "mode": mode,
        "coordinate_transformation_mode": draw.choice([*ways, "half_pixel_symmetric"]),
    }
    if mode == "nearest":
        named["nearest_mode"] = draw.choice(
            ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
        )
    elif draw.random() < 0.3:
        named["antialias"] = 1
    if mode == "cubic" and draw.flag():
        named |= {"cubic_coeff_a": -0.5, "exclude_outside": draw.flag()}
    inner = max(x.ndim - 2, 0)
    if draw.flag():
        scales = [1.0] * (x.ndim - inner)
        scales += [draw.choice([1.0, 2.0, 0.5, 1.5]) for _ in range(inner)]
        return Node("Resize", [x, None, np.array(scales, np.float32)], named)
    sizes = ints([*x.shape[: x.ndim - inner], *draw.some(inner, 1, 5)])
    return Node("Resize", [x, None, None, sizes], named)


def _gather(draw: Draw, x: Any) -> Node:
    axis = draw.axis(x)
    shape = draw.some(draw.randint(0, 2), 0, 3)
    return Node("Gather", [x, draw.places(x.shape[axis], *shape)], {"axis": axis})


def _gather_elements(draw: Draw, x: Any) -> Node:
    axis = draw.axis(x)
    shape = list(x.shape)
    shape[axis] = draw.randint(1, 3)
    return Node(
        "GatherElements", [x, draw.places(x.shape[axis], *shape)], {"axis": axis}
    )


def _gather_nd(draw: Draw, x: Any) -> Node:
    batch = draw.randint(0, max(x.ndim - 1, 0))
    count = draw.randint(1, x.ndim - batch)
    each = [draw.places(x.shape[batch + n], *x.shape[:batch], 3) for n in range(count)]
    places = np.stack([one.astype(np.int64) for one in each], -1)
    return Node("GatherND", [x, places], {"batch_dims": batch})


def _scatter_elements(draw: Draw, x: Any) -> Node:
    axis = draw.axis(x)
    shape = list(x.shape)
    shape[axis] = draw.randint(1, 3)
    named: dict[str, Any] = {"axis": axis}
    if draw.flag():
        named["reduction"] = draw.choice(["add", "mul", "max", "min"])
        places = draw.places(x.shape[axis], *shape)
    else:
        shape[axis] = x.shape[axis]
        order = np.argsort(draw.rng().random(shape), axis)
        places = order - x.shape[axis] * draw.flag()
    updates = draw.quarters(x.dtype, *places.shape)
    return Node("ScatterElements", [x, places, updates], named)


def _scatter_nd(draw: Draw, x: Any) -> Node:
    count = draw.randint(1, x.ndim)
    rows = draw.rng().permutation(int(np.prod(x.shape[:count])))[:3]
    places = np.stack(np.unravel_index(rows, x.shape[:count]), -1).astype(np.int64)
    named: dict[str, Any] = {}
    if draw.flag():
        named["reduction"] = draw.choice(["add", "mul", "max", "min"])
        places = places[draw.rng().integers(0, len(places), 4)]
    updates = draw.quarters(x.dtype, len(places), *x.shape[count:])
    return Node("ScatterND", [x, places, updates], named)


def _split(draw: Draw, x: Any) -> Node:
    axis = draw.axis(x)
    size = x.shape[axis]
    if draw.flag():
        first = draw.randint(0, size)
        return Node("Split", [x, ints([first, size - first])], {"axis": axis}, 2)
    count = draw.randint(1, 3)
    return Node("Split", [x], {"axis": axis, "num_outputs": count}, count)


def _gemm(draw: Draw, x: Any, y: Any) -> Node:
    named = {"transA": draw.flag(), "transB": draw.flag()}
    if draw.flag():
        named |= {"alpha": draw.choice([0.5, 2.0]), "beta": draw.choice([0.0, 0.5])}
    columns = y.shape[0 if named["transB"] else 1]
    rows = x.shape[1 if named["transA"] else 0]
    shape = draw.choice([(columns,), (1, columns), (rows, 1), (rows, columns), ()])
    return Node("Gemm", [x, y, draw.maybe(draw.quarters(x.dtype, *shape))], named)


def _clip(draw: Draw, x: Any) -> Node:
    low, high = (draw.maybe(draw.number(x)) for _ in range(2))
    return Node("Clip", [x, low, high])


def _quantize(draw: Draw, x: Any) -> Node:
    axis = draw.axis(x)
    dtype = draw.choice([np.uint8, np.int8])
    shape = draw.choice([(), (x.shape[axis],)])
    scales = [1, 2] if x.dtype.kind in "iu" else [0.25, 0.5, 2.0]
    scale = draw.rng().choice(scales, shape).astype(x.dtype)
    zero = abs(draw.quarters(dtype, *shape))
    return Node("QuantizeLinear", [x, np.asarray(scale), zero], {"axis": axis})


def _dequantize(draw: Draw, x: Any) -> Node:
    axis = draw.axis(x)
    shape = draw.choice([(), (x.shape[axis],)])
    scale = draw.rng().choice([0.25, 0.5, 2.0], shape).astype(np.float32)
    zero = draw.maybe(draw.quarters(x.dtype, *shape))
    return Node("DequantizeLinear", [x, np.asarray(scale), zero], {"axis": axis})


def _matmul_integer(draw: Draw, x: Any) -> Node:
    y = draw.quarters(draw.choice([np.uint8, np.int8]), x.shape[-1], 3)
    zeros = [draw.maybe(abs(draw.number(each))) for each in (x, y)]
    return Node("MatMulInteger", [x, y, *zeros])


def _integer_convolution(draw: Draw, x: Any) -> Node:
    rank = x.ndim - 2
    named = _window(draw, rank, has_dilation=True)
    dtype = draw.choice([np.uint8, np.int8])
    weights = draw.quarters(dtype, 2, x.shape[1], *named["kernel_shape"])
    zeros = [draw.maybe(abs(draw.number(x))), draw.maybe(abs(draw.number(weights)))]
    if draw.flag():
        return Node("ConvInteger", [x, weights, *zeros], named)
    scales = [np.float32(each) for each in (0.5, 0.25, 2)]
    point = abs(draw.number(x))
    first, second = (abs(draw.number(each)) for each in (x, weights))
    operands = [x, scales[0], first, weights, scales[1], second, scales[2], point]
    return Node("QLinearConv", [np.asarray(each) for each in operands], named)


def _counted(draw: Draw, x: Any) -> Node:
    dtype = draw.choice([np.float32, np.int64, np.int32])
    start, limit, step = draw.choice([(0, 5, 1), (4, -3, -2), (1, 1, 1), (-2, 3, 2)])
    bounds = [np.array(each, dtype) for each in (start, limit, step)]
    shape = ints(x.shape[:2])
    value = helper.make_tensor(
        "v", code_of(x.dtype.name), [1], [draw.choice([0, 1, 2])]
    )
    return draw.choice(
        [
            Node("Range", bounds),
            Node("ConstantOfShape", [shape], draw.choice([{}, {"value": value}])),
            Node(
                draw.choice(["HannWindow", "HammingWindow", "BlackmanWindow"]),
                [np.array(draw.randint(1, 9))],
                {"periodic": draw.flag()},
            ),
        ]
    )


def _one_hot(draw: Draw, x: Any) -> Node:
    values = draw.quarters(draw.choice([np.float32, np.int64, np.int32]), 2)
    return Node("OneHot", [x, ints([5]), values], {"axis": draw.axis(x, 1)})


def _top_k(draw: Draw, x: Any) -> Node:
    axis = draw.axis(x)
    named = {"axis": axis, "largest": draw.flag(), "sorted": 1}
    return Node("TopK", [x, ints([draw.randint(0, x.shape[axis])])], named, 2)


def _loss(draw: Draw, x: Any) -> Node:
    classes = draw.rng().integers(0, x.shape[1], (x.shape[0], *x.shape[2:]))
    weights = draw.maybe(abs(draw.quarters(x.dtype, x.shape[1])) + x.dtype.type(1))
    named: dict[str, Any] = {"reduction": draw.choice(["none", "sum", "mean"])}
    if draw.flag():
        named["ignore_index"] = draw.choice([0, 1, -1])
    op = draw.choice(["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"])
    return Node(op, [x, classes, weights], named)


def _grid_sample(draw: Draw, x: Any) -> Node:
    inner = x.ndim - 2
    grid = draw.quarters(x.dtype, x.shape[0], *draw.some(inner, 1, 3), inner)
    named = {
        "mode": draw.choice(["linear", "nearest", "cubic"]),
        "padding_mode": draw.choice(["zeros", "border", "reflection"]),
        "align_corners": draw.flag(),
    }
    return Node("GridSample", [x, grid / x.dtype.type(4)], named)


def _recurrent(draw: Draw, x: Any) -> Node:
    if not x.size:
        raise TypeError  # ONNX Runtime ends the process.
    op, gates = draw.choice([("RNN", 1), ("LSTM", 4), ("GRU", 3)])
    way = draw.choice(["forward", "reverse", "bidirectional"])
    ways, hidden = 1 + (way == "bidirectional"), draw.randint(1, 3)
    length, batch, size = x.shape

    def weights(*shape: int) -> np.ndarray:
        return (draw.quarters(np.float32, ways, *shape) / 4).astype(x.dtype)

    operands = [x, weights(gates * hidden, size), weights(gates * hidden, hidden)]
    operands.append(draw.maybe(weights(2 * gates * hidden)))
    lengths = draw.rng().integers(1, length + 1, batch).astype(np.int32)
    operands.append(lengths if draw.random() < 0.3 else None)
    operands.append(draw.maybe(weights(batch, hidden)))
    named: dict[str, Any] = {"hidden_size": hidden, "direction": way}
    if op == "LSTM":
        operands += [
            draw.maybe(weights(batch, hidden)),
            draw.maybe(weights(3 * hidden)),
        ]
    if op == "GRU":
        named["linear_before_reset"] = draw.flag()
    if draw.random() < 0.2:
        named["clip"] = 0.5
    if draw.random() < 0.2:
        per_way = {"RNN": ["Relu"], "LSTM": ["HardSigmoid", "Softsign", "Tanh"]}
        named["activations"] = per_way.get(op, ["Sigmoid", "Relu"]) * ways
    if op == "LSTM" and draw.random() < 0.2:
        named["input_forget"] = 1
    return Node(op, operands, named, 3 if op == "LSTM" else 2)


def _attention(draw: Draw, x: Any) -> Node:
    named: dict[str, Any] = {"is_causal": draw.flag()}
    if draw.flag():
        named["scale"] = 0.5
    if x.ndim == 3:
        heads = draw.choice([n for n in (1, 2, 4) if x.shape[-1] % n == 0])
        named |= {"q_num_heads": heads, "kv_num_heads": heads}
    length = x.shape[-2]
    mask = draw.choice([None, draw.quarters(x.dtype, length, length)])
    if mask is not None and draw.flag():
        mask = mask > 0
        mask[:, 0] = True
    return Node("Attention", [x, x, x, mask], named)


ELEMENTWISE = (
    *("Abs", "Neg", "Sign", "Floor", "Ceil", "Round", "Exp", "Sqrt", "Sin", "Cos"),
    *("Tan", "Tanh", "Sigmoid", "Erf", "Atan", "Asinh", "Sinh", "Cosh", "Reciprocal"),
    *("Not", "BitwiseNot", "IsNaN", "Relu", "Selu", "HardSwish", "Softplus", "Log"),
    *("Softsign", "Mish", "Identity", "GlobalAveragePool", "GlobalMaxPool", "Acosh"),
    *("Size", "Det", "Asin", "Acos", "Atanh"),
)

BINARY = (
    *("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "BitwiseAnd", "BitwiseOr"),
    *("BitwiseXor", "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"),
    *("PRelu", "MatMul", "Max", "Min", "Mean", "Sum", "CastLike"),
)

REDUCTIONS = (
    *("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1"),
    *("ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"),
)

_OF_ONE: dict[str, Maker] = {
    **{op: _plain(op) for op in ELEMENTWISE},
    **{op: _reduction(op) for op in REDUCTIONS},
    "Elu": _plain("Elu", alpha=[0.5, 2.0]),
    "LeakyRelu": _plain("LeakyRelu", alpha=[0.5, 2.0, -1.0]),
    "HardSigmoid": _plain("HardSigmoid", alpha=[0.5], beta=[0.25]),
    "Celu": _plain("Celu", alpha=[0.5, 2.0]),
    "ThresholdedRelu": _plain("ThresholdedRelu", alpha=[0.5, -1.0]),
    "Shrink": _plain("Shrink", lambd=[0.5, 1.0], bias=[0.0, 0.25]),
    "Gelu": _plain("Gelu", approximate=["none", "tanh"]),
    "IsInf": _plain("IsInf", detect_negative=[0, 1], detect_positive=[0, 1]),
    "Swish": _plain("Swish", alpha=[0.5, 2.0]),
    "Clip": _clip,
    "Mod by a number": lambda d, x: Node("Mod", [x, d.number(x)], {"fmod": d.flag()}),
    "BitShift by numbers": lambda d, x: Node(
        "BitShift",
        [x, d.rng().integers(0, 3, x.shape).astype(x.dtype)],
        {"direction": d.choice(["LEFT", "RIGHT"])},
    ),
    "Cast": lambda d, x: Node("Cast", [x], {"to": code_of(d.choice(TYPES))}),
    "ArgMax": _along("ArgMax", keepdims=[0, 1], select_last_index=[0, 1]),
    "ArgMin": _along("ArgMin", keepdims=[0, 1], select_last_index=[0, 1]),
    "CumSum": lambda d, x: Node(
        "CumSum",
        [x, np.array(d.axis(x), d.choice([np.int32, np.int64]))],
        {"exclusive": d.flag(), "reverse": d.flag()},
    ),
    "CumProd": lambda d, x: Node(
        "CumProd",
        [x, np.array(d.axis(x), np.int64)],
        {"exclusive": d.flag(), "reverse": d.flag()},
    ),
    "integer convolution": _integer_convolution,
    "counted": _counted,
    "Softmax": _along("Softmax"),
    "LogSoftmax": _along("LogSoftmax"),
    "Hardmax": _along("Hardmax"),
    "Flatten": _along("Flatten"),
    "Transpose": lambda d, x: Node(
        "Transpose", [x], d.choice([{}, {"perm": d.sample(range(x.ndim), x.ndim)}])
    ),
    "Squeeze": lambda d, x: Node(
        "Squeeze",
        [x, d.maybe(ints([n for n in range(x.ndim) if x.shape[n] == 1 and d.flag()]))],
    ),
    "Unsqueeze": lambda d, x: Node(
        "Unsqueeze",
        [x, ints(d.sample(range(-x.ndim - 2, x.ndim + 2), d.randint(1, 2)))],
    ),
    "Expand": lambda d, x: Node(
        "Expand",
        [x, ints([d.choice([1, size if size > 1 else 3]) for size in (2, *x.shape)])],
    ),
    "Tile": lambda d, x: Node("Tile", [x, ints(d.some(x.ndim, 0, 2))]),
    "Reshape": _reshape,
    "Slice": _slice,
    "Pad": _pad,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
    "Split": _split,
    "DepthToSpace": _plain("DepthToSpace", blocksize=[1, 2], mode=["DCR", "CRD"]),
    "SpaceToDepth": _plain("SpaceToDepth", blocksize=[1, 2]),
    "Trilu": lambda d, x: Node(
        "Trilu", [x, d.maybe(np.array(d.randint(-2, 2)))], {"upper": d.flag()}
    ),
    "Shape": _plain("Shape", start=[0, 1, -1], end=[1, 2, -1]),
    "EyeLike": _plain("EyeLike", k=[-1, 0, 1], dtype=[1, 6, 7]),
    "OneHot": _one_hot,
    "TopK": _top_k,
    "Compress": lambda d, x: Node(
        "Compress", [x, d.rng().random(3) < 0.5], {"axis": 0}
    ),
    "Resize": _resize,
    "ReverseSequence": lambda d, x: Node(
        "ReverseSequence",
        [x, d.rng().integers(1, max(x.shape[0], 1) + 1, x.shape[1])],
        {"time_axis": 0, "batch_axis": 1},
    ),
    "CenterCropPad": lambda d, x: Node(
        "CenterCropPad", [x, ints(d.some(x.ndim, 1, 5))]
    ),
    "MaxPool": _pool("MaxPool", ceil_mode=[0, 1]),
    "AveragePool": _pool("AveragePool", ceil_mode=[0, 1], count_include_pad=[0, 1]),
    "LpPool": _pool("LpPool", p=[1, 2, 3]),
    "convolution": _convolution,
    "normalization": _normalization,
    "QuantizeLinear": _quantize,
    "DequantizeLinear": _dequantize,
    "DynamicQuantizeLinear": lambda _, x: Node("DynamicQuantizeLinear", [x], {}, 3),
    "MatMulInteger": _matmul_integer,
    "loss": _loss,
    "GridSample": _grid_sample,
    "recurrent": _recurrent,
    "Attention": _attention,
    "Col2Im": lambda d, x: Node(
        "Col2Im", [x, ints([3, 4]), ints([2, 2])], {"pads": d.some(4, 0, 1)}
    ),
    "Concat with itself": lambda d, x: Node("Concat", [x, x], {"axis": d.axis(x)}),
    "Einsum of one": _plain("Einsum", equation=["...ij->...ji", "ii->i", "...i->..."]),
    "Dropout": _plain("Dropout"),
    "NonZero": _plain("NonZero"),
}

_OF_TWO: dict[str, Maker] = {
    **{op: _plain(op) for op in BINARY},
    "Mod": _plain("Mod", fmod=[0, 1]),
    "BitShift": _plain("BitShift", direction=["LEFT", "RIGHT"]),
    "Concat": _along("Concat"),
    "Gemm": _gemm,
    "Einsum": _plain(
        "Einsum",
        equation=[
            "...ij,...jk->...ik",
            "ij,kj",
            "i,j->ji",
            "...i,...i->...",
            "ij,ij->",
        ],
    ),
}

_OF_THREE: dict[str, Maker] = {
    "Where": lambda _, x, y, z: Node("Where", [x > 0, y, z]),
    **{op: _plain(op) for op in ("Max", "Min", "Mean", "Sum")},
    "Gemm of three": _plain("Gemm", alpha=[0.5, 1.0], beta=[0.5, 1.0]),
    "Clip by arrays": _plain("Clip"),
}

STEPS: dict[int, dict[str, Maker]] = {1: _OF_ONE, 2: _OF_TWO, 3: _OF_THREE}
"""By how many arrays they take, and by name."""

JUMPS = {
    *("Sign", "Floor", "Ceil", "Round", "Not", "ArgMax", "ArgMin", "Hardmax", "Cast"),
    *("Mod", "Mod by a number", "Equal", "Less", "LessOrEqual", "Greater", "Pow"),
    *("GreaterOrEqual", "CastLike", "Shrink", "ThresholdedRelu", "QuantizeLinear"),
    *("DynamicQuantizeLinear", "OneHot", "TopK", "NonZero", "Where"),
    *("normalization", "IsNaN", "IsInf", "Det", "And", "Or", "Xor", "ReduceLogSum"),
}
"""Steps whose result may be another one where an argument is nearly the same."""
