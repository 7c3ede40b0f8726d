"""Programs on which bufferization has crashed elsewhere: a result, or an error here.

Written after the ideas of reports to llvm-project (57220, 59442, 61311, 109650, 116349,
120535, 120886, 128316, 150441, 206919 and their like), not with their text.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.analyses.one_shot.roots import bufferized_ops
from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.bufferization.interfaces.options import (
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.support.errors import OperationError

BOUNDARIES = BufferizationOptions(bufferize_function_boundaries=True)
OPTIONS = {
    "default": BufferizationOptions(),
    "boundaries": BOUNDARIES,
    "identity": replace(
        BOUNDARIES,
        function_boundary_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
    ),
    "copies": replace(BOUNDARIES, copy_before_write=True),
    "unknown": replace(
        BOUNDARIES, allow_unknown_ops=True, allow_return_allocs_from_loops=True
    ),
    "filter": replace(BOUNDARIES, dialect_filter=frozenset({"tensor"})),
    "no-analysis": replace(BOUNDARIES, no_analysis_func_filter=frozenset({"f"})),
    "encoding": replace(BOUNDARIES, use_encoding_for_memory_space=True),
    "inferred": replace(BOUNDARIES, must_infer_memory_space=True),
}

PROGRAMS = {
    "annotations of another run, for fewer operands": """
      func.func @f() -> tensor<3xi32> {
        %c = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
        return {__inplace_operands_attr__ = ["true"]} %c : tensor<3xi32>
      }
      func.func @main(%a: tensor<4xf32> {bufferization.access = "read"}, %i: index,
                      %x: f32) -> (tensor<4xf32>, tensor<3xi32>) {
        %r = tensor.insert %x into %a[%i] {__inplace_operands_attr__ = ["false"]}
          : tensor<4xf32>
        %s = call @f() : () -> tensor<3xi32>
        return {__equivalent_func_args__ = [-1], __inplace_operands_attr__ = ["true"]}
          %r, %s : tensor<4xf32>, tensor<3xi32>
      }""",
    "a new tensor for a callee that takes its buffer": """
      func.func @f(%t: tensor<?xf32>, %u: tensor<3xf32>) {
        %m = bufferization.to_buffer %u : tensor<3xf32> to memref<3xf32>
        return
      }
      func.func @main(%n: index, %x: f32) {
        %t = tensor.generate %n {
        ^bb0(%i: index):
          tensor.yield %x : f32
        } : tensor<?xf32>
        %u = tensor.from_elements %x, %x, %x : tensor<3xf32>
        call @f(%t, %u) : (tensor<?xf32>, tensor<3xf32>) -> ()
        return
      }""",
    "no return": """
      func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) {
        %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
        llvm.unreachable
      }
      func.func @g(%t: tensor<4xf32>, %i: index, %x: f32) {
        call @f(%t, %i, %x) : (tensor<4xf32>, index, f32) -> ()
        return
      }""",
    "never returns": """
      func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
        cf.br ^loop(%t : tensor<4xf32>)
      ^loop(%x: tensor<4xf32>):
        cf.br ^loop(%x : tensor<4xf32>)
      }""",
    "a loop that drops what it carries": """
      func.func @f(%c: i1) {
        %t = tensor.empty() : tensor<4xf32>
        scf.while (%x = %t) : (tensor<4xf32>) -> () {
          scf.condition(%c)
        } do {
          scf.yield %t : tensor<4xf32>
        }
        return
      }""",
    "a loop that passes on a tensor where it takes none": """
      func.func @f(%c: i1) -> tensor<f32> {
        %t = arith.constant dense<0.0> : tensor<f32>
        %0 = scf.while (%x = %c) : (i1) -> tensor<f32> {
          scf.condition(%x) %t : tensor<f32>
        } do {
        ^bb0(%y: tensor<f32>):
          scf.yield %c : i1
        }
        return %0 : tensor<f32>
      }""",
    "reshapes of dynamic sizes": """
      func.func @f(%t: tensor<3x?x?xi32>, %n: index, %m: index) -> tensor<?x?x?xi32> {
        %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<3x?x?xi32> into tensor<?xi32>
        %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [%n, 3, %m]
          : tensor<?xi32> into tensor<?x3x?xi32>
        %2 = tensor.cast %1 : tensor<?x3x?xi32> to tensor<?x?x?xi32>
        return %2 : tensor<?x?x?xi32>
      }""",
    "a view of a view of a slice": """
      func.func @f(%t: tensor<8x8xf32>, %n: index) -> tensor<?xf32> {
        %0 = tensor.extract_slice %t[%n, 0] [%n, 4] [2, 2]
          : tensor<8x8xf32> to tensor<?x4xf32>
        %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
        return %1 : tensor<?xf32>
      }""",
    "nothing in it": """
      func.func @f(%t: tensor<0x4xf32>, %s: tensor<f32>)
          -> (tensor<0x4xf32>, tensor<f32>) {
        %0 = tensor.empty() : tensor<0x4xf32>
        %1 = linalg.copy ins(%t : tensor<0x4xf32>) outs(%0 : tensor<0x4xf32>)
          -> tensor<0x4xf32>
        %2 = tensor.extract %s[] : tensor<f32>
        %3 = tensor.insert %2 into %s[] : tensor<f32>
        return %1, %3 : tensor<0x4xf32>, tensor<f32>
      }""",
    "no rank": """
      func.func @f(%t: tensor<*xf32>, %x: f32, %i: index) -> tensor<*xf32> {
        %0 = tensor.cast %t : tensor<*xf32> to tensor<4xf32>
        %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
        %2 = tensor.cast %1 : tensor<4xf32> to tensor<*xf32>
        return %2 : tensor<*xf32>
      }""",
    "a copy without a rank": """
      func.func @f(%t: tensor<*xf32>, %x: f32, %i: index)
          -> (tensor<*xf32>, tensor<*xf32>) {
        %0 = tensor.cast %t : tensor<*xf32> to tensor<4xf32>
        %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
        %2 = tensor.cast %1 : tensor<4xf32> to tensor<*xf32>
        return %2, %t : tensor<*xf32>, tensor<*xf32>
      }""",
    "odd element types": """
      func.func @f(%t: tensor<4xcomplex<f32>>, %u: tensor<4xindex>, %v: tensor<4xi1>,
                   %i: index) -> (complex<f32>, index, i1) {
        %0 = tensor.extract %t[%i] : tensor<4xcomplex<f32>>
        %1 = tensor.extract %u[%i] : tensor<4xindex>
        %2 = tensor.extract %v[%i] : tensor<4xi1>
        return %0, %1, %2 : complex<f32>, index, i1
      }""",
    "an element type without a memref": """
      func.func private @f(tensor<4x!test.type<"x">>)
      """,
    "an encoding that is no number": """
      func.func @f(%t: tensor<4xf32, "somewhere">, %x: f32, %i: index) -> f32 {
        %0 = tensor.insert %x into %t[%i] : tensor<4xf32, "somewhere">
        %1 = tensor.extract %0[%i] : tensor<4xf32, "somewhere">
        return %1 : f32
      }""",
    "an op that nobody knows": """
      func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
        %0 = "some.op"(%t) ({
        ^bb0(%x: tensor<4xf32>):
          "some.yield"(%x) : (tensor<4xf32>) -> ()
        }) : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }""",
    "a callee of another module": """
      module @inner {
        func.func private @f(%t: tensor<4xf32>) -> tensor<4xf32> {
          return %t : tensor<4xf32>
        }
        func.func @g(%t: tensor<4xf32>) -> tensor<4xf32> {
          %0 = call @f(%t) : (tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }
      }
      func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
        return %t : tensor<8xf32>
      }""",
    "two that call each other": """
      func.func @f(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
        %0 = scf.if %c -> (tensor<4xf32>) {
          %1 = func.call @g(%t, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
          scf.yield %1 : tensor<4xf32>
        } else {
          scf.yield %t : tensor<4xf32>
        }
        return %0 : tensor<4xf32>
      }
      func.func @g(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
        %0 = call @f(%t, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }""",
    "both operands are one tensor": """
      func.func @f(%t: tensor<4xf32>, %c: i1, %n: index, %x: f32) -> tensor<4xf32> {
        %0 = arith.select %c, %t, %t : tensor<4xf32>
        %1 = linalg.add ins(%0, %t : tensor<4xf32>, tensor<4xf32>)
          outs(%t : tensor<4xf32>) -> tensor<4xf32>
        %2 = bufferization.materialize_in_destination %1 in %1
          : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %3 = tensor.insert_slice %2 into %2[0] [4] [1]
          : tensor<4xf32> into tensor<4xf32>
        return %3 : tensor<4xf32>
      }""",
    "one buffer is two tensors": """
      func.func @f(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
        %0 = bufferization.to_tensor %m restrict writable
          : memref<4xf32> to tensor<4xf32>
        %1 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
        %2 = tensor.insert %x into %0[%i] : tensor<4xf32>
        %3 = tensor.extract %1[%i] : tensor<4xf32>
        return %3 : f32
      }""",
}


def read(program: str) -> ModuleOp:
    attach_all()
    ctx = get_context()
    ctx.allow_unregistered = True
    return Parser(ctx, program).parse_module()


def has_result(module: ModuleOp, transform: Callable[[ModuleOp], object]) -> bool:
    """Whether a transform gives a valid module: if not, it says what to do."""
    try:
        transform(module)
    except OperationError as error:
        assert len(error.message) > 20, "say what was found, and what to do"
        return False
    module.verify()
    return True


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_result_or_an_error(program: str, options: BufferizationOptions) -> None:
    module = read(program)
    module.verify()
    has_result(module, lambda module: one_shot_bufferize(module, options))


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_eliminating_empty_tensors(program: str) -> None:
    has_result(read(program), eliminate_empty_tensors)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_annotations_or_an_error(program: str) -> None:
    show = OneShotBufferizePass(
        bufferize_function_boundaries=True,
        test_analysis_only=True,
        print_conflicts=True,
        dump_alias_sets=True,
    )
    module = read(program)
    if not has_result(module, lambda module: show.apply(get_context(), module)):
        return
    for op in bufferized_ops(module, BOUNDARIES):
        if any(map(is_tensor, op.operands)):
            noted = op.attributes["__inplace_operands_attr__"]
            assert isa(noted, ArrayAttr[StringAttr])
            assert len(noted) == len(op.operands)
