"""The command line: parse arguments, call, return an exit code.

    xbuf gen --batch 256 --layers 128,256,512 --bias --relu > mlp.mlir
    xbuf run mlp.mlir --check
    xbuf build mlp.mlir -o mlp.o
    xbuf stages mlp.mlir --html
    xbuf explain mlp.mlir
    xbuf profile mlp.mlir
    xbuf lsp

What a subcommand needs is imported when it runs, so that `xbuf --help` is quick.
"""

import argparse
import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NoReturn, cast

from typing_extensions import override

import xdsl_bufferization
from xdsl_bufferization.runtime.errors import LostOutputWarning
from xdsl_bufferization.support import debug
from xdsl_bufferization.support.escaping import in_terminal
from xdsl_bufferization.support.nesting import run_where_it_fits
from xdsl_bufferization.support.suggestions import hint

from . import commands
from .common.colours import AUTO, add_colour_option, choose
from .common.completion import (
    complete,
    complete_with_passes,
    complete_with_pipelines,
)
from .common.interruptible import EXIT_INTERRUPTED, INTERRUPTED, run_interruptibly
from .common.progress import begin
from .common.sources import forget
from .lsp.command import add_lsp_options
from .run.argument_types import layers, natural, positive, tiles
from .run_arguments import (
    add_cpu,
    add_entry,
    add_pipeline,
    add_run,
    add_target,
    add_threads,
)

_OPTION = re.compile(r"--[\w-]+")
"""An option, where it stands in the help of a command."""

EXIT_BROKEN_PIPE = 141
EXIT_USAGE = 2
"""As `argparse` ends for a wrong command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; returns its exit code."""
    if arguments is None:
        # The process is ours: each thread stays on a core, and meets its data there.
        os.environ.setdefault("OMP_PROC_BIND", "true")
        _open_missing_streams()
        # The flush at the end meets the error again, and is its one line.
        warnings.simplefilter("ignore", LostOutputWarning)
    options = None
    forget()
    begin()
    choose(AUTO)
    try:
        options = _parse(arguments)
        _check_debug()
        choose(getattr(options, "color", AUTO))
        given = options
        # The process of others is not ours to end.
        run = run_interruptibly if arguments is None else _run
        code = run(lambda: _execute(given))
    except KeyboardInterrupt:
        sys.stderr.write(INTERRUPTED)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _drop_output()  # Nobody reads on.
        return EXIT_BROKEN_PIPE
    except Exception as error:  # The last resort: every error becomes one line.
        from .common.diagnostics import report

        if isinstance(error, OSError):
            _flush_or_drop_output()
        return report(error, getattr(options, "file", "xbuf"))
    return code


def _check_debug() -> None:
    """Raise an error if `XBUF_DEBUG` asks for what nobody says."""
    given = os.environ.get(debug.VARIABLE)
    if given is not None and (problem := debug.problem_of(given)) is not None:
        from .common.diagnostics import UsageError

        raise UsageError(debug.VARIABLE, problem)


def _run(work: Callable[[], int]) -> int:
    return work()


def _execute(options: argparse.Namespace) -> int:
    command: Callable[[argparse.Namespace], int] = options.command
    code = run_where_it_fits(lambda: command(options))
    sys.stdout.flush()
    return code


def _open_missing_streams() -> None:
    """What the caller has closed reads nothing, and writes nowhere."""
    for name, mode in ("stdin", "r"), ("stdout", "w"), ("stderr", "w"):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nothing, mode, encoding="utf-8"))
    # A terminal without letters for a name shows their numbers.
    cast(io.TextIOWrapper, sys.stdout).reconfigure(errors="backslashreplace")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["opt"]:
        # The arguments of `xdsl-opt` are its own to parse.
        return argparse.Namespace(
            command=commands.opt, arguments=given[1:], file="<stdin>"
        )
    parser, subparsers = _parsers()
    complete(parser, lambda: _add_words_of_opt(subparsers["opt"]))
    if not given:
        # Whoever types the name alone wants to know what there is.
        parser.print_help(sys.stderr)
        sys.stderr.write("\nxbuf: error: there is no command\n")
        raise SystemExit(EXIT_USAGE)
    _refuse_what_is_no_command(parser, given[0], subparsers)
    try:
        return _parse_options(parser, given, subparsers)
    except SystemExit:  # Help is output as well.
        sys.stdout.flush()
        raise


