"""How the benchmarks measure: seconds of processor time, in processes of their own.

in_new_process(measure, row, size)    one measurement, in a fresh interpreter
exponent((1024, 0.5), (4096, 2.2))    1.07: how fast the cost grows
time_peer("mlir-opt-22", ...)         the same for a pass of mlir-opt
"""

import io
import math
import re
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple, ParamSpec, TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

_P = ParamSpec("_P")
_T = TypeVar("_T")

_ITERATIONS = 1_000_000
"""How often the loop runs that the machine is measured by."""


class Cost(NamedTuple):
    """What one size costs."""

    size: int
    work: float
    """In seconds, or in what else is measured."""


class PeerError(RuntimeError):
    """The peer does not accept the program."""


def describe_machine() -> str:
    """A line to compare figures of different machines by: the speed of this one."""
    best = min(_time_loop() for _ in range(5))
    nanoseconds = best / _ITERATIONS * 1e9
    return f"An iteration of an empty loop of Python takes {nanoseconds:.1f} ns."


def _time_loop() -> float:
    start = time.process_time()
    number = 0
    while number < _ITERATIONS:
        number += 1
    return time.process_time() - start


def in_new_process(
    function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """The result of a function of a module, run in a fresh interpreter."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def peak_memory() -> int:
    """MiB that this process has needed so far, with the interpreter."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def exponent(before: Cost, now: Cost) -> float:
    """The power of the size that the cost grows with: 1 is linear, 2 quadratic."""
    return math.log(now.work / before.work) / math.log(now.size / before.size)


def generic_text(module: ModuleOp) -> str:
    """The text of a program, for mlir-opt."""
    stream = io.StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def time_peer(
    peer: str, options: list[str], timed: str, text: str, limit: int
) -> float | None:
    """Seconds of the pass `timed`, or None if mlir-opt runs for longer than the limit.

    `-mlir-timing` knows the share of the pass in the whole run, but only in seconds of
    the clock, which mean little on a machine that does other work as well. Raises a
    `PeerError` if mlir-opt fails.
    """
    flags = ["--mlir-disable-threading", "-mlir-timing", "-o", "/dev/null"]
    before = _seconds_of_children()
    result = subprocess.run(
        [peer, *options, *flags],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    seconds = _seconds_of_children() - before
    if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    pass_, total = (
        re.search(rf"([\d.]+) \(.*\)  +{name}", result.stderr)
        for name in (timed, "Total")
    )
    if result.returncode or not pass_ or not total:
        raise PeerError(f"{peer} {' '.join(options)} failed:\n{result.stderr[:500]}")
    return seconds * float(pass_.group(1)) / float(total.group(1))


def _seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
