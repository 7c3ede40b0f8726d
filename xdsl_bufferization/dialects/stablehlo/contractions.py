"""Products of StableHLO: `dot_general` and `convolution`.

    %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0],
        contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (...) -> ...
    %1 = stablehlo.convolution(%x, %k)
        dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
        window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (...) -> ...

Source: https://openxla.org/stablehlo/spec#ops
"""

from abc import ABC
from collections.abc import Sequence
from typing import Any, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..text.splats import from_list
from .attributes import DotAlgorithmAttr, DotAttr, Precision, PrecisionAttr
from .reductions import dilated, pairs_of, places
from .syntax import (
    StableHLOOp,
    Types,
    finish,
    parse_operands,
    print_end,
    print_numbers,
    print_operands,
)

_BATCHING = "lhs_batching_dimensions", "rhs_batching_dimensions"
_CONTRACTING = "lhs_contracting_dimensions", "rhs_contracting_dimensions"


@irdl_op_definition
class DotGeneralOp(StableHLOOp):
    """The product of two tensors, summed over some dimensions."""

    name = "stablehlo.dot_general"

    dot_dimension_numbers = prop_def(DotAttr)
    precision_config = opt_prop_def(ArrayAttr)
    algorithm = opt_prop_def(DotAlgorithmAttr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        operands = parse_operands(parser)
        parser.parse_punctuation(",")
        dims: dict[str, Sequence[int]] = {}
        if parser.parse_optional_keyword("batching_dims") is not None:
            dims |= _parse_pair(parser, _BATCHING)
            parser.parse_punctuation(",")
        parser.parse_keyword("contracting_dims")
        dims |= _parse_pair(parser, _CONTRACTING)
        attributes = {"dot_dimension_numbers": DotAttr.of(dims)}
        attributes |= _parse_precision(parser)
        return finish(cls, parser, operands, attributes, Types.FUNCTION)

    @override
    def print(self, printer: Printer) -> None:
        numbers = self.dot_dimension_numbers
        print_operands(printer, self.values)
        for names, keyword in ((_BATCHING, "batching"), (_CONTRACTING, "contracting")):
            left, right = map(numbers.dims, names)
            if left or keyword == "contracting":
                printer.print_string(f", {keyword}_dims = ")
                print_numbers(printer, left)
                printer.print_string(" x ")
                print_numbers(printer, right)
        _print_precision(printer, self)
        hidden = "dot_dimension_numbers", "precision_config", "algorithm"
        print_end(printer, self, Types.FUNCTION, *hidden)

    def dims(self, kind: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The `batching` or `contracting` dimensions of both operands."""
        numbers = self.dot_dimension_numbers
        return (
            numbers.dims(f"lhs_{kind}_dimensions"),
            numbers.dims(f"rhs_{kind}_dimensions"),
        )

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """The dimensions in pairs that are kept, and then the others."""
        left, right = self.shape(0), self.shape(1)
        lbatch, rbatch = self.dims("batching")
        lsum, rsum = self.dims("contracting")
        return [
            [
                *(left[d] for d in lbatch),
                *(size for d, size in enumerate(left) if d not in (*lbatch, *lsum)),
                *(size for d, size in enumerate(right) if d not in (*rbatch, *rsum)),
            ]
        ]

    @override
    def verify_types(self) -> None:
        """Dimensions in pairs have one size; the others are the result's."""
        self.verify_counts(2)
        left, right = self.shape(0), self.shape(1)
        lbatch, rbatch = self.dims("batching")
        lsum, rsum = self.dims("contracting")
        paired = [*zip((*lbatch, *lsum), (*rbatch, *rsum), strict=False)]
        if len(lbatch) != len(rbatch) or len(lsum) != len(rsum):
            raise VerifyException("expected as many dimensions of either operand")
        for a, b in paired:
            if not (0 <= a < len(left) and 0 <= b < len(right)):
                raise VerifyException(f"there are no dimensions {a} and {b}")
            if left[a] != right[b]:
                raise VerifyException(
                    f"expected one size of dimensions {a} and {b}, but got {left[a]} "
                    f"and {right[b]}"
                )
        self.verify_inferred(self.result_element)


def _parse_pair(parser: Parser, names: Sequence[str]) -> dict[str, Sequence[int]]:
    """`= [0] x [0]`."""
    parser.parse_punctuation("=")
    left = _parse_numbers(parser)
    parser.parse_keyword("x")
    return dict(zip(names, (left, _parse_numbers(parser)), strict=True))


def _parse_numbers(parser: AttrParser) -> Sequence[int]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_integer
    )


def _parse_precision(parser: Parser) -> dict[str, Attribute]:
    """`, precision = [DEFAULT, DEFAULT], algorithm = <...>`, or nothing."""
    attributes: dict[str, Attribute] = {}
    while parser.parse_optional_punctuation(",") is not None:
        if parser.parse_optional_keyword("precision") is not None:
            parser.parse_punctuation("=")
            attributes["precision_config"] = ArrayAttr(
                parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE,
                    lambda: PrecisionAttr(parser.parse_str_enum(Precision)),
                )
            )
        else:
            parser.parse_keyword("algorithm")
            parser.parse_punctuation("=")
            attributes["algorithm"] = DotAlgorithmAttr.new(
                DotAlgorithmAttr.parse_parameters(parser)
            )
    return attributes


