"""A program as it was written: where each op and value is, and what it is called.

1 | func.func @f(%a: tensor<4xf32>) {       position_of(%a)    line 1, column 14
2 |   %7 = tensor.insert %f into %a[%i]     name_of(result)    %7
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.lexer import Span

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand, owner_op
from xdsl_bufferization.dialects.parsing import MLIRParser, parse_all
from xdsl_bufferization.dialects.printing import MLIRPrinter, mlir_text
from xdsl_bufferization.dialects.text.locations import file_location
from xdsl_bufferization.dialects.text.tokens import LightToken
from xdsl_bufferization.support.traversal import ops_inside

from .report import Position

_LineAndColumn = tuple[int, int]
_Key = TypeVar("_Key", Operation, SSAValue)


@dataclass(frozen=True)
class Source:
    """The text of a module, and what it says where."""

    text: str
    file: str | None
    module: ModuleOp
    names: dict[SSAValue, str]
    """Of the values, with the percent sign."""

    written_in: str | None
    """The file that the locations of ops speak of, if `text` is another text."""

    _values: dict[SSAValue, _LineAndColumn]
    _ops: dict[Operation, _LineAndColumn]
    _last_lines: dict[Operation, int]
    _is_printed: bool = False
    """Whether `text` is what printing the module gave, and nobody's own."""

    def name_of(self, value: SSAValue) -> str:
        """The name of a value; `a value` if it has none in the text."""
        return self.names.get(value, "a value")

    def line_of(self, op: Operation) -> int:
        """The line with the name of an op, or 1 for the module that nobody wrote."""
        return self._ops.get(op, (1, 1))[0]

    def last_line_of(self, function: FuncOp) -> int:
        """The line in which a function ends."""
        return self._last_lines[function]

    def position_of(self, value: SSAValue) -> Position:
        """Where a value is defined."""
        op = owner_op(value)
        assert op is not None, "a value belongs to an op"
        place = self._values.get(value) or self._ops.get(op, (1, 1))
        return self._position(place, op, self.name_of(value))

    def position_of_use(self, operand: OpOperand) -> Position:
        """Where the op of an operand is."""
        return self.position_of_op(operand.owner, self.name_of(operand.value))

    def position_of_op(self, op: Operation, name: str) -> Position:
        """Where an op is that stands for something of that name."""
        return self._position(self._ops.get(op, (1, 1)), op, name)

    def _position(self, place: _LineAndColumn, op: Operation, name: str) -> Position:
        return Position(*place, self.file, op.name, name, self._written_at(op))

    def _written_at(self, op: Operation) -> _LineAndColumn | None:
        """Where an op was written, if the text has been changed since."""
        if self.written_in is None:
            return None
        location = file_location(op.location)
        if location is None or location.filename.data != self.written_in:
            return None
        return location.line.data, location.column.data

    @property
    def has_places_as_locations(self) -> bool:
        """Whether the location of each op says where it is in the text."""
        for op, place in self._ops.items():
            location = op.location
            if (
                not isinstance(location, FileLineColLoc)
                or location.filename.data != self._name_of_file
                or (location.line.data, location.column.data) != place
            ):
                return False
        return True

    @property
    def _name_of_file(self) -> str:
        return self.file or "<program>"

    def print_again(self) -> str:
        """What printing the module gave before anybody changed it."""
        if self._is_printed:
            return self.text
        return mlir_text(read_source(self.text, self.file).module)

    def clone_module(self) -> ModuleOp:
        """A copy of the module whose ops have their places in the text as locations."""
        clone = self.module.clone()
        file = StringAttr(self._name_of_file)
        pairs = zip(ops_inside(self.module), ops_inside(clone), strict=True)
        for op, copy in pairs:
            if (place := self._ops.get(op)) is not None:
                copy.location = FileLineColLoc(file, *map(IntAttr, place))
        return clone


def read_source(text: str, file: str | None) -> Source:
    """Parse a program, with the errors of `parse_module`; it is not verified."""
    parser = _SourceParser(get_context(), text, file or "<program>")
    return Source(
        text,
        file,
        parse_all(parser),
        parser.names,
        None,
        parser.value_places,
        parser.op_places,
        parser.last_lines,
    )


def print_source(module: ModuleOp, written_in: str | None = None) -> Source:
    """The program as it is printed, for modules that nobody wrote.

    `written_in` is the file that the locations of ops speak of, if one was read.
    """
    stream = StringIO()
    printer = _SourcePrinter(stream)
    printer.print_op(module)
    text = stream.getvalue()
    ends = _places(text, printer.ends)
    return Source(
        text,
        None,
        module,
        printer.names,
        written_in,
        _places(text, printer.value_starts),
        _places(text, printer.op_starts),
        {op: line for op, (line, _) in ends.items()},
        _is_printed=True,
    )


def _places(text: str, offsets: dict[_Key, int]) -> dict[_Key, _LineAndColumn]:
    """Lines and columns for numbers of characters in front."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    lines = {key: bisect_right(starts, offset) for key, offset in offsets.items()}
    return {
        key: (line, offsets[key] - starts[line - 1] + 1) for key, line in lines.items()
    }


class _SourceParser(MLIRParser):
    """A parser that keeps what values are called, and where everything is."""

    def __init__(self, ctx: Context, text: str, name: str) -> None:
        super().__init__(ctx, text, name)
        self._text = text
        self.names: dict[SSAValue, str] = {}
        self.value_places: dict[SSAValue, _LineAndColumn] = {}
        self.op_places: dict[Operation, _LineAndColumn] = {}
        self.last_lines: dict[Operation, int] = {}

    @override
    def _place(self, op: Operation, position: int) -> None:
        super()._place(op, position)
        self.op_places[op] = self.line_and_column(position)
        if isinstance(op, FuncOp):
            end = self.pos
            while self._text[end - 1].isspace():
                end -= 1
            self.last_lines[op] = self.line_and_column(end - 1)[0]

    @override
    def define(self, name: LightToken | Span, values: Sequence[SSAValue]) -> None:
        super().define(name, values)
        self._keep(name.text[1:], values, name.start)

    def _keep(self, name: str, values: Sequence[SSAValue], start: int) -> None:
        place = self.line_and_column(start)
        for number, value in enumerate(values):
            part = f"#{number}" if len(values) > 1 else ""
            self.names[value] = f"%{name}{part}"
            self.value_places[value] = place


class _SourcePrinter(MLIRPrinter):
    """A printer that keeps where it printed ops, and values for the first time.

    A place is the number of characters in front.
    """

    def __init__(self, text: StringIO) -> None:
        self._text = text
        super().__init__(text)
        self.value_starts: dict[SSAValue, int] = {}
        self.op_starts: dict[Operation, int] = {}
        self.ends: dict[Operation, int] = {}
        self._ops: list[Operation] = []

    @override
    def print_op(self, op: Operation) -> None:
        self._ops.append(op)
        super().print_op(op)
        self._ops.pop()
        self.ends[op] = self._text.tell()

    @override
    def print_names_of_results(self, op: Operation) -> None:
        super().print_names_of_results(op)
        # The argument may be another view of the op that is being printed.
        self.op_starts[self._ops[-1]] = self._text.tell()

    @override
    def print_ssa_value(self, value: SSAValue) -> str:
        if value not in self.value_starts:
            self.value_starts[value] = self._text.tell()
        return super().print_ssa_value(value)