def _add_words_of_opt(parser: argparse.ArgumentParser) -> None:
    from .mlir_opt.arguments import add_words

    add_words(parser)


def _refuse_what_is_no_command(
    parser: argparse.ArgumentParser, name: str, known: Collection[str]
) -> None:
    if name in known or name.startswith("-"):
        return
    meant = hint(name, known) or "; xbuf --help lists them"
    if name.endswith((".mlir", ".onnx")):
        meant = f"; to run a program: xbuf run {name}"
    parser.error(f"there is no command '{name}'{meant}")


def _parse_options(
    parser: argparse.ArgumentParser,
    given: list[str],
    subparsers: Mapping[str, argparse.ArgumentParser],
) -> argparse.Namespace:
    options, unknown = parser.parse_known_args(given)
    if unknown:
        command = next(each for each in given if each in subparsers)
        known = _OPTION.findall(subparsers[command].format_help())
        flags = (each for each in unknown if each.startswith("-"))
        meant = hint(next(flags, "").partition("=")[0], known)
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
    return options


def _flush_or_drop_output() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()


def _drop_output() -> None:
    """Write the rest nowhere: Python's own flush at exit must not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Reports a wrong argument in one line, without the usage."""

    @override
    def error(self, message: str) -> NoReturn:
        line = in_terminal(f"{self.prog}: error: {message}")
        self.exit(EXIT_USAGE, f"{line}\n")


def make_parser() -> argparse.ArgumentParser:
    """The commands of `xbuf`, with their options; `docs/xbuf.md` lists them."""
    return _parsers()[0]