def _print_precision(printer: Printer, op: DotGeneralOp) -> None:
    if op.precision_config is not None:
        printer.print_string(", precision = ")
        with printer.in_square_brackets():
            printer.print_list(
                cast("ArrayAttr[PrecisionAttr]", op.precision_config).data,
                lambda each: printer.print_string(each.data),
            )
    if op.algorithm is not None:
        printer.print_string(", algorithm = ")
        op.algorithm.print_parameters(printer)


# Convolutions.


@irdl_attr_definition
class ConvAttr(ParametrizedAttribute):
    """Which dimension of input, kernel and output is what.

    `[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]`: batch, features (of input and output of a
    kernel), and the dimensions in space by their numbers. `raw` and the number of each
    dimension says the same.
    """

    name = "stablehlo.conv"

    input: ArrayAttr[Attribute]
    kernel: ArrayAttr[Attribute]
    output: ArrayAttr[Attribute]

    @classmethod
    @override
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            if parser.parse_optional_keyword("raw") is not None:
                return _parse_raw_numbers(parser)
            return parse_dim_numbers(parser)

    @override
    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_dim_numbers(printer, self)

    def names(self, which: str) -> tuple[str, ...]:
        """What each dimension of `input`, `kernel` or `output` is."""
        parts: ArrayAttr[Any] = getattr(self, which)
        return tuple(_word(each) for each in parts.data)


def _word(attribute: Attribute) -> str:
    if isinstance(attribute, IntegerAttr):
        return str(cast("IntegerAttr[Any]", attribute).value.data)
    return cast(Any, attribute).data


def parse_dim_numbers(parser: AttrParser) -> Sequence[Attribute]:
    """`[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]`."""
    source = _parse_layout(parser, "bf")
    parser.parse_keyword("x")
    kernel = _parse_layout(parser, "oi")
    parser.parse_punctuation("->")
    return source, kernel, _parse_layout(parser, "bf")


_PARTS = {
    "input": {"b": "batch_dimension", "f": "feature_dimension"},
    "kernel": {"o": "output_feature_dimension", "i": "input_feature_dimension"},
    "output": {"b": "batch_dimension", "f": "feature_dimension"},
}
"""The fields of the raw form, but for those in space, by what they are."""


def _parse_raw_numbers(parser: AttrParser) -> Sequence[Attribute]:
    """`input_batch_dimension = 0, input_spatial_dimensions = [1, 2], ...`."""
    known = [
        f"{which}_{field}"
        for which, parts in _PARTS.items()
        for field in (*parts.values(), "spatial_dimensions")
    ]
    found: dict[str, Sequence[int]] = {}

    def parse_field() -> None:
        name = parser.parse_keyword_in(known)
        parser.parse_punctuation("=")
        number = parser.parse_optional_integer()
        found[name] = _parse_numbers(parser) if number is None else [number]

    parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_field)
    return [_layout_of(parser, found, which) for which in _PARTS]


