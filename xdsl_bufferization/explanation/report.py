"""What an explanation says: plain data about a program on tensors, and its copies.

    explanation.functions[0].decisions[2].verdict           Verdict.COPIED
    explanation.functions[0].decisions[2].reasons[0].read   line 7, column 8: %a

Everything is frozen, made of numbers, strings and each other, and refers to the program
by lines and columns of `Explanation.text`, both counted from 1. Nothing here knows the
compiler: the terminal, the page and JSON are made from this alone.
"""

import dataclasses
import json
from dataclasses import dataclass
from enum import StrEnum

from typing_extensions import override

from .memory import MemoryStage


class Verdict(StrEnum):
    """What becomes of a tensor operand."""

    IN_PLACE = "in place"
    """It uses the buffer of its tensor."""

    COPIED = "copied"
    """It gets a new buffer with the same contents."""

    ALLOCATED = "allocated"
    """The op works on a new buffer, whose old contents nothing reads."""

    MOVED = "moved"
    """The op copies out of the buffer of this operand, into its destination."""


class ReasonKind(StrEnum):
    """Why a copy is made."""

    CONFLICT = "read after write"
    """In place a write would change what is read later."""

    NOT_WRITABLE = "not writable"
    """In place a buffer would be written that must not be."""

    SHARED_WRITE = "shared write"
    """In place, all iterations of a parallel loop would write to one buffer."""

    NOT_EQUIVALENT = "not equivalent"
    """What a loop or branch passes on is not the buffer that is expected."""

    NOT_ANALYSED = "not analysed"
    """The function is left out of the analysis."""

    NOT_IN_DESTINATION = "not in destination"
    """What is inserted was computed in another buffer."""

    CHEAPER = "cheaper"
    """A search found that fewer bytes are copied elsewhere then."""

    LAYOUT = "layout"
    """The buffer has gaps or an offset, with which an op or a function cannot work."""


@dataclass(frozen=True)
class Position:
    """A value at an op of the program."""

    line: int
    column: int
    """Of the op's name; for a definition, of the value where it is defined."""

    file: str | None
    """None if the program comes from no file."""

    op: str
    """The name of the op; of the one around for the argument of a block."""

    value: str
    """The value that is defined, written or read there, with the percent sign."""

    written: tuple[int, int] | None = None
    """Line and column of the op in the file, if passes before changed the program."""


class ActionKind(StrEnum):
    """What a program can do to the text of a program to remove a reason."""

    MOVE = "move"
    """Move ops before another op."""

    DEFINE_IN_LOOP = "define in loop"
    """Move an op into the body of a loop, if only that uses it."""

    MARK_WRITABLE = "mark writable"
    """Add `writable` to a `bufferization.to_tensor`."""

    ALLOW_WRITES = "allow writes"
    """Remove `bufferization.writable = false` from an argument of a function."""

    FILL = "fill"
    """Let an op make a tensor of its own in the place of a constant."""

    ADD_RESTRICT = "add restrict"
    """Add `restrict` to a `bufferization.materialize_in_destination`."""

    SET_OPTION = "set option"
    """Set an option of one-shot-bufferize; nothing changes in the text."""


@dataclass(frozen=True)
class Action:
    """A remedy as data."""

    kind: ActionKind
    ops: tuple[Position, ...] = ()
    """The ops that are moved or changed, in program order."""

    target: Position | None = None
    """The op that ops are moved before, the loop, or the op that uses the value."""

    option: str | None = None
    """The option that is to be set."""


@dataclass(frozen=True)
class Reason:
    """One reason that by itself makes an operand need a copy."""

    kind: ReasonKind
    sentence: str
    """All of it in words, with lines."""

    definition: Position | None
    """What is expected to be read, or where the value that is not writable is from."""

    write: Position | None
    """Where the buffer would be written."""

    read: Position | None
    """Where it would be read."""

    remedy: str | None
    """What would remove the reason, where that can be told."""

    action: Action | None = None
    """The remedy as data, if a program can do it."""


@dataclass(frozen=True)
class Decision:
    """What was decided about one tensor operand of an op."""

    op: str
    position: Position
    """Of the op, with the value that the operand carries."""

    operand_number: int
    """Among all operands of the op, the first is 0."""

    value_name: str
    alias_set: int
    """The alias set of the value: see `FunctionReport.values`."""

    verdict: Verdict
    reasons: tuple[Reason, ...]
    """Each would force the copy alone; none for what is in place."""

    more_reasons: int
    """How many more there are than the first 10, which `reasons` has."""

    are_reasons_counted: bool
    """Whether `more_reasons` is all; otherwise there may be even more."""

    bytes: int | None
    """What the new buffer holds; 0 in place, None if only the running program knows."""

    size: str
    """The same in words: `64 bytes`, `dim 0 of %a * 4 bytes`."""


