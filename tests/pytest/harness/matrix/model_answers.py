"""The answers of all models, tested by running each op of the matrix alone.

PYTHONPATH=tests/pytest python -m harness.matrix.model_answers               all of it
PYTHONPATH=tests/pytest python -m harness.matrix.model_answers generic       a family
PYTHONPATH=tests/pytest python -m harness.matrix.model_answers --parts 2     a part

The ops are those of the programs of the matrix, with producers and consumers, before
they are bufferized. An op has the values that the reference has found there. Equal ops
are compiled once in a part.
"""

import argparse
import gc
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Final

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from harness.matrix.around import Program
from harness.matrix.asked_ops import Asked, ops_of
from harness.matrix.catalogue import FAMILIES, programs_of
from harness.matrix.execution import describe, limit_seconds
from harness.matrix.joined import join, name_in, number_of, remove
from harness.matrix.numbers import Array, for_compiled_code
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.model_answers.check_model_by_execution import (
    Trial,
    bufferized,
)
from xdsl_bufferization.pipelines.model_answers.checks import Findings
from xdsl_bufferization.pipelines.model_answers.single_op import (
    NAME,
    LeftOutError,
    program_of,
)
from xdsl_bufferization.reference.values import Value
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import ProgramError
from xdsl_bufferization.support.errors import OperationError, op_name

_FORK: Final = get_context("fork")
_SECONDS_TO_COMPILE: Final = 120
_SECONDS_TO_RUN: Final = 10
_TOGETHER: Final = 40
"""How many ops are compiled together."""

_PROGRAMS: Final = 16
"""How many programs a part has, about."""


@dataclass
class Tested:
    """What was tested of some programs."""

    forms: Counter[str] = field(default_factory=Counter[str])
    """Different programs of one op that were run, by the name of the op."""

    checked: Counter[str] = field(default_factory=Counter[str])
    cautious: Counter[str] = field(default_factory=Counter[str])
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """By the op and the reason."""

    wrong: list[str] = field(default_factory=list[str])

    def add(self, other: "Tested") -> None:
        """Add what was tested of other programs."""
        self.forms += other.forms
        self.checked += other.checked
        self.cautious += other.cautious
        self.left_out += other.left_out
        self.wrong += other.wrong


def answers_of(programs: Sequence[Program]) -> Tested:
    """Test the answers about the ops of some programs."""
    attach_all()
    tested = Tested()
    jobs: list[tuple[Asked, Trial]] = []
    known: set[str] = set()
    for program in programs:
        if program.form.is_error:
            tested.left_out[program.form.op, "a program that must fail"] += 1
            continue
        for asked in _asked(program, tested):
            for is_strided in (False, True):
                trial = _try(asked, tested, known, is_strided=is_strided)
                if trial is not None:
                    jobs.append((asked, trial))
    for start in range(0, len(jobs), _TOGETHER):
        _execute(jobs[start : start + _TOGETHER], tested)
    return tested


def _asked(program: Program, tested: Tested) -> list[Asked]:
    try:
        return ops_of(program)
    except OperationError as error:
        tested.left_out[program.form.op, f"no program of tensors: {error.message}"] += 1
    except Exception as error:  # A fault to be reported, of any kind.
        tested.wrong.append(f"{program.description}: {describe(error)}")
    return []


def _try(
    asked: Asked, tested: Tested, known: set[str], *, is_strided: bool
) -> Trial | None:
    name = op_name(asked.op)
    if not asked.values:
        tested.left_out[name, "does not run in its program"] += 1
        return None
    try:
        program = program_of(asked.op, is_strided=is_strided)
        text = mlir_text(program.module)
        if text in known:
            return None
        known.add(text)
        return bufferized(program)
    except LeftOutError as error:
        tested.left_out[name, str(error)] += 1
    except OperationError as error:
        layout = " of any layout" if is_strided else ""
        tested.left_out[name, f"refused on buffers{layout}: {error.message}"] += 1
    except Exception as error:  # A fault to be reported, of any kind.
        tested.wrong.append(_place(asked, describe(error)))
    return None


def _place(asked: Asked, problem: str) -> str:
    program = asked.program
    return f"{op_name(asked.op)} in @{program.entry}, {program.description}: {problem}"


def _execute(jobs: Sequence[tuple[Asked, Trial]], tested: Tested) -> None:
    """Compile and run all of them in a process that may crash."""
    while jobs:
        answer = _in_child(jobs)
        for (asked, _), said in zip(jobs, answer.said, strict=False):
            _note(asked, said, tested)
        if len(answer.said) == len(jobs):
            return
        if not answer.is_compiled and len(jobs) > 1:
            half = len(jobs) // 2
            _execute(jobs[:half], tested)
            jobs = jobs[half:]
            continue
        # The next one has ended the process.
        asked, _ = jobs[len(answer.said)]
        tested.wrong.append(_place(asked, f"the process ended: {answer.end}"))
        jobs = jobs[len(answer.said) + 1 :]


_Said = Findings | str
"""What a run has shown, or why there is none."""


def _note(asked: Asked, said: _Said, tested: Tested) -> None:
    name = op_name(asked.op)
    if isinstance(said, str):
        tested.left_out[name, said] += 1
        return
    tested.forms[name] += 1
    tested.checked += said.checked
    tested.cautious += said.cautious
    for reason, count in said.left_out.items():
        tested.left_out[name, reason] += count
    tested.wrong += [_place(asked, problem) for problem in said.problems]


