"""Loops that forward buffers at other positions compute what the tensors mean.

Random programs run on buffers that know what was never written, and as compiled code on
a poisoned heap that counts, after each kind of deallocation.
"""

from dataclasses import replace

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_exchanges import random_exchanges
from harness.running.buffer_machine import run_on_buffers
from harness.running.growth import growth
from harness.running.heap_checks import assert_freed_once
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.one_shot.alias_sets import AliasSets
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import ConflictRules
from xdsl_bufferization.bufferization.analyses.one_shot.deciding import (
    begin,
    conclude,
    decide_in_order,
)
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.analyses.tensor_facts import (
    yielded_permutations,
)
from xdsl_bufferization.bufferization.analyses.tensor_facts.subsets import Subsets
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_facts import (
    TensorFacts,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime import CountingHeap
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)
ONE_SHOT = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map}"
)
PIPELINES = {
    "ownership": f"{ONE_SHOT},canonicalize,drop-equivalent-buffer-results,"
    "buffer-deallocation-pipeline",
    "dynamic": f"{ONE_SHOT},"
    "buffer-deallocation-pipeline{private-function-dynamic-ownership}",
    "clone": f"{ONE_SHOT},buffer-deallocation{{strategy=clone}},canonicalize,"
    "convert-bufferization-to-memref",
    "copy": f"{ONE_SHOT},buffer-deallocation{{strategy=copy}},copy-removal,"
    "canonicalize,convert-bufferization-to-memref",
    "bufferize": "bufferize{modify-public-functions=false}",
}
CASES = ((0, True), (1, False), (3, True), (4, False))
"""Numbers of iterations, and which way branches go."""

Value = NDArray[np.float32] | np.float32 | np.int64 | np.bool_


def arguments(seed: int, iterations: int, flag: bool) -> list[Value]:
    """Small whole numbers, so that sums are exact."""
    random = np.random.default_rng(seed)
    tensors = [
        random.integers(-4, 4, size).astype(np.float32) for size in ((4,), (4,), (8,))
    ]
    return [*tensors, np.float32(2), np.int64(iterations), np.bool_(flag)]


@pytest.mark.volume(sample=10)
@pytest.mark.parametrize("seed", range(40))
def test_no_result_changes_and_no_copy_comes_on_top(seed: int) -> None:
    tensors = parse(random_exchanges(seed))
    executed: list[int] = []
    for permutation in (False, True):
        buffers = tensors.clone()
        one_shot_bufferize(buffers, replace(OPTIONS, exchange_buffers=permutation))
        buffers.verify()
        executed.append(0)
        for iterations, flag in CASES:
            given = arguments(seed, iterations, flag)
            expected = evaluate(tensors, "main", [np.copy(each) for each in given])
            found, copies = run_on_buffers(buffers, "main", given)
            executed[-1] += copies
            for ours, theirs in zip(found, expected, strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    assert executed[1] <= executed[0]


def test_what_is_copied_in_loops_counts_for_each_iteration() -> None:
    # With a permutation, this program has fewer copies in its text, and executes more.
    test_no_result_changes_and_no_copy_comes_on_top(1123)


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("pipeline", PIPELINES.values(), ids=PIPELINES)
def test_each_buffer_is_freed_once(seed: int, pipeline: str) -> None:
    check_freed_once(random_exchanges(seed), seed, pipeline)


def check_freed_once(text: str, seed: int, pipeline: str) -> None:
    """Compare compiled code with NumPy, and see that each buffer is freed once."""
    tensors, buffers = parse(text), parse(text)
    try:
        run_passes(buffers, parse_passes(pipeline))
    except OperationError as error:
        # Clones are refused by name where a buffer is written while both are in use.
        assert "use strategy=ownership" in str(error)
        return
    compiled = compile_module(buffers, poison=True, opt_level=0)
    for iterations, flag in CASES:
        expected = evaluate(tensors, "main", arguments(seed, iterations, flag))
        *given, scalar, _, _ = arguments(seed, iterations, flag)
        results = compiled["main"](*given, scalar, iterations, int(flag))
        for ours, theirs in zip(results, expected, strict=True):
            np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-5)
        del results
        assert_freed_once(compiled)


