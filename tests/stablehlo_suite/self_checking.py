"""StableHLO's own tests as functions that return what they compute and expect.

    func.func @test() {                         func.func @test() -> (T, T) {
      %2 = stablehlo.add %0, %1 : T        ->     %2 = stablehlo.add %0, %1 : T
      check.expect_eq_const %2, dense<3> : T      %c = stablehlo.constant dense<3> : T
      func.return                                 return %2, %c : T, T
    }                                           }

A second program takes as arguments what the first one has as constants, so that nothing
is folded. Elements of 2 and 4 bits are returned as 8 bits, which NumPy has.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

TYPE = r"tensor<(?:[^<>]|<[^<>]*>)*>"
DENSE = r"dense<[^>]*>"
VALUE = r"%[\w$.-]+(?:#\d+)?"

_CONSTANT_CHECK = re.compile(
    rf"check\.expect_(?:almost_)?eq_const\s+({VALUE})\s*,\s*({DENSE})[^:]*:\s*({TYPE})"
    r"(?:\s*\{[^}]*\})?"
)
_CHECK = re.compile(
    rf"check\.expect_(?:almost_eq|eq|close)\s+({VALUE})\s*,\s*({VALUE})[^:]*:\s*"
    rf"({TYPE})(?:\s*,\s*{TYPE})?"
)
_CALLED_CHECK = re.compile(
    rf"stablehlo\.custom_call @check\.expect_\w+\(({VALUE}),\s*({VALUE})\).*?:\s*"
    rf"\(({TYPE}),\s*{TYPE}\)\s*->\s*(?:\(\)|tuple<>)"
)
_FUNCTION = re.compile(
    r"func\.func\s+(?:public |private )?@([\w.$-]+)\s*\([^\n]*\{[ \t]*\n"
)
_INPUTS = re.compile(
    rf"({VALUE})(?::\d+)? = (?:func\.)?call @inputs\(\) : \(\) -> (\([^)]*\)|{TYPE})"
)
_CONSTANT = re.compile(rf"({VALUE}) = stablehlo\.constant {DENSE}\s*:\s*({TYPE})")
_FEW_BITS = re.compile(r"(?<=[x<])(u?)i[2-7](?=>)")


@dataclass(frozen=True)
class Program:
    """A function whose results are pairs: what is computed, and what is expected."""

    name: str
    text: str
    entry: str
    inputs: str
    """A program that returns the arguments; empty if there are none."""
    is_rough: bool
    """Whether what is expected was rounded, and has no more than four digits."""


def programs_of(file: str, text: str) -> Iterator[Program]:
    """The programs of a file, each with constants and with arguments."""
    for number, part in enumerate(re.split(r"(?m)^\s*// -----.*$", text)):
        part = re.sub(r"//[^\n]*", "", part)
        for match in _FUNCTION.finditer(part):
            end = _end_of(part, match.end())
            name = f"{file}#{number}@{match[1]}"
            test = _Test(name, match[1], part, (match.start(), match.end(), end))
            if "check.expect" in part[match.end() : end]:
                yield from test.programs()


def _end_of(text: str, start: int) -> int:
    """Where the brace stands that closes what is open at `start`."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    return len(text)


class _Test:
    """A function that checks itself, and what is around it."""

    def __init__(self, name: str, entry: str, text: str, place: tuple[int, int, int]):
        self.name, self.entry = name, entry
        start, first, last = place
        self._before, self._after = text[:start], text[last:]
        self._returned: list[tuple[str, str]] = []
        self._is_rough = "check.expect_almost" in text[first:last]
        self._body = self._without_checks(text[first:last])

    def programs(self) -> Iterator[Program]:
        """With constants and with arguments, if all its checks are understood."""
        if "check.expect" in self._body or not self._returned:
            return
        yield self._program("", self._function(self._body, {}), "")
        yield from self._with_arguments()

    def _program(self, words: str, text: str, inputs: str) -> Program:
        name = f"{self.name}{words}"
        return Program(name, text, self.entry, inputs, self._is_rough)

    def _without_checks(self, body: str) -> str:
        def constant(match: re.Match[str]) -> str:
            name = f"%check{len(self._returned)}"
            self._returned += [(match[1], match[3]), (name, match[3])]
            return f"{name} = stablehlo.constant {match[2]} : {match[3]}"

        def value(match: re.Match[str]) -> str:
            self._returned.extend([(match[1], match[3]), (match[2], match[3])])
            return ""

        body = _CONSTANT_CHECK.sub(constant, body)
        return _CALLED_CHECK.sub(value, _CHECK.sub(value, body))

    def _with_arguments(self) -> Iterator[Program]:
        called = _INPUTS.search(self._body)
        if called is not None:
            types = re.findall(TYPE, called[2])
            names = {f"{called[1]}#{n}": f"%in{n}" for n in range(len(types))}
            if len(types) == 1:
                names = {called[1]: "%in0"}
            body = self._body[: called.start()] + self._body[called.end() :]
            text = self._function(
                body, names, dict(zip(names.values(), types, strict=True))
            )
            inputs = text.replace("private @inputs", "public @inputs")
            yield self._program(", arguments", text, inputs)
            return
        taken: dict[str, str] = {}
        lines: list[str] = []

        def take(match: re.Match[str]) -> str:
            before = self._body[: match.start()]
            is_inner = before.count("{") != before.count("}")
            if is_inner or match[1].startswith("%check") or _is_wide(match[2]):
                return match[0]
            taken[match[1]] = match[2]
            lines.append(match[0])
            return ""

        body = _CONSTANT.sub(take, self._body)
        if taken:
            names, types = ", ".join(taken), ", ".join(taken.values())
            inputs = "\n".join(
                [
                    f"func.func @inputs() -> ({types}) {{",
                    *lines,
                    f"return {names} : {types}\n}}",
                ]
            )
            text = self._function(body, {}, taken)
            yield self._program(", arguments", text, inputs)

    def _function(
        self,
        body: str,
        renamed: dict[str, str],
        arguments: dict[str, str] | None = None,
    ) -> str:
        """The text with the function that returns the pairs."""
        lines: list[str] = []
        values: list[str] = []
        types: list[str] = []
        for number, (value, type_) in enumerate(self._returned):
            wide = _FEW_BITS.sub(r"\1i8", type_)
            values.append(value if wide == type_ else f"%wide{number}")
            if wide != type_:
                lines.append(
                    f"%wide{number} = stablehlo.convert {value} : ({type_}) -> {wide}"
                )
            types.append(wide)
        listed = ", ".join(types)
        lines.append(f"return {', '.join(values)} : {listed}")
        start = body.rindex("return")
        start = body.rfind("\n", 0, start) + 1
        body = body[:start] + "\n".join(lines) + "\n"
        for old, new in renamed.items():
            body = re.sub(rf"{re.escape(old)}(?![\w#:])", new, body)
        given = ", ".join(f"{k}: {v}" for k, v in (arguments or {}).items())
        head = f"func.func @{self.entry}({given}) -> ({listed}) {{\n"
        return f"{self._before}{head}{body}{self._after}"


def _is_wide(type_: str) -> bool:
    """Whether Python has no arrays of a type."""
    return _FEW_BITS.search(type_) is not None
