"""Tiling and the rewrites around it keep the meaning, and tiles are made in place."""

import random
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from harness.programs.tpp_programs import integers, named_mlp, packed_mlp, random_model
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.optimization.tiling.tile_consumer_and_fuse_producers import (
    TileAndFuseOptions,
    tile_consumers_and_fuse_producers,
)
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime import CountingHeap

Parse = Callable[[str], ModuleOp]

PASSES = (
    "fold-add-into-dest",
    "fold-into-eltwise",
    "convert-linalg-to-inplace",
    "rewrite-batch-matmul-to-matmul",
    "conv-init-simplify",
    "rewrite-conv-to-matmul-or-brgemm",
    "linalg-convert-compare-select-to-maximumf-pass",
    "tile-consumer-and-fuse-producers",
    "decompose-aggregated-ops",
    "duplicate-fill",
    "linalg-degeneralize-generic-ops",
)


def run_pass(name: str, ctx: Context, module: ModuleOp) -> None:
    passes = Universe.get_multiverse().all_passes
    PassPipeline.parse_spec(passes, name).apply(ctx, module)
    module.verify()


@pytest.mark.parametrize("seed", range(15))
def test_every_pass_keeps_the_meaning(seed: int, parse: Parse, ctx: Context) -> None:
    module = parse(random_model(seed))
    arguments = integers(module)
    expected = evaluate(module, "entry", arguments)
    for name in PASSES:
        run_pass(name, ctx, module)
        actual = evaluate(module, "entry", arguments)
        np.testing.assert_allclose(actual, expected, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("seed", range(8))
def test_any_options_keep_the_meaning(seed: int, parse: Parse) -> None:
    rng = random.Random(seed)
    text = random_model(rng.choice((0, 1)) + 5 * seed)
    module = parse(text)
    arguments = integers(module)
    expected = evaluate(module, "entry", arguments)
    options = TileAndFuseOptions(
        tile_sizes=tuple(rng.randint(0, 5) for _ in range(rng.randint(0, 2))),
        max_depth=rng.randint(0, 4),
        num_iters=rng.randint(1, 3),
        use_for_all=rng.random() < 0.6,
        min_tile_factor=rng.randint(1, 3),
    )
    tile_consumers_and_fuse_producers(module, options)
    module.verify()
    np.testing.assert_array_equal(evaluate(module, "entry", arguments), expected)


def test_layers_are_computed_in_their_place(parse: Parse) -> None:
    """Two buffers, one of them the result; no copies, and no fill of a whole one."""
    text = packed_mlp([3, 4, 5], 6)
    module = parse(text)
    arguments = integers(module)
    expected = evaluate(module, "entry", arguments)
    tile_consumers_and_fuse_producers(module)
    bufferize(module, bufferize_function_boundaries=True)
    names = [op.name for op in module.walk()]
    assert names.count("memref.copy") == 0
    assert names.count("memref.alloc") == 2
    assert names.count("linalg.batch_reduce_matmul") == 2
    fills = [op for op in module.walk() if op.name == "linalg.fill"]
    assert {loop.name for op in fills if (loop := op.parent_op())} == {"scf.forall"}
    deallocate(module)
    compiled = compile_module(module, poison=True, count_copies=True)
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    np.testing.assert_array_equal(compiled["entry"](*arguments), expected[0])
    report = heap.report()
    assert (report.allocs, report.copies) == (2, 0)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(packed_mlp([3, 2, 4], 4, rest=3, bias="row"), id="cut-off"),
        pytest.param(named_mlp([8, 70, 64], 64, bias="none"), id="matrices"),
    ],
)
@pytest.mark.parametrize("use_for_all", [True, False])
def test_compiled_tiles_compute_the_same(
    text: str, use_for_all: bool, parse: Parse
) -> None:
    module = parse(text)
    arguments = integers(module)
    expected = evaluate(module, "entry", arguments)
    options = TileAndFuseOptions(use_for_all=use_for_all)
    tile_consumers_and_fuse_producers(module, options)
    bufferize(module, bufferize_function_boundaries=True)
    deallocate(module)
    entry = compile_module(module, poison=True)["entry"]
    np.testing.assert_array_equal(entry(*arguments), expected[0])


def test_a_fill_for_all_layers_is_found_for_each(parse: Parse) -> None:
    """One fill that many products start from is computed in each of their tiles."""
    products = "\n".join(
        f"""  %{number} = linalg.matmul ins({source}, %w : tensor<64x64xf32>,
        tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>"""
        for number, source in enumerate(["%x", *(f"%{i}" for i in range(5))])
    )
    module = parse(f"""
func.func @entry(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
{products}
  return %5 : tensor<64x64xf32>
}}""")
    tile_consumers_and_fuse_producers(module)
    fills = [op for op in module.walk() if op.name == "linalg.fill"]
    loops = [op.parent_op() for op in fills]
    assert len(loops) == 6
    assert all(loop is not other for loop, other in pairwise(loops))
    assert {loop.name for loop in loops if loop} == {"scf.forall"}
