"""What may be written at a place of a document.

    %         values that are known there           tensor.     ops of the dialect
    @         symbols                               {           attributes of the op
    ^         blocks of the function                : or ->     types
    #  !      aliases, attributes and types of dialects

    // RUN: xbuf opt -p "canon      passes;  behind `{`, options of the pass

It works from the words in front, as what is being written is broken as a rule.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from xdsl.context import Context
from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import AttributeDef, OptionalDef, PropertyDef

from xdsl_bufferization.dialects.common.definitions import load_extension
from xdsl_bufferization.dialects.common.op_descriptions import (
    SEGMENTS,
    describe,
    fields_of,
    operations_of,
    summary_of,
    syntax_of,
)
from xdsl_bufferization.pipelines.available_passes import available_passes
from xdsl_bufferization.pipelines.pass_help import options_of, purpose_of

from .document import Document, Placed, Program
from .hover import describe_type
from .outline import list_symbols
from .places import Range
from .words import Kind, bare_name, words_of


class ItemKind(Enum):
    """What is offered."""

    VALUE = "value"
    SYMBOL = "symbol"
    BLOCK = "block"
    OP = "op"
    DIALECT = "dialect"
    ATTRIBUTE = "attribute"
    TYPE = "type"
    PASS = "pass"
    OPTION = "option"


@dataclass(frozen=True)
class Item:
    """Something that may be written."""

    label: str
    kind: ItemKind
    range: Range
    """What it replaces."""
    detail: str = ""
    text: str = ""
    """More about it."""


_STARTED: Final = re.compile(r"(?P<mark>[%@^#!]?)(?P<word>[\w$.-]*)\Z")
_PIPELINE: Final = re.compile(
    r"""(?:^|\s)-?-(?:p|passes|pipeline|pass-pipeline)(?:=|\s+)["']?(?P<text>[^"']*)\Z"""
)
_OF_MLIR_OPT: Final = re.compile(
    r"""(?:^|\s)--?(?P<pass>[a-z][\w-]*)=["'](?P<options>[^"']*)\Z"""
)
_MORE_OF_MLIR_OPT: Final = re.compile(r"(?:^|\s)--?(?P<word>[a-z][\w-]*)?\Z")
_AT_OP: Final = re.compile(r"(?:^|\n|\{|=)[ \t]*\Z")
_AT_TYPE: Final = re.compile(r"(?::|->|\bto|<(?:[?\d]+x)*|[(,])[ \t]*\Z")
_TYPES: Final = (
    "tensor", "memref", "vector", "complex", "index", "i1", "i8", "i16", "i32", "i64",
    "bf16", "f16", "f32", "f64", "none",
)  # fmt: skip


def complete(document: Document, position: int) -> list[Item]:
    """What may be written at a position, in no order."""
    line = document.text.rfind("\n", 0, position) + 1
    before = document.text[line:position]
    if before.lstrip().startswith("//"):
        return list(_in_command(before, position))
    program = document.program_at(position)
    start = program.cuts.start
    placed = program.piece_at(position)
    if placed is not None and placed is not program.shell:
        start = placed.start
    text = document.text[start:position]
    found = _STARTED.search(text)
    assert found is not None, "it may be empty"
    at = Range(start + found.start(), position)
    match found["mark"]:
        case "%":
            return list(_values(placed, text[: found.start()], at))
        case "@":
            return list(_symbols(document, at))
        case "^":
            return list(_blocks(placed, at))
        case "#" | "!":
            return list(_aliases(document, program, found[0], at))
        case _:
            return list(_words(document, text[: found.start()], found["word"], at))


# Names.


def _values(placed: Placed | None, before: str, at: Range) -> Iterator[Item]:
    """The values that are defined in front and whose region is not over yet."""
    types: dict[str, str] = {}
    if placed is not None:
        for name in placed.piece.names:
            if name.is_definition:
                text = bare_name_at(placed.piece.text, name.start)
                types[text] = ", ".join(
                    describe_type(each.type) for each in name.values
                )
    for name in _visible_values(before):
        detail = types.get(name, "").replace("`", "")
        yield Item(f"%{name}", ItemKind.VALUE, at, detail)


