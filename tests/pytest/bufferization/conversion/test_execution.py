"""Converted programs compute what they did on tensors, and free what they allocate."""

import gc
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from harness.dialects.tuple_dialect import ConvertTupleSignaturesPass, Tuples
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import HANDLERS
from xdsl_bufferization.reference.machine import Machine
from xdsl_bufferization.reference.structured import structured
from xdsl_bufferization.reference.values import Value
from xdsl_bufferization.runtime.heap import CountingHeap

BODIES = (
    "arith-bufferize,scf-bufferize,tensor-bufferize,linalg-bufferize,"
    "bufferization-bufferize,"
    "canonicalize,finalizing-bufferize,canonicalize,"
    "buffer-deallocation,lower-deallocations"
)

EXP = """
func.func @main(%source: tensor<5xf32>) -> tensor<5xf32> {
  %empty = tensor.empty() : tensor<5xf32>
  %0 = linalg.exp ins(%source : tensor<5xf32>) outs(%empty : tensor<5xf32>)
    -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
"""
RETURN = """
func.func @main(%arg0: tensor<5xf32>, %arg1: i1) -> (tensor<5xf32>, i1) {
  return %arg0, %arg1 : tensor<5xf32>, i1
}
"""
CALL = """
func.func @callee(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  return %arg0 : tensor<5xf32>
}
func.func @main(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  %x = call @callee(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
  return %x : tensor<5xf32>
}
"""
TUPLES = """
func.func @callee(%arg0: tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1> {
  return %arg0 : tuple<tensor<5xf32>, i1>
}
func.func @main(%arg0: tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1> {
  %x = call @callee(%arg0) : (tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1>
  return %x : tuple<tensor<5xf32>, i1>
}
"""
UNPACKED = """
func.func @main(%arg0: tuple<i1, tensor<5xf32>>, %f: f32, %i: index)
    -> tuple<tensor<5xf32>, tensor<5xf32>> {
  %old = "tuples.get"(%arg0) <{index = 1 : i32}>
    : (tuple<i1, tensor<5xf32>>) -> tensor<5xf32>
  %new = tensor.insert %f into %old[%i] : tensor<5xf32>
  %0 = "tuples.make"(%new, %old)
    : (tensor<5xf32>, tensor<5xf32>) -> tuple<tensor<5xf32>, tensor<5xf32>>
  return %0 : tuple<tensor<5xf32>, tensor<5xf32>>
}
"""
BLOCKS = """
func.func @pick(%p: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %p, ^then, ^else
^then:
  return %a : tensor<?xf32>
^else:
  %i = arith.constant 1 : index
  %f = arith.constant -1.0 : f32
  %0 = tensor.insert %f into %a[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%p: i1, %a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %c = tensor.cast %a : tensor<5xf32> to tensor<?xf32>
  %d = tensor.cast %b : tensor<5xf32> to tensor<?xf32>
  %0 = call @pick(%p, %c, %d) : (i1, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<5xf32>
  return %1 : tensor<5xf32>
}
"""
DESTINATION = """
func.func @main(%source: tensor<5xf32>, %dest: tensor<5xf32>, %f: f32, %i: index)
    -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = bufferization.materialize_in_destination %source in %dest
    : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<5xf32>
  return %0, %1, %dest : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}
"""

X = np.arange(5, dtype=np.float32)
PROGRAMS: Mapping[str, tuple[str, Sequence[Any]]] = {
    "exp": (EXP, (X,)),
    "return": (RETURN, (X, True)),
    "call": (CALL, (X,)),
    "tuples": (TUPLES, ((X, True),)),
    "unpacked": (UNPACKED, ((True, X), np.float32(9), 3)),
    "first block": (BLOCKS, (True, X, X + 1)),
    "last block": (BLOCKS, (False, X, X + 1)),
    "destination": (DESTINATION, (X, X + 1, np.float32(9), 3)),
}


def _make(_: Operation, operands: list[Value], __: Machine) -> Sequence[Any]:
    return [tuple(operands)]


def _get(op: Operation, operands: list[Value], _: Machine) -> Sequence[Any]:
    index: Any = op.properties["index"]
    return [operands[0][index.value.data]]


def flat(values: Any) -> list[Any]:
    """The elements of tuples, in order."""
    found: list[Any] = []
    for value in values:
        found += flat(value) if isinstance(value, tuple | list) else [value]
    return found


def parse(text: str) -> tuple[Context, ModuleOp]:
    ctx = get_context()
    ctx.load_dialect(Tuples)
    return ctx, Parser(ctx, text).parse_module()


def reference(text: str, arguments: Sequence[Any]) -> list[Any]:
    """What the program computes on tensors."""
    handlers = {**HANDLERS, "tuples.make": _make, "tuples.get": _get}
    machine = Machine(parse(text)[1], handlers, lambda op: structured)
    values = [as_arrays(each) for each in arguments]
    return flat(machine.call(machine.functions["main"], values))


def as_arrays(argument: Any) -> Any:
    if not isinstance(argument, tuple):
        return np.asarray(argument)
    parts: list[Any] = flat(argument)
    return [np.asarray(part) for part in parts]


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("kind", ["append", "keep"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_stay_the_same_and_nothing_leaks(name: str, kind: str) -> None:
    text, arguments = PROGRAMS[name]
    expected = reference(text, arguments)
    ctx, module = parse(text)
    ConvertTupleSignaturesPass(kind).apply(ctx, module)
    PassPipeline.parse_spec(
        Universe.get_multiverse().all_passes,
        BODIES,
        lambda _before, module, _after: module.verify(),
    ).apply(ctx, module)
    compiled = compile_module(module, poison=True)
    copies = [np.array(each) for each in flat(arguments)]
    # A tensor is appended, a number is returned.
    buffers = [np.empty_like(each) for each in expected if each.ndim]
    passed = [*flat(arguments), *(buffers if kind == "append" else ())]
    results = flat([compiled["main"](*passed)])
    if kind == "append":
        numbers = iter([each for each in results if each is not None])
        tensors = iter(buffers)
        results = [next(tensors if each.ndim else numbers) for each in expected]
    found = [np.array(each) for each in results]
    for result, value in zip(found, expected, strict=True):
        np.testing.assert_allclose(result, value, rtol=1e-6)
    for each, copy in zip(flat(arguments), copies, strict=True):
        np.testing.assert_array_equal(each, copy)
    del results
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert report.live_bytes == report.double_frees == report.foreign_frees == 0
