"""Calls that are special, deallocated by each strategy, on a heap that counts.

Of functions that are values, and with memrefs that have no rank.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from bufferization.deallocation.test_deallocation_with_clones import STRATEGIES
from harness.running.heap_checks import assert_freed_once
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation.deallocate import deallocate
from xdsl_bufferization.pipelines.compile import compile_module

ALL_STRATEGIES = {
    "ownership": (deallocate,),
    "dynamic": (partial(deallocate, private_function_dynamic_ownership=True),),
    **STRATEGIES,
}

INDIRECT = """
func.func private @same(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
func.func private @new(%a: memref<4xf32>) -> memref<4xf32> {
  %x = arith.constant 7.0 : f32
  %n = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%n : memref<4xf32>)
  return %n : memref<4xf32>
}
func.func private @apply(
    %f: (memref<4xf32>) -> memref<4xf32>, %a: memref<4xf32>) -> memref<4xf32> {
  %r = func.call_indirect %f(%a) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @choose(%c: i1) -> ((memref<4xf32>) -> memref<4xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %f = func.constant @new : (memref<4xf32>) -> memref<4xf32>
  return %f : (memref<4xf32>) -> memref<4xf32>
^bb2:
  %g = func.constant @same : (memref<4xf32>) -> memref<4xf32>
  return %g : (memref<4xf32>) -> memref<4xf32>
}
func.func @main(%in: memref<4xf32>, %out: memref<2xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  %f = func.call @choose(%c) : (i1) -> ((memref<4xf32>) -> memref<4xf32>)
  %g = func.call @choose(%d) : (i1) -> ((memref<4xf32>) -> memref<4xf32>)
  %0 = func.call_indirect %f(%a) : (memref<4xf32>) -> memref<4xf32>
  %1 = func.call @apply(%g, %0)
    : ((memref<4xf32>) -> memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %2 = func.call @same(%1) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %0[%c1] : memref<4xf32>
  %y = memref.load %2[%c1] : memref<4xf32>
  memref.store %x, %out[%c0] : memref<2xf32>
  memref.store %y, %out[%c1] : memref<2xf32>
  return
}
"""

UNRANKED = """
func.func private @new_or_same(%a: memref<*xf32>, %c: i1) -> memref<*xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = arith.constant 7.0 : f32
  %n = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%n : memref<4xf32>)
  %u = memref.cast %n : memref<4xf32> to memref<*xf32>
  return %u : memref<*xf32>
^bb2:
  return %a : memref<*xf32>
}
func.func private @twice(%a: memref<*xf32>, %c: i1, %d: i1)
    -> (f32, memref<*xf32>) {
  %c1 = arith.constant 1 : index
  %0 = func.call @new_or_same(%a, %c) : (memref<*xf32>, i1) -> memref<*xf32>
  %1 = func.call @new_or_same(%0, %d) : (memref<*xf32>, i1) -> memref<*xf32>
  %2 = memref.cast %0 : memref<*xf32> to memref<4xf32>
  %x = memref.load %2[%c1] : memref<4xf32>
  return %x, %1 : f32, memref<*xf32>
}
func.func @main(%in: memref<4xf32>, %out: memref<2xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  %x, %0 = func.call @twice(%u, %c, %d)
    : (memref<*xf32>, i1, i1) -> (f32, memref<*xf32>)
  %1 = memref.cast %0 : memref<*xf32> to memref<4xf32>
  %y = memref.load %1[%c1] : memref<4xf32>
  memref.store %x, %out[%c0] : memref<2xf32>
  memref.store %y, %out[%c1] : memref<2xf32>
  return
}
"""


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("strategy", ALL_STRATEGIES)
@pytest.mark.parametrize("program", [INDIRECT, UNRANKED], ids=["indirect", "unranked"])
def test_what_calls_return_is_freed_once(
    program: str, strategy: str, parse: Callable[[str], ModuleOp]
) -> None:
    module = parse(program)
    for transform in ALL_STRATEGIES[strategy]:
        transform(module)
    module.verify()
    compiled = compile_module(module, poison=True, opt_level=0)
    for c, d in ((False, False), (False, True), (True, False), (True, True)):
        out = np.zeros(2, np.float32)
        compiled["main"](np.full(4, 3.0, np.float32), out, c, d)
        first = 7.0 if c else 3.0
        assert out.tolist() == [first, 7.0 if d else first]
    assert_freed_once(compiled)


def test_pointers_of_unranked_memrefs_are_compared(
    parse: Callable[[str], ModuleOp],
) -> None:
    module = parse(UNRANKED)
    deallocate(module, private_function_dynamic_ownership=True)
    assert "extract_aligned_pointer_as_index %0 : memref<*xf32>" in str(module)
