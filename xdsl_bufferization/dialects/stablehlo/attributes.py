"""Attributes of StableHLO: enumerations, and records with named fields.

    #stablehlo<precision DEFAULT>
    #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], ...>

A record keeps the fields that its text names. A field that is missing is empty or 0.
"""

from collections.abc import Mapping, Sequence
from enum import auto
from typing import Any, ClassVar, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
)
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class Words(StrEnum):
    """An enumeration whose values are the names of its members."""

    @staticmethod
    @override
    def _generate_next_value_(
        name: str, start: int, count: int, last_values: list[str]
    ) -> str:
        return name


class Precision(Words):
    """How exactly products are computed; ours are never less exact."""

    DEFAULT = auto()
    HIGH = auto()
    HIGHEST = auto()


class Direction(Words):
    """What a comparison asks."""

    EQ = auto()
    NE = auto()
    GE = auto()
    GT = auto()
    LE = auto()
    LT = auto()


class ComparisonType(Words):
    """How elements are compared; NOTYPE: as their type says."""

    NOTYPE = auto()
    FLOAT = auto()
    TOTALORDER = auto()
    SIGNED = auto()
    UNSIGNED = auto()


class Algorithm(Words):
    """What computes random bits."""

    DEFAULT = auto()
    THREE_FRY = auto()
    PHILOX = auto()


class Transform(Words):
    """Which Fourier transform; those with an R are of real numbers, or give them."""

    FFT = auto()
    IFFT = auto()
    RFFT = auto()
    IRFFT = auto()


@irdl_attr_definition
class TransformAttr(EnumAttribute[Transform], SpacedOpaqueSyntaxAttribute):
    """Which Fourier transform."""

    name = "stablehlo.fft_type"


@irdl_attr_definition
class PrecisionAttr(EnumAttribute[Precision], SpacedOpaqueSyntaxAttribute):
    """How exactly products are computed."""

    name = "stablehlo.precision"


@irdl_attr_definition
class DirectionAttr(EnumAttribute[Direction], SpacedOpaqueSyntaxAttribute):
    """What a comparison asks."""

    name = "stablehlo.comparison_direction"


@irdl_attr_definition
class ComparisonTypeAttr(EnumAttribute[ComparisonType], SpacedOpaqueSyntaxAttribute):
    """How elements are compared."""

    name = "stablehlo.comparison_type"


@irdl_attr_definition
class AlgorithmAttr(EnumAttribute[Algorithm], SpacedOpaqueSyntaxAttribute):
    """What computes random bits."""

    name = "stablehlo.rng_algorithm"


def _parse_value(parser: AttrParser) -> Attribute:
    """`[1, 2]`, `1`, `0.5`, an attribute, or a word."""
    if parser.parse_optional_punctuation("[") is not None:
        values = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_integer, parser.parse_integer
        )
        parser.parse_punctuation("]")
        return DenseArrayBase.from_list(i64, values or [])
    number = parser.parse_optional_number()
    if number is not None:
        if isinstance(number, float):
            return FloatAttr(number, 64)
        return IntegerAttr(number, i64)
    attribute = parser.parse_optional_attribute()
    if attribute is not None:
        return attribute
    return StringAttr(parser.parse_identifier())


def _print_value(printer: Printer, value: Attribute) -> None:
    if isinstance(value, DenseArrayBase):
        with printer.in_square_brackets():
            printer.print_list(
                cast("DenseArrayBase[Any]", value).get_values(),
                lambda each: printer.print_string(str(each)),
            )
    elif isinstance(value, FloatAttr):
        mantissa, e, exponent = repr(value.value.data).partition("e")
        point = "" if "." in mantissa else ".0"
        printer.print_string(f"{mantissa}{point}{e}{exponent}")
    elif isinstance(value, IntegerAttr):
        _print_integer(printer, cast("IntegerAttr[Any]", value))
    else:
        printer.print_attribute(value)


def _print_integer(printer: Printer, value: "IntegerAttr[Any]") -> None:
    if value.type == i64:
        printer.print_string(str(value.value.data))
    else:
        printer.print_attribute(value)


