"""Loops over tiles move the elements as the packs did that they replace."""

from collections.abc import Callable

import numpy as np
import pytest
from harness.programs.packs.models import check_passes
from harness.programs.packs.relayouts import random_relayout
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.dialects.linalg.pack import RelayoutOp
from xdsl_bufferization.dialects.scf.forall import ForallOp
from xdsl_bufferization.optimization.packing.lower_packs_unpacks import (
    lower_packs_unpacks,
)
from xdsl_bufferization.optimization.packing.simplify_pack import simplify_packs
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap

Parse = Callable[[str], ModuleOp]


@pytest.mark.parametrize("seed", range(60))
def test_random_layouts(parse: Parse, seed: int):
    program = random_relayout(np.random.default_rng(seed))
    module = parse(program.text)
    check_passes(module, [lower_packs_unpacks], program.arguments)
    assert not any(isinstance(op, RelayoutOp) for op in module.walk())


@pytest.mark.parametrize("seed", range(60))
def test_reshapes_of_random_layouts(parse: Parse, seed: int):
    program = random_relayout(np.random.default_rng(seed), static=True)
    check_passes(parse(program.text), [simplify_packs], program.arguments)


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("seed", range(6))
def test_running_loops(parse: Parse, seed: int):
    program = random_relayout(np.random.default_rng(seed))
    module = parse(program.text)
    (wanted,) = evaluate(module, "f", program.arguments)
    lower_packs_unpacks(module)
    module = bufferize(module, bufferize_function_boundaries=True)
    deallocate(module)
    compiled = compile_module(module, poison=True)
    result = compiled["f"](*program.arguments)
    assert np.array_equal(result, wanted)


def test_a_copy_of_tiles_allocates_nothing_else(parse: Parse):
    module = parse("""
    func.func @f(%t: tensor<64x32xf32>) -> tensor<4x2x16x16xf32> {
      %d = tensor.empty() : tensor<4x2x16x16xf32>
      %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %d
          : tensor<64x32xf32> -> tensor<4x2x16x16xf32>
      return %0 : tensor<4x2x16x16xf32>
    }
    """)
    lower_packs_unpacks(module)
    module = bufferize(module, bufferize_function_boundaries=True)
    deallocate(module)
    compiled = compile_module(module, counting_heap=True)
    value = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
    result = compiled["f"](value)
    wanted = value.reshape(4, 16, 2, 16).transpose(0, 2, 1, 3)
    assert np.array_equal(result, wanted)
    assert isinstance(compiled.heap, CountingHeap)
    assert compiled.heap.report().allocs == 1


@pytest.mark.parametrize("seed", range(12))
def test_elementwise_ops_read_packs_in_place(parse: Parse, seed: int):
    """The tiles are of the last dimension; the others are in any order."""
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 5))
    tile = int(rng.integers(1, 4))
    shape = [int(rng.integers(1, 4)) for _ in range(rank)]
    order = [int(each) for each in rng.permutation(rank)]
    packed = [*(shape[d] for d in order), tile]
    shape[-1] *= tile
    source, target = (
        f"tensor<{'x'.join(map(str, sizes))}xf32>" for sizes in (shape, packed)
    )
    loops = ", ".join(f"d{d}" for d in range(rank + 1))
    parallel = ", ".join(['"parallel"'] * (rank + 1))
    module = parse(
        f"""
        func.func @f(%t: {source}, %x: {target}) -> {target} {{
          %e = tensor.empty() : {target}
          %p = linalg.pack %t outer_dims_perm = {order} inner_dims_pos = [{rank - 1}]
              inner_tiles = [{tile}] into %e : {source} -> {target}
          %y = linalg.generic {{indexing_maps = [
              affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({loops})>],
              iterator_types = [{parallel}]}} ins(%p : {target}) outs(%x : {target}) {{
          ^bb0(%a: f32, %b: f32):
            %c = arith.subf %a, %b : f32
            linalg.yield %c : f32
          }} -> {target}
          return %y : {target}
        }}"""
    )
    sizes = (shape, packed)
    arguments = [rng.integers(-9, 9, each).astype(np.float32) for each in sizes]
    check_passes(module, [lower_packs_unpacks], arguments)
    assert not any(isinstance(op, RelayoutOp | ForallOp) for op in module.walk())
