"""What a file check expects, and how it is rewritten from what a command prints.

    // CHECK-LABEL: func.func @f      a part begins; it ends with the next label
    // CHECK-NEXT: memref.load        held before, and holds: stays as it is
    // CHECK-NEXT: memref.copy        is not printed any more: goes
    // CHECK-NEXT: %0 = arith...      is printed in its place: comes

A part whose expectations hold is never touched, whatever else the command prints.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from filecheck.error import CheckError
from filecheck.matcher import Matcher
from filecheck.options import DumpInputKind, Options

PATTERN: Final = re.compile(
    r"\{\{(?P<expression>.*?)\}\}|\[\[[^]:]*(?::(?:[^]]|\](?!\]))*)?\]\]"
)
"""An expression, or a variable that is set or used."""

SYMBOL: Final = re.compile(r"(?:func\.func|llvm\.func) .*?(@[\w$.-]+|@\"[^\"]*\")")


@dataclass(frozen=True)
class Directive:
    """A line of a file that says what is printed."""

    line: int
    """Its place in the file, from 0."""

    lead: str
    """What is before the prefix: `// `."""

    kind: str
    """`NEXT`, `LABEL`, ...; nothing for a plain one."""

    text: str


@dataclass(frozen=True)
class Part:
    """What is expected from a label on, up to the next one."""

    label: Directive | None
    directives: tuple[Directive, ...]

    @property
    def name(self) -> str:
        """What the part is called in messages."""
        return "the lines before a label" if self.label is None else self.label.text


@dataclass(frozen=True)
class Rewritten:
    """A file after its expectations were rewritten."""

    lines: tuple[str, ...]
    left: tuple[str, ...] = ()
    """Why parts are as they were that do not hold."""


def directives_in(lines: Sequence[str], prefix: str) -> list[Directive]:
    """The directives with a prefix, in order."""
    form = re.compile(rf"^(\s*//\s*){re.escape(prefix)}(?:-([A-Z]+(?:-\d+)?))?:(.*)$")
    found = ((number, form.match(line)) for number, line in enumerate(lines))
    return [
        Directive(number, match[1], match[2] or "", match[3].strip())
        for number, match in found
        if match is not None
    ]


def rewrite(lines: Sequence[str], prefix: str, output: str) -> Rewritten:
    """The lines of a file, with the expectations of `prefix` as `output` is."""
    printed = output.splitlines()
    directives = directives_in(lines, prefix)
    if not directives:
        filled = tuple(filled_in(lines, prefix, printed))
        if accepts(filled, [prefix], output):
            return Rewritten(filled)
        return Rewritten(tuple(lines), ("what is printed says nothing of the program",))
    if accepts(lines, [prefix], output):
        return Rewritten(tuple(lines))
    edits: dict[int, list[str]] = {}
    left: list[str] = []
    for part, region in _regions(directives, printed):
        if region is None:
            left.append(f"nothing is printed for '{part.name}'")
            continue
        checked = part.directives if part.label is None else _whole(part)
        if _hold(prefix, checked, region):
            continue
        edited = _edit(part, prefix, region)
        if edited is None:
            left.append(f"'{part.name}' has patterns, or lines in no order")
        else:
            edits |= edited
    changed = [
        each for number, line in enumerate(lines) for each in edits.get(number, [line])
    ]
    if not left and not accepts(changed, [prefix], output):
        return Rewritten(tuple(lines), ("expectations of several parts contradict",))
    return Rewritten(tuple(changed), tuple(left))


def _whole(part: Part) -> tuple[Directive, ...]:
    return part.directives if part.label is None else (part.label, *part.directives)


def _hold(prefix: str, directives: Sequence[Directive], printed: Sequence[str]) -> bool:
    """Whether these expectations alone accept what is printed."""
    lines = [_spell(each, prefix) for each in directives]
    return not lines or accepts(lines, [prefix], "\n".join(printed))


def accepts(lines: Sequence[str], prefixes: Sequence[str], output: str) -> bool:
    """Whether `filecheck` accepts an output for a file with these lines."""
    with TemporaryDirectory() as folder:
        expected, given = Path(folder, "expected"), Path(folder, "given")
        expected.write_text("".join(f"{line}\n" for line in lines))
        given.write_text(f"{output}\n")
        options = Options(
            str(expected), str(given), [*prefixes], dump_input=DumpInputKind.NEVER
        )
        matcher = Matcher.from_opts(options)
        # Some of its checks print where they are.
        with matcher.stderr, redirect_stdout(StringIO()):
            try:
                return matcher.run() == 0
            except CheckError:
                # Of a variable without a value.
                return False


def _spell(directive: Directive, prefix: str) -> str:
    kind = f"-{directive.kind}" if directive.kind else ""
    return f"{directive.lead}{prefix}{kind}: {directive.text}"


def _regions(
    directives: Sequence[Directive], printed: Sequence[str]
) -> Iterator[tuple[Part, Sequence[str] | None]]:
    """Each part with the lines that are printed for it, its label among them."""
    parts = _parts(directives)
    starts: list[int | None] = []
    place = 0
    for part in parts:
        start = 0 if part.label is None else _find(part.label.text, printed, place)
        starts.append(start)
        if start is not None and part.label is not None:
            place = start + 1
    for number, part in enumerate(parts):
        start = starts[number]
        later = (each for each in starts[number + 1 :] if each is not None)
        yield part, None if start is None else printed[start : next(later, None)]


def _parts(directives: Sequence[Directive]) -> list[Part]:
    parts = [Part(None, ())]
    for each in directives:
        if each.kind == "LABEL":
            parts.append(Part(each, ()))
        else:
            last = parts.pop()
            parts.append(Part(last.label, (*last.directives, each)))
    return parts if parts[0].directives else parts[1:]


def _find(text: str, printed: Sequence[str], place: int) -> int | None:
    form = _form(text)
    numbers = range(place, len(printed))
    return next((n for n in numbers if form.search(_plain(printed[n]))), None)


def _form(text: str) -> re.Pattern[str]:
    """What finds the text of a directive in a line; a variable may be anything."""
    pieces: list[str] = []
    end = 0
    for found in PATTERN.finditer(text):
        pieces += [re.escape(_plain(text[end : found.start()])), _meaning(found)]
        end = found.end()
    return re.compile("".join([*pieces, re.escape(_plain(text[end:]))]))


def _meaning(found: re.Match[str]) -> str:
    return ".*?" if found["expression"] is None else f"(?:{found['expression']})"


def _plain(text: str) -> str:
    return re.sub(r"[ \t]+", " ", text)


def _edit(
    part: Part, prefix: str, region: Sequence[str]
) -> dict[int, list[str]] | None:
    """New lines in place of lines of the file; none where that cannot be done."""
    if any(each.kind not in ("", "NEXT", "NOT") for each in part.directives):
        return None
    body = region if part.label is None else region[1:]
    wanted = [each for each in part.directives if each.kind != "NOT"]
    places = _align(wanted, body)
    lost = [each for each, at in zip(wanted, places, strict=True) if at is None]
    if any(PATTERN.search(each.text) for each in lost):
        return None
    edits = _Edits(part, prefix, body, {each.line: [] for each in lost})
    edits.run(wanted, places)
    lines = [
        line
        for each in _whole(part)
        for line in edits.lines.get(each.line, [_spell(each, prefix)])
    ]
    return edits.lines if accepts(lines, [prefix], "\n".join(region)) else None


def _align(directives: Sequence[Directive], body: Sequence[str]) -> list[int | None]:
    """The line of each directive, in order, with as many found as possible."""
    plain = [_plain(line) for line in body]
    found = [
        [form.search(line) is not None for line in plain]
        for form in (_form(each.text) for each in directives)
    ]
    best = [[0] * (len(body) + 1) for _ in range(len(directives) + 1)]
    for i in reversed(range(len(directives))):
        for j in reversed(range(len(body))):
            best[i][j] = max(
                best[i + 1][j], best[i][j + 1], found[i][j] + best[i + 1][j + 1]
            )
    places: list[int | None] = []
    j = 0
    for i in range(len(directives)):
        at = next(
            (
                k
                for k in range(j, len(body))
                if found[i][k] and 1 + best[i + 1][k + 1] == best[i][j]
            ),
            None,
        )
        places.append(at)
        j = j if at is None else at + 1
    return places


@dataclass
class _Edits:
    """The lines of one part as they will be."""

    part: Part
    prefix: str
    body: Sequence[str]
    lines: dict[int, list[str]]
    """What stands in place of a line of the file."""

    def run(self, wanted: Sequence[Directive], places: Sequence[int | None]) -> None:
        """Keep what is found, and write the lines in between where some were lost."""
        previous = -1
        lost: Directive | None = None
        for each, at in zip(wanted, places, strict=True):
            if at is None:
                lost = lost or each
                continue
            if lost is not None:
                self.lines[lost.line] = self._between(previous, at, lost)
            elif each.kind == "NEXT" and at > previous + 1:
                inserted = self._between(previous, at, each)
                self.lines[each.line] = [*inserted, _spell(each, self.prefix)]
            previous, lost = at, None
        if lost is not None:
            end = self._end(previous)
            self.lines[lost.line] = self._between(previous, end, lost)

    def _end(self, previous: int) -> int:
        """Where the function ends, without the braces that close what is around."""
        numbers = range(previous + 1, len(self.body))
        functions = (n for n in numbers if SYMBOL.search(self.body[n]))
        end = next(functions, len(self.body))
        closes = self.part.directives[-1].text == "}"
        while end > previous + 1 and self.body[end - 1].strip() in ("", "}"):
            if closes and self.body[end - 1].strip():
                break
            end -= 1
        return end

    def _between(self, previous: int, at: int, like: Directive) -> list[str]:
        """Directives for the lines of the output between two places."""
        follows = previous >= 0 or self.part.label is not None
        body = self.body[previous + 1 : at]
        return _directives_for(body, f"{like.lead}{self.prefix}", follows=follows)


def _directives_for(body: Sequence[str], start: str, *, follows: bool) -> list[str]:
    """Directives for lines of an output, which may follow on a line before."""
    spelled: list[str] = []
    for line in body:
        text = escaped(line.strip())
        if text:
            spelled.append(f"{start}{'-NEXT' if follows else ''}: {text}")
        # Nothing follows on a line that nobody expects.
        follows = bool(text)
    return spelled


def escaped(text: str) -> str:
    """The text as a directive that finds just that."""
    return text.replace("{{", r"{{\{\{}}").replace("[[", r"{{\[\[}}")


def filled_in(lines: Sequence[str], prefix: str, printed: Sequence[str]) -> list[str]:
    """A file that expects nothing yet, with all that is printed."""
    changed = [*lines]
    start = f"// {prefix}"
    functions = [n for n, line in enumerate(printed) if SYMBOL.search(line)]
    if not functions:
        runs = [n for n, line in enumerate(lines) if re.match(r"\s*//\s*RUN:", line)]
        place = runs[-1] + 1 if runs else 0
        changed[place:place] = _directives_for(printed, start, follows=False)
        return changed
    for first, end in zip(functions, [*functions[1:], len(printed)], strict=True):
        found = SYMBOL.search(printed[first])
        assert found is not None
        body = [*printed[first + 1 : end]]
        while body and body[-1].strip() in ("", "}"):
            body.pop()
        text = [f"{start}-LABEL: {escaped(found[0])}"]
        text += _directives_for(body, start, follows=True)
        place = _line_of(found[1], changed)
        changed[place:place] = text
    return changed


def _line_of(symbol: str, lines: Sequence[str]) -> int:
    """Where a symbol is defined; the end of the file if nowhere."""
    form = re.compile(rf"^\s*[\w.]+ .*{re.escape(symbol)}(?![\w$.-])")
    numbers = range(len(lines))
    return next((n for n in numbers if form.match(lines[n])), len(lines))
