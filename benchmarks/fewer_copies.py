"""How the cost of the passes that save copies grows.

    python benchmarks/fewer_copies.py [--only TEXT] [--sizes 10000,100000]

Prints a row for each program and size:

- how many ops the program has;
- the microseconds for each op of `move-reads-before-writes`, of
  `rematerialize-cheap-tensors` and of both;
- the exponent of growth since the size before;
- how many buffers operands get, before and after.

Seconds are those of the processor. Each row is measured once, in a process of its own.
Python's garbage collector does not run during the passes. Before, the passes run on a
small program, as code is loaded when it is needed first.
"""

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

from measuring import Cost, describe_machine, exponent, in_new_process
from one_shot_programs import ROWS
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.fewer_copies.decided import Decider
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    move_reads_before_writes,
)
from xdsl_bufferization.bufferization.fewer_copies.rematerialize_cheap_tensors import (
    rematerialize_cheap_tensors,
)
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.parsing import WiderParser
from xdsl_bufferization.support.garbage import without_garbage_collection

_SIZES = (1_000, 10_000, 100_000)

_FEW = 200
"""The ops of the program that the passes run on first."""

_TYPE = "tensor<64xf32>"


class Measurement(NamedTuple):
    """What the passes cost on one program of one size."""

    ops: int
    copies: int
    """Buffers that operands would get, before."""

    copies_left: int
    moving: float
    """Seconds of `move-reads-before-writes`."""

    repeating: float
    """Seconds of `rematerialize-cheap-tensors`, after the other pass."""


def _function(body: str, result: str = "%f") -> str:
    return (
        f"func.func @main(%t0: {_TYPE}, %f: f32, %i: index) -> f32 {{\n"
        f"%zero = arith.constant 0.0 : f32\n{body}\nreturn {result} : f32\n}}\n"
    )


def swapped(ops: int) -> str:
    """Each write comes before a read that it spoils, with numbers in between."""
    body = "\n".join(
        f"%t{n + 1} = tensor.insert %f into %t{n}[%i] : {_TYPE}\n"
        f"%j{n} = arith.addi %i, %i : index\n%k{n} = arith.muli %j{n}, %i : index\n"
        f"%x{n} = tensor.extract %t{n}[%k{n}] : {_TYPE}\n"
        f"%y{n} = arith.addf %x{n}, %f : f32"
        for n in range(ops // 5)
    )
    return _function(body)


def filled(ops: int) -> str:
    """Many products start from one tensor of zeros."""
    square = "tensor<8x8xf32>"
    body = "\n".join(
        f"%a{n} = linalg.matmul ins(%s, %s : {square}, {square}) outs(%z : {square})"
        f" -> {square}\n%x{n} = tensor.extract %a{n}[%i, %i] : {square}\n"
        f"%y{n} = arith.addf %x{n}, %f : f32"
        for n in range(ops // 6)  # A product has three ops inside.
    )
    start = (
        f"%s = tensor.empty() : {square}\n%e = tensor.empty() : {square}\n"
        f"%z = linalg.fill ins(%zero : f32) outs(%e : {square}) -> {square}\n"
    )
    return _function(start + body)


def in_place(ops: int) -> str:
    """Nothing is copied: reads come before writes."""
    body = "\n".join(
        f"%x{n} = tensor.extract %t{n}[%i] : {_TYPE}\n"
        f"%y{n} = arith.addf %x{n}, %f : f32\n"
        f"%t{n + 1} = tensor.insert %y{n} into %t{n}[%i] : {_TYPE}"
        for n in range(ops // 3)
    )
    return _function(body)


PROGRAMS: dict[str, Callable[[int], str]] = {
    "swapped": swapped,
    "filled": filled,
    "in place": in_place,
}


def build(name: str, ops: int) -> ModuleOp:
    """The program of that name with about that many ops."""
    if name in PROGRAMS:
        return WiderParser(get_context(), PROGRAMS[name](ops)).parse_module()
    (row,) = (row for row in ROWS if row.name == name)
    return row.build(ops // 13)


def measure(name: str, ops: int) -> Measurement:
    """Run both passes on a program."""
    attach_all()
    _run_timed(build(name, _FEW))
    module = build(name, ops)
    count = sum(1 for _ in module.walk())
    before = _count_copies(module)
    times = _run_timed(module)
    return Measurement(count, before, _count_copies(module), *times)


def _run_timed(module: ModuleOp) -> list[float]:
    """Run both passes on a program; the seconds of each."""
    times: list[float] = []
    for run in (move_reads_before_writes, rematerialize_cheap_tensors):
        with without_garbage_collection():
            start = time.process_time()
            run(module)
            times.append(time.process_time() - start)
    return times


def _count_copies(module: ModuleOp) -> int:
    return sum(len(decided.buffers) for decided in Decider(module).functions())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="programs whose name has this text")
    parser.add_argument("--sizes", default=",".join(map(str, _SIZES)))
    given = parser.parse_args()
    sizes = tuple(map(int, given.sizes.split(",")))
    print(describe_machine())
    print(
        f"{'program':12}{'ops':>9}{'move us/op':>12}{'repeat us/op':>14}"
        f"{'both us/op':>12}{'exp.':>6}{'copies':>9}{'left':>7}"
    )
    for name in (*PROGRAMS, "N layers"):
        if given.only in name:
            _print_rows(name, sizes)


def _print_rows(name: str, sizes: tuple[int, ...]) -> None:
    last: Measurement | None = None
    for size in sizes:
        found = in_new_process(measure, name, size)
        total = found.moving + found.repeating
        grown = ""
        if last is not None:
            old = last.moving + last.repeating
            grown = f"{exponent(Cost(last.ops, old), Cost(found.ops, total)):.2f}"
        per_op = [s / found.ops * 1e6 for s in (found.moving, found.repeating, total)]
        print(
            f"{name:12}{found.ops:9}{per_op[0]:12.1f}{per_op[1]:14.1f}{per_op[2]:12.1f}"
            f"{grown:>6}{found.copies:9}{found.copies_left:7}",
            flush=True,
        )
        last = found


if __name__ == "__main__":
    main()
