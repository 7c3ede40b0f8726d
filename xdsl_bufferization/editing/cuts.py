"""Where a text is cut into pieces that can be parsed one by one.

    #map = affine_map<(d0) -> (d0)>        an alias
    builtin.module {                       a shell: its head
      func.func @f() { ... }               a piece
      func.func @g() { ... }               a piece
    }                                      its foot
    // -----                               the next chunk

An edit changes one piece, as a rule, so that the others need not be read again. Braces
say where an op ends. If the braces of a chunk do not match, lines say it that begin
with an op which defines a symbol. So a fault in one function is no fault of the next.
Braces match by chance if one function lacks a brace and another one has one too many.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

SEPARATOR: Final = "// -----"
"""What stands between two programs in a file."""

_STRING: Final = r'"(?:[^"\\\n]|\\.)*"'
_BRACES: Final = re.compile(rf"{_STRING}|//[^\n\r]*|\{{|\}}")
"""Each alternative begins with one character, so that Python skips all others fast."""
_HEADS: Final = re.compile(
    rf"""{_STRING}(?!\s*\()|//[^\n\r]*|(?P<open>[(\[])|(?P<close>[)\]])
    |(?m:^)[ \t]*(?P<op>
        (?P<alias>[\#!][\w$.-]+\s*=(?!=)(?P<location>\s*loc\b)?)
      | (?P<value>%[\w$.-]+\s*[:,=])
      | "[\w$.]+"\s*\(
      | [A-Za-z_][\w$]*\.[\w$.]+(?=[\s(<{{]|\Z)
      | module\b
    )""",
    re.VERBOSE,
)
"""What counts outside of all braces; ops begin lines there."""

_SYMBOL_OP: Final = re.compile(
    r"""^(?P<indent>[ \t]*)(?:
        (?P<alias>[\#!][\w$.-]+\s*=(?!=))
      | func\.func\b
      | (?![\w.]*call\b)[A-Za-z_]\w*\.[\w.]+\b[^\n@%=]*@[\w$."-]+
      | "func\.func"\s*\(
    )""",
    re.VERBOSE | re.MULTILINE,
)
"""A line that begins with an op which defines a symbol, or with an alias.

A function without a name is one as well: its error is none of the function above it.
A call is none.
"""

_SYMBOL_NAME: Final = re.compile(r"""@([\w$.-]+)|(?:@|sym_name\s*=\s*)"([^"\n]*)\"""")

_FUNCTION: Final = "func.func"
_SHELL: Final = re.compile(
    r'(?:builtin\.)?module\b[^{}]*\{|"builtin\.module"\s*\(\s*\{'
)
_GENERIC_REGION: Final = re.compile(r"\(\s*\Z")


@dataclass(frozen=True)
class Cut:
    """A part of a text that is parsed by itself."""

    start: int
    end: int
    is_alias: bool = False
    """Whether it defines an alias; otherwise it has ops."""


@dataclass(frozen=True)
class Shell:
    """A module around the ops of a chunk: what stands before and behind them."""

    start: int
    inner_start: int
    """Behind the brace that opens the body."""
    inner_end: int
    """Before the brace that closes it."""
    end: int


@dataclass(frozen=True)
class ChunkCuts:
    """How one program of a text is cut."""

    start: int
    end: int
    cuts: tuple[Cut, ...]
    shell: Shell | None = None
    is_balanced: bool = True
    """Whether all braces and parentheses match."""

    must_be_whole: bool = False
    """Whether ops use what other ops define, so that a cut may be wrong."""


@dataclass
class _Found:
    """What the braces of a chunk say."""

    intervals: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The parts outside of all braces."""
    is_balanced: bool = True
    has_metadata: bool = False
    """Whether there are resources, which ops refer to."""


def cut_text(text: str) -> list[ChunkCuts]:
    """The programs of a text, each cut into pieces; an empty text is one program."""
    chunks: list[ChunkCuts] = []
    start = 0
    while True:
        end = text.find(SEPARATOR, start)
        chunks.append(_cut_chunk(text, start, len(text) if end < 0 else end))
        if end < 0:
            return chunks
        start = end + len(SEPARATOR)


def cut_by_lines(text: str, chunk: ChunkCuts) -> ChunkCuts:
    """The same chunk, cut where lines begin with an op that defines a symbol."""
    found = list(_SYMBOL_OP.finditer(text, chunk.start, chunk.end))
    # Functions stand in one column; what is further to the right is inside of them.
    columns = [len(each["indent"]) for each in found if each["alias"] is None]
    column = min(columns, default=0)
    starts = [
        (each.start(), each["alias"] is not None)
        for each in found
        if each["alias"] is not None or len(each["indent"]) == column
    ]
    shell = _shell_before(text, chunk, starts)
    if shell is None:
        cuts = _cuts_between(text, starts, chunk.start, chunk.end)
    else:
        outer = [each for each in starts if each[0] < shell.start]
        inner = [each for each in starts if each[0] >= shell.inner_start]
        cuts = (
            *_cuts_between(text, outer, chunk.start, shell.start),
            *_cuts_between(text, inner, shell.inner_start, shell.inner_end),
        )
    return ChunkCuts(chunk.start, chunk.end, cuts, shell, is_balanced=False)


def symbols_defined(text: str) -> Iterator[str]:
    """The names of symbols that lines seem to define, also where these are wrong."""
    for each in _SYMBOL_OP.finditer(text):
        line_end = text.find("\n", each.end())
        end = len(text) if line_end < 0 else line_end
        name = _SYMBOL_NAME.search(text, each.start(), end)
        if name is not None and each["alias"] is None:
            yield name[name.lastindex or 0]


def _shell_before(
    text: str, chunk: ChunkCuts, starts: list[tuple[int, bool]]
) -> Shell | None:
    """The module that begins before the first function, also if it does not end."""
    first = next((start for start, is_alias in starts if not is_alias), None)
    if first is None:
        return None
    found = None
    for each in _HEADS.finditer(text, chunk.start, first):
        op = each["op"]
        if op is not None and _SHELL.match(text, each.start("op"), first):
            found = each
    if found is None:
        return None
    start = found.start("op")
    opened = text.rfind("{", start, first)
    foot = re.compile(r"^[^\S\n]*\}[^{}\n]*\s*\Z", re.MULTILINE)
    last = foot.search(text, first, chunk.end)
    column = start - (text.rfind("\n", 0, start) + 1)
    if last is None or last[0].index("}") != column:
        return Shell(start, opened + 1, chunk.end, chunk.end)
    return Shell(start, opened + 1, last.start() + column, chunk.end)


def is_blank(text: str, start: int, end: int) -> bool:
    """Whether a part of a text has only blanks and comments."""
    return _BLANK.fullmatch(text, start, end) is not None


_BLANK: Final = re.compile(r"\s*(?://[^\n\r]*(?:[\n\r]\s*|\Z))*")


def _cut_chunk(text: str, start: int, end: int) -> ChunkCuts:
    found = _match_braces(text, start, end)
    heads = list(_find_heads(text, found))
    chunk = ChunkCuts(
        start,
        end,
        _cuts_of(text, heads, start, end),
        is_balanced=found.is_balanced,
        must_be_whole=found.has_metadata or _depend(heads),
    )
    if not found.is_balanced or _hides_function(text, chunk.cuts):
        return cut_by_lines(text, chunk)
    return _open_shell(text, chunk, heads)


def _hides_function(text: str, cuts: Sequence[Cut]) -> bool:
    """Whether a function begins inside of another one, as if that had ended.

    It stands in the same column then. Functions of a module may do so as well.
    """
    for cut in cuts:
        if text.startswith(_FUNCTION, cut.start):
            line_start = text.rfind("\n", 0, cut.start) + 1
            head = f"\n{text[line_start : cut.start]}{_FUNCTION}"
            hidden = text.find(head, cut.start, cut.end)
            if hidden >= 0 and text.find("module", cut.start, hidden) < 0:
                return True
    return False


def _depend(heads: list[re.Match[str]]) -> bool:
    """Whether ops define values for others, or locations stand behind their uses."""
    return any(each["value"] or each["location"] for each in heads)


def _cuts_of(
    text: str, heads: list[re.Match[str]], start: int, end: int
) -> tuple[Cut, ...]:
    starts = [(each.start("op"), each["alias"] is not None) for each in heads]
    return _cuts_between(text, starts, start, end)


def _cuts_between(
    text: str, starts: Sequence[tuple[int, bool]], start: int, end: int
) -> tuple[Cut, ...]:
    """Cuts from each of `starts` to the next; the second says if it is an alias."""
    first = starts[0][0] if starts else end
    starts = [*starts, (end, False)]
    if not is_blank(text, start, first):
        starts = [(start, False), *starts]
    return tuple(
        Cut(begin, following, is_alias)
        for (begin, is_alias), (following, _) in pairwise(starts)
    )


def _open_shell(text: str, chunk: ChunkCuts, heads: list[re.Match[str]]) -> ChunkCuts:
    """The chunk with the ops inside of its module, if it has one op and that is it."""
    ops = [cut for cut in chunk.cuts if not cut.is_alias]
    if len(ops) != 1 or chunk.must_be_whole:
        return chunk
    op = ops[0]
    if _SHELL.match(text, op.start, op.end) is None:
        return chunk
    body = _body_of(text, op)
    if body is None:
        return chunk
    inner_start, inner_end = body
    found = _match_braces(text, inner_start, inner_end)
    inner = list(_find_heads(text, found))
    inner_cuts = _cuts_of(text, inner, inner_start, inner_end)
    if not found.is_balanced or _hides_function(text, inner_cuts):
        return cut_by_lines(text, chunk)
    aliases = [cut for cut in chunk.cuts if cut.is_alias]
    # What stands behind the module belongs to its foot, and may be an alias of it.
    cuts = (*aliases, *inner_cuts)
    return ChunkCuts(
        chunk.start,
        chunk.end,
        tuple(sorted(cuts, key=lambda cut: cut.start)),
        Shell(op.start, inner_start, inner_end, op.end),
        True,
        _depend(inner),
    )


def _body_of(text: str, op: Cut) -> tuple[int, int] | None:
    """Where the body of a module begins and ends."""
    depth, opened = 0, 0
    pairs: list[tuple[int, int]] = []
    for each in _BRACES.finditer(text, op.start, op.end):
        if each[0] == "{":
            opened = each.end() if depth == 0 else opened
            depth += 1
        elif each[0] == "}":
            depth -= 1
            if depth == 0:
                pairs.append((opened, each.start()))
    if text.startswith('"', op.start):
        pairs = [
            pair
            for pair in pairs
            if _GENERIC_REGION.search(text, op.start, pair[0] - 1) is not None
        ]
    return pairs[-1] if pairs else None


def _match_braces(text: str, start: int, end: int) -> _Found:
    found = _Found()
    depth, outside = 0, start
    for each in _BRACES.finditer(text, start, end):
        brace = each[0]
        if brace == "{":
            if depth == 0:
                found.intervals.append((outside, each.start()))
                if text.startswith("{-#", each.start()):
                    found.has_metadata = True
            depth += 1
        elif brace == "}":
            depth -= 1
            if depth == 0:
                outside = each.end()
            elif depth < 0:
                depth, found.is_balanced = 0, False
    if depth == 0:
        found.intervals.append((outside, end))
    else:
        found.is_balanced = False
    return found


def _find_heads(text: str, found: _Found) -> Iterator[re.Match[str]]:
    """The beginnings of ops and of aliases, outside of braces and parentheses."""
    depth = 0
    for start, end in found.intervals:
        for each in _HEADS.finditer(text, start, end):
            if each["op"] is not None:
                if depth == 0:
                    yield each
                if each["op"][-1] == "(":
                    depth += 1
            elif each["open"] is not None:
                depth += 1
            elif each["close"] is not None:
                depth = max(0, depth - 1)
    if depth:
        found.is_balanced = False
