"""Mlir-opt's arguments in the spelling that `argparse` reads.

    -split-input-file -canonicalize --cse -o - in.mlir
        -> --split-input-file -o - in.mlir, and the passes canonicalize and cse

A flag with the name of a pass asks for that pass. One dash is as good as two.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from ..common.completion import complete_with_pipelines, names_of_passes
from .pass_calls import PASS_PIPELINE, PassCall, is_nested

_SAME = {"p": "passes", "t": "target", "o": "output-file", "f": "frontend"}
"""Short options, whose value is the next argument."""


@dataclass(frozen=True)
class Arguments:
    """A command line of mlir-opt or xdsl-opt."""

    options: tuple[str, ...]
    """What `argparse` reads: all but the passes that are flags."""
    calls: tuple[PassCall, ...]
    """The passes that are flags, in order."""


def separate(arguments: Sequence[str], passes: Set[str]) -> Arguments:
    """Separate flags that ask for `passes` from the other options."""
    options: list[str] = []
    calls: list[PassCall] = []
    rest = iter(arguments)
    for each in rest:
        name, equals, value = each.lstrip("-").partition("=")
        dashes = len(each) - len(each.lstrip("-"))
        if dashes not in (1, 2) or not name:
            options.append(each)
        elif name in passes:
            calls.append(PassCall(name, value, f"--{name}"))
        elif dashes == 1 and name in _SAME:
            given = value if equals else next(rest, None)
            options += [each] if given is None else _short(name, given)
        else:
            is_short = dashes == 1 and len(name) == 1
            options.append(each if is_short else f"--{name}{equals}{value}")
    return Arguments(tuple(options), tuple(calls))


def _short(name: str, value: str) -> Iterator[str]:
    """A short option; `-p` takes a pipeline of either spelling."""
    if name == "p" and is_nested(value):
        yield f"{PASS_PIPELINE}={value}"
    else:
        yield f"--{_SAME[name]}={value}"


_IGNORED = {
    "mlir-disable-threading": "Accepted, as passes run one after the other",
    "mlir-print-local-scope": "Accepted, as each op is printed with all it needs",
    "mlir-print-op-on-diagnostic": "Accepted, as errors show the source line",
    "mlir-print-stacktrace-on-diagnostic": "Accepted, without effect",
}
"""Options of mlir-opt that choose what holds here in any case."""


def add_mlir_options(parser: ArgumentParser) -> None:
    """Add the options of mlir-opt that xdsl-opt lacks, or spells otherwise."""
    add = parser.add_argument
    add(
        PASS_PIPELINE,
        metavar="PIPELINE",
        help="passes in MLIR's spelling, such as "
        "`builtin.module(func.func(buffer-hoisting),cse)`",
    )
    add(
        "--mlir-print-op-generic",
        dest="print_op_generic",
        action="store_true",
        help="As `--print-op-generic`",
    )
    add(
        "--mlir-print-debuginfo",
        dest="print_debuginfo",
        action="store_true",
        help="As `--print-debuginfo`",
    )
    for when in ("before", "after"):
        add(
            f"--mlir-print-ir-{when}-all",
            action="store_true",
            help=f"write the program to the standard error {when} each pass",
        )
        add(
            f"--mlir-print-ir-{when}",
            metavar="PASSES",
            default="",
            help=f"write the program to the standard error {when} these passes",
        )
    add(
        "--mlir-print-ir-after-change",
        action="store_true",
        help="write the program after a pass only if the pass has changed the program",
    )
    add(
        "--show-dialects",
        action="store_true",
        help="print the names of all dialects, and do nothing else",
    )
    add(
        "--list-passes",
        action="store_true",
        help="print all passes, as `xbuf passes` does, and do nothing else",
    )
    add(
        "--dump-pass-pipeline",
        action="store_true",
        help="write the passes, with their options, to the standard error",
    )
    add(
        "--mlir-pass-pipeline-crash-reproducer",
        metavar="FILE",
        help="if a pass fails, write the program and the passes to this file",
    )
    add(
        "--run-reproducer",
        action="store_true",
        help="run the passes that the input file names, as the option above writes it",
    )
    add(
        "--mlir-timing",
        action="store_true",
        help="write to the standard error how long each step takes",
    )
    add(
        "--mlir-timing-display",
        choices=("list", "tree"),
        default="tree",
        help="list: the longest step first; default: tree, in order",
    )
    add(
        "--mlir-elide-elementsattrs-if-larger",
        metavar="N",
        type=int,
        help="leave out the elements of constants that have more, and that differ",
    )
    add(
        "--verify-each",
        metavar="BOOL",
        nargs="?",
        const="true",
        default="true",
        help="verify the program after each pass; default: true",
    )
    for name, meaning in _IGNORED.items():
        add(
            f"--{name}",
            metavar="BOOL",
            nargs="?",
            const="true",
            default="false",
            help=meaning,
        )


def add_words(parser: ArgumentParser) -> None:
    """Add what a shell completes: options, and a flag for each pass."""
    add_mlir_options(parser)
    complete_with_pipelines(parser.add_argument("-p", "--passes"))
    for name in names_of_passes():
        parser.add_argument(f"-{name}", f"--{name}", action="store_true")
    parser.add_argument("file", nargs="?")
