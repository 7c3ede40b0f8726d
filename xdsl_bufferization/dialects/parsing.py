"""Parse MLIR's text: two parsers, for two kinds of programs.

`WiderParser` is for programs of users of xDSL. It reads the text of MLIR 22, and all
that xDSL reads beside it. `Parser` makes these once a pass of ours is loaded (see
`dialects/xdsl_patches/`).

`MLIRParser` is for our own tools, and reads MLIR's text only. Its ops have MLIR's
fields and types, and what MLIR refuses is an error at its place. Every operation knows
where it was written, also where the text has no `loc(...)`:

    func.func @f() {        // @f:  loc("a.mlir":1:1)
      %0 = test.op          //      loc("a.mlir":2:8)
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from traceback import walk_tb
from typing import NoReturn, TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.support.errors import add_place
from xdsl_bufferization.support.frames import in_one_piece
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.nesting import (
    SHALLOW_LEVELS,
    NeedsRoomError,
    in_room,
    is_run_again,
    note_needs_room,
)
from xdsl_bufferization.support.xdsl_releases.new_locations import new_location

from .common.definitions import Definition, definition_of
from .common.left_out import SHARDY
from .common.op_parser import OpParser
from .common.unknown_ops import why_unknown
from .common.wider_context import WiderContext
from .text.affine import AffineMapParser
from .text.dialect_symbols import kept_attribute
from .text.levels import LeveledParser
from .text.limits import LimitedParser
from .text.literals import DenseLiteralParser
from .text.locations import LocationParser, file_location
from .text.regions import forget_added
from .text.remembered import RememberingParser
from .text.resources import ResourceParser
from .text.tokens import LightToken
from .text.types import ShapeParser, StrictTypeParser
from .text.values import ValueParser

_T = TypeVar("_T")

_ENDS = frozenset(
    {
        MLIRTokenKind.BARE_IDENT,
        MLIRTokenKind.CARET_IDENT,
        MLIRTokenKind.EOF,
        MLIRTokenKind.EXCLAMATION_IDENT,
        MLIRTokenKind.FILE_METADATA_BEGIN,
        MLIRTokenKind.HASH_IDENT,
        MLIRTokenKind.PERCENT_IDENT,
        MLIRTokenKind.R_BRACE,
        MLIRTokenKind.STRING_LIT,
    }
)
"""With what the text after an op begins."""

_UNDEFINED = "values used but not defined"
"""How xDSL's message begins that says so at the end of the file."""

_NO_FORMAT = f"Operation {UnregisteredOp.name} does not have a custom format."
"""What xDSL says of an op that it does not know and that is not in generic format."""

_WITH_ENTRIES = "dlti."
"""How the names of attributes begin that have entries in two spellings."""

_OP_NAME = re.compile(r"[\w$.]*")

_UNEXPECTED = "Unexpected attribute "
"""How xDSL says that an operand, a result or an attribute has a wrong type or kind."""

_OP = re.compile(r'(?:^|= *)"?(?P<name>[a-z]\w*(?:\.[\w$]+)+)')
"""The name of an op in its text."""

_REFUSALS = (AssertionError, LookupError, NotImplementedError, TypeError, ValueError)
"""What xDSL's formats raise beside its own errors, for text that they do not know."""


@lru_cache(maxsize=1 << 12)
def _number(value: int) -> IntAttr:
    return IntAttr(value)


class _ReadingContext(WiderContext):
    """The context of a parser: some attributes are read by another class."""

    @override
    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        found = super().get_optional_attr(name)
        if found is None or not name.startswith(_WITH_ENTRIES):
            return found
        from .text.entries import reader_of

        return reader_of(found)


