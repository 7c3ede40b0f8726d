"""Random programs on complex numbers: the same in NumPy and as compiled code.

Fresh memory is poisoned, so that a read of contents that nobody wrote shows as NaN, and
every allocation is accounted for.
"""

from typing import Any

import numpy as np
import pytest
from harness.programs.random_complex import random_complex_program
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import parse
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.bufferize import BufferizePass
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.tools.run.compare import max_relative_error

PROGRAMS = 12

Array = NDArray[Any]

TYPES: dict[str, tuple[Any, float]] = {
    "f32": (np.complex64, 2e-4),
    "f64": (np.complex128, 1e-11),
}


def _arguments(seed: int, dtype: Any) -> list[Array]:
    rng = np.random.default_rng(seed)
    return [
        (rng.normal(size=(4, 4)) + 1j * rng.normal(size=(4, 4))).astype(dtype)
        for _ in range(2)
    ]


def _run(module: ModuleOp, arguments: list[Array]) -> list[Array]:
    program = compile_module(module, poison=True)
    heap = program.heap
    assert isinstance(heap, CountingHeap)
    results = [np.array(each) for each in program["f"](*arguments)]
    assert heap.report().live_bytes == 0
    return results


@pytest.mark.volume(sample=8)
@pytest.mark.parametrize("part", TYPES)
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_same_as_in_numpy(seed: int, part: str) -> None:
    dtype, tolerance = TYPES[part]
    text = random_complex_program(seed, part)
    arguments = _arguments(seed, dtype)
    expected = evaluate(parse(text), "f", arguments)
    for pipeline in (BufferizePass(), DefaultTppPassesPass()):
        module = parse(text)
        pipeline.apply(get_context(), module)
        got = _run(module, [each.copy() for each in arguments])
        assert max_relative_error(got, expected) < tolerance, text
