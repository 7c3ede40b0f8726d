"""Misspelt command lines: options, values, files and pipelines.

xbuf explain ok.mlir --json  ->  xbuf explain --jsn ok.mlir 9999999999

No argument has a separator of paths, so that none names a file elsewhere.
"""

from random import Random
from typing import Final

from fuzz.corpus import Corpus
from fuzz.pipelines import random_pipeline
from fuzz.text import mutate

_LINES: Final[tuple[str, ...]] = (
    "gen --output named --kernel args --batch 8 --layers 8,16 --float-type bf16",
    "gen --batch 4 --layers 8,8 --tiles 2,4,4 --vnni 2 --seed 7 --bias row --relu",
    "run ok.mlir --entry entry --seed 3 --repeat 1 --check --tolerance 0.1 --json",
    "run ok.mlir --xsmm vectors --threads 2 --target native --backend llvm --repeat 1",
    "run ok.mlir --inputs in.npz --outputs out.npz --repeat 1",
    "run - --repeat 1",
    "build ok.mlir -o out.o --target native --backend llvm",
    "build ok.mlir --out out.s --target riscv64 --backend xdsl",
    "build ok.mlir -o out.ll --target aarch64",
    "stages ok.mlir --out out --html",
    "stages -",
    "explain ok.mlir --function entry --json",
    "explain ok.mlir --html out.html",
    "compare ok.mlir --json",
    "opt ok.mlir --print-op-generic --print-debuginfo -o out.mlir",
    "opt ok.mlir --split-input-file --verify-diagnostics --parsing-diagnostics",
    "opt --allow-unregistered-dialect --no-implicit-module --disable-verify ok.mlir",
    "opt ok.mlir -t mlir --time-passes --print-between-passes --syntax-highlight",
    "opt ok.mlir -f mlir --print-no-properties --shrink",
    "--version",
    "--help",
)

_TAKE_PIPELINES: Final = {
    "run": "--pipeline",
    "build": "--pipeline",
    "stages": "--pipeline",
    "explain": "--pipeline",
    "opt": "-p",
}

_COMMANDS: Final = ("gen", "run", "build", "stages", "explain", "compare", "opt")

_VALUES: Final = (
    "", " ", "-", "--", "-1", "0", "1", "01", "1.5", "nan", "inf", "-inf", "1e999",
    "1_0",
    "9" * 18, "9" * 19, "9" * 5000, "٣", "²", "é", "\x1b[31m", "\udcff", "\n", "\t",
    "x" * 300,
    "ok.mlir", "bad.mlir", "empty.mlir", "missing.mlir", "in.npz", ".", "..", "=", "'",
    '"',
    "%s", "{}", "{0}", "@entry", "entry", "native", "riscv64", "a,b", "1,1", ",",
    "1,,1", "*",
    "--help", "-h", "--version", "--json", "--check", "@ok.mlir", "out.o", "out.so.x",
    "out",
    ".o", "-o", "-p", "-t", "mlir", "mlir-22", "wgsl", "c", "-v",
)  # fmt: skip

_DIGITS_RUN: Final = 2
"""A number of more digits may well ask for more than 5 seconds of work."""


def random_command_line(rng: Random, corpus: Corpus) -> tuple[str, tuple[str, ...]]:
    """A tool and its arguments, of which one to three are wrong."""
    arguments: list[str]
    if rng.random() < 0.2:
        tool, arguments = "xdsl-opt", ["-p", random_pipeline(rng), "ok.mlir"]
    else:
        tool, arguments = "xbuf", [*rng.choice(_LINES).split()]
        option = _TAKE_PIPELINES.get(arguments[0])
        if option is not None and rng.random() < 0.4:
            arguments += [option, random_pipeline(rng)]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        arguments = _change(rng, arguments, corpus)
    return tool, tuple(_harmless(each) for each in _quick(arguments))


def _change(rng: Random, arguments: list[str], corpus: Corpus) -> list[str]:
    at = rng.randrange(len(arguments) + 1)
    before, here, after = arguments[:at], arguments[at : at + 1], arguments[at + 1 :]
    match rng.randrange(8):
        case 0:
            return before + after
        case 1:
            return before + here + here + after
        case 2:
            return [*before, rng.choice(_VALUES), *after]
        case 3:
            return [*before, rng.choice(_VALUES), *here, *after]
        case 4:
            return rng.sample(arguments, len(arguments))
        case 5:
            other = rng.choice(_LINES).split()
            return before + here + other[1:][: rng.choice((1, 2))] + after
        case 6:
            return [
                *before,
                *(f"{each}={rng.choice(_VALUES)}" for each in here),
                *after,
            ]
        case _:
            return [*before, *(_misspelt(rng, each, corpus) for each in here), *after]


def _misspelt(rng: Random, argument: str, corpus: Corpus) -> str:
    if rng.random() < 0.5:
        return mutate(rng, argument, corpus)
    at = rng.randrange(len(argument) + 1)
    letter = rng.choice("-=,{}x0\"' ")
    return argument[:at] + rng.choice(("", letter)) + argument[at + rng.randrange(2) :]


def _quick(arguments: list[str]) -> list[str]:
    """The same without large numbers, where these are much work."""
    if arguments[:1] == ["gen"]:
        return [_smaller(each) for each in arguments]
    repeats = "--repeat"
    return [
        _smaller(each)
        if before.startswith("--rep") or each.startswith("--rep")
        else each
        for before, each in zip([repeats[:0], *arguments], arguments, strict=False)
    ]


def _smaller(argument: str) -> str:
    longest = max((len(part) for part in argument.split(",")), default=0)
    is_large = sum(each.isdigit() for each in argument) > _DIGITS_RUN and longest < 19
    return "3" if is_large and any(each.isdigit() for each in argument) else argument


def _harmless(argument: str) -> str:
    """Without a path to elsewhere, and without what no command line can have."""
    text = argument.replace("/", "_").replace("\0", "_")[:20_000]
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    return "_" if text == ".." else text