class WiderParser(  # pyright: ignore[reportIncompatibleMethodOverride,reportIncompatibleVariableOverride], see LocationParser and QuickParser
    AffineMapParser,
    DenseLiteralParser,
    LocationParser,
    ResourceParser,
    ShapeParser,
    OpParser,
    RememberingParser,
):
    """A parser of MLIR's text, and of xDSL's where that is another."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(_ReadingContext.of(ctx), input, name)
        self.num_ops = 0
        """How many ops were begun."""

    @override
    def parse_operation(self) -> Operation:
        self.num_ops += 1
        return super().parse_operation()

    @override
    def _parse_behind_results(self) -> Operation:
        op = super()._parse_behind_results()
        definition = _READ_AS.get(type(op))
        if definition is None:
            self._finish(op, type(op))
            return op
        # The parser was given a class that reads more; the op is of xDSL's.
        self._finish(op, definition.view)
        return definition.as_xdsls(op)

    def _finish(self, op: Operation, read_by: type[Operation]) -> None:
        """Complete an op; `read_by` is the class that it was read by."""

    @override
    def find_op(self, name: str) -> type[Operation]:
        op_type = super().find_op(name)
        definition = definition_of(op_type)
        return op_type if definition is None else self._reader_of(definition)

    def _reader_of(self, definition: Definition) -> type[Operation]:
        return _wider_reader(definition.op_type)

    def parse_either(self, definition: Definition) -> Operation:
        """Read an op whose name was read, in MLIR's format or else in xDSL's.

        MLIR's comes first, as xDSL's drops some of what MLIR's text says.
        """
        start, num_ops = self.pos, self.num_ops
        num_values = len(self.forward_ssa_references)
        num_blocks = len(self.blocks)
        try:
            made_as = definition.op_type if definition.is_finished_when_read else None
            op = self.parse_by_format(definition.view, made_as)
            if op.regions or self.reading.current_token.kind in _ENDS:
                definition.finish(op)
                return op
            op.erase()
        except (ParseError, VerifyException, *_REFUSALS):
            # What is nested in the op was read in both ways already.
            if self.num_ops != num_ops:
                raise
        self.go_to(start)
        forget_added(self.forward_ssa_references, num_values)
        forget_added(self.blocks, num_blocks)
        return self.parse_by_format(definition.op_type)


_READ_AS: dict[type[Operation], Definition] = {}
"""What the ops are read by, by their class, or by the class that parsers are given."""


@cache
def _wider_reader(op_type: type[IRDLOperation]) -> type[IRDLOperation]:
    """A class for parsers: that of xDSL, with a format that is read in both ways."""
    definition = _note_reading(op_type)

    def parse(_cls: type[Operation], parser: WiderParser) -> Operation:
        return parser.parse_either(definition)

    members = {"parse": classmethod(parse), "create": op_type.create}
    return type(op_type.__name__, (op_type,), members)


@cache
def _strict_reader(op_type: type[IRDLOperation]) -> type[IRDLOperation]:
    """A class for parsers: MLIR's definition."""
    return _note_reading(op_type).view


def _note_reading(op_type: type[IRDLOperation]) -> Definition:
    definition = definition_of(op_type)
    assert definition is not None
    _READ_AS[definition.view] = _READ_AS[op_type] = definition
    return definition


