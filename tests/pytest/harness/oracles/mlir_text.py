"""Programs as text, ours and mlir-opt's, for checking that both mean the same."""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException

from harness.oracles.tool_runs import ToolFaultError, run_tool
from harness.oracles.tools import MLIR_OPT, find_oracle
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.targets.mlir_22 import MLIR22Target
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.printing import MLIRPrinter
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.support.equivalence import are_same_programs
from xdsl_bufferization.tools.common.diagnostics import describe

FILE = "program.mlir"
"""Where our messages say that a program is."""

GENERIC = "--mlir-print-op-generic"
MLIRS_CACHE = "linalg.memoized_indexing_maps"
"""What MLIR leaves on convolutions when it has once computed their indexing maps."""

CRASHED = "crashed"
"""Said of a program on which mlir-opt comes to a sudden end, or to none."""

_AT_ONCE = 8
"""So many processes are started at once where one for all programs has failed."""

_NEXT = "// ===== the next of many programs"
_CASES = re.compile(r"^// -----.*\n?", re.MULTILINE)
_RESOURCE = re.compile(r"[\w.$-]+: \"0x[0-9A-F]*\"")
_LINE = re.compile(r"^<stdin>:(\d+):\d+: error: (.*)$", re.MULTILINE)


class Reply(NamedTuple):
    """What mlir-opt said about one program."""

    printed: str
    errors: str
    """One message a line; empty where the program was accepted."""


def print_module(module: ModuleOp, *, generic: bool = False) -> str:
    """The text of `module`, in custom or in generic form."""
    output = StringIO()
    MLIRPrinter(output, print_generic_format=generic).print_op(module)
    return f"{output.getvalue()}\n"


def cases(file: Path) -> list[str]:
    """The programs of a file, as `--split-input-file` splits it."""
    return _CASES.split(file.read_text())


def ask_mlir(programs: Sequence[str], *arguments: str) -> list[Reply]:
    """What mlir-opt 22 says about each program, all in one process if it survives that.

    Operations of dialects that it does not know are accepted in generic form. Raises a
    `ToolFaultError` where it crashes on a program, or does not end.
    """
    replies = ask_surely(programs, *arguments)
    for program, reply in zip(programs, replies, strict=True):
        _refuse_crash(reply, program)
    return replies


def _refuse_crash(reply: Reply, program: str) -> None:
    if reply.errors == CRASHED:
        raise ToolFaultError(f"mlir-opt does not survive this program:\n{program}")


def ask_surely(programs: Sequence[str], *arguments: str) -> list[Reply]:
    """As `ask_mlir`, with `CRASHED` for a program that mlir-opt does not survive.

    The other programs of the same call are then asked about one by one.
    """
    if not programs:
        return []
    try:
        return _ask_together(programs, *arguments)
    except ToolFaultError:
        # All at once, so that several loops without an end take no longer than one.
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            ask = partial(_ask_alone, arguments)
            return list(pool.map(ask, programs))


def _ask_alone(arguments: Sequence[str], program: str) -> Reply:
    try:
        (reply,) = _ask_together([program], *arguments)
    except ToolFaultError:
        return Reply("", CRASHED)
    return reply


def _ask_together(programs: Sequence[str], *arguments: str) -> list[Reply]:
    command = [
        find_oracle(MLIR_OPT),
        "--allow-unregistered-dialect",
        "--mlir-print-op-on-diagnostic=false",
        f"--split-input-file={_NEXT}",
        f"--output-split-marker={_NEXT}",
        *arguments,
    ]
    result = run_tool(command, f"\n{_NEXT}\n".join(programs))
    printed = result.stdout.split(f"{_NEXT}\n")
    errors = _errors_by_program(result.stderr, programs)
    # An accepted program is at least an empty module.
    if len(printed) != len(programs) or not all(
        p or e for p, e in zip(printed, errors, strict=True)
    ):
        raise ToolFaultError(f"mlir-opt says nothing of a program\n{result.stderr}")
    assert not any(p and e for p, e in zip(printed, errors, strict=True)), result.stderr
    return [Reply(*reply) for reply in zip(printed, errors, strict=True)]


def _errors_by_program(stderr: str, programs: Sequence[str]) -> list[str]:
    """The messages for each program, told apart by their line."""
    owners: list[int] = []
    for n, program in enumerate(programs):
        owners += [n] * (program.count("\n") + 2)
    errors: list[list[str]] = [[] for _ in programs]
    for line, message in _LINE.findall(stderr):
        # What is missing at the end of a program is missed where the next begins.
        errors[owners[min(int(line), len(owners)) - 1]].append(message)
    return ["\n".join(messages) for messages in errors]


class Ours(NamedTuple):
    """A program as we read it, and as we print it."""

    module: ModuleOp
    custom: str
    generic: str


def read(program: str) -> Ours:
    """Parse, verify and print, in a new `Context`."""
    # xDSL keeps the blobs of all programs of a process in one place, and renames those
    # whose name it has seen.
    resources = Builtin.get_interface(OpAsmDialectInterface)
    assert resources is not None
    vars(resources)["_blob_storage"].clear()
    ctx = get_context()
    module = MLIRParser(ctx, program).parse_module()
    verify_as_mlir(module)
    texts: list[str] = []
    for generic in (False, True):
        output = StringIO()
        MLIR22Target(print_generic_format=generic).emit(ctx, module, output)
        texts.append(output.getvalue())
    return Ours(module, *texts)


