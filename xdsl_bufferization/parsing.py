"""Parse MLIR text into a module whose every operation knows where it was written.

xDSL records a location only where the text says `loc(...)`. Errors are to name file,
line and column, so the parser here gives each other operation the place of its name,
as MLIR does.

    func.func @f() {        // @f:  loc("a.mlir":1:1)
      %0 = test.op          //      loc("a.mlir":2:8)
"""

from bisect import bisect_right
from itertools import accumulate

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.dialects.locations import file_location


class LocatingParser(Parser):
    """A parser that gives operations without an explicit location their own."""

    def __init__(self, ctx: Context, text: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, text, name)
        self._file = StringAttr(name)
        lengths = (len(line) + 1 for line in text.split("\n"))
        self._line_starts = list(accumulate(lengths, initial=0))
        self._name_positions: list[int] = []

    @override
    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse all of the text; without an operation it is an empty module."""
        try:
            return super().parse_module(allow_implicit_module)
        except ParseError as error:
            # What xDSL also says of what is no operation, but not at the end.
            is_empty = error.msg == "Could not parse entire input!"
            at_end = self._current_token.kind == MLIRTokenKind.EOF
            if allow_implicit_module and is_empty and at_end:
                return ModuleOp([])
            raise

    @override
    def parse_operation(self) -> Operation:
        depth = len(self._name_positions)
        op = super().parse_operation()
        self._place(op, self._name_positions[depth])
        # Whatever an abandoned attempt left above goes as well.
        del self._name_positions[depth:]
        return op

    def _place(self, op: Operation, position: int) -> None:
        """Keep where `op`, whose name is at `position`, was written."""
        if isinstance(op.location, UnknownLoc):
            line, column = self.line_and_column(position)
            op.location = FileLineColLoc(self._file, IntAttr(line), IntAttr(column))

    @override
    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        # The one moment at which the next token is the name of the operation.
        results = super()._parse_op_result_list()
        self._name_positions.append(self.pos)
        return results

    @override
    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError as error:
            # xDSL would point behind the name.
            self.raise_error(error.msg, self._name_positions[-1])

    def line_and_column(self, position: int) -> tuple[int, int]:
        """Where a position in the text is, both counted from 1."""
        line = bisect_right(self._line_starts, position)
        return line, position - self._line_starts[line - 1] + 1


def parse_module(text: str, name: str, ctx: Context) -> ModuleOp:
    """Parse `text`; `name` is the file that locations and errors speak of.

    Raises xDSL's `ParseError`, whose span has the place. The module is not verified.
    """
    return parse_all(LocatingParser(ctx, text, name))


def parse_all(parser: LocatingParser) -> ModuleOp:
    """The module that `parser` was given the text of, as from `parse_module`."""
    try:
        return parser.parse_module()
    except ParseError:
        raise
    except RecursionError:
        parser.raise_error("the program is nested too deeply to be parsed")
    except Exception as error:
        # xDSL asserts some of what it expects, and verifies types as it builds them.
        reason = str(error) or "this cannot be parsed"
        raise ParseError(
            Span(parser.pos, parser.pos, parser.lexer.input), reason
        ) from error


def locate(op: Operation) -> str | None:
    """`file:line:col` of `op`, or of the nearest operation around it that has one."""
    at: Operation | None = op
    while at is not None:
        if (location := file_location(at.location)) is not None:
            place = f"{location.line.data}:{location.column.data}"
            return f"{location.filename.data}:{place}"
        at = at.parent_op()
    return None