def _layout_of(
    parser: AttrParser, fields: dict[str, Sequence[int]], which: str
) -> ArrayAttr[Attribute]:
    """What each dimension of `input`, `kernel` or `output` is."""
    space = fields.get(f"{which}_spatial_dimensions", ())
    parts: dict[int, Attribute] = {
        dim: IntegerAttr(number, i64) for number, dim in enumerate(space)
    }
    for letter, field in _PARTS[which].items():
        for dim in fields.get(f"{which}_{field}", ()):
            parts[dim] = StringAttr(letter)
    if sorted(parts) != [*range(len(space) + 2)]:
        parser.raise_error(f"expected each dimension of the {which} once")
    return ArrayAttr([parts[dim] for dim in sorted(parts)])


def _parse_layout(parser: AttrParser, letters: str) -> ArrayAttr[Attribute]:
    def parse_part() -> Attribute:
        number = parser.parse_optional_integer()
        if number is not None:
            return IntegerAttr(number, i64)
        return StringAttr(parser.parse_keyword_in(letters))

    return ArrayAttr(
        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_part)
    )


def print_dim_numbers(printer: Printer, numbers: ConvAttr) -> None:
    """Print what `parse_dim_numbers` reads."""
    for which, before in (("input", ""), ("kernel", "x"), ("output", "->")):
        printer.print_string(before)
        with printer.in_square_brackets():
            printer.print_list(numbers.names(which), printer.print_string)