_VALUE_NAME: Final = re.compile(r"%([\w$.-]+)")


def bare_name_at(text: str, start: int) -> str:
    """The name of the value that begins at a place."""
    found = _VALUE_NAME.match(text, start)
    return "" if found is None else found[1]


_SCOPES: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n\r]*|[{}]|%[\w$.-]+')


def _visible_values(before: str) -> Iterable[str]:
    """The names of a text without those in braces that are closed."""
    scopes: list[list[str]] = [[]]
    for each in _SCOPES.finditer(before):
        word = each[0]
        if word == "{":
            scopes.append([])
        elif word == "}" and len(scopes) > 1:
            scopes.pop()
        elif word.startswith("%"):
            scopes[-1].append(word[1:])
    return dict.fromkeys(name for scope in reversed(scopes) for name in scope)


def _symbols(document: Document, at: Range) -> Iterator[Item]:
    waiting = list_symbols(document)
    while waiting:
        symbol = waiting.pop()
        waiting += symbol.children
        if symbol.name != "module":
            yield Item(f"@{symbol.name}", ItemKind.SYMBOL, at, symbol.detail)


def _blocks(placed: Placed | None, at: Range) -> Iterator[Item]:
    words = [] if placed is None else words_of(placed.piece.text)
    names = dict.fromkeys(
        bare_name(word)
        for word in words
        if word.kind is Kind.LABEL
        and placed is not None
        and placed.place(word.start) != at.start
    )
    for name in names:
        yield Item(f"^{name}", ItemKind.BLOCK, at)


def _aliases(
    document: Document, program: Program, text: str, at: Range
) -> Iterator[Item]:
    mark, name = text[0], text[1:]
    # Each alias knows the ones in front of it, so that the last one knows all.
    for placed in [each for each in program.placed if each.is_alias][-1:]:
        for alias, meaning in placed.piece.parser.attribute_aliases.items():
            if alias.startswith(mark):
                kind = ItemKind.TYPE if mark == "!" else ItemKind.ATTRIBUTE
                yield Item(alias, kind, at, str(meaning)[:80])
    dialect, dot, _ = name.partition(".")
    ctx = document.context
    if not dot:
        for each in sorted(ctx.registered_dialect_names):
            yield Item(f"{mark}{each}", ItemKind.DIALECT, at)
    elif dialect in ctx.registered_dialect_names:
        attributes = [*ctx.get_dialect(dialect).attributes]
        attributes += load_extension(dialect).attributes.values()
        for each in attributes:
            is_type = issubclass(each, TypeAttribute)
            if is_type == (mark == "!"):
                kind = ItemKind.TYPE if is_type else ItemKind.ATTRIBUTE
                parameters = ""
                if issubclass(each, ParametrizedAttribute):
                    fields = each.get_irdl_definition().parameters
                    parameters = ", ".join(field for field, _ in fields)
                yield Item(f"{mark}{each.name}", kind, at, parameters)


# Ops, attributes of ops, types.


def _words(document: Document, before: str, word: str, at: Range) -> Iterator[Item]:
    op_name = _op_of_dictionary(before)
    if op_name is not None:
        yield from _attributes(document.context, op_name, at)
        return
    if "." in word or _AT_OP.search(before) is not None:
        yield from _ops(document.context, word, at)
    elif _AT_TYPE.search(before) is not None:
        for each in _TYPES:
            yield Item(each, ItemKind.TYPE, at)


def _ops(ctx: Context, word: str, at: Range) -> Iterator[Item]:
    dialect, dot, _ = word.partition(".")
    if not dot:
        for each in sorted(ctx.registered_dialect_names):
            yield Item(each, ItemKind.DIALECT, at, "dialect")
        return
    if dialect not in ctx.registered_dialect_names:
        return
    for op_type in operations_of(ctx, dialect):
        syntax = syntax_of(op_type) or ""
        yield Item(op_type.name, ItemKind.OP, at, syntax, summary_of(op_type))


