"""`stablehlo.convolution` as a named convolution of linalg, or as `linalg.generic`.

    [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]   ->   linalg.conv_2d_nchw_fchw
    [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]   ->   linalg.conv_2d_nhwc_hwcf
    any other, such as gradients have         ->   linalg.generic

Padding and the dilation of the input are filled in first. Groups are a loop of their
own: the dimensions that are in groups are expanded into the group and the rest.

Source: https://openxla.org/stablehlo/spec#convolution
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from xdsl_bufferization.dialects.linalg.named import make_named
from xdsl_bufferization.dialects.stablehlo.contractions import ConvolutionOp

from .products import multiply_add, zeros
from .shapes import reshape, reverse
from .slices import pad
from .sums import factor, rounded, sum_element
from .types import Kind, kind_of, signless
from .writer import PARALLEL, REDUCTION, Value, Writer, result_type

_NAMED = {
    ("bf01", "oi01", "bf01"): "linalg.conv_2d_nchw_fchw",
    ("b01f", "01io", "b01f"): "linalg.conv_2d_nhwc_hwcf",
}


def write_convolution(op: ConvolutionOp, writer: Writer) -> Sequence[Value]:
    """The input with its padding, and the sums of products below the kernel."""
    if 0 in op.result_shape:
        # The kernel may be larger than the input then, which linalg does not allow.
        return [writer.of_tensor(writer.empty(result_type(op)))]
    groups = op.integer("feature_group_count"), op.integer("batch_group_count")
    layouts = tuple(
        "".join(op.dimension_numbers.names(which))
        for which in ("input", "kernel", "output")
    )
    kind = kind_of(op, op.result_element)
    name = _NAMED.get(cast("tuple[str, str, str]", layouts))
    is_named = name is not None and groups == (1, 1) and kind is not Kind.COMPLEX
    source, kernel = (factor(op, writer, n, keeps_small=is_named) for n in (0, 1))
    source = _padded(op, writer, source)
    names = op.dimension_numbers.names("kernel")
    turned = [names.index(f"{d}") for d, turns in enumerate(op.is_reversed) if turns]
    kernel = reverse(writer, kernel, turned)
    if is_named:
        sums = _named(op, writer, cast(str, name), source, kernel)
    else:
        sums = _generic(op, writer, source, kernel, kind)
        sums = reshape(writer, sums, op.result_shape)
    return [writer.of_tensor(rounded(op, writer, sums))]


def _padded(op: ConvolutionOp, writer: Writer, value: SSAValue) -> SSAValue:
    """The input with zeros around, and between its elements."""
    paddings: list[tuple[int, int, int]] = []
    dilations = op.in_space("lhs_dilation")
    for name in op.dimension_numbers.names("input"):
        if name in "bf":
            paddings.append((0, 0, 0))
        else:
            low, high = op.paddings[int(name)]
            paddings.append((low, high, dilations[int(name)] - 1))
    if all(padding == (0, 0, 0) for padding in paddings):
        return value
    element = cast("TensorType[Any]", value.type).element_type
    zero = zeros(writer, TensorType(element, []))
    return pad(writer, value, writer.of_tensor(zero), paddings)


def _named(
    op: ConvolutionOp, writer: Writer, name: str, source: SSAValue, kernel: SSAValue
) -> SSAValue:
    pair = TensorType(i64, [2])
    properties = {
        word: DenseIntOrFPElementsAttr.from_list(pair, op.in_space(which))
        for word, which in (
            ("dilations", "rhs_dilation"),
            ("strides", "window_strides"),
        )
    }
    named = make_named(
        name, [source, kernel], [zeros(writer, _sums(op, op.result_shape))]
    )
    named.properties.update(properties)
    return writer.code.value(named)


def _sums(op: ConvolutionOp, shape: Sequence[int]) -> TensorType[Any]:
    return TensorType(signless(sum_element(op)), shape)


@dataclass(frozen=True)
class _Loops:
    """The loops of a convolution: group, batch, features and places; sums last."""

    rank: int

    @property
    def group(self) -> AffineExpr:
        """Over the groups."""
        return AffineDimExpr(0)

    @property
    def batch(self) -> AffineExpr:
        """Over the batch, inside of its group."""
        return AffineDimExpr(1)

    @property
    def feature(self) -> AffineExpr:
        """Over the features of the output, inside of their group."""
        return AffineDimExpr(2)

    def place(self, dim: int) -> AffineExpr:
        """Over the output in space."""
        return AffineDimExpr(3 + dim)

    @property
    def channel(self) -> AffineExpr:
        """Over the features of the input, inside of their group."""
        return AffineDimExpr(3 + self.rank)

    def inside(self, dim: int) -> AffineExpr:
        """Over the kernel in space."""
        return AffineDimExpr(4 + self.rank + dim)


def _generic(
    op: ConvolutionOp, writer: Writer, source: SSAValue, kernel: SSAValue, kind: Kind
) -> SSAValue:
    """Loops over groups, the output, and what is summed."""
    loops, rank = _Loops(op.rank), op.rank
    features, batches = (
        op.integer("feature_group_count"),
        op.integer("batch_group_count"),
    )
    groups = max(features, batches)
    strides, spread = op.in_space("window_strides"), op.in_space("rhs_dilation")

    def below(dim: int) -> AffineExpr:
        place, inside = loops.place(dim), loops.inside(dim)
        return place * strides[dim] + inside * spread[dim]

    grouped = "f" if batches == 1 else "b"
    source, in_source = _expanded(
        op,
        writer,
        source,
        "input",
        grouped,
        groups,
        {"b": loops.batch, "f": loops.channel}
        | {f"{d}": below(d) for d in range(rank)},
    )
    kernel, in_kernel = _expanded(
        op,
        writer,
        kernel,
        "kernel",
        "o",
        groups,
        {"o": loops.feature, "i": loops.channel}
        | {f"{d}": loops.inside(d) for d in range(rank)},
    )
    shape, exprs = _grouped(
        op,
        op.result_shape,
        "output",
        "f",
        groups,
        {"b": loops.batch, "f": loops.feature}
        | {f"{d}": loops.place(d) for d in range(rank)},
    )
    type_ = _sums(op, shape)
    (result,) = writer.generic(
        [(source, in_source), (kernel, in_kernel)],
        [(zeros(writer, type_), exprs)],
        [PARALLEL] * (3 + rank) + [REDUCTION] * (1 + rank),
        lambda code, arguments: multiply_add(kind, code, arguments),
    )
    return result


def _expanded(
    op: ConvolutionOp,
    writer: Writer,
    value: SSAValue,
    which: str,
    letter: str,
    groups: int,
    loops: dict[str, AffineExpr],
) -> tuple[SSAValue, Sequence[AffineExpr]]:
    """An operand with its groups as a dimension, and how it is indexed."""
    shape = cast("TensorType[Any]", value.type).get_shape()
    sizes, exprs = _grouped(op, shape, which, letter, groups, loops)
    return reshape(writer, value, sizes), exprs


def _grouped(
    op: ConvolutionOp,
    shape: Sequence[int],
    which: str,
    letter: str,
    groups: int,
    loops: dict[str, AffineExpr],
) -> tuple[Sequence[int], Sequence[AffineExpr]]:
    """Sizes with the groups in front of the dimension `letter`, and indices."""
    sizes: list[int] = []
    exprs: list[AffineExpr] = []
    for name, size in zip(op.dimension_numbers.names(which), shape, strict=True):
        if name == letter:
            sizes += [groups, size // groups]
            exprs += [AffineDimExpr(0), loops[name]]
        else:
            sizes.append(size)
            exprs.append(loops[name])
    return sizes, exprs