def _parsers() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """The parser, and that of each command."""
    parser = _Parser(
        prog="xbuf", description="From programs on tensors to running code."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    subparsers.add_parser("opt", help="xdsl-opt with MLIR's text, rules and errors")
    _add_gen(subparsers.add_parser("gen", help="print a multi-layer perceptron"))
    add_run(subparsers.add_parser("run", help="bufferize, compile and run a program"))
    _add_build(subparsers.add_parser("build", help="write an object and a C header"))
    _add_stages(
        subparsers.add_parser("stages", help="show what each pass changes in a program")
    )
    _add_explain(
        subparsers.add_parser("explain", help="show why each copy of a tensor is made")
    )
    _add_profile(
        subparsers.add_parser("profile", help="show which parts take the time")
    )
    _add_compare(
        subparsers.add_parser(
            "compare", help="show what other heuristics and options would cost"
        )
    )
    _add_passes(subparsers.add_parser("passes", help="list passes and their options"))
    _add_lsp(subparsers.add_parser("lsp", help="serve an editor as you type"))
    _add_cache(subparsers.add_parser("cache", help="show which compiled code stays"))
    for name, each in subparsers.choices.items():
        if name != "opt":
            add_colour_option(each)
    return parser, subparsers.choices


def _add_gen(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a multi-layer perceptron on tensors, as mlir-gen of tpp-mlir does."
    )
    parser.set_defaults(command=commands.gen)
    add = parser.add_argument
    add(
        "--output",
        choices=("generic", "named"),
        default="generic",
        help="the kind of linalg ops; default: generic",
    )
    add(
        "--kernel",
        choices=("const", "args"),
        default="const",
        help="weights and biases are constants, or arguments; default: const",
    )
    add(
        "--out-args",
        action="store_true",
        help="each layer adds to an argument, as by mlir-gen --kernel args, not to "
        "zeros; needs --kernel args",
    )
    add(
        "--batch",
        type=positive,
        default=256,
        metavar="N",
        help="rows of the input; default: 256",
    )
    add(
        "--layers",
        type=layers,
        default=(128, 256, 512),
        metavar="A,B,C",
        help="columns of the input and of each layer; default: 128,256,512",
    )
    add(
        "--tiles",
        type=tiles,
        metavar="N,K,C",
        help="sizes of tiles: rows, output columns, input columns; default: no tiles",
    )
    add(
        "--float-type",
        choices=("f32", "bf16"),
        default="f32",
        help="the type of all numbers; default: f32",
    )
    add(
        "--seed",
        type=natural,
        default=0,
        metavar="S",
        help="seed of the weights; with 0, all weights are 1; default: 0",
    )
    add(
        "--bias",
        nargs="?",
        choices=("full", "row"),
        const="full",
        help="add a bias to each layer: a full matrix, or one row; default: no bias",
    )
    add("--relu", action="store_true", help="end each layer with max(x, 0)")
    add("--softmax", action="store_true", help="end the last layer with a softmax")
    add(
        "--vnni",
        type=int,
        choices=(0, 2, 4),
        default=0,
        help="how many rows of bf16 weights are interleaved; default: 0",
    )


def _add_build(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Bufferize, deallocate and compile a program for callers in C: writes an "
        "object, and a header beside it."
    )
    parser.set_defaults(command=commands.build)
    add = parser.add_argument
    add("file", metavar="FILE", help="MLIR text; - is standard input")
    add(
        "-o",
        "--out",
        required=True,
        metavar="OUT",
        help="what to write: an object (.o), a shared library (.so), assembly (.s) or "
        "LLVM IR (.ll)",
    )
    add_pipeline(parser, "as xbuf run")
    add(
        "--checked",
        action="store_true",
        help="check indices, sizes, divisions and more while the code runs, and abort "
        "with one line at the first that is wrong",
    )
    add_target(parser)


def _add_stages(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run a pipeline and show the program after every pass that changed it."
    )
    parser.set_defaults(command=commands.stages)
    add = parser.add_argument
    add("file", metavar="FILE", help="MLIR text; - is standard input")
    add_pipeline(parser, "as xbuf run")
    add("--out", metavar="DIR", help="write a numbered file for each stage, and diffs")
    add(
        "--html",
        action="store_true",
        help="write one page to click through: index.html in DIR, or in the folder "
        "stages",
    )


def _add_donate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--donate",
        metavar="NAME",
        action="append",
        default=[],
        help="a tensor that callers give away, as jit has it; may be given again",
    )


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show what becomes of each tensor operand, why copies are made and what they "
        "cost, and what would avoid them."
    )
    parser.set_defaults(command=commands.explain)
    add = parser.add_argument
    add("file", metavar="FILE", help="MLIR text; - is standard input")
    add("--function", metavar="NAME", help="only this function")
    pipeline = add(
        "--pipeline",
        metavar="P",
        help="passes, as xdsl-opt -p; default: as xbuf run --no-optimize",
    )
    complete_with_pipelines(pipeline)
    _add_donate(parser)
    add("--json", action="store_true", help="print one JSON object")
    add("--html", metavar="OUT", help="write one page, with memory over time, to OUT")
    add(
        "--verify",
        action="store_true",
        help="prove decisions and deallocations, and show what is proven of each "
        "function, and at what cost",
    )


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run a function, and show how long each of its kernels, loops, copies and "
        "allocations took, with the lines that they come from."
    )
    parser.set_defaults(command=commands.profile)
    add = parser.add_argument
    add("file", metavar="FILE", help="MLIR text; - is standard input")
    add_entry(parser)
    add_pipeline(parser, "as xbuf run")
    add(
        "--seed",
        type=natural,
        default=0,
        metavar="S",
        help="seed of random inputs; default: 0",
    )
    add("--inputs", metavar="IN.npz", help="take arg0, arg1, ... from this file")
    add(
        "--calls",
        type=positive,
        default=20,
        metavar="N",
        help="how many calls are timed; default: 20",
    )
    add_threads(parser)
    add_cpu(parser)
    add("--json", action="store_true", help="print one JSON object")
    add("--html", metavar="OUT", help="write one page, with the program, to OUT")


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show copies, bytes copied and the peak of memory of each function, with each "
        "heuristic of one-shot-bufferize and with other options."
    )
    parser.set_defaults(command=commands.compare)
    add = parser.add_argument
    add("file", metavar="FILE", help="MLIR text; - is standard input")
    _add_donate(parser)
    add("--json", action="store_true", help="print one JSON object")


def _add_passes(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "List the passes of this package and of xDSL, and the default pipelines. With "
        "NAME, say what one pass does, and which options it has."
    )
    parser.set_defaults(command=commands.passes)
    name = parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the pass to describe; default: all"
    )
    complete_with_passes(name)


def _add_lsp(parser: argparse.ArgumentParser) -> None:
    add_lsp_options(parser)
    parser.set_defaults(command=commands.lsp)


def _add_cache(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Say where compiled code of jit stays for the next start of Python, and how "
        "large it is."
    )
    parser.set_defaults(command=commands.cache)
    parser.add_argument("--clear", action="store_true", help="remove all of it")


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    @override
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        sys.stdout.write(f"xbuf {xdsl_bufferization.__version__}\n")
        if (aside := commands.what_stands_aside()) is not None:
            sys.stdout.write(f"{aside}\n")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