_OPENED: Final = re.compile(r"[{}]")
_OP_IN_LINE: Final = re.compile(
    r'(?:^|=)[ \t]*(?P<op>[a-z_]\w*\.[\w.]+|"[\w.]+"(?=\())'
)
_IN_DICTIONARY: Final = re.compile(r"[{,]\s*\Z")


def _op_of_dictionary(before: str) -> str | None:
    """The op in whose dictionary of attributes a text ends, where a name may stand.

    The brace and the op are in the line that ends the text: a brace at the end of a
    line opens a region.
    """
    line = before.rpartition("\n")[2]
    if _IN_DICTIONARY.search(line) is None:
        return None
    depth = 0
    for each in _OPENED.finditer(line):
        depth += 1 if each[0] == "{" else -1
    found = _OP_IN_LINE.search(line)
    if depth < 1 or found is None:
        return None
    return found["op"].strip('"')


def _attributes(ctx: Context, op_name: str, at: Range) -> Iterator[Item]:
    op_type = ctx.get_optional_op(op_name)
    fields = None if op_type is None else fields_of(op_type)
    if fields is None:
        return
    parts: dict[str, PropertyDef | AttributeDef] = fields.properties | fields.attributes
    for name, part in parts.items():
        if name not in SEGMENTS:
            need = "optional" if isinstance(part, OptionalDef) else ""
            detail = ", ".join(filter(None, (describe(part.constr), need)))
            yield Item(name, ItemKind.ATTRIBUTE, at, detail)


# Passes.


def _in_command(before: str, position: int) -> Iterator[Item]:
    """Passes and their options in a comment that has a command."""
    found = _PIPELINE.search(before)
    if found is not None:
        yield from complete_pipeline(found["text"], position)
        return
    found = _OF_MLIR_OPT.search(before)
    if found is not None:
        yield from _options(found["pass"], found["options"], position)
        return
    found = _MORE_OF_MLIR_OPT.search(before)
    if found is not None and "opt" in before:
        word = found["word"] or ""
        yield from _passes(Range(position - len(word), position))


def complete_pipeline(text: str, position: int) -> Iterator[Item]:
    """What may follow the text of a pipeline, which ends at a position.

    `canonicalize,one-sh` is completed by passes, `one-shot-bufferize{` by options.
    """
    opened = text.rfind("{")
    if opened > text.rfind("}"):
        name = re.split(r"[,(){}\s]", text[:opened])[-1]
        yield from _options(name, text[opened + 1 :], position)
        return
    word = re.split(r"[,(){}\s]", text)[-1]
    yield from _passes(Range(position - len(word), position))


def _passes(at: Range) -> Iterator[Item]:
    for name in sorted(available_passes()):
        yield Item(name, ItemKind.PASS, at)


def describe_pass(name: str) -> str:
    """What a pass does, and its options, in Markdown; nothing of an unknown one."""
    load = available_passes().get(name)
    if load is None:
        return ""
    return _describe_pass(name)


@lru_cache(maxsize=256)
def _describe_pass(name: str) -> str:
    try:
        pass_type = available_passes()[name]()
    except ImportError as error:
        return f"needs a package that is not installed: {error.name}"
    options = [
        f"- `{option.name}`: {option.type}, default {option.default}. {option.meaning}"
        for option in options_of(pass_type)
    ]
    return "\n".join([purpose_of(pass_type), "", *options]).rstrip()


def _options(pass_name: str, before: str, position: int) -> Iterator[Item]:
    load = available_passes().get(pass_name)
    word = re.split(r"[\s,]", before)[-1]
    if load is None or "=" in word:
        return
    at = Range(position - len(word), position)
    try:
        options = options_of(load())
    except ImportError:
        return
    for option in options:
        detail = f"{option.type}, default {option.default}"
        yield Item(option.name, ItemKind.OPTION, at, detail, option.meaning)