class MLIRParser(  # pyright: ignore[reportIncompatibleMethodOverride,reportIncompatibleVariableOverride], see LocationParser and QuickParser
    LeveledParser, LimitedParser, StrictTypeParser, ValueParser, WiderParser
):
    """A parser of MLIR's text, which says where what it refuses stands."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._file = StringAttr(name)
        lengths = (len(line) + 1 for line in input.split("\n"))
        self._line_starts = list(accumulate(lengths, initial=0))
        self._name_positions: list[int] = []
        self._region_positions: list[int] = []

    @override
    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse all of the text; without an operation it is an empty module.

        Raises a `NeedsRoomError` for a program that is nested deeply, if whoever runs
        this has said that it is to be run again with room.
        """
        try:
            return in_one_piece(lambda: self._parse_module_here(allow_implicit_module))
        except NeedsRoomError:
            if is_run_again():
                raise
        text, name = self.lexer.input.content, self.lexer.input.name
        return in_room(
            lambda: type(self)(self.ctx, text, name).parse_module(allow_implicit_module)
        )

    def _parse_module_here(self, allow_implicit_module: bool) -> ModuleOp:
        try:
            module = super().parse_module(allow_implicit_module)
        except ParseError as error:
            if error.msg.startswith(_UNDEFINED):
                self.refuse_undefined()
            # What xDSL also says of what is no operation, but not at the end.
            is_empty = error.msg == "Could not parse entire input!"
            at_end = self.reading.current_token.kind == MLIRTokenKind.EOF
            if allow_implicit_module and is_empty and at_end:
                return ModuleOp([])
            raise
        if self.deepest > SHALLOW_LEVELS:
            note_needs_room(module)
        return module

    @override
    def parse_operation(self) -> Operation:
        return self._located(self._parse_operation_with_place)

    def _parse_operation_with_place(self) -> Operation:
        depth = len(self._name_positions)
        try:
            op = super().parse_operation()
        except ParseError as error:
            if error.msg == _NO_FORMAT:
                self._refuse_unknown_op(self._name_positions[depth])
            raise
        self._place(op, self._name_positions[depth])
        # Whatever an abandoned attempt left above goes as well.
        del self._name_positions[depth:]
        return op

    def _refuse_unknown_op(self, position: int) -> NoReturn:
        """Name an op that nobody knows and that is not in the generic format."""
        name = _OP_NAME.match(self.lexer.input.content, position)
        assert name is not None
        self.raise_error(why_unknown(self.ctx, name[0]), position)

    @override
    def _reader_of(self, definition: Definition) -> type[Operation]:
        return _strict_reader(definition.op_type)

    @override
    def made_as(self, op_type: type[Operation]) -> type[Operation] | None:
        definition = _READ_AS.get(op_type)
        return None if definition is None else definition.op_type

    @override
    def _finish(self, op: Operation, read_by: type[Operation]) -> None:
        # What an op defines may be written among its attributes, as in MLIR's
        # `to_tensor %m {restrict}`, where a format has another place for it.
        if op.attributes and issubclass(read_by, IRDLOperation):
            defined = read_by.get_irdl_definition().properties
            for name in defined:  # Not a set, which is in another order each time.
                if name in op.attributes:
                    op.properties[name] = op.attributes.pop(name)

    @override
    def read_attribute(self) -> Attribute | None:
        return self._located(super().read_attribute)

    @override
    def read_type(self) -> TypeAttribute | None:
        return self._located(super().read_type)

    @override
    def read_body(self, name: str, start: int | None, *, is_type: bool) -> Attribute:
        # A note on devices, which changes nothing on one: it is kept as it is written.
        if name.startswith(SHARDY) and not is_type and start is None:
            return kept_attribute(name, self.read_text())
        return super().read_body(name, start, is_type=is_type)

    def _located(self, parse: Callable[[], _T]) -> _T:
        """What `parse` reads, a level deeper; its errors get the place of that."""
        start = self.pos
        try:
            return self.deeper(parse)
        except ValueError as error:
            self._refuse_unknown_name(error, start)
            self.raise_error(str(error), start, self.pos)
        # The operators of affine expressions raise the first for what is not affine.
        except (NotImplementedError, VerifyException) as error:
            said = str(error)
            if said.startswith(_UNEXPECTED):
                # xDSL does not say where: the op is what has been read.
                op = _OP.search(self.lexer.input.slice(start, self.pos) or "")
                if op is not None:
                    said += f": '{op['name']}' has no such operand, result or attribute"
            self.raise_error(said, start, self.pos)

    def _refuse_unknown_name(self, error: ValueError, start: int) -> None:
        """List the names of the enumeration that raised `error`, if one did.

        Some attributes of xDSL make a member of whatever name they read.
        """
        *_, (frame, _) = walk_tb(error.__traceback__)
        enumeration, name = frame.f_locals.get("cls"), frame.f_locals.get("value")
        if (
            isinstance(enumeration, type)
            and issubclass(enumeration, StrEnum)
            and isinstance(name, str)
        ):
            place = self.lexer.input.content.rfind(name, start, self.pos)
            span = Span(place, place + len(name), self.lexer.input)
            *others, last = (f"`{each}`" for each in enumeration)
            listed = f"{', '.join(others)}, or {last}" if others else last
            self.raise_error(f"Expected {listed}.", span)

    def _place(self, op: Operation, position: int) -> None:
        """Keep where `op`, whose name is at `position`, was written."""
        if isinstance(op.location, UnknownLoc):
            line, column = self.line_and_column(position)
            op.location = self._location(line, column)

    def _location(self, line: int, column: int) -> FileLineColLoc:
        return new_location(self._file, _number(line), _number(column))

    @override
    def _begin_name(self) -> None:
        self._name_positions.append(self.pos)

    @override
    def _parse_results(self) -> Sequence[tuple[LightToken, int]]:
        results = super()._parse_results()
        for name, count in results:
            if count == 0:
                message = "expected named operation to have at least 1 result"
                self.raise_error(message, name.span)
        return results

    @override
    def find_op(self, name: str) -> type[Operation]:
        try:
            return super().find_op(name)
        except ParseError:
            # xDSL would point behind the name.
            place = self._name_positions[-1]
            self.raise_error(why_unknown(self.ctx, name), place)

    @override
    def parse_optional_region(
        self, arguments: Iterable[Parser.Argument] | None = None
    ) -> Region | None:
        self._region_positions.append(self.pos)
        try:
            return super().parse_optional_region(arguments)
        finally:
            self._region_positions.pop()

    @override
    def read_block(self) -> Block:
        if self.reading.current_token.kind != MLIRTokenKind.CARET_IDENT:
            self._refuse_open_region(self._region_positions[-1])
        self._refuse_redefined_block()
        return super().read_block()

    def _refuse_open_region(self, start: int) -> NoReturn:
        line, column = self.line_and_column(start)
        message = (
            "expected an operation, a block such as '^bb1:', or the '}' of the region "
            f"that begins at {line}:{column}"
        )
        error = ParseError(self.reading.current_token.span, message)
        place = f"{self.lexer.input.name}:{line}:{column}"
        add_place(error, place, "the region begins here")
        raise error

    def _refuse_redefined_block(self) -> None:
        """Know blocks that are branched to first, which xDSL forgets."""
        token = self.reading.current_token
        name = token.text[1:]
        is_known = name in self.blocks and self.blocks[name][1] is None
        if is_known and name not in self.forward_block_references:
            self.raise_error(f"re-declaration of block '{name}'", token.span)

    def line_and_column(self, position: int) -> tuple[int, int]:
        """Where a position in the text is, both counted from 1."""
        line = bisect_right(self._line_starts, position)
        return line, position - self._line_starts[line - 1] + 1


def parse_module(text: str, name: str, ctx: Context) -> ModuleOp:
    """Parse `text`; `name` is the file that locations and errors speak of.

    Raises xDSL's `ParseError`, whose span has the place. The module is not verified.
    """
    return parse_all(MLIRParser(ctx, text, name))


def parse_all(parser: WiderParser, allow_implicit_module: bool = True) -> ModuleOp:
    """The module that `parser` was given the text of, as from `parse_module`."""
    return parse_with(parser, lambda: parser.parse_module(allow_implicit_module))


@without_garbage_collection()
def parse_with(parser: WiderParser, parse: Callable[[], _T]) -> _T:
    """What `parse` reads with `parser`; whatever it raises becomes a `ParseError`."""
    try:
        return parse()
    except (ParseError, NeedsRoomError):
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