class Record(ParametrizedAttribute):
    """Named fields: `<first = [0, 1], second = 2>`."""

    fields: DictionaryAttr

    FIELDS: ClassVar[Sequence[str]] = ()
    """In the order in which they are printed."""

    @classmethod
    def of(cls, fields: Mapping[str, Sequence[int] | int]) -> Attribute:
        """A record with these fields; empty ones and zeros are left out."""
        return cls.new(
            [
                DictionaryAttr(
                    {
                        name: IntegerAttr(value, i64)
                        if isinstance(value, int)
                        else DenseArrayBase.from_list(i64, value)
                        for name, value in fields.items()
                        if value
                    }
                )
            ]
        )

    def dims(self, name: str) -> tuple[int, ...]:
        """The field `name`, a list of dimensions."""
        value = self.fields.data.get(name)
        if value is None:
            return ()
        return tuple(cast("DenseArrayBase[Any]", value).get_values())

    def number(self, name: str) -> int:
        """The field `name`, a number."""
        value = self.fields.data.get(name)
        return 0 if value is None else cast("IntegerAttr[Any]", value).value.data

    @classmethod
    @override
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        fields: dict[str, Attribute] = {}

        def parse_field() -> None:
            start = parser.pos
            name = parser.parse_identifier()
            if name not in cls.FIELDS:
                known = ", ".join(cls.FIELDS)
                parser.raise_error(f"expected one of {known}", start, parser.pos)
            parser.parse_punctuation("=")
            fields[name] = _parse_value(parser)

        parser.parse_punctuation("<")
        # There may be no field, and there may be a comma behind the last one.
        while parser.parse_optional_punctuation(">") is None:
            parse_field()
            if parser.parse_optional_punctuation(",") is None:
                parser.parse_punctuation(">")
                break
        return (DictionaryAttr(fields),)

    @override
    def print_parameters(self, printer: Printer) -> None:
        shown = [name for name in self.FIELDS if name in self.fields.data]

        def print_field(name: str) -> None:
            printer.print_string(f"{name} = ")
            _print_value(printer, self.fields.data[name])

        with printer.in_angle_brackets():
            printer.print_list(shown, print_field)


@irdl_attr_definition
class GatherAttr(Record):
    """Which dimensions of a gather are what."""

    name = "stablehlo.gather"

    FIELDS: ClassVar[Sequence[str]] = (
        "offset_dims",
        "collapsed_slice_dims",
        "operand_batching_dims",
        "start_indices_batching_dims",
        "start_index_map",
        "index_vector_dim",
    )


@irdl_attr_definition
class ScatterAttr(Record):
    """Which dimensions of a scatter are what."""

    name = "stablehlo.scatter"

    FIELDS: ClassVar[Sequence[str]] = (
        "update_window_dims",
        "inserted_window_dims",
        "input_batching_dims",
        "scatter_indices_batching_dims",
        "scatter_dims_to_operand_dims",
        "index_vector_dim",
    )


@irdl_attr_definition
class DotAttr(Record):
    """Which dimensions of a product are what."""

    name = "stablehlo.dot"

    FIELDS: ClassVar[Sequence[str]] = (
        "lhs_batching_dimensions",
        "rhs_batching_dimensions",
        "lhs_contracting_dimensions",
        "rhs_contracting_dimensions",
    )


@irdl_attr_definition
class DotAlgorithmAttr(Record):
    """Which types a product computes with."""

    name = "stablehlo.dot_algorithm"

    FIELDS: ClassVar[Sequence[str]] = (
        "lhs_precision_type",
        "rhs_precision_type",
        "accumulation_type",
        "lhs_component_count",
        "rhs_component_count",
        "num_primitive_operations",
        "allow_imprecise_accumulation",
    )


@irdl_attr_definition
class OutputOperandAliasAttr(Record):
    """Which result of a call outside may share the memory of an operand."""

    name = "stablehlo.output_operand_alias"

    FIELDS: ClassVar[Sequence[str]] = (
        "output_tuple_indices",
        "operand_index",
        "operand_tuple_indices",
    )


class AccuracyMode(Words):
    """How exact a function is."""

    DEFAULT = auto()
    HIGHEST = auto()
    TOLERANCE = auto()


@irdl_attr_definition
class AccuracyModeAttr(EnumAttribute[AccuracyMode], SpacedOpaqueSyntaxAttribute):
    """How exact a function is."""

    name = "stablehlo.result_accuracy_mode"


@irdl_attr_definition
class ResultAccuracyAttr(Record):
    """By how much a result may be wrong; ours are never less exact than the default."""

    name = "stablehlo.result_accuracy"

    FIELDS: ClassVar[Sequence[str]] = ("atol", "rtol", "ulps", "mode")
