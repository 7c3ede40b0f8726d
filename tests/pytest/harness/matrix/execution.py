"""Compile and run many programs at once, in a process that may crash.

    execute([job, job, ...])     ->  [Outcome("right"), Outcome("wrong", "..."), ...]

If a call ends the process, the calls behind it are tried again. If compilation fails,
each half is compiled again.
"""

import gc
import resource
import signal
import traceback
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from harness.matrix.around import Program
from harness.matrix.joined import join, name_in, number_of, remove
from harness.matrix.numbers import Array, for_compiled_code, from_compiled_code
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.run.compare import (
    BF16_TOLERANCE,
    max_relative_error,
    tolerance_of,
)

RIGHT: Final = "right"
REFUSED: Final = "refused"
WRONG: Final = "wrong"

_FORK: Final = get_context("fork")
_SECONDS_TO_COMPILE: Final = 60
_SECONDS_TO_CALL: Final = 10
_OPTIMIZATION: Final = 0
"""LLVM takes longer than all passes, and is not what is tested."""


@dataclass(frozen=True)
class Outcome:
    """What came of a program."""

    kind: str
    message: str = ""


@dataclass
class Job:
    """Code to be executed, and what it has to compute."""

    program: Program
    module: ModuleOp
    options: CompileOptions
    calls: Sequence[Sequence[Array]]
    """The arguments of each call."""

    expected: Sequence[Sequence[Array] | None]
    """The results of each call; None: the call must end in an error."""


def execute(jobs: Sequence[Job]) -> list[Outcome]:
    """Compile all programs together, and call each; all have the same options."""
    if not jobs:
        return []
    answer = _in_child(jobs)
    known = len(answer.outcomes)
    if known == len(jobs):
        return answer.outcomes
    if answer.is_compiled:
        # The next call has ended the process.
        ended = Outcome(WRONG, answer.end)
        return [*answer.outcomes, ended, *execute(jobs[known + 1 :])]
    if len(jobs) == 1:
        return [Outcome(answer.kind, answer.end)]
    half = len(jobs) // 2
    return [*execute(jobs[:half]), *execute(jobs[half:])]


@dataclass
class _Answer:
    """What a process has said before it ended."""

    is_compiled: bool = False
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    kind: str = WRONG
    end: str = ""
    """Why there are no outcomes of all programs."""


def _in_child(jobs: Sequence[Job]) -> _Answer:
    ours, theirs = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_work, args=(theirs, jobs))
    with warnings.catch_warnings():
        # From Python 3.12 on, where this process has threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    theirs.close()
    answer = _Answer()
    try:
        while True:
            said = ours.recv()
            if said is None:
                answer.is_compiled = True
            elif answer.is_compiled:
                answer.outcomes.append(said)
            else:
                answer.kind, answer.end = said.kind, said.message
    except EOFError:
        process.join()
    ours.close()
    code = process.exitcode or 0
    if code:
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        answer.end = f"the process ended: {name}"
    return answer


def _work(connection: Connection, jobs: Sequence[Job]) -> None:
    """The life of the process: `None` once all is compiled, and then outcomes."""
    gc.freeze()
    limit_seconds(_SECONDS_TO_COMPILE)
    refused: dict[int, Outcome] = {}
    compiled = _compile(jobs, refused)
    if isinstance(compiled, Outcome):
        connection.send(compiled)
        return
    connection.send(None)
    for number, job in enumerate(jobs):
        limit_seconds(_SECONDS_TO_CALL)
        connection.send(refused.get(number) or _call(compiled, number, job))


def limit_seconds(seconds: int) -> None:
    """From now on, so many seconds of the processor: machines are busy."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    most = int(usage.ru_utime + usage.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _compile(
    jobs: Sequence[Job], refused: dict[int, Outcome]
) -> CompiledModule | Outcome:
    """One module of all programs but those that are refused."""
    joined = join([job.module for job in jobs])
    options: CompileOptions = {
        **jobs[0].options,
        "poison": True,
        "opt_level": _OPTIMIZATION,
    }
    while True:
        try:
            return compile_module(joined, **options)
        except OperationError as error:
            number = number_of(error.op)
            if number is None or number in refused:
                return Outcome(REFUSED, error.message)
            refused[number] = Outcome(REFUSED, error.message)
            remove(joined, number)
        except Exception as error:  # A refusal has a kind of its own: this is a fault.
            return Outcome(WRONG, f"compilation: {describe(error)}")


def describe(error: BaseException) -> str:
    """An error that nobody has put into words, with the place that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = next(iter(str(error).strip().splitlines()[-1:]), "")
    place = f"{last.filename.rpartition('/')[2]}:{last.name}"
    return f"{type(error).__name__} in {place}: {line}"


def _call(compiled: CompiledModule, number: int, job: Job) -> Outcome:
    function = compiled[name_in(job.program.entry, number)]
    for arguments, expected in zip(job.calls, job.expected, strict=True):
        given = [
            for_compiled_code(array, element)
            for array, element in zip(arguments, job.program.elements, strict=True)
        ]
        before = _report(compiled)
        try:
            results: Any = function(*given)
        except Exception as error:  # Right where the reference has no result.
            if expected is not None:
                return Outcome(WRONG, f"the call raised {describe(error)}")
            problem = None
        else:
            problem = "the call should have raised an error"
            if expected is not None:
                problem = _difference(job.program, results, given, expected)
            del results
        if expected is not None or job.options.get("checked"):
            # Without checks, what was live at a failure stays allocated.
            problem = problem or _leak(compiled, before)
        if problem is not None:
            return Outcome(WRONG, problem)
    return Outcome(RIGHT)


def _report(compiled: CompiledModule) -> Any:
    assert isinstance(compiled.heap, CountingHeap)
    return compiled.heap.report()


def _leak(compiled: CompiledModule, before: Any) -> str | None:
    after = _report(compiled)
    if after.live_bytes != before.live_bytes:
        gc.collect()
        after = _report(compiled)
    if after.live_bytes != before.live_bytes:
        return f"{after.live_bytes - before.live_bytes} bytes are not freed"
    if after.double_frees != before.double_frees:
        return "memory is freed twice"
    if after.foreign_frees != before.foreign_frees:
        return "memory is freed that was never allocated"
    return None


def _difference(
    program: Program,
    results: Any,
    given: Sequence[Array],
    expected: Sequence[Array],
) -> str | None:
    """How results differ from those of the reference: buffers of the caller, too."""
    several = (results,) if len(program.results) == 1 else results or ()
    found = [*several, *(given[at] for at in program.buffers)]
    for at, (element, each, wanted) in enumerate(
        zip(program.compared, found, expected, strict=True)
    ):
        result = from_compiled_code(each, element)
        tolerance = BF16_TOLERANCE if element == "bf16" else tolerance_of([wanted])
        with np.errstate(all="ignore"):
            error = max_relative_error([result], [wanted])
        if error > max(tolerance, program.tolerance):
            return (
                f"result {at} is {result.tolist()!s:.200}, not {wanted.tolist()!s:.200}"
            )
    return None
