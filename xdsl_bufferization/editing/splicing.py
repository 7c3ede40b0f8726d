"""A long piece after an edit: only the ops that the edit touches are read again.

    %1 = arith.addf %0, %x : f32     kept
    %2 = arith.mulf %1, %y : f32     read again: here stood %x
    %3 = arith.subf %2, %0 : f32     kept, with the new %2 as its operand

The parser goes to the first of these ops, and knows the names that are visible there.
It has to stop where the next op begins. The piece is then what reading all of it would
give: its ops with their places, or its first error. Where that is not clear, as when a
name disappears that is used further down, nothing is done, and whoever asked reads all
of the piece.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Final, NamedTuple, TypeVar

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyFloat, FloatAttr, UnregisteredOp
from xdsl.ir import (
    Block,
    BlockArgument,
    IRNode,
    Operation,
    OpResult,
    SSAValue,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.dialects.parsing import parse_with
from xdsl_bufferization.dialects.text.modules import ModuleParser
from xdsl_bufferization.support.equivalence import are_same_programs
from xdsl_bufferization.support.nesting import NeedsRoomError

from .cuts import is_blank
from .places import Lines
from .reading import Before, Piece, PlaceParser, Places, Reader

_T = TypeVar("_T")

_MOST_LEVELS = 12
"""Ops that are nested more deeply are read with all that is around them."""


_NAME: Final = re.compile(r"%[\w$.-]+")
"""What may be the name of a value."""


class Edit(NamedTuple):
    """What differs between two texts: one part of each."""

    start: int
    end: int
    """In the old text."""
    longer: int
    """By how much the new text is longer."""

    @property
    def new_end(self) -> int:
        """In the new text."""
        return self.end + self.longer


def compare_texts(old: str, new: str) -> Edit:
    """The shortest part of `old` that has to be replaced to get `new`."""
    shorter = min(len(old), len(new))
    start = _longest(shorter, lambda length: old[:length] == new[:length])
    left = shorter - start
    behind = _longest(
        left, lambda length: old[len(old) - length :] == new[len(new) - length :]
    )
    return Edit(start, len(old) - behind, len(new) - len(old))


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `most` that fits; all smaller ones do as well."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if fits(middle):
            least = middle
        else:
            most = middle - 1
    return least


class _Run(NamedTuple):
    """Ops of a block that an edit touches, with the blanks around them."""

    ops: list[Operation]
    block: Block
    before: Operation | None
    """The op before which new ops stand; None at the end of the block."""
    start: int
    end: int
    """In the old text: where the next op begins, or the block ends."""


def splice(
    reader: Reader,
    base: Piece,
    text: str,
    lines_before: int = 0,
    aliases: ModuleParser | None = None,
) -> Piece | None:
    """The piece `base` with another text; its ops are those of the new piece then.

    None, and nothing is done, where all of the text has to be read. If the new piece
    has an error, `base` stays as it is.
    """
    if not _can_be_spliced(base, aliases):
        return None
    edit = compare_texts(base.text, text)
    run = _find_run(base, edit)
    if run is None or _has_labels(base.text, text, run, edit):
        return None
    return _Splicer(reader, base, text, lines_before, edit, run).splice()


def _can_be_spliced(base: Piece, aliases: ModuleParser | None) -> bool:
    parser = base.parser
    known = {} if aliases is None else aliases.attribute_aliases
    return (
        base.error is None
        and not parser.has_forward_uses
        and parser.attribute_aliases == known
    )


def _has_labels(old: str, new: str, run: _Run, edit: Edit) -> bool:
    """Whether ops that are read again, or their text, may name blocks around them."""
    return (
        old.find("^", run.start, run.end) >= 0
        or new.find("^", run.start, run.end + edit.longer) >= 0
    )


# Which ops an edit touches.


def _find_run(piece: Piece, edit: Edit) -> _Run | None:
    ops: Sequence[Operation] = piece.ops
    found: _Run | None = None
    for _ in range(_MOST_LEVELS):
        block = _block_around(piece, ops, edit)
        if block is None:
            return found
        ops = list(block.ops)
        found = _run_in(piece, block, ops, edit)
    return None


def _block_around(piece: Piece, ops: Sequence[Operation], edit: Edit) -> Block | None:
    """The block of one of `ops` in whose ops, or between them, the edit is."""
    places = piece.places.ops
    for op in ops:
        start, _, behind = places.get(op, (0, 0, 0))
        if start < edit.start and edit.end <= behind:
            if isinstance(op, UnregisteredOp):
                return None
            for region in op.regions:
                for block in region.blocks:
                    start, end = _extent(piece, block)
                    if start <= edit.start and edit.end <= end:
                        return block
    return None


def _extent(piece: Piece, block: Block) -> tuple[int, int]:
    """Where the ops of a block begin and end; nowhere if some are not written."""
    places = piece.places.ops
    first, last = block.first_op, block.last_op
    if first is None or last is None or any(op not in places for op in block.ops):
        return len(piece.text), 0
    start, text = places[first][0], piece.text
    opened = text.rfind("{", 0, start)
    line = text.rfind("\n", 0, opened) + 1
    if opened >= 0 and "//" not in text[line:opened]:
        # Blanks and comments behind the brace belong to the block as well.
        start = opened + 1 if is_blank(text, opened + 1, start) else start
    return start, places[last][2]


def _run_in(piece: Piece, block: Block, ops: Sequence[Operation], edit: Edit) -> _Run:
    """The ops of a block that the edit touches, also at their ends."""
    places = piece.places.ops
    touched = [
        number
        for number, op in enumerate(ops)
        if places[op][0] <= edit.end and places[op][2] >= edit.start
    ]
    first = touched[0] if touched else 0
    last = touched[-1] + 1 if touched else 0
    start, _ = _extent(piece, block)
    if first or edit.start >= places[ops[0]][0]:
        start = places[ops[first]][0]
    end = places[ops[last - 1]][2] if touched else places[ops[0]][0]
    before = ops[last] if last < len(ops) else None
    return _Run(list(ops[first:last]), block, before, start, end)


# Reading them again.


def _blocks_around(block: Block | None) -> Iterator[Block]:
    """A block, and those around it."""
    while block is not None:
        yield block
        block = block.parent_block()


class _Splicer:
    def __init__(
        self,
        reader: Reader,
        base: Piece,
        text: str,
        lines_before: int,
        edit: Edit,
        run: _Run,
    ) -> None:
        self._base = base
        self._edit = edit
        self._run = run
        self._text = text
        self._lines_before = lines_before
        self._end = run.end + edit.longer
        """In the new text."""
        self._blocks = {*_blocks_around(run.block)}
        self._reader = reader
        self._parser: PlaceParser
        self._real: dict[SSAValue, SSAValue] = {}
        """The values of the piece, by what stands for them while the parser reads."""

    def splice(self) -> Piece | None:
        """The new piece; None if all of it has to be read."""
        base = self._base
        ops, error = self._parse(
            {*_NAME.findall(self._text, self._run.start, self._end)}
        )
        if error is not None:
            # The parser may have read on, to where other names are used.
            ops, error = self._parse(None)
        parser = self._parser
        piece = Piece(self._text, base.file, self._lines_before, parser)
        if error is not None:
            if "^" in self._text[self._end : parser.pos]:
                return None  # The parser does not know the blocks that are named there.
            piece.keep(error)
            parser.places = self._join_places(None)
            return piece
        replaced = None if ops is None else self._match_names(ops)
        if ops is None or replaced is None or not self._ends_alike(ops):
            return None
        is_alike = self._is_alike(ops)
        self._replace_ops(ops, replaced)
        parser.places = self._join_places(replaced)
        self._correct_locations()
        piece.ops = base.ops
        piece.before, base.before = self._compare(is_alike), None
        return piece

    def _parse(
        self, names: Set[str] | None
    ) -> tuple[list[Operation] | None, ParseError | None]:
        """The ops in the new text, or why there are none; of values, `names` are known.

        With `names` None, all names are.
        """
        base = self._base
        parser = self._parser = self._reader.parser(
            self._text, base.file, self._lines_before
        )
        parser.take_aliases(base.parser)
        self._define_names(names)
        try:
            return parse_with(parser, self._read_ops), None
        except NeedsRoomError:
            return None, None
        except ParseError as error:
            return None, error

    def _define_names(self, names: Set[str] | None) -> None:
        """Let the parser know the names that are visible, each for a value like it.

        So what the parser reads does not use the values of the piece yet.
        """
        text = self._base.text
        self._real.clear()
        visible = [
            (start, end, value)
            for start, (end, values) in self._base.places.definitions.items()
            if start < self._run.start and (names is None or text[start:end] in names)
            for value in values
            if self._is_visible(value)
        ]
        known = Block(arg_types=[value.type for _, _, value in visible]).args
        defined: dict[int, tuple[int, list[SSAValue]]] = {}
        for (start, end, value), argument in zip(visible, known, strict=True):
            self._real[argument] = value
            defined.setdefault(start, (end, []))[1].append(argument)
        source = self._parser.lexer.input
        for start, (end, values) in defined.items():
            self._parser.define(Span(start, end, source), values)

    def _is_visible(self, value: SSAValue) -> bool:
        """Whether the name of a value that is defined further up can be used."""
        if isinstance(value, BlockArgument):
            return value.block in self._blocks
        assert isinstance(value, OpResult)
        op = value.op
        # The results of an op have their names behind its regions.
        return op.parent in self._blocks and not any(
            block.parent_op() is op for block in self._blocks
        )

    def _read_ops(self) -> list[Operation] | None:
        """The ops in the new text; None if more would follow, or names are missing."""
        parser = self._parser
        parser.go_into(self._run.block, self._run.start)
        ops: list[Operation] = []
        while parser.pos < self._end:
            op = parser.parse_optional_operation()
            if op is None:
                return None
            ops.append(op)
        if parser.pos != self._end or parser.has_forward_uses:
            return None
        return ops

    # What the new ops have to define.

    def _match_names(
        self, ops: Sequence[Operation]
    ) -> Mapping[SSAValue, SSAValue] | None:
        """The new values by the old ones that are used further down.

        None if there are not all, or if a new name is defined again further down.
        """
        base, run = self._base, self._run
        old = _names_of(base.text, base.places, run.ops)
        new = _names_of(self._text, self._parser.places, ops)
        added = new.keys() - old.keys()
        if added and any(
            base.text[start + 1 : end] in added
            for start, (end, _) in base.places.definitions.items()
            if start >= run.end
        ):
            return None
        replaced: dict[SSAValue, SSAValue] = {}
        for name, values in old.items():
            others = new.get(name, ())
            if [each.type for each in values] == [each.type for each in others]:
                replaced |= zip(values, others, strict=True)
            elif any(map(self._is_used_below, values)):
                return None
        return replaced

    def _is_used_below(self, value: SSAValue) -> bool:
        for use in value.uses:
            op: Operation | None = use.operation
            while op is not None and op.parent is not self._run.block:
                op = op.parent_op()
            if op not in self._run.ops:
                return True
        return False

    def _ends_alike(self, ops: Sequence[Operation]) -> bool:
        """Whether a block that ended with a terminator does so still, and as before.

        Without one, the op around it may add one. Without any op, the text may have no
        such block.
        """
        if not ops and len(self._run.ops) == len(self._run.block.ops):
            return False
        old, new = _last_of(self._run.ops), _last_of(ops)
        if any(map(_is_terminator, (*self._run.ops[:-1], *ops[:-1]))):
            return False
        return _types_of_terminator(old) == _types_of_terminator(new)

    # What decisions depend on.

    def _is_alike(self, ops: Sequence[Operation]) -> bool:
        """Whether the new ops mean to all passes what the old ones meant.

        They are the same under the same names, but for constants of floating-point
        types that only scalars of such types are computed with. No pass asks which
        number such a constant is.
        """
        old, now = self._run.ops, self._parser.places
        if self._names_inside(self._base.text, self._base.places, self._run.end) != (
            self._names_inside(self._text, now, self._end)
        ):
            return False
        known: dict[IRNode | SSAValue, IRNode | SSAValue] = {
            value: argument for argument, value in self._real.items()
        }
        return len(old) == len(ops) and all(
            are_same_programs(before, after, known)
            or _are_numbers(before, after, known)
            for before, after in zip(old, ops, strict=True)
        )

    def _names_inside(self, text: str, places: Places, end: int) -> list[str]:
        return [
            text[start:last]
            for start, (last, _) in places.definitions.items()
            if self._run.start <= start < end
        ]

    def _compare(self, is_alike: bool) -> Before:
        """Where each op and value of the old piece is in the new one."""
        run, old, now = self._run, self._base.places, self._parser.places
        before, after = Lines(self._base.text), Lines(self._text)
        old_end, end = before.place(run.end), after.place(self._end)
        inside: dict[tuple[int, int], tuple[int, int]] = {}
        if is_alike:
            starts = zip(
                _starts_inside(old, run.start, run.end),
                _starts_inside(now, run.start, self._end),
                strict=True,
            )
            inside = {before.place(old): after.place(new) for old, new in starts}
            if _split_lines({**inside, old_end: end}):
                # What is said of such a line does not say of which part.
                is_alike, inside = False, {}
        start = before.place(run.start)
        return Before(self._base, is_alike, inside, start, old_end, end)

    # Putting them in.

    def _replace_ops(
        self, ops: Sequence[Operation], replaced: Mapping[SSAValue, SSAValue]
    ) -> None:
        run = self._run
        for argument, value in self._real.items():
            if argument.first_use is not None:
                argument.replace_all_uses_with(value)
        for old, new in replaced.items():
            old.replace_all_uses_with(new)
        for op in run.ops:
            run.block.erase_op(op, safe_erase=False)
        if run.before is None:
            run.block.add_ops(ops)
        else:
            run.block.insert_ops_before(ops, run.before)

    def _join_places(self, replaced: Mapping[SSAValue, SSAValue] | None) -> Places:
        """The places of all that has been read, before and now.

        After an error, with `replaced` None, nothing further down has.
        """
        old, new, real = self._base.places, self._parser.places, self._real
        reads_on, followed = replaced is not None, replaced or {}
        places = Places(dict(self._rest_of_ops(reads_on)) | new.ops)
        for at, by, (end, values) in self._rest(old.definitions, reads_on):
            places.definitions[at + by] = end + by, values
        for at, definition in new.definitions.items():
            # What is further up are the names that the parser was given.
            if at >= self._run.start:
                places.definitions[at] = definition
        for at, by, (end, value) in self._rest(old.uses, reads_on):
            places.uses[at + by] = end + by, followed.get(value, value)
        for at, (end, value) in new.uses.items():
            places.uses[at] = end, real.get(value, value)
        for at, by, label in self._rest(old.labels, reads_on):
            moved = label._replace(start=at + by, end=label.end + by)
            places.labels[at + by] = moved
        return places

    def _rest(
        self, table: Mapping[int, _T], reads_on: bool
    ) -> Iterator[tuple[int, int, _T]]:
        """What is kept of a table: where it was, by how much it moves, and what it is.

        What is further down is kept if the parser has got there.
        """
        start, end, longer = self._run.start, self._run.end, self._edit.longer
        for at, entry in table.items():
            if at < start:
                yield at, 0, entry
            elif reads_on and at >= end:
                yield at, longer, entry

    def _rest_of_ops(
        self, reads_on: bool
    ) -> Iterator[tuple[Operation, tuple[int, int, int]]]:
        start, end, longer = self._run.start, self._run.end, self._edit.longer
        for op, (first, name, behind) in self._base.places.ops.items():
            if behind <= start:
                yield op, (first, name, behind)
            elif not reads_on:
                continue
            elif first >= end:
                yield op, (first + longer, name + longer, behind + longer)
            elif first < start:
                yield op, (first, name, behind + longer)

    def _correct_locations(self) -> None:
        """Let ops that have moved say where they are written now."""
        are_all_moved = self._lines_before != self._base.lines_before
        old = self._base.text.count("\n", self._run.start, self._run.end)
        are_moved = old != self._text.count("\n", self._run.start, self._end)
        line_end = self._text.find("\n", self._end)
        for op, (first, name, _) in self._parser.places.ops.items():
            is_on_line = first < line_end or line_end < 0
            if are_all_moved or (first >= self._end and (are_moved or is_on_line)):
                self._parser.place_again(op, name)


def _split_lines(moved: Mapping[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether places of one line are in several lines now."""
    lines = {(old, new) for (old, _), (new, _) in moved.items()}
    return len(lines) > len({old for old, _ in lines})


