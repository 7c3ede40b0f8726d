"""How long text takes: to read, to verify, to bufferize and to print.

    python benchmarks/text.py [--ops 10000,100000] [--peer mlir-opt-22] [--aside]
    python benchmarks/text.py --starts [--peer mlir-opt-22]

The programs are functions of slices and fills, in turn: `tensor.extract_slice`,
`linalg.fill` and `tensor.insert_slice`. An op in the body of a fill counts as an op.

Prints for each size and each reader the microseconds of processor time for an op:

- `xDSL`: xDSL's parser, verifier, and printer, without this package;
- `ours`: this package, as `xbuf opt` uses it, and one-shot-bufferize;
- `ours, aside` (with `--aside`): the same without any change of xDSL's methods, as with
  a release of xDSL in which all these methods are others;
- the peer: `mlir-opt` on the same text, alone and with one-shot-bufferize.

Each step is measured three times, and the readers take turns; the fastest counts.
`--starts` measures whole processes on an empty module instead.
"""

import argparse
import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from measuring import describe_machine, in_new_process

_TURNS = 3
"""So many processes measure each size."""

_LIMIT = 20
"""Seconds after which the peer is stopped."""

_EMPTY = "builtin.module {\n}\n"


class Steps(NamedTuple):
    """Seconds of processor time."""

    parse: float
    verify: float
    bufferize: float
    print: float
    ops: int

    def fastest(self, other: "Steps") -> "Steps":
        """The less of each step."""
        seconds = (min(each) for each in zip(self[:4], other[:4], strict=True))
        return Steps(*seconds, ops=self.ops)


Readers = dict[str, Callable[[int], Steps]]
"""How each reader is measured on a program of so many ops."""


def program(ops: int) -> str:
    """The text of a function of about so many slices and fills."""
    lines = ["func.func @f(%0: tensor<?xf32>, %x: f32) -> tensor<?xf32> {"]
    last = "%0"
    for number in range(ops // 4):
        at = f"[{4 * number}] [4] [1]"
        lines += [
            f"  %p{number} = tensor.extract_slice {last}{at}"
            " : tensor<?xf32> to tensor<4xf32>",
            f"  %q{number} = linalg.fill ins(%x : f32) outs(%p{number} : tensor<4xf32>)"
            " -> tensor<4xf32>",
            f"  %r{number} = tensor.insert_slice %q{number} into {last}{at}"
            " : tensor<4xf32> into tensor<?xf32>",
        ]
        last = f"%r{number}"
    lines += [f"  func.return {last} : tensor<?xf32>", "}", ""]
    return "\n".join(lines)


def _timed(step: Callable[[], object]) -> float:
    start = time.process_time()
    step()
    return time.process_time() - start


def measure_xdsl(ops: int) -> Steps:
    """Measure xDSL alone."""
    from xdsl.context import Context
    from xdsl.dialects import get_all_dialects
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    ctx = Context()
    for name, factory in get_all_dialects().items():
        ctx.register_dialect(name, factory)
    Parser(ctx, program(8)).parse_module().verify()
    modules: list[ModuleOp] = []
    text = program(ops)
    parse = _timed(lambda: modules.append(Parser(ctx, text).parse_module()))
    module = modules[0]
    verify = _timed(module.verify)
    print_ = _timed(lambda: Printer(io.StringIO()).print_op(module))
    return Steps(parse, verify, 0.0, print_, sum(1 for _ in module.walk()))


def measure_ours(ops: int) -> Steps:
    """This package."""
    from xdsl.dialects.builtin import ModuleOp

    from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
        one_shot_bufferize,
    )
    from xdsl_bufferization.bufferization.context import get_context
    from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
    from xdsl_bufferization.dialects.parsing import parse_module
    from xdsl_bufferization.dialects.printing import mlir_text
    from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir

    ctx = get_context()
    options = BufferizationOptions(bufferize_function_boundaries=True)
    small = parse_module(program(8), "a.mlir", ctx)
    one_shot_bufferize(small, options)
    modules: list[ModuleOp] = []
    text = program(ops)
    parse = _timed(lambda: modules.append(parse_module(text, "a.mlir", ctx)))
    module = modules[0]
    count = sum(1 for _ in module.walk())
    verify = _timed(lambda: verify_as_mlir(module))
    bufferize = _timed(lambda: one_shot_bufferize(module, options))
    print_ = _timed(lambda: mlir_text(module))
    return Steps(parse, verify, bufferize, print_, count)


