"""What there is to say about a word of a document.

    %0        its type, its size in bytes, and the op that defines it
    linalg.fill     what it does, its syntax, and what it takes and returns
    @f        the first line of the function
    ^bb1      the arguments of the block
    #map      what the alias stands for

The text is Markdown. `decisions.py` says what is decided about the operands of an op.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, TensorType, UnregisteredOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.op_descriptions import (
    fields_of,
    parts_of,
    summary_of,
    syntax_of,
)
from xdsl_bufferization.dialects.memref.sizes import count_bytes

from .document import Document, Placed
from .names import At, definition_of_symbol, definition_of_value, look_at
from .places import Range
from .words import Kind

_LONGEST = 200
"""So much of a type or an attribute is shown."""


@dataclass(frozen=True)
class Hover:
    """Text about a part of the document."""

    range: Range
    text: str


def hover(document: Document, position: int) -> Hover | None:
    """What is known about the word at a position, without decisions."""
    at = look_at(document, position)
    if at is None:
        return None
    match at.word.kind:
        case Kind.VALUE:
            text = _about_value(at)
        case Kind.WORD | Kind.STRING:
            text = _about_op(at)
        case Kind.SYMBOL:
            text = _about_symbol(at)
        case Kind.LABEL:
            text = _about_label(at)
        case Kind.ATTRIBUTE | Kind.TYPE:
            text = _about_alias(at)
        case _:
            text = None
    return None if text is None else Hover(at.range, text)


def op_named_at(at: At) -> Operation | None:
    """The op whose name a word is."""
    places = at.placed.piece.op_places
    return next(
        (op for op, place in places.items() if place.name == at.word.start), None
    )


def describe_type(type_: Attribute) -> str:
    """A type with its size, if that is known: `tensor<4xf32>`, 16 bytes."""
    text = f"`{_short(type_)}`"
    if not isa(type_, TensorType | MemRefType):
        return text
    size = count_bytes(type_)
    if size is None:
        return f"{text}, size known when it runs"
    return f"{text}, {size:,} byte{'s' * (size != 1)}"


def _short(attribute: Attribute) -> str:
    text = str(attribute)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _about_value(at: At) -> str | None:
    piece = at.placed.piece
    name = piece.names_by_start.get(at.word.start)
    if name is None:
        return None
    lines = [*dict.fromkeys(_value_line(at.word.text, each) for each in name.values)]
    definition = definition_of_value(piece, at.word)
    if definition is not None and not name.is_definition:
        start = piece.text.rfind("\n", 0, definition.start) + 1
        end = piece.text.find("\n", definition.start)
        line = piece.text[start : len(piece.text) if end < 0 else end].strip()
        lines += ["", "```mlir", line[:_LONGEST], "```"]
    return "\n".join(lines)


def _value_line(name: str, value: SSAValue) -> str:
    kind = ""
    if isinstance(value, BlockArgument):
        around = value.block.parent_op()
        if around is not None:
            kind = f", argument {value.index} of `{around.name}`"
    elif isinstance(value, OpResult):
        kind = f", result {value.index} of `{value.op.name}`"
    return f"`{name}`: {describe_type(value.type)}{kind}"


def _about_op(at: At) -> str | None:
    op = op_named_at(at)
    if op is not None:
        if isinstance(op, UnregisteredOp):
            return f"`{op.op_name.data}` is of a dialect that is not known here"
        return describe_op(type(op))
    if at.word.kind is Kind.WORD and "." in at.word.text:
        # In a piece with an error, ops are known by their names alone.
        op_type = at.placed.piece.parser.ctx.get_optional_op(at.word.text)
        if op_type is not None and op_type is not UnregisteredOp:
            return describe_op(op_type)
    return None


def describe_op(op_type: type[Operation]) -> str:
    """The name of an op, what it does, its syntax and its parts."""
    lines = [f"**{op_type.name}**", ""]
    summary = summary_of(op_type)
    if summary:
        lines += [summary, ""]
    syntax = syntax_of(op_type)
    if syntax is not None:
        lines += ["```mlir", syntax, "```", ""]
    fields = fields_of(op_type)
    if fields is not None:
        lines += parts_of(fields)
    return "\n".join(lines).rstrip()


def _about_symbol(at: At) -> str | None:
    found = definition_of_symbol(at)
    if found is None:
        return None
    placed, op = found
    return "\n".join(["```mlir", first_line(placed, op), "```"])


def first_line(placed: Placed, op: Operation) -> str:
    """How an op begins, without its body."""
    place = placed.piece.op_places[op]
    text = placed.piece.text[place.start : place.end]
    inner = [
        other.start - place.start
        for region in op.regions
        for block in region.blocks
        for each in block.ops
        if (other := placed.piece.op_places.get(each)) is not None
    ]
    head = text[: min(inner)] if inner else text
    head = " ".join(head.split()).removesuffix("{").rstrip()
    return head if len(head) <= 2 * _LONGEST else f"{head[: 2 * _LONGEST]}..."


def _about_label(at: At) -> str | None:
    label = at.placed.piece.places.labels.get(at.word.start)
    if label is None:
        return None
    lines = [f"block `{at.word.text}`"]
    names = {
        value: each
        for each in at.placed.piece.names
        if each.is_definition
        for value in each.values
    }
    for argument in label.block.args:
        name = names.get(argument)
        text = "" if name is None else at.placed.piece.text[name.start : name.end]
        lines.append(f"- {_value_line(text, argument)}")
    return "\n".join(lines)


def _about_alias(at: At) -> str | None:
    for placed in _aliases(at):
        known = placed.piece.parser.attribute_aliases.get(at.word.text)
        if known is not None:
            return f"`{at.word.text}` = `{_short(known)}`"
    return None


def _aliases(at: At) -> Iterator[Placed]:
    yield at.placed
    for placed in at.program.placed:
        if placed.is_alias:
            yield placed