def _starts_inside(places: Places, start: int, end: int) -> list[int]:
    """Where the names of ops and of values begin that a part of a text has."""
    names = (name for _, name, _ in places.ops.values())
    return sorted(at for at in (*names, *places.definitions) if start <= at < end)


def _names_of(
    text: str, places: Places, ops: Sequence[Operation]
) -> dict[str, tuple[SSAValue, ...]]:
    """The values that ops define for those behind them, by their names."""
    first = min((places.ops[op][0] for op in ops), default=0)
    last = max((places.ops[op][2] for op in ops), default=0)
    return {
        text[start + 1 : end]: values
        for start, (end, values) in places.definitions.items()
        if first <= start < last and values and values[0].owner in ops
    }


def _last_of(ops: Sequence[Operation]) -> Operation | None:
    return ops[-1] if ops else None


def _is_terminator(op: Operation) -> bool:
    return op.has_trait(IsTerminator, value_if_unregistered=False)


def _types_of_terminator(op: Operation | None) -> object:
    """What the op around a terminator may have made of it; None of other ops."""
    if op is None or not _is_terminator(op):
        return None
    return op.name, [operand.type for operand in op.operands]


# What decisions depend on.


def _are_numbers(
    old: Operation, new: Operation, known: dict[IRNode | SSAValue, IRNode | SSAValue]
) -> bool:
    """Whether both are constants for which it does not matter which ones they are."""
    if not (_is_number(old) and _is_number(new)):
        return False
    value, other = old.results[0], new.results[0]
    known[value] = other
    return value.type == other.type and _is_only_computed_with(value)


def _is_number(op: Operation) -> bool:
    """Whether an op is a constant of a floating-point type, and nothing else."""
    return (
        isinstance(op, ConstantOp)
        and isinstance(op.value, FloatAttr)
        and op.properties.keys() == {"value"}
        and not op.attributes
    )


def _is_only_computed_with(value: SSAValue) -> bool:
    """Whether no condition, integer or region depends on a scalar."""
    waiting, seen = [value], {value}
    while waiting:
        for use in waiting.pop().uses:
            op = use.operation
            if op.regions or op.successors or isinstance(op, UnregisteredOp):
                return False
            for result in op.results:
                if isinstance(result.type, AnyFloat):
                    if result not in seen:
                        seen.add(result)
                        waiting.append(result)
                elif not is_tensor(result):
                    return False
    return True
