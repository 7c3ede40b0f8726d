"""An op is read and printed by its format; equal types are inferred once.

    %1 = arith.addf %0, %0 : f32        // the types of %0, %0 and %1 are inferred
    %2 = arith.addf %1, %1 : f32        // known: the same text of types

xDSL 0.74 checks the constraints of each op that it reads, and infers types from them.
`Format` does so once for equal types and attributes. The format itself, and what it
accepts, is xDSL's.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, i64
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    AttrOrPropDef,
    IRDLOperation,
    OptionalDef,
)
from xdsl.irdl.declarative_assembly_format import (
    FormatDirective,
    FormatProgram,
    ParsingState,
    PrintingState,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from xdsl_bufferization.support.xdsl_releases.format_programs import format_program

from ..text.quick import QuickParser
from .arrays import array_of, numbers_of
from .making import make
from .signatures import element_type, is_about_elements, is_array, is_small

_MOST: Final = 1 << 12
"""So many signatures of an op are remembered."""

_NUMBERS: Final = re.compile(r"\[((?: *-?[0-9]{1,18} *,)* *-?[0-9]{1,18})? *\]")
"""A list of numbers without comments, and without values among the numbers."""

_Types = Sequence[Sequence[Attribute]]


class _Resolved(NamedTuple):
    """The types of an op whose format was read."""

    operands: _Types
    results: _Types
    about: tuple[Attribute, ...]
    """What they were inferred from, kept so that no other gets its identity."""


class Format:
    """The format of a class of ops: what is read and printed, in the same steps."""

    def __init__(self, op_type: type[IRDLOperation], program: FormatProgram) -> None:
        self._op_type = op_type
        self._program = program
        self._fields = op_type.get_irdl_definition()
        self._steps = [_step(each) for each in program.stmts]
        self._prints = [_print_step(each) for each in program.stmts]
        self._known: dict[tuple[int, ...], _Resolved] = {}
        fields = self._fields
        self._properties = [*fields.properties.items()]
        self._attributes = [*fields.attributes.items()]

    def parse(
        self, parser: Parser, made_as: type[Operation] | None = None
    ) -> IRDLOperation:
        """The op that stands behind its name, of the class `made_as` where possible."""
        state = ParsingState(self._op_type)
        for step in self._steps:
            step(parser, state)
        resolved = self._resolve(state)
        groups = cast("list[Sequence[UnresolvedOperand]]", state.operands)
        operands = [
            parser.resolve_operands(group, types, parser.pos)
            for group, types in zip(groups, resolved.operands, strict=True)
        ]
        return make(
            self._op_type,
            made_as=made_as,
            result_types=resolved.results,
            operands=operands,
            attributes=state.attributes,
            properties=state.properties,
            regions=state.regions,
            successors=state.successors,
        )

    def print(self, printer: Printer, op: IRDLOperation) -> None:
        """Print an op behind its name."""
        state = PrintingState()
        for step in self._prints:
            step(printer, state, op)

    def _resolve(self, state: ParsingState) -> _Resolved:
        about: list[Attribute] = []
        signature = self._signature(state, about)
        if signature is None:
            return self._infer(state, about)
        known = self._known.get(signature)
        if known is None:
            known = self._infer(state, about)
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[signature] = known
        return known

    def _infer(self, state: ParsingState, about: list[Attribute]) -> _Resolved:
        program, fields = self._program, self._fields
        program.resolve_constraint_variables(state, fields)
        assert None not in state.operands
        operands = program.resolve_operand_types(state, fields)
        results = program.resolve_result_types(state, fields)
        return _Resolved(operands, results, tuple(about))

    def _signature(
        self, state: ParsingState, about: list[Attribute]
    ) -> tuple[int, ...] | None:
        """What types are inferred from, by identity; None if that is too large to keep.

        Of an array of numbers, it is the type of the elements.
        """
        counts: list[int] = []
        for group in state.operands:
            if group is None:
                return None
            counts.append(len(group))
        for types in (*state.operand_types, *state.result_types):
            if types is None:
                counts.append(-1)
            elif isinstance(types, list | tuple):
                counts.append(len(types))
                about += types
            else:
                return None
        for name, field in self._properties:
            counts.append(_sort(_given(name, field, state.properties), field, about))
        for name, field in self._attributes:
            counts.append(_sort(_given(name, field, state.attributes), field, about))
        if _TOO_LARGE in counts:
            return None
        return (*counts, *map(id, about))


_ABSENT, _ARRAY, _SMALL, _TOO_LARGE = range(-5, -1)


def _sort(
    attribute: Attribute | None, field: AttrOrPropDef, about: list[Attribute]
) -> int:
    """Note what counts of an attribute, and say what the attribute is."""
    if attribute is None:
        return _ABSENT
    if is_array(attribute) and is_about_elements(field.constr):
        about.append(element_type(attribute))
        return _ARRAY
    if not is_small(attribute):
        return _TOO_LARGE
    about.append(attribute)
    return _SMALL


def _given(
    name: str, field: AttrOrPropDef, given: dict[str, Attribute]
) -> Attribute | None:
    """The attribute of a field of which xDSL checks the constraint."""
    if isinstance(field, OptionalDef) and field.default_value is None:
        return None
    return given.get(name, field.default_value)


def _step(directive: FormatDirective) -> Callable[[Parser, ParsingState], None]:
    """How a part of a format is read."""
    if type(directive) is DynamicIndexList:
        return _list_step(directive)
    return directive.parse


def _list_step(directive: DynamicIndexList) -> Callable[[Parser, ParsingState], None]:
    """How a list such as `[0, %i]` is read; one without values at once."""

    def parse(parser: Parser, state: ParsingState) -> None:
        if not isinstance(parser, QuickParser):
            directive.parse(parser, state)
            return
        found = _NUMBERS.match(parser.lexer.input.content, parser.pos)
        if found is None:
            directive.parse(parser, state)
            return
        parser.go_to(found.end())
        numbers = [] if found[1] is None else [*map(int, found[1].split(","))]
        directive.dynamic_position.set(state, [])
        directive.static_position.set(state, array_of(i64, numbers))

    return parse


_PrintStep = Callable[[Printer, PrintingState, IRDLOperation], None]


def _print_step(directive: FormatDirective) -> _PrintStep:
    """How a part of a format is printed."""
    if type(directive) is DynamicIndexList:
        return _print_list_step(directive)
    return directive.print


def _print_list_step(directive: DynamicIndexList) -> _PrintStep:
    """How a list such as `[0, %i]` is printed; one without values at once."""

    def print(printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        static: Any = directive.static_position.get(op)
        if not is_array(static) or not isinstance(static.elt_type, IntegerType):
            directive.print(printer, state, op)
            return
        numbers = numbers_of(static)
        if DYNAMIC_INDEX in numbers:
            directive.print(printer, state, op)
            return
        state.print_whitespace(printer)
        printer.print_string(f"[{', '.join(map(str, numbers))}]")

    return print


_formats: dict[type[Operation], Format | None] = {}


def format_of(op_type: type[Operation]) -> Format | None:
    """The format of a class, None if a method of the class reads its ops."""
    try:
        return _formats[op_type]
    except KeyError:
        found = _formats[op_type] = _find_format(op_type)
        return found


def _find_format(op_type: type[Operation]) -> Format | None:
    if not issubclass(op_type, IRDLOperation):
        return None
    program = format_program(op_type)
    return None if program is None else Format(op_type, program)