def refusal(program: str) -> str | None:
    """Our message for an invalid program and where it points, None if we accept it.

    An exception that is not a diagnostic is raised further.
    """
    try:
        verify_as_mlir(MLIRParser(get_context(), program, FILE).parse_module())
    except (ParseError, VerifyException) as error:
        return describe(error, FILE)
    return None


class BothReaders:
    """Programs that mlir-opt and we are to read, and to print, as the same.

    mlir-opt is asked about all of them at once, whichever is checked first.
    """

    programs: Mapping[str, str]

    def __init__(self, programs: Mapping[str, str]) -> None:
        self.programs = programs
        self.ours = cache(self._ours)
        self._mlir = cache(self._ask)
        self._mlir_about_us = cache(self._ask_about_us)

    def check_our_round_trip(self, name: str) -> None:
        """We read what we print, in both forms, and print it again."""
        ours = self.ours(name)
        from_custom, from_generic = read(ours.custom), read(ours.generic)
        for again in (from_custom, from_generic):
            assert are_same_programs(again.module, ours.module, {})
        assert from_custom.custom == ours.custom
        assert from_generic.generic == ours.generic

    def check_mlir_reads_ours(self, name: str) -> None:
        """mlir-opt finds in our text, in both forms, the program that was written."""
        self.ours(name)
        written = self._accepted(self._mlir(GENERIC)[name])
        for generic in (False, True):
            reply = self._mlir_about_us(GENERIC, generic=generic)[name]
            assert self._accepted(reply) == written

    def check_our_text(self, name: str) -> None:
        """mlir-opt reprints our custom text as it is."""
        text = self.ours(name).custom
        reprinted = self._accepted(self._mlir_about_us(generic=False)[name])
        assert without_names(text) == without_names(reprinted)

    def check_we_read_mlirs(self, name: str) -> None:
        """We find in mlir-opt's text, in both forms, the program that was written."""
        ours = self.ours(name)
        for form in ((), (GENERIC,)):
            theirs = read(self._accepted(self._mlir(*form)[name]))
            for op in theirs.module.walk():
                op.attributes.pop(MLIRS_CACHE, None)
            assert are_same_programs(theirs.module, ours.module, {})

    def _ours(self, name: str) -> Ours:
        return read(self.programs[name])

    def _ask(self, *arguments: str) -> dict[str, Reply]:
        replies = ask_surely(list(self.programs.values()), *arguments)
        return dict(zip(self.programs, replies, strict=True))

    def _ask_about_us(self, *arguments: str, generic: bool) -> dict[str, Reply]:
        texts = [self._our_text(name, generic) for name in self.programs]
        replies = ask_surely(texts, *arguments)
        return dict(zip(self.programs, replies, strict=True))

    def _our_text(self, name: str, generic: bool) -> str:
        """Empty if we cannot read the program, so that only its own tests fail."""
        try:
            ours = self.ours(name)
        except Exception:
            # The program's own tests say which error that is.
            return ""
        return ours.generic if generic else ours.custom

    @staticmethod
    def _accepted(reply: Reply) -> str:
        _refuse_crash(reply, "one of the corpus")
        assert reply.errors == ""
        return reply.printed


def without_names(text: str) -> str:
    """What is left of a program's text when the accidents of printing are removed.

    - Names of values and blocks, which are mlir-opt's own; `%0:2 =` is `%0, %1 =`, as
      xDSL prints one name a result.
    - Aliases of attributes and types, which xDSL does not print.
    - White space and comments, and the order of resources.
    - The `builtin.` in front of `module`, and the `func.` that mlir-opt leaves out
      directly in a function.
    """
    text = re.sub(r"^\s*//.*$|\s//[^\"\n]*$", "", text, flags=re.MULTILINE)
    text = _expand_aliases(text)
    text = re.sub(
        r"%[\w$.-]+:(\d+)(?=(?:, %[\w$.:-]+)* =)",
        lambda found: ", ".join(["%"] * int(found[1])),
        text,
    )
    text = re.sub(r"%[\w$.-]+(?:#\d+)?", "%", text)
    text = re.sub(r"\^[\w$.-]+", "^", text)
    text = re.sub(r"\b(?:builtin\.(?=module)|func\.(?=return|call|constant))", "", text)
    text = _sort_resources(text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" ?([^\w%@!#\"' -]|->) ?", r"\1", text).strip()


def _expand_aliases(text: str) -> str:
    """Put what aliases stand for in their places; they are defined before their use."""
    aliases: dict[str, str] = {}

    def expand(part: str) -> str:
        return re.sub(
            r"[#!][A-Za-z_]\w*\b(?![.<])",
            lambda found: aliases.get(found[0], found[0]),
            part,
        )

    lines: list[str] = []
    for line in text.split("\n"):
        definition = re.fullmatch(r"([#!]\w+) = (.*)", line)
        if definition is None:
            lines.append(expand(line))
        else:
            aliases[definition[1]] = expand(definition[2])
    return "\n".join(lines)


def _sort_resources(text: str) -> str:
    program, mark, resources = text.partition("{-#")
    return program + mark + " ".join(sorted(_RESOURCE.findall(resources)))


def nested_list(values: list[str], shape: list[int]) -> str:
    """The elements of a constant as `dense<...>` has them, in row-major order."""
    if not shape:
        return values[0]
    step = len(values) // shape[0]
    parts = (values[at : at + step] for at in range(0, len(values), step))
    return f"[{', '.join(nested_list(part, shape[1:]) for part in parts)}]"
