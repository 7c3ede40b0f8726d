"""Random programs, bufferized one dialect at a time, compute what tensors mean.

In any order of the passes, and after One-Shot Bufferize has done a part; on memory that
is poisoned and counted, and compared with One-Shot Bufferize as well.
"""

import gc
import random
from typing import Any

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap

PROGRAMS = 12
DIALECTS = (
    "arith",
    "bufferization",
    "func",
    "linalg",
    "scf",
    "shape",
    "tensor",
    "vector",
)
ONE_SHOT = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"
)
DEALLOCATION = "buffer-deallocation-pipeline"


def program(seed: int) -> str:
    if seed % 2:
        return random_rich_program(seed, RichShape(ops=6))
    return random_program(seed, Shape(calls=True, depth=2 + seed % 4 // 2))


def core(seed: int) -> str:
    """The passes for all dialects, in an order that the seed decides."""
    passes = [f"{name}-bufferize" for name in DIALECTS]
    random.Random(seed).shuffle(passes)
    return ",".join([*passes, "finalizing-bufferize"])


def one_shot_first(seed: int) -> str:
    """A part of the dialects in place, functions and the others by conversion."""
    choice = random.Random(seed)
    inside = [name for name in DIALECTS if name != "func"]
    chosen = ",".join(choice.sample(inside, choice.randint(1, 5)))
    return (
        "one-shot-bufferize{allow-unknown-ops allow-return-allocs-from-loops "
        f"dialect-filter={chosen}}},{core(seed)}"
    )


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_core_bufferization_is_right(seed: int) -> None:
    check(program(seed), seed, core(seed))


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_so_it_is_after_one_shot_bufferize(seed: int) -> None:
    check(program(seed), seed, one_shot_first(seed))


CALLED = """
func.func @id(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<4xf32>, %f: f32,
                %i: index, %p: i1) -> (f32, f32) {
  %t = bufferization.alloc_tensor() copy(%x) : tensor<8xf32>
  %u = func.call @id(%t) : (tensor<8xf32>) -> tensor<8xf32>
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %r = tensor.extract %u[%i] : tensor<8xf32>
  %s = tensor.extract %w[%i] : tensor<8xf32>
  return %r, %s : f32, f32
}
"""


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize(
    "functions", ["func-bufferize", "bufferize-function-signatures"]
)
def test_what_a_call_returns_does_not_change(functions: str) -> None:
    """The analysis leaves the call alone, and lets the buffer of %t be written."""
    first = "one-shot-bufferize{allow-unknown-ops dialect-filter=tensor,bufferization}"
    others = "bufferization-bufferize,finalizing-bufferize"
    check(CALLED, 0, f"{first},{functions},{others}")


# --- running -------------------------------------------------------------------------


def check(text: str, seed: int, pipeline: str) -> None:
    tensors = parse(text)
    compiled = compile_for_test(text, f"{pipeline},{DEALLOCATION}")
    in_place = compile_for_test(text, f"{ONE_SHOT},{DEALLOCATION}")
    for condition in (True, False):
        with np.errstate(all="ignore"):
            expected = evaluate(tensors, "main", arguments(seed, condition=condition))
        for each in (compiled, in_place):
            results: Any = each["main"](*arguments(seed, condition=condition))
            found = [np.array(result) for result in results]
            del results
            gc.collect()
            for result, value in zip(found, expected, strict=True):
                np.testing.assert_allclose(result, value, rtol=1e-5)
        assert isinstance(compiled.heap, CountingHeap)
        report = compiled.heap.report()
        assert report.live_bytes == 0
        assert report.double_frees == report.foreign_frees == 0


def compile_for_test(text: str, pipeline: str) -> Any:
    module = parse(text)
    run(module, pipeline)
    return compile_module(module, poison=True, opt_level=1)


def run(module: ModuleOp, pipeline: str) -> None:
    passes = Universe.get_multiverse().all_passes
    spec = PassPipeline.parse_spec(
        passes, pipeline, lambda _before, module, _after: module.verify()
    )
    spec.apply(get_context(), module)


def arguments(seed: int, *, condition: bool) -> list[Any]:
    """Small whole numbers, so that sums are exact."""
    numbers = np.random.default_rng(seed)
    tensors = [numbers.integers(-8, 8, size).astype(np.float32) for size in (8, 8, 4)]
    return [*tensors, np.float32(3), 3, int(condition)]