def measure_aside(ops: int) -> Steps:
    """This package, all of whose changes of xDSL's methods stand aside."""
    from xdsl_bufferization.dialects.xdsl_patches import guard

    guard.KNOWN_METHODS = {}  # pyright: ignore[reportAttributeAccessIssue]
    return measure_ours(ops)


def seconds_of_process(command: list[str], text: str) -> float:
    """The processor time of a process that reads `text`; raises if it fails."""
    before = _seconds_of_children()
    subprocess.run(command, input=text, text=True, capture_output=True, check=True)
    return _seconds_of_children() - before


def _seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def rows(sizes: list[int], readers: Readers, peer: str | None) -> Iterator[str]:
    """The table of steps."""
    yield "| ops | reader | parse | verify | one-shot | print | all |"
    yield "|---|---|---|---|---|---|---|"
    for size in sizes:
        best: dict[str, Steps] = {}
        for _ in range(_TURNS):
            for name, measure in readers.items():
                steps = in_new_process(measure, size)
                best[name] = steps.fastest(best.get(name, steps))
        for name, steps in best.items():
            micros = [seconds / steps.ops * 1e6 for seconds in steps[:4]]
            cells = [f"{each:.1f}" if each else "" for each in micros]
            yield f"| {steps.ops} | {name} | {' | '.join(cells)} | {sum(micros):.1f} |"
        if peer is not None:
            plain, whole = _peer_micros(peer, size, best["ours"].ops)
            yield f"| | {peer} | | | {whole - plain:.1f} | {plain:.1f} | {whole:.1f} |"


def _peer_micros(peer: str, size: int, ops: int) -> tuple[float, float]:
    """Reading, verifying and printing alone, and with one-shot-bufferize."""
    text = program(size)
    alone = min(seconds_of_process([peer], text) for _ in range(_TURNS))
    pass_ = "--one-shot-bufferize=bufferize-function-boundaries"
    try:
        whole = seconds_of_process(["timeout", str(_LIMIT), peer, pass_], text)
    except subprocess.CalledProcessError:
        # The time of the pass grows with the square of the number of slices.
        whole = float("inf")
    return alone / ops * 1e6, whole / ops * 1e6


def starts(peer: str | None) -> Iterator[str]:
    """Processes on an empty module: processor time, and time of the clock."""
    bin_ = Path(sys.executable).parent
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "xdsl-opt": [str(bin_ / "xdsl-opt")],
        "xdsl-opt -p one-shot-bufferize": [
            str(bin_ / "xdsl-opt"),
            "-p",
            "one-shot-bufferize",
        ],
        "xbuf opt": [str(bin_ / "xbuf"), "opt"],
    }
    if peer is not None:
        commands[peer] = [peer]
    yield "| command | processor s | clock s |"
    yield "|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.mlir"
        file.write_text(_EMPTY)
        for name, command in commands.items():
            arguments = command if name.startswith("python") else [*command, str(file)]
            costs = [_start(arguments) for _ in range(4 * _TURNS)]
            processor, clock = (min(each) for each in zip(*costs, strict=True))
            yield f"| `{name}` | {processor:.2f} | {clock:.2f} |"


def _start(command: list[str]) -> tuple[float, float]:
    clock = time.perf_counter()
    return seconds_of_process(command, ""), time.perf_counter() - clock


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", default="10000,100000")
    parser.add_argument("--peer")
    parser.add_argument("--aside", action="store_true")
    parser.add_argument("--starts", action="store_true")
    arguments = parser.parse_args()
    os.environ.setdefault("PYTHONHASHSEED", "0")
    sys.stdout.write(f"{describe_machine()}\n\n")
    sizes = [int(size) for size in arguments.ops.split(",")]
    peer: str | None = arguments.peer
    readers: Readers = {"xDSL": measure_xdsl, "ours": measure_ours}
    if arguments.aside:
        readers["ours, aside"] = measure_aside
    lines = starts(peer) if arguments.starts else rows(sizes, readers, peer)
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
