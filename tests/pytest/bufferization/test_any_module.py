"""Every pass takes every module: a valid result, or an error that names an op.

Ops outside of functions, functions without bodies, modules in modules, and ops that no
dialect defines are all valid MLIR, and often what the file checks of others are about.
"""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE

TENSORS = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%f = arith.constant 1.0 : f32
%a = arith.constant dense<1.0> : tensor<8x8xf32>
%e = tensor.empty() : tensor<8x8xf32>
%z = linalg.fill ins(%f : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
%m = linalg.matmul ins(%a, %z : tensor<8x8xf32>, tensor<8x8xf32>)
  outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
%l = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %m) -> tensor<8x8xf32> {
  %u = tensor.insert %f into %t[%i, %i] : tensor<8x8xf32>
  scf.yield %u : tensor<8x8xf32>
}
%p = tensor.empty() : tensor<2x2x4x4xf32>
%q = linalg.pack %l inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p
  : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
%r = linalg.unpack %q inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e
  : tensor<2x2x4x4xf32> -> tensor<8x8xf32>
%s = tensor.extract_slice %r[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
%v = tensor.concat dim(0) %s, %s
  : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
%w = scf.forall (%i) in (8) shared_outs(%o = %e) -> tensor<8x8xf32> {
  %row = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1]
    : tensor<8x8xf32> to tensor<1x8xf32>
  %new = linalg.fill ins(%f : f32) outs(%row : tensor<1x8xf32>) -> tensor<1x8xf32>
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %new into %o[%i, 0] [1, 8] [1, 1]
      : tensor<1x8xf32> into tensor<8x8xf32>
  }
}
%x = math.exp %w : tensor<8x8xf32>
%y = tensor.extract %x[%c0, %c0] : tensor<8x8xf32>
vector.print %y : f32
"""

MODULES = {
    "empty": "module {}",
    "declarations": """
      func.func private @f(memref<4xf32>) -> memref<4xf32>
      func.func private @g(tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
    """,
    "tensors": TENSORS,
    "buffers": """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %f = arith.constant 1.0 : f32
      %m = memref.alloc() : memref<4xf32>
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        memref.store %f, %m[%i] : memref<4xf32>
      }
      %n = memref.alloc(%c4) : memref<?xf32>
      scf.for %i = %c0 to %c4 step %c1 {
        %t = memref.alloc() : memref<4xf32>
        memref.store %f, %t[%i] : memref<4xf32>
        memref.copy %t, %n : memref<4xf32> to memref<?xf32>
        memref.dealloc %t : memref<4xf32>
      }
      %b = arith.constant true
      %q = scf.if %b -> memref<4xf32> {
        %k = memref.alloc() : memref<4xf32>
        scf.yield %k : memref<4xf32>
      } else {
        scf.yield %m : memref<4xf32>
      }
      %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
      linalg.exp ins(%q : memref<4xf32>) outs(%d : memref<4xf32>)
    """,
    "unregistered": """
      "foo.op"() ({
        %0 = "foo.a"() : () -> tensor<4xf32>
        "foo.yield"(%0) : (tensor<4xf32>) -> ()
      }) : () -> ()
      %1 = "foo.a"() : () -> tensor<4xf32>
      %2 = "foo.b"() : () -> memref<4xf32>
      "foo.c"(%1, %2) : (tensor<4xf32>, memref<4xf32>) -> ()
    """,
    "branches": """
      func.func private @g(tensor<4xf32>) -> tensor<4xf32>
      %f = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<4xf32>
      %r = scf.execute_region -> tensor<4xf32> {
        %c = arith.constant true
        cf.cond_br %c, ^one(%e : tensor<4xf32>), ^other
      ^one(%t : tensor<4xf32>):
        scf.yield %t : tensor<4xf32>
      ^other:
        %new = tensor.empty() : tensor<4xf32>
        cf.br ^one(%new : tensor<4xf32>)
      }
      %z = linalg.fill ins(%f : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
      %k = func.call @g(%z) : (tensor<4xf32>) -> tensor<4xf32>
    """,
    "nested": """
      module @a {
        memref.global "private" constant @g : memref<4xf32> = dense<1.0>
        func.func private @h(%m: memref<4xf32>, %t: tensor<4xf32>, %x: f32, %i: index)
            -> (memref<4xf32>, tensor<4xf32>) {
          %q = memref.get_global @g : memref<4xf32>
          %r = memref.alloc() : memref<4xf32>
          memref.copy %q, %r : memref<4xf32> to memref<4xf32>
          %u = tensor.insert %x into %t[%i] : tensor<4xf32>
          return %r, %u : memref<4xf32>, tensor<4xf32>
        }
        module @deep {}
      }
      func.func private @h(memref<4xf32>) -> memref<4xf32>
      func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
        %q = call @h(%m) : (memref<4xf32>) -> memref<4xf32>
        return %q : memref<4xf32>
      }
    """,
}

PASSES = {
    name: load
    for name, load in XDSL_BUFFERIZATION_UNIVERSE.all_passes.items()
    # Other tests are about it; it is made of passes that are tried alone.
    if name != "default-pipeline"
}

BUFFERIZE = {
    "default": OneShotBufferizePass(allow_unknown_ops=True),
    "boundaries": OneShotBufferizePass(
        allow_unknown_ops=True, bufferize_function_boundaries=True
    ),
    "decisions": OneShotBufferizePass(
        allow_unknown_ops=True,
        test_analysis_only=True,
        dump_alias_sets=True,
        print_conflicts=True,
        explain=True,
    ),
    "auto": OneShotBufferizePass(allow_unknown_ops=True, analysis_heuristic="auto"),
    "optimal": OneShotBufferizePass(
        allow_unknown_ops=True, analysis_heuristic="optimal"
    ),
    "copies": OneShotBufferizePass(allow_unknown_ops=True, copy_before_write=True),
}


def read(text: str) -> ModuleOp:
    ctx = get_context()
    ctx.allow_unregistered = True
    return MLIRParser(ctx, text).parse_module()


@pytest.mark.parametrize("text", MODULES.values(), ids=MODULES)
def test_a_result_or_an_error(text: str) -> None:
    for load in PASSES.values():
        module = read(text)
        try:
            load()().apply(get_context(), module)
        except DiagnosticException:
            continue
        module.verify()


@pytest.mark.parametrize("pass_", BUFFERIZE.values(), ids=BUFFERIZE)
@pytest.mark.parametrize("text", MODULES.values(), ids=MODULES)
def test_bufferized_with_all_options(text: str, pass_: OneShotBufferizePass) -> None:
    module = read(text)
    pass_.apply(get_context(), module)
    module.verify()
