"""Loops compute the same where they overwrite what an iteration was given, for less."""

from collections.abc import Callable

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_programs import Shape, random_program
from harness.running.buffer_machine import run_on_buffers
from harness.running.growth import growth
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.bufferize.loop_destinations import (
    compute_in_carried_tensors,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.reference.evaluator import evaluate

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)

COPIED_MORE = 296, 1779, 2422
"""Programs that would need more copies elsewhere."""


def scratch_program(seed: int) -> str:
    return random_program(
        seed,
        Shape(
            ops=6 + seed % 5,
            depth=2 + seed % 3,
            calls=seed % 2 == 0,
            writable_arguments=seed % 3 != 0,
            scratch=True,
        ),
    )


def with_destinations(module: ModuleOp) -> ModuleOp:
    module = module.clone()
    compute_in_carried_tensors(module, analyze(module, OPTIONS))
    module.verify()
    return module


def bufferized(module: ModuleOp) -> ModuleOp:
    module = module.clone()
    one_shot_bufferize(module, OPTIONS)
    module.verify()
    return module


def arguments(iterations: int, *, flag: bool) -> list[NDArray[np.generic]]:
    random = np.random.default_rng(iterations)
    tensors = [random.integers(-4, 5, n).astype(np.float32) for n in (8, 8, 4)]
    return [
        *tensors,
        np.asarray(1.5, np.float32),
        np.asarray(iterations),
        np.asarray(flag),
    ]


@pytest.mark.volume(sample=20)
@pytest.mark.parametrize("seed", [*range(60), *COPIED_MORE])
def test_results_are_the_same(seed: int) -> None:
    before = parse(scratch_program(seed))
    after = with_destinations(before)
    buffers = bufferized(after)
    for iterations, flag in ((0, True), (1, False), (3, True), (3, False)):
        values = arguments(iterations, flag=flag)
        expected = evaluate(before, "main", [each.copy() for each in values])
        found, _ = run_on_buffers(buffers, "main", values)
        for ours, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@pytest.mark.volume(sample=20)
@pytest.mark.parametrize("seed", [*range(60), *COPIED_MORE])
def test_no_program_has_more_copies(seed: int) -> None:
    before = parse(scratch_program(seed))
    after = with_destinations(before)
    copies, fewer = (str(bufferized(m)).count("memref.copy") for m in (before, after))
    assert fewer <= copies


def test_fewer_copies_are_executed() -> None:
    """Of a buffer that all iterations share, each yields a copy."""
    modules = [parse(scratch_program(seed)) for seed in range(60)]
    copied, less = (
        sum(
            run_on_buffers(bufferized(m), "main", arguments(3, flag=True))[1]
            for m in each
        )
        for each in (modules, map(with_destinations, modules))
    )
    assert less < copied


def in_place(n: int) -> str:
    return _loops(n, "linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>)")


def in_each_round(n: int) -> str:
    reverse = "affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0)>"
    return _loops(
        n,
        f"linalg.generic {{indexing_maps = [{reverse}], iterator_types = "
        '["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) '
        "{ ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }",
    )


def _loops(n: int, op: str) -> str:
    """One loop after the other, all with one empty tensor."""
    loops = "\n".join(
        f"""%t{i + 1} = scf.for %i{i} = %c0 to %n step %c1
            iter_args(%a = %t{i}) -> tensor<4xf32> {{
          %w = {op} -> tensor<4xf32>
          scf.yield %w : tensor<4xf32>
        }}"""
        for i in range(n)
    )
    return f"""
        func.func @main(%t0: tensor<4xf32>, %n: index) -> tensor<4xf32> {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %e = tensor.empty() : tensor<4xf32>
          {loops}
          return %t{n} : tensor<4xf32>
        }}
    """


@pytest.mark.parametrize("program", [in_place, in_each_round])
def test_cost_is_linear(program: Callable[[int], str]) -> None:
    def compute(module: ModuleOp) -> None:
        compute_in_carried_tensors(module, analyze(module, OPTIONS))

    small, large = (parse(program(size)) for size in (25, 200))
    assert growth(compute, small, large) < 8.5
    assert str(large).count("tensor.empty") == (0 if program is in_place else 200)