@dataclass(frozen=True)
class Value:
    """A tensor of the program."""

    name: str
    type: str
    position: Position
    alias_set: int
    """Values with the same number, from 1 in each function, may share a buffer."""


class Fate(StrEnum):
    """What becomes of a buffer in the end."""

    FREED = "freed"
    """The function frees it."""

    CALLER = "caller"
    """It is returned, or passed on otherwise: somebody else frees it."""

    NOBODY = "nobody"
    """Nobody frees it."""


@dataclass(frozen=True)
class Buffer:
    """A buffer that a function allocates after the pipeline, and who frees it."""

    name: str
    line: int | None
    """Of the op in the file that it is from, where that is known."""

    bytes: int | None
    """None if only the running program knows."""

    fate: Fate
    freed_at: int | None
    """The line before or at which it is freed."""


@dataclass(frozen=True)
class CallerCopy:
    """An argument that a call copies for its caller, who keeps it."""

    argument: str
    """Its name, with the percent sign."""

    bytes: int | None
    """None if only the running program knows."""

    estimated_bytes: int
    """The same, or a guess."""


@dataclass(frozen=True)
class FunctionReport:
    """What was decided about a function, and what that costs.

    The figures are of the function after the pipeline, each op counted once; bytes are
    those of sizes that are known. None if the pipeline left no function of that name.
    """

    name: str
    position: Position
    last_line: int
    """The line in which the function ends."""

    values: tuple[Value, ...]
    """In program order."""

    decisions: tuple[Decision, ...]
    """In program order, operands from left to right."""

    allocations: int | None = None
    """Ops that allocate."""

    dynamic_allocations: int | None = None
    """Those among them of unknown size."""

    copies: int | None = None
    """Ops that copy a buffer."""

    dynamic_copies: int | None = None
    """Those among them of unknown size."""

    layout_copies: int | None = None
    """Those among `copies` that are made only for the sake of a layout."""

    later_copies: int | None = None
    """Those that passes behind one-shot-bufferize made: clones of what is returned."""

    caller_copies: tuple[CallerCopy, ...] = ()
    """What a call copies beside that: tensors that the function overwrites."""

    bytes_allocated: int | None = None
    bytes_copied: int | None = None
    peak: int | None = None
    """The most bytes that are allocated at one time, with functions called."""

    lower_bound: int | None = None
    """The most bytes that are in use at one time: no placement needs less."""

    optimum: str | None = None
    """What a search says of its decisions: how many bytes any others copy at least."""

    proofs: tuple[str, ...] | None = None
    """What is proven of the function, a line each; None if nobody has asked."""

    buffers: tuple[Buffer, ...] | None = None
    """What it allocates, and who frees that; None if nobody has asked."""

    def summary(self) -> str:
        """One line: how many operands are copied, and what the function allocates."""
        copied = sum(each.verdict is Verdict.COPIED for each in self.decisions)
        text = f"@{self.name}: {copied} of {len(self.decisions)} tensor operands copied"
        if self.allocations is None:
            return text
        return (
            f"{text}; copies: {self.copies}; allocations: {self.allocations}, of "
            f"{self.bytes_allocated} bytes"
        )


_MOST_FUNCTIONS = 8
"""How many functions the summary of an explanation has."""


@dataclass(frozen=True, repr=False)
class Explanation:
    """What was decided about all functions of a program, and why."""

    file: str | None
    """None if the program comes from no file."""

    text: str
    """The program: the file as it was written, or what was printed."""

    passes_before: str
    """The passes that changed the program before the decisions, `a,b`; often none."""

    pipeline: str
    """All passes that the figures are about, as xdsl-opt takes them."""

    functions: tuple[FunctionReport, ...]

    memory: tuple[MemoryStage, ...] = ()
    """What the program does with memory, with more and more done to need little."""

    changes: tuple[str, ...] = ()
    """What passes before changed in order to copy less, and what kept them from more.
    Each is a remark with its place."""

    proof_costs: tuple[str, ...] = ()
    """What each proof of the program did, and took; none if nobody has asked."""

    @override
    def __repr__(self) -> str:
        """A summary: the program alone may have megabytes."""
        lines = [f"<explanation of {self.file or 'a program'}"]
        lines += [f"  {each.summary()}" for each in self.functions[:_MOST_FUNCTIONS]]
        if len(self.functions) > _MOST_FUNCTIONS:
            more = len(self.functions) - _MOST_FUNCTIONS
            lines.append(f"  and {more} more function{'s' * (more > 1)}")
        return "\n".join(lines) + ">"

    def as_dict(self) -> dict[str, object]:
        """Dictionaries, lists, strings and numbers, as `schema.json` describes them."""
        return dataclasses.asdict(self)

    def as_json(self) -> str:
        """One JSON object in one line."""
        return json.dumps(self.as_dict())