JACOBI = """
func.func @main(%t: tensor<8xf32> {bufferization.writable = false}, %n: index)
    -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.alloc_tensor() copy(%t) : tensor<8xf32>
  %b = bufferization.alloc_tensor() copy(%t) : tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %l = tensor.extract_slice %x[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
    %h = tensor.extract_slice %x[2] [6] [1] : tensor<8xf32> to tensor<6xf32>
    %o = tensor.extract_slice %y[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
    %s = linalg.add ins(%l, %h : tensor<6xf32>, tensor<6xf32>)
        outs(%o : tensor<6xf32>) -> tensor<6xf32>
    %z = tensor.insert_slice %s into %y[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
    scf.yield %z, %x : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}
"""


@pytest.mark.parametrize("iterations", [0, 1, 2, 5])
def test_a_stencil_of_two_buffers_allocates_two_and_copies_nothing_in_its_loop(
    iterations: int,
) -> None:
    module = parse(JACOBI)
    run_passes(module, parse_passes(PIPELINES["ownership"]))
    compiled = compile_module(module, poison=True)
    numbers = np.arange(8, dtype=np.float32)
    expected = numbers.copy()
    for _ in range(iterations):
        expected[1:7] = expected[:6] + expected[2:]
    result = compiled["main"](numbers.copy(), iterations)
    np.testing.assert_array_equal(np.asarray(result), expected)
    del result
    assert_freed_once(compiled)
    assert isinstance(compiled.heap, CountingHeap)
    assert compiled.heap.report().allocs == 2
    (copies, in_loop) = (
        [op for op in module.walk() if op.name == "memref.copy"],
        [
            op
            for loop in module.walk()
            if loop.name == "scf.for"
            for op in loop.walk()
            if op.name in ("memref.copy", "memref.alloc")
        ],
    )
    assert len(copies) == 2
    assert not in_loop


# The tensor is empty, so that nothing that is read would be spoiled; the two arguments
# would be one buffer all the same.
ONE_BUFFER_TWICE = """
func.func @main(%f: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %e)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %z = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>)
        outs(%y : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %z, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
"""


def test_inits_that_are_made_from_one_empty_tensor_get_two_buffers() -> None:
    tensors = parse(ONE_BUFFER_TWICE)
    buffers = tensors.clone()
    one_shot_bufferize(buffers, OPTIONS)
    found, _ = run_on_buffers(buffers, "main", [np.float32(3), np.int64(2)])
    np.testing.assert_array_equal(found[0], np.full(4, 12))
    np.testing.assert_array_equal(found[1], np.full(4, 6))


def many_loops(count: int) -> ModuleOp:
    """Loops that swap, each of which starts with what the one before results in."""
    type_ = "tensor<4xf32>"
    lines = [
        f"func.func @main(%r0: {type_}, %s0: {type_}, %n: index) -> {type_} {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
    ]
    lines += [
        f"  %r{k + 1}, %s{k + 1} = scf.for %i{k} = %c0 to %n step %c1 "
        f"iter_args(%x{k} = %r{k}, %y{k} = %s{k}) -> ({type_}, {type_}) {{\n"
        f"    scf.yield %y{k}, %x{k} : {type_}, {type_}\n  }}"
        for k in range(count)
    ]
    lines.append(f"  return %r{count} : {type_}\n}}")
    return parse("\n".join(lines))


def test_a_long_chain_of_loops_copies_nothing() -> None:
    module = many_loops(40)
    one_shot_bufferize(module, OPTIONS)
    names = {op.name for op in module.walk()}
    assert names.isdisjoint({"memref.alloc", "memref.copy"})


def test_a_loop_in_doubt_exchanges_nothing() -> None:
    module = many_loops(2)
    (function,) = module.ops
    first, second = (op for op in module.walk() if op.name == "scf.for")
    doubts = yielded_permutations.Doubts(loops={first})
    facts = TensorFacts(function, OPTIONS, lambda _: None, doubts=doubts)
    subsets = Subsets(facts)
    sets = AliasSets(facts, ConflictRules(facts, subsets), tells_parts_apart=True)
    begin(facts, sets)
    uses = [use for op in reversed(facts.ops) for use in facts.get_uses(op)]
    reasons = decide_in_order(uses, facts, sets)
    analysis = conclude(function, facts, subsets, sets, reasons)
    assert {operand.owner for operand in analysis.decisions.permuted} == {
        second.regions[0].block.last_op
    }


def test_twice_as_many_loops_are_twice_the_work() -> None:
    def decide(module: ModuleOp) -> object:
        return analyze(module, OPTIONS)

    assert growth(decide, many_loops(40), many_loops(80)) < 2.3