_WINDOW = {
    "stride": "window_strides",
    "pad": "padding",
    "lhs_dilate": "lhs_dilation",
    "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}
"""The properties that the text has in `window = {...}`, by the words there."""


class AnyConvolutionOp(StableHLOOp, ABC):
    """Sums of products of a kernel and the part of the input below."""

    window_strides = opt_prop_def(DenseArrayBase)
    padding = opt_prop_def(DenseIntOrFPElementsAttr)
    lhs_dilation = opt_prop_def(DenseArrayBase)
    rhs_dilation = opt_prop_def(DenseArrayBase)
    window_reversal = opt_prop_def(DenseArrayBase)
    dimension_numbers = prop_def(ConvAttr)
    feature_group_count = prop_def(IntegerAttr)
    batch_group_count = prop_def(IntegerAttr)
    precision_config = opt_prop_def(ArrayAttr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        with parser.in_parens():
            operands = parse_operands(parser)
        parser.parse_keyword("dim_numbers")
        parser.parse_punctuation("=")
        numbers = ConvAttr.new(parse_dim_numbers(parser))
        attributes: dict[str, Attribute] = {"dimension_numbers": numbers}
        parser.parse_punctuation(",")
        parser.parse_keyword("window")
        parser.parse_punctuation("=")
        with parser.in_braces():
            words = parser.parse_optional_undelimited_comma_separated_list(
                lambda: _parse_optional_window(parser), lambda: _parse_window(parser)
            )
        attributes |= dict(words or ())
        return finish(cls, parser, operands, attributes, Types.FUNCTION)

    @override
    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_list(self.values, printer.print_ssa_value)
        printer.print_string(" dim_numbers = ")
        print_dim_numbers(printer, self.dimension_numbers)
        printer.print_string(", window = ")
        shown = [word for word in _WINDOW if _WINDOW[word] in self.properties]
        with printer.in_braces():
            printer.print_list(shown, lambda word: _print_window(printer, self, word))
        hidden = (*_WINDOW.values(), "dimension_numbers")
        print_end(printer, self, Types.FUNCTION, *hidden)

    def in_space(self, name: str) -> tuple[int, ...]:
        """The numbers of a property for each dimension in space; missing: ones."""
        return self.ints(name) or (1,) * self.rank

    @property
    def rank(self) -> int:
        """How many dimensions in space there are."""
        return len(self.shape()) - 2

    @property
    def is_reversed(self) -> tuple[bool, ...]:
        """For each dimension in space, whether the kernel is turned around."""
        return tuple(map(bool, self.ints("window_reversal"))) or (False,) * self.rank

    @property
    def paddings(self) -> Sequence[tuple[int, int]]:
        """For each dimension in space how much is in front and behind."""
        return pairs_of(self.padding, self.rank)

    def sizes_of(self, which: str) -> dict[str, int]:
        """The sizes of `input`, `kernel` or `output` by what they are."""
        shapes = {
            "input": self.shape(0),
            "kernel": self.shape(1),
            "output": self.result_shape,
        }
        names = self.dimension_numbers.names(which)
        return dict(zip(names, shapes[which], strict=True))

    @override
    def verify_types(self) -> None:
        """The sizes of all dimensions fit."""
        self.verify_counts(2)
        rank = self.rank
        space = [str(d) for d in range(rank)]
        for which, letters in (("input", "bf"), ("kernel", "oi"), ("output", "bf")):
            names = self.dimension_numbers.names(which)
            if sorted(names) != sorted([*space, *letters]):
                raise VerifyException(f"expected {rank} + 2 dimensions of the {which}")
        if len(self.shape(1)) != rank + 2 or len(self.result_shape) != rank + 2:
            raise VerifyException("expected operands and result of one rank")
        source, kernel = map(self.sizes_of, ("input", "kernel"))
        groups = self.integer("feature_group_count")
        batches = self.integer("batch_group_count")
        if (
            min(groups, batches) < 1
            or source["f"] != kernel["i"] * groups
            or source["b"] % batches
            or kernel["o"] % (groups * batches)
        ):
            raise VerifyException("expected groups of equal size")
        self.verify_inferred(self.result_element)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """The places of the window, for each item of the batch and each kernel."""
        source, kernel = map(self.sizes_of, ("input", "kernel"))
        batches = self.integer("batch_group_count")
        sizes = {"b": source["b"] // max(batches, 1), "f": kernel["o"]}
        for d, (low, high) in enumerate(self.paddings):
            size = (
                low + dilated(source[f"{d}"], self.in_space("lhs_dilation")[d]) + high
            )
            window = dilated(kernel[f"{d}"], self.in_space("rhs_dilation")[d])
            stride = self.in_space("window_strides")[d]
            sizes[f"{d}"] = places(size, window, stride)
        return [[sizes[name] for name in self.dimension_numbers.names("output")]]


@irdl_op_definition
class ConvolutionOp(AnyConvolutionOp):
    """Sums of products of a kernel and the part of the input below."""

    name = "stablehlo.convolution"


def _parse_optional_window(parser: Parser) -> tuple[str, Attribute] | None:
    word = parser.parse_optional_keyword_in(_WINDOW)
    return None if word is None else _parse_window_value(parser, word)


def _parse_window(parser: Parser) -> tuple[str, Attribute]:
    return _parse_window_value(parser, parser.parse_keyword_in(_WINDOW))


def _parse_window_value(parser: Parser, word: str) -> tuple[str, Attribute]:
    parser.parse_punctuation("=")
    value: Attribute
    if word == "pad":
        rows = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: _parse_numbers(parser)
        )
        type_ = TensorType(i64, [len(rows), 2])
        flat = [number for row in rows for number in row]
        value = from_list(type_, flat)
    elif word == "reverse":
        flags = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_boolean
        )
        value = DenseArrayBase.from_list(i1, flags)
    else:
        value = DenseArrayBase.from_list(i64, _parse_numbers(parser))
    return _WINDOW[word], value


def _print_window(printer: Printer, op: AnyConvolutionOp, word: str) -> None:
    printer.print_string(f"{word} = ")
    if word == "pad":
        with printer.in_square_brackets():
            printer.print_list(op.paddings, lambda row: print_numbers(printer, row))
        return
    numbers: Sequence[object] = op.ints(_WINDOW[word])
    if word == "reverse":
        numbers = ["true" if number else "false" for number in numbers]
    with printer.in_square_brackets():
        printer.print_list(numbers, lambda each: printer.print_string(str(each)))