@dataclass
class _Answer:
    is_compiled: bool = False
    said: list[_Said] = field(default_factory=list[_Said])
    end: str = ""


def _in_child(jobs: Sequence[tuple[Asked, Trial]]) -> _Answer:
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
                answer.said.append(said)
            else:
                answer.end = said
    except EOFError:
        process.join()
    ours.close()
    code = process.exitcode or 0
    if code:
        answer.end = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return answer


def _work(connection: Connection, jobs: Sequence[tuple[Asked, Trial]]) -> None:
    """The life of the process: `None` once all is compiled, and then findings."""
    gc.freeze()
    limit_seconds(_SECONDS_TO_COMPILE)
    refused: dict[int, str] = {}
    compiled = _compile(jobs, refused)
    if isinstance(compiled, str):
        connection.send(compiled)
        return
    connection.send(None)
    for number, (asked, trial) in enumerate(jobs):
        limit_seconds(_SECONDS_TO_RUN)
        connection.send(refused.get(number) or _compare(asked, trial, compiled, number))


def _compile(
    jobs: Sequence[tuple[Asked, Trial]], refused: dict[int, str]
) -> CompiledModule | str:
    joined = join([trial.module for _, trial in jobs])
    while True:
        try:
            return compile_module(joined, poison=True, opt_level=0)
        except OperationError as error:
            number = number_of(error.op)
            if number is None or number in refused:
                return error.message
            refused[number] = f"cannot be compiled alone: {error.message}"
            remove(joined, number)
        except Exception as error:  # A fault to be reported, of any kind.
            return describe(error)


def _compare(
    asked: Asked, trial: Trial, compiled: CompiledModule, number: int
) -> _Said:
    try:
        first, *others = (
            _find(trial, compiled, number, values) for values in asked.values
        )
        for other in others:
            first.add(other)
    except ProgramError as error:
        return f"the program fails: {error}"
    except Exception as error:  # A fault to be reported, of any kind.
        return Findings([describe(error)])
    return first


def _find(
    trial: Trial,
    compiled: CompiledModule,
    number: int,
    values: Mapping[SSAValue, Value],
) -> Findings:
    given = {
        each.source: _as_given(values[each.source], each.type)
        for each in trial.program.given
    }
    return trial.run(compiled, given, name_in(NAME, number))


def _as_given(value: Value, type_: MemRefType) -> Array:
    """A value as compiled code takes it."""
    element = str(type_.element_type)
    if value.ndim != len(type_.get_shape()):
        # A body is evaluated for all elements at once: one of them is enough.
        assert not type_.get_shape()
        value = value.reshape(-1)[:1].reshape(())
    return for_compiled_code(value, element)


def tasks() -> list[tuple[str, int]]:
    """Each family and part."""
    return [(family, part) for family in FAMILIES for part in range(_parts_of(family))]


def _parts_of(family: str) -> int:
    return -(-FAMILIES[family].most // _PROGRAMS)


def run_task(family: str, part: int) -> Tested:
    """Test the answers about every n-th program of a family of n parts."""
    return answers_of(programs_of(family)[part :: _parts_of(family)])


def lines_of(tested: Tested, seconds: float) -> Iterator[str]:
    """The table of what was tested."""
    yield f"{len(tested.forms)} ops, {sum(tested.forms.values()):,} programs of one op"
    yield f"{sum(tested.checked.values()):,} answers checked in {seconds:.0f} s:"
    for kind, count in tested.checked.most_common():
        yield f"  {count:7,}  {kind}"
    yield "answers that claim more than was seen:"
    for kind, count in tested.cautious.most_common():
        yield f"  {count:7,}  {kind}"
    yield "left out:"
    reasons: dict[str, Counter[str]] = {}
    for (name, reason), count in tested.left_out.items():
        reasons.setdefault(reason, Counter())[name] += count
    for reason, names in sorted(
        reasons.items(), key=lambda item: -sum(item[1].values())
    ):
        ops = ", ".join(f"{name} {count}" for name, count in names.most_common(5))
        more = f", and {len(names) - 5} more" if len(names) > 5 else ""
        yield f"  {sum(names.values()):7,}  {reason} ({ops}{more})"
    yield f"{len(tested.wrong)} wrong"
    yield from (f"  {each}" for each in tested.wrong)


def main() -> int:
    """Parse the command line, and run what it says; 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="harness.matrix.model_answers")
    parser.add_argument(
        "families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES)
    )
    parser.add_argument("--parts", type=int, help="of each family")
    parser.add_argument("--processes", type=int, default=2, help="at a time")
    options = parser.parse_args()
    chosen = [
        (family, part)
        for family, part in tasks()
        if family in (options.families or FAMILIES)
        and (options.parts is None or part < options.parts)
    ]
    for family in {family for family, _ in chosen}:
        programs_of(family)  # Chosen once, and known to all processes.
    started, all_ = time.monotonic(), Tested()
    with ProcessPoolExecutor(options.processes, _FORK) as pool:
        waiting = {pool.submit(run_task, *task): task for task in chosen}
        for done in as_completed(waiting):
            family, part = waiting[done]
            tested = done.result()
            all_.add(tested)
            count = sum(tested.forms.values())
            _say(f"{family} {part + 1}: {count} programs, {len(tested.wrong)} wrong")
    for line in lines_of(all_, time.monotonic() - started):
        _say(line)
    return 1 if all_.wrong else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
