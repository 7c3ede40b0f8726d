"""All parts of the matrix, some at a time, with a line for each that is done.

    run_parts(["generic"], processes=2)
        generic 1 of 12: 15 programs, 1301 cells, 0 wrong, 4 s

Ctrl-C ends the run. What was run until then is reported.
"""

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from harness.matrix.catalogue import programs_of
from harness.matrix.cells import Cells
from harness.matrix.parts import all_parts, parts_of, run_part
from harness.matrix.report import Run, unexpected


def run_parts(
    families: Sequence[str], *, most: int | None = None, processes: int = 2
) -> Run:
    """Run all parts of each family, or the first ones; each is printed when it ends."""
    for family in families:
        programs_of(family)  # Chosen once, and known to all processes.
    tasks = [(family, part) for family, part in all_parts() if family in families]
    tasks = [task for task in tasks if most is None or task[1] < most]
    run, left = Run(), dict.fromkeys(tasks)
    fork = get_context("fork")
    with ProcessPoolExecutor(processes, fork, initializer=_ignore_ctrl_c) as pool:
        waiting = {pool.submit(_timed, *task): task for task in tasks}
        try:
            for (family, part), (cells, seconds) in _done(waiting):
                del left[family, part]
                run.cells.add(cells)
                name = _name(family, part)
                _say(f"{name}: {_short(cells)}, {seconds:.0f} s")
                for problem in unexpected(cells):
                    _say(problem)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    run.not_run = [_name(*task) for task in left]
    return run


def _ignore_ctrl_c() -> None:
    """The parent decides what becomes of a part that is running."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _name(family: str, part: int) -> str:
    return f"{family} {part + 1} of {parts_of(family)}"


def _timed(family: str, part: int) -> tuple[Cells, float]:
    started = time.monotonic()
    return run_part(family, part), time.monotonic() - started


_Task = tuple[str, int]
_Answer = tuple[Cells, float]


def _done(
    waiting: dict[Future[_Answer], _Task],
) -> Iterator[tuple[_Task, _Answer]]:
    for future in as_completed(waiting):
        yield waiting[future], future.result()


def _short(cells: Cells) -> str:
    total = sum(cells.counts.values())
    return f"{cells.programs} programs, {total} cells, {len(cells.findings)} wrong"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
