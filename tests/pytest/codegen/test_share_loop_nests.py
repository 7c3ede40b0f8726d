"""Ops that threads share against the same ops on one thread, to the bit."""

from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen import share_loop_nests as share
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.support.traversal import ops_inside

Parse = Callable[[str], ModuleOp]

SIZES = (1, 2, 3, 5, 7, 8, 12, 16, 17, 33)


def sample(rng: np.random.Generator) -> tuple[str, list[tuple[int, ...]]]:
    """A random op of any order of dimensions, perhaps a sum, and the shapes."""
    rank = int(rng.integers(1, 4))
    sizes = [int(rng.choice(SIZES)) for _ in range(rank)]
    is_sum = rank > 1 and rng.random() < 0.3
    loops = [f"d{loop}" for loop in range(rank)]
    results = [loops[:-1] if is_sum else loops]
    results.insert(0, [str(loop) for loop in rng.permutation(loops)])
    results.insert(1, [loop for loop in loops if rng.random() < 0.6])
    shapes = [tuple(sizes[int(loop[1:])] for loop in each) for each in results]
    maps = ", ".join(
        f"affine_map<({', '.join(loops)}) -> ({', '.join(each)})>" for each in results
    )
    kinds = ['"parallel"'] * rank
    if is_sum:
        kinds[-1] = '"reduction"'
    types = [f"memref<{''.join(f'{n}x' for n in shape)}f32>" for shape in shapes]
    asked = int(rng.integers(rank))
    return (
        f"""
    func.func @f(%x: {types[0]}, %y: {types[1]}, %z: {types[2]}) {{
      linalg.generic {{indexing_maps = [{maps}], iterator_types = [{", ".join(kinds)}]}}
          ins(%x, %y : {types[0]}, {types[1]}) outs(%z : {types[2]}) {{
      ^bb0(%a: f32, %b: f32, %c: f32):
        %i = linalg.index {asked} : index
        %j = arith.index_cast %i : index to i32
        %k = arith.sitofp %j : i32 to f32
        %0 = arith.mulf %a, %b : f32
        %1 = arith.addf %0, %k : f32
        %2 = arith.addf %1, %c : f32
        linalg.yield %2 : f32
      }}
      return
    }}""",
        shapes,
    )


@pytest.mark.parametrize("part", range(3))
def test_threads_compute_what_one_thread_computes(
    parse: Parse, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share, "_SHORTEST", 8)
    monkeypatch.setattr(share, "_LANES", 4)
    rng = np.random.default_rng(part)
    shared = 0
    for _ in range(12):
        text, shapes = sample(rng)
        module = parse(text)
        share.share_loop_nests(module, least_work=60)
        shared += any(isinstance(op, scf.ParallelOp) for op in ops_inside(module))
        arrays = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        expected = [array.copy() for array in arrays]
        compile_module(parse(text), threads=1)["f"](*expected)
        compile_module(module, threads=3)["f"](*arrays)
        np.testing.assert_array_equal(arrays[2], expected[2])
    assert shared > 0


def test_compiled_code_shares_what_takes_long(parse: Parse) -> None:
    """Of the program of a caller, nothing changes."""
    text = """
    func.func @f(%x: memref<65x1024xf32>) {
      linalg.exp ins(%x : memref<65x1024xf32>) outs(%x : memref<65x1024xf32>)
      return
    }"""
    module = parse(text)
    x = np.random.default_rng(0).standard_normal((65, 1024)).astype(np.float32)
    one, two = x.copy(), x.copy()
    compile_module(module, threads=1)["f"](one)
    compile_module(module, threads=2)["f"](two)
    np.testing.assert_array_equal(two, one)
    assert str(module) == str(parse(text))
