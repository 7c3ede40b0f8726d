"""Programs whose parallel loops are shared by threads compute the same bits.

And their buffers are freed once, on a heap that counts and that poisons.
"""

import gc
from typing import Any, cast

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.runtime import CountingHeap
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

SHAPES = {
    "forall": ParallelShape(loops=0.5),
    "deep": ParallelShape(ops=5, depth=3, loops=0.5),
    "parallel": ParallelShape(parallel=True, calls=True, loops=0.5),
}


def run(module: ModuleOp, threads: int) -> list[bytes]:
    """The bits of the results of `main`, run several times."""
    compiled = compile_module(module, poison=True, opt_level=1, threads=threads)
    found: list[bytes] = []
    for iterations, flag in ((0, True), (3, False), (4, True)):
        results = cast(
            "tuple[Any, ...]", compiled["main"](*arguments(iterations, flag))
        )
        found += [np.array(value).tobytes() for value in results]
        del results
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert report.double_frees == report.foreign_frees == report.live_bytes == 0
    return found


def arguments(iterations: int, flag: bool) -> list[Any]:
    random = np.random.default_rng(iterations)
    arrays = [random.random(size, np.float32) for size in (8, 8, 4)]
    return [*arrays, np.float32(1.5), iterations, flag]


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_random_programs_compute_the_same_bits(shape: ParallelShape, seed: int) -> None:
    module = bufferize(
        parse(random_parallel_program(seed, shape)),
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=True,
    )
    deallocate(module)
    expected = run(module, threads=1)
    assert run(module, threads=3) == expected


@pytest.mark.parametrize("threads", [2, 3, 0])
def test_a_perceptron_computes_the_same_bits(threads: int) -> None:
    options = MlpOptions(batch=64, layers=(64, 96, 32), bias=True, relu=True, seed=7)
    module = parse(mlp(options))
    DefaultTppPassesPass(block_factors=(32, 32, 32)).apply(get_context(), module)
    x = np.random.default_rng(0).random((64, 64), np.float32)
    expected = compile_module(module)["entry"](x)
    found = compile_module(module, threads=threads)["entry"](x)
    assert np.array(found).tobytes() == np.array(expected).tobytes()


def test_a_negative_number_of_threads_is_refused() -> None:
    with pytest.raises(ValueError, match="threads is a number from 0, not -1"):
        compile_module(parse("func.func @main() { return }"), threads=-1)
