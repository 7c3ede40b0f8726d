"""Errors on values that say where the value is defined, or is used first.

    %0 = arith.constant 1.0 : f32           "%0 is defined here"
    %1 = arith.addi %0, %0 : i32            operand is used with type i32, but has ...

`ValueParser` keeps where each value was defined while it parses.
"""

from collections.abc import Sequence
from typing import NoReturn

from typing_extensions import override
from xdsl.context import Context
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from xdsl_bufferization.support.errors import add_place

from .regions import RegionParser
from .tokens import LightToken


class ValueParser(RegionParser):
    """A parser that knows where values are defined."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._first_uses: dict[str, Span] = {}
        self._definitions: dict[SSAValue, Span | LightToken] = {}

    @override
    def resolve_operand(
        self, operand: UnresolvedOperand, type: Attribute
    ) -> SSAValue[Attribute]:
        name = operand.operand_name
        values = self.ssa_values.get(name)
        if values is not None and operand.index < len(values):
            value = values[operand.index]
            # Equal types are one object as a rule, since they are read once.
            if value.type is type:
                return value
        if name not in self.ssa_values and name not in self.forward_ssa_references:
            self._first_uses[name] = operand.span
        try:
            return super().resolve_operand(operand, type)
        except ParseError as error:
            self._add_definition(error, name)
            raise

    @override
    def define(self, name: LightToken | Span, values: Sequence[SSAValue]) -> None:
        try:
            super().define(name, values)
        except ParseError as error:
            self._add_definition(error, name.text[1:])
            raise
        if values:
            self._definitions[values[0]] = name

    def _add_definition(self, error: ParseError, name: str) -> None:
        """Let `error` also say where the values of that name are defined."""
        values = self.ssa_values.get(name, ())
        if values and (span := self._definitions.get(values[0])) is not None:
            if isinstance(span, LightToken):
                span = span.span
            add_place(error, str(span.get_location()), f"%{name} is defined here")
        elif (first := self._first_uses.get(name)) is not None:
            add_place(error, str(first.get_location()), f"%{name} is first used here")

    def refuse_undefined(self) -> NoReturn:
        """Point at the first use of a value that nothing defines."""
        name = next(iter(self.forward_ssa_references))
        place = self._first_uses[name]
        self.raise_error(f"use of undeclared SSA value name %{name}", place)
