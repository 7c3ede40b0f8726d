"""Ops of OpenXLA's dialect Shardy that JAX writes for one device as well.

    sdy.mesh @empty_mesh = <[]>
    %1 = sdy.sharding_constraint %0 <@empty_mesh, [{}]> : tensor<2xui32>

They say which device of a mesh has which part of a tensor. `jax.random.key` writes both
ops. What stands in the angle brackets is kept as it is written. On one device a
constraint changes nothing; a mesh of several devices is refused when the program is
lowered.

Source: https://openxla.org/shardy/sdy_dialect
"""

import re
from collections.abc import Sequence
from math import prod
from typing import Final, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import SymbolNameConstraint, UnregisteredAttr
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from .stablehlo.syntax import StableHLOOp, parse_operands, print_operands
from .text.dialect_symbols import kept_attribute, read_bracketed_text

_AXIS: Final = re.compile(r'"[^"]*"\s*=\s*(\d+)')


def _text_of(attribute: Attribute) -> str:
    """What stands in the brackets."""
    return cast("UnregisteredAttr", attribute).value.data


@irdl_op_definition
class MeshOp(IRDLOperation):
    """Devices as an array with named axes."""

    name = "sdy.mesh"

    sym_name = prop_def(SymbolNameConstraint())
    mesh = prop_def(UnregisteredAttr)

    traits = traits_def(SymbolOpInterface())

    @property
    def num_devices(self) -> int:
        """How many devices the axes have."""
        return prod(map(int, _AXIS.findall(_text_of(self.mesh))))

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        parser.parse_punctuation("=")
        mesh = kept_attribute("sdy.mesh", read_bracketed_text(parser))
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            properties={"sym_name": name, "mesh": mesh}, attributes=attributes
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(f" = <{_text_of(self.mesh)}>")
        printer.print_op_attributes(self.attributes)


class _Sharded(StableHLOOp):
    """A tensor, and which device is to have which part of it."""

    sharding = prop_def(UnregisteredAttr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        operands = parse_operands(parser)
        sharding = kept_attribute("sdy.sharding", read_bracketed_text(parser))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        values = parser.resolve_operands(operands, [type_] * len(operands), start)
        return cls.build(
            operands=[values],
            result_types=[[type_]],
            properties={"sharding": sharding},
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        printer.print_string(f" <{_text_of(self.sharding)}>")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.outputs.types[0])

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """The sizes of the tensor."""
        return [self.shape()]

    @override
    def verify_(self) -> None:
        """The result is the tensor."""
        self.verify_counts(1)
        if self.values.types[0] != self.outputs.types[0]:
            raise VerifyException("expected the types of operand and result to be one")


@irdl_op_definition
class ShardingConstraintOp(_Sharded):
    """Demands which device has which part."""

    name = "sdy.sharding_constraint"


@irdl_op_definition
class ReshardOp(_Sharded):
    """Moves parts to the devices that are to have them."""

    name = "sdy.reshard"
