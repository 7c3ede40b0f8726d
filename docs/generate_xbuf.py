"""Write `docs/xbuf.md` from the parsers of the command line.

    python docs/generate_xbuf.py

What a command does and what its options mean stands in
`xdsl_bufferization/tools/xbuf.py`. The examples are in `EXAMPLES`; a test runs them.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from xdsl_bufferization.frontends.default_pipelines import (
    DEFAULT_PIPELINE,
    PLAIN_PIPELINE,
)
from xdsl_bufferization.tools.opt import MLIROptMain
from xdsl_bufferization.tools.xbuf import make_parser

DOCUMENT = Path(__file__).parent / "xbuf.md"

HEADER = """\
# The commands of `xbuf`

Written by `make docs` from the parsers of `xbuf`; change those, not this file.

```console
xbuf gen --batch 8 --layers 8,8 --bias --relu > mlp.mlir
xbuf explain mlp.mlir
xbuf run mlp.mlir --check
```

The first command writes a program on [tensors](glossary.md#tensor). The second command
says which tensors are copied, and why. The third command
[bufferizes](glossary.md#bufferize) the program, compiles it, runs it, and compares its
numbers with NumPy's.

The examples below use the file `mlp.mlir` of this first example. A file named `-` is
standard input.

## Errors

An error is one line with its place in the program. Below it are that line of the
program, a caret below the column, and notes on other places:

```text
a.mlir:3:1: error: 'func.func' op: Redefinition of symbol "f", which line 1 defines
func.func private @f()
^
a.mlir:1:1: note: the first definition is here
func.func private @f()
^
```

The exit code is 0 without an error, 2 for an error in the command line, and 1 for any
other error.

## Colours, progress and completion

Errors and texts have colours on a terminal, unless the environment variable
[`NO_COLOR`](https://no-color.org) is set. `--color=never` and `--color=always` decide
otherwise. A command that takes longer than two seconds says on a terminal what it does.

Your shell completes commands, options and names of passes with the extra `completion`:

```text
pip install 'xdsl-bufferization[completion]'
eval "$(register-python-argcomplete xbuf)"
```

Put the second line into the file that your shell reads at its start, such as
`~/.bashrc`.

## Code for another processor

With `--cpu x86-64-v3`, code uses no more than AVX2. The environment variable `XBUF_CPU`
says it for all commands and for Python: see
[a lesser processor](targets.md#a-lesser-processor).

## Look for a fault

The environment variable `XBUF_DEBUG` has commands, `jit` and `xdsl-opt` say on the
standard error output what they do:

```console
XBUF_DEBUG=passes,decisions,kernels xbuf run mlp.mlir
```

| word | what is said |
|---|---|
| `passes` | each pass that ran: its time, the number of ops before and after |
| `decisions` | each tensor operand: [in place](glossary.md#in-place), or why copied |
| `kernels` | each [kernel](glossary.md#kernel), by its numbers: made now, or before |

Passes in a bundle are indented. `xdsl-opt` says it of passes of this package. A kernel
of `jit` may also be in the cache on disk. `XBUF_TRACEBACK=1` shows where an error was
raised.

## Commands
"""

EXAMPLES = {
    "gen": "xbuf gen --layers 128,256,512 --bias --relu --seed 7 > large.mlir",
    "run": "xbuf run mlp.mlir --check --repeat 10",
    "build": "xbuf build mlp.mlir -o mlp.o",
    "stages": "xbuf stages mlp.mlir --out stages --html",
    "explain": "xbuf explain mlp.mlir --html mlp.html",
    "profile": "xbuf profile mlp.mlir --html mlp.html",
    "compare": "xbuf compare mlp.mlir",
    "passes": "xbuf passes one-shot-bufferize",
    "lsp": "xbuf lsp --hints copies",
    "cache": "xbuf cache --clear",
    "opt": "xbuf opt -one-shot-bufferize=copy-before-write -canonicalize mlp.mlir",
}

NOT_RUN = {"lsp": "it serves an editor until the editor ends it"}
"""Why an example is not run by a test."""

OPT_TEXT = """\
Run [passes](passes.md) on a program, by MLIR's rules.

The options are those of `xdsl-opt` and of `mlir-opt`: [both spellings of
passes](mlir_tests.md) are understood. There are eight differences from `xdsl-opt`:

- `xbuf opt` reads MLIR's text only, and refuses what MLIR refuses.
- After each pass, `xbuf opt` verifies the program by MLIR's rules.
- `xbuf opt` prints MLIR's text.
- An error has a file, a line and a column, and shows the line.
- With `--split-input-file`, all parts are run, also after an error.
- With `--verify-diagnostics`, comments such as `expected-error` say which errors are
  [right](mlir_tests.md#expected-errors).
- With `--verify`, `xbuf opt` [proves](proven.md) that passes keep the meaning where
  they bufferize, and free each buffer once where they deallocate. The cost is on the
  standard error.
- With `--replay`, `xbuf opt` [runs](deallocation.md#replay-a-fault) the program on the
  path of each fault that `verify-deallocation` finds."""


NO_HELP = {
    "disable_verify": "Do not verify the program",
    "version": "Print the version of xDSL",
}
"""What options of xDSL mean that say nothing about themselves."""


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(document())


def document() -> str:
    """The whole text."""
    lines = [HEADER, "| command | what it does |", "|---|---|"]
    for name, parser in parsers().items():
        purpose = _purpose(name, parser).partition("\n\n")[0].replace("\n", " ")
        lines.append(f"| [`xbuf {name}`](#xbuf-{name}) | {purpose} |")
    lines.append("| `xbuf --version` | Print the version. |\n")
    for name, parser in parsers().items():
        lines += _section(name, parser)
    return "\n".join(lines)


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The commands, in the order of `EXAMPLES`, each with its parser."""
    commands = next(each for each in actions(make_parser()) if each.metavar)
    found: dict[str, argparse.ArgumentParser] = dict(commands.choices or {})
    return {name: found[name] for name in EXAMPLES} | {"opt": _opt_parser()}


def _opt_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    MLIROptMain([]).register_all_arguments(parser)
    return parser


def actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments and options of a parser, in order."""
    # Argparse has no public list.
    return parser._actions  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001


def _purpose(name: str, parser: argparse.ArgumentParser) -> str:
    return OPT_TEXT if name == "opt" else parser.description or ""


def _section(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"## `xbuf {name}`\n"
    yield f"{_purpose(name, parser)}\n"
    if name in NOT_RUN:
        yield f"<!-- not run: {NOT_RUN[name]} -->"
    yield f"```console\n{EXAMPLES[name]}\n```\n"
    shown = [each for each in actions(parser) if each.dest != "help"]
    positional = [each for each in shown if not each.option_strings]
    yield "| argument or option | meaning | default |"
    yield "|---|---|---|"
    for each in [*positional, *(each for each in shown if each not in positional)]:
        meaning, default = _explain(each)
        yield f"| {_spell(each)} | {meaning} | {default} |"
    yield ""
    if name == "run":
        yield f"Without `--pipeline`, `xbuf run` runs `{DEFAULT_PIPELINE}`, as does"
        yield "[`jit`](api.md#functions). See [the pass](passes.md#default-tpp-passes)."
        yield f"With `--no-optimize`, these passes run:\n\n{_plain_pipeline()}\n"


def _plain_pipeline() -> str:
    """The plain passes, one on a line; an option may hold no comma."""
    passes = ",\n".join(PLAIN_PIPELINE.split(","))
    return f"```text\n{passes}\n```"


def _spell(action: argparse.Action) -> str:
    """How an argument is written, such as `--batch N`."""
    value = action.metavar or action.dest.upper()
    if not action.option_strings:
        return f"`{value}`"
    names = ", ".join(f"`{each}`" for each in action.option_strings)
    if action.nargs == 0 or action.choices is not None:
        return names
    return f"{names[:-1]} {value}`"


def _explain(action: argparse.Action) -> tuple[str, str]:
    """What an argument means, and what holds without it.

    A help text ends in `; default: DEFAULT` if there is a default.
    """
    text = (action.help or NO_HELP[action.dest]).partition(". Available ")[0]
    text, _, default = text.partition("; default: ")
    if not default and action.nargs != 0 and isinstance(action.default, str):
        default = action.default
    sentences = [f"{text[:1].upper()}{text[1:]}".rstrip(".")] if text else []
    if action.choices is not None:
        names = ", ".join(f"`{each}`" for each in action.choices)
        sentences.append(f"One of {names}")
    if action.nargs == "?" and action.const is not None:
        sentences.append(f"Without a value: `{action.const}`")
    if re.fullmatch(r"\w\S+|\d", default):
        default = f"`{default}`"
    return " ".join(f"{each}." for each in sentences), default


if __name__ == "__main__":
    main()
