"""tpp-mlir's commands as commands of xbuf.

    tpp-run %s -print -e entry -entry-point-result=void -seed 123
        -> xbuf run FILE -print -e entry -entry-point-result=void -seed 123
           -init-type normal
    mlir-gen --kernel=args --bias        ->  xbuf gen --kernel=args --out-args --bias
    tpp-opt %s -pack-matmul="..."        ->  xbuf opt FILE -pack-matmul="..."

`tensor.pack` of tpp-mlir is `linalg.pack` since MLIR 21. Without a seed, tpp-run gives
a program ones. How tpp-run makes vectors, threads and tiles does not change what a
program computes. Such options are left out, with those that print the program between
passes.
"""

import re
from collections.abc import Iterator, Sequence

_DROPPED = re.compile(
    r"--?(print-mlir|print-after|mlir-print-ir-(after|before)|vector-to-XSMM|"
    r"vector-to-kernels|registerBlocking|lower-pack-unpack-without-transpose|"
    r"parallel-task-grid|def-parallel)(=.*)?"
)
_LOOPS = re.compile(r"--?linalg-to-loops(=1|=true)?")
_IR = re.compile(r"--?(print-mlir|print-after|mlir-print-ir)")


def in_todays_mlir(text: str) -> str:
    """A program with the names that its ops have today."""
    text = re.sub(r"\btensor\.((?:un)?pack)\b", r"linalg.\1", text)
    return re.sub(r"dense\s*<\s*(\(\s*\([^>]*\))\s*>", _with_brackets, text)


def _with_brackets(constant: re.Match[str]) -> str:
    """Nested parentheses in constants, which MLIR reads as brackets."""
    return f"dense<{constant[1].replace('(', '[').replace(')', ']')}>"


class UnsupportedError(Exception):
    """There is no such command or option."""


def shows_ir(command: Sequence[str]) -> bool:
    """Whether a command of tpp-run prints programs, whose text is tpp-mlir's own."""
    return any(_IR.match(each) for each in command)


def translated(command: Sequence[str], file: str) -> list[str]:
    """The arguments of xbuf that do what a command of tpp-mlir does."""
    tool, *options = command
    options = [file if each == "%s" else each for each in options]
    match tool:
        case "tpp-run":
            return ["run", *_of_run(options, file)]
        case "mlir-gen":
            if "--kernel=args" in options:
                options.append("--out-args")
            return ["gen", *options]
        case "tpp-opt":
            # MLIR's pass leaves ops on tensors as they are.
            kept = [each for each in options if each != "-convert-linalg-to-loops"]
            return ["opt", *kept]
        case _:
            raise UnsupportedError(tool)


def _of_run(options: Sequence[str], file: str) -> Iterator[str]:
    if file not in options:
        yield "-"
    is_random = False
    has_type = False
    for option in options:
        if _DROPPED.fullmatch(option):
            continue
        if _LOOPS.fullmatch(option):
            yield "--no-optimize"
            continue
        is_random |= bool(re.match(r"--?seed", option)) and option[-2:] != "=0"
        has_type |= bool(re.match(r"--?init-type", option))
        yield option
    if not has_type:
        yield "--init-type=normal" if is_random else "--init-type=const"
