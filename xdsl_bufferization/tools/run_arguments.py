"""The arguments of `xbuf run`, and those that other commands share.

    xbuf run mlp.mlir --check
    xbuf run -e entry -n 100 -seed 123 -print mlp.mlir      as for tpp-run

Options of tpp-run have its names, also with one hyphen.
"""

import argparse

from xdsl_bufferization.support.abi import XSMM_BACK_ENDS

from . import commands
from .common.completion import complete_with_pipelines
from .run.argument_types import natural, positive
from .run.initial_types import INIT_TYPES


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add what `xbuf run` takes."""
    parser.description = (
        "Bufferize, deallocate, lower, compile and run a function, and report its "
        "allocations, copies and speed."
    )
    parser.set_defaults(command=commands.run)
    add = parser.add_argument
    add("file", metavar="FILE", help="MLIR text; - is standard input")
    add_entry(parser)
    add(
        "--xsmm",
        choices=XSMM_BACK_ENDS,
        default="generated",
        help="where kernels come from: generated here, generated for vector registers "
        "alone, or LIBXSMM's where it has any; default: generated",
    )
    add_pipeline(parser, "kernels where they fit, and loops elsewhere")
    _add_inputs(parser)
    add(
        "--outputs",
        metavar="OUT.npz",
        help="write result0, result1, ... to this file, and buffers among the "
        "arguments as the call left them",
    )
    add("--check", action="store_true", help="compare with an evaluation in NumPy")
    add(
        "--tolerance",
        type=_tolerance,
        metavar="E",
        help="the largest relative error that --check accepts; default: by the type, "
        "1e-4 for f32",
    )
    add(
        "--checked",
        action="store_true",
        help="check indices, sizes, divisions and more while the program runs, and "
        "stop at the first that is wrong",
    )
    add(
        "--verified",
        action="store_true",
        help="prove, before the program runs, that copies keep its meaning and that "
        "each buffer is freed once; stop at the first fault",
    )
    add("--json", action="store_true", help="print one JSON object")
    add(
        "--repeat",
        type=positive,
        default=3,
        metavar="N",
        help="how many calls are timed; default: 3",
    )
    add(
        "-n",
        "--benchmark",
        type=positive,
        metavar="N",
        help="time N calls after some that warm up, and report mean and deviation",
    )
    add_threads(parser)
    _add_printing(parser)
    add_target(parser)


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--seed",
        "-seed",
        type=natural,
        default=0,
        metavar="S",
        help="seed of random inputs; default: 0",
    )
    add(
        "--init-type",
        "-init-type",
        choices=INIT_TYPES,
        help="inputs as tpp-run has them: ones; 0.3, 0.6, 0.9 repeated; from 0 to 1; "
        "random; normal. The last two need a seed. Default: NumPy's normal numbers",
    )
    add(
        "--splat-to-random",
        "-splat-to-random",
        action="store_true",
        help="make constants random whose elements are all equal and positive; needs a "
        "seed",
    )
    add("--inputs", metavar="IN.npz", help="take arg0, arg1, ... from this file")


def _add_printing(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--show",
        action="store_true",
        help="print what comes out, shortened, with names and types",
    )
    add(
        "--print",
        "-print",
        action="store_true",
        help="print all numbers of the results, row by row, as tpp-run does",
    )
    add(
        "--entry-point-result",
        "-entry-point-result",
        choices=("void",),
        help="as for tpp-run, which accepts void only; changes nothing",
    )


def add_pipeline(parser: argparse.ArgumentParser, default: str) -> None:
    """Add which passes run; `default` says which do otherwise."""
    choice = parser.add_mutually_exclusive_group()
    pipeline = choice.add_argument(
        "--pipeline",
        metavar="P",
        help=f"passes from tensors to buffers, as xdsl-opt -p; default: {default}",
    )
    complete_with_pipelines(pipeline)
    choice.add_argument(
        "--no-optimize",
        dest="optimize",
        action="store_false",
        help="make plain loops of each op, without kernels",
    )


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add which machine the code is for, and which processor of it."""
    parser.add_argument(
        "--target",
        choices=("native", "riscv64", "aarch64", "x86-64-v3"),
        default="native",
        help="the machine to generate code for; default: native",
    )
    parser.add_argument(
        "--backend",
        choices=("llvm", "xdsl"),
        default="llvm",
        help="what generates the code; xdsl is for riscv64 only; default: llvm",
    )
    add_cpu(parser)


def add_cpu(parser: argparse.ArgumentParser) -> None:
    """Add which processor the code is for."""
    parser.add_argument(
        "--cpu",
        metavar="NAME",
        help="use no more than this processor has: x86-64-v2, x86-64-v3, x86-64-v4, or "
        "one of LLVM's names, such as haswell, znver3 and skylake-avx512; default: "
        "what XBUF_CPU says, or native",
    )


def add_entry(parser: argparse.ArgumentParser) -> None:
    """Add which function runs."""
    parser.add_argument(
        "-e",
        "--entry",
        metavar="NAME",
        help="the function to run; default: the only public one, entry, or main",
    )


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add how many threads it runs on."""
    parser.add_argument(
        "--threads",
        type=natural,
        default=0,
        metavar="N",
        help="threads of parallel loops; with 0, OMP_NUM_THREADS or one for each core; "
        "default: 0",
    )


def _tolerance(text: str) -> float:
    """A relative error, which is no negative number."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 on")
    return number
