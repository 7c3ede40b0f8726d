"""How long calls take: each call of a few, or mean and deviation of many.

--repeat 3     0.0012 0.0011 0.0011 s, of each call
-n 1000        1 % of the calls warm up; then mean and deviation of 1,000 calls
"""

import statistics
import time
from contextlib import redirect_stdout
from io import StringIO
from typing import Any, Final

from numpy.typing import NDArray

from xdsl_bufferization.runtime.engine import CompiledModule

from ..common.progress import stage
from .call import Call

Array = NDArray[Any]

_MOST_WARM_UP: Final = 50
_CALLS_PER_WARM_UP: Final = 100


def warm_up_calls(benchmark: int | None) -> int:
    """How many calls are not timed: 1 % of a benchmark, at least 1, at most 50."""
    if benchmark is None:
        return 0
    return min(max(benchmark // _CALLS_PER_WARM_UP, 1), _MOST_WARM_UP)


def mean_of(seconds: list[float], benchmark: int | None) -> float | None:
    """The mean of the timed calls of a benchmark."""
    return None if benchmark is None else statistics.fmean(seconds)


def deviation_of(seconds: list[float], benchmark: int | None) -> float | None:
    """The standard deviation of the timed calls of a benchmark."""
    return None if benchmark is None else statistics.pstdev(seconds)


def measure(
    compiled: CompiledModule, call: Call, repeat: int, warm_up: int
) -> tuple[list[float], list[Array]]:
    """How long calls take after the `warm_up`, and what came out of the first.

    What the program prints is left out: it did so when it was counted.
    """
    seconds: list[float] = []
    first: list[Array] = []
    with stage("running"), redirect_stdout(StringIO()):
        for _ in range(warm_up):
            call.make(compiled, call.prepare())
        for index in range(repeat):
            arguments = call.prepare()
            started = time.perf_counter()
            results = call.make(compiled, arguments)
            seconds.append(time.perf_counter() - started)
            if index == 0:
                first = call.outputs(results, arguments)
            del results
    return seconds, first
