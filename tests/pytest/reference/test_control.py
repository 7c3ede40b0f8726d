from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization.support.errors import OperationError

Run = Callable[..., list[Any]]


def test_for_carries_tensors(run: Run):
    text = """
    func.func @f(%t: tensor<8xf32>, %x: f32, %n: index, %s: index) -> tensor<8xf32> {
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c1 to %n step %s iter_args(%a = %t) -> (tensor<8xf32>) {
        %1 = tensor.insert %x into %a[%i] : tensor<8xf32>
        scf.yield %1 : tensor<8xf32>
      }
      return %0 : tensor<8xf32>
    }"""
    (result,) = run(text, np.zeros(8, np.float32), np.float32(1), 8, 3)
    assert result.tolist() == [0, 1, 0, 0, 1, 0, 0, 1]
    with pytest.raises(OperationError, match="step of 0, which is not positive"):
        run(text, np.zeros(8, np.float32), np.float32(1), 8, 0)


def test_while_passes_other_values_to_its_body(run: Run):
    text = """
    func.func @f(%n: i32) -> (i32, i32) {
      %c1 = arith.constant 1 : i32
      %0, %1 = scf.while (%i = %c1) : (i32) -> (i32, i32) {
        %square = arith.muli %i, %i : i32
        %more = arith.cmpi slt, %square, %n : i32
        scf.condition(%more) %i, %square : i32, i32
      } do {
      ^bb0(%i: i32, %square: i32):
        %next = arith.addi %i, %c1 : i32
        scf.yield %next : i32
      }
      return %0, %1 : i32, i32
    }"""
    assert [int(x) for x in run(text, 50)] == [8, 64]


def test_if_and_index_switch(run: Run):
    text = """
    func.func @f(%c: i1, %k: index) -> (i32, i32) {
      %0 = scf.if %c -> (i32) {
        %a = arith.constant 1 : i32
        scf.yield %a : i32
      } else {
        %a = arith.constant 2 : i32
        scf.yield %a : i32
      }
      %1 = scf.index_switch %k -> i32
      case 2 {
        %a = arith.constant 20 : i32
        scf.yield %a : i32
      }
      case 5 {
        %a = arith.constant 50 : i32
        scf.yield %a : i32
      }
      default {
        %a = arith.constant 99 : i32
        scf.yield %a : i32
      }
      return %0, %1 : i32, i32
    }"""
    cases = [(True, 2), (False, 5), (True, 3)]
    results = [[int(x) for x in run(text, *case)] for case in cases]
    assert results == [[1, 20], [2, 50], [1, 99]]


def test_branches_between_blocks(run: Run):
    text = """
    func.func @f(%n: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      cf.br ^head(%c0, %c0 : i32, i32)
    ^head(%i: i32, %sum: i32):
      %more = arith.cmpi slt, %i, %n : i32
      cf.cond_br %more, ^body(%sum : i32), ^exit(%sum : i32)
    ^body(%s: i32):
      %next = arith.addi %i, %c1 : i32
      %t = arith.addi %s, %next : i32
      cf.br ^head(%next, %t : i32, i32)
    ^exit(%r: i32):
      return %r : i32
    }"""
    assert run(text, 10)[0] == 55


def test_switch_takes_its_operands_along(run: Run):
    text = """
    func.func @f(%k: i32, %a: i32, %b: i32) -> i32 {
      cf.switch %k : i32, [
        default: ^bb1(%a : i32),
        7: ^bb1(%b : i32),
        -1: ^bb2
      ]
    ^bb1(%x: i32):
      return %x : i32
    ^bb2:
      return %k : i32
    }"""
    assert [int(run(text, k, 10, 20)[0]) for k in (3, 7, -1)] == [10, 20, -1]


def test_recursion_has_a_scope_per_call(run: Run):
    text = """
    func.func @f(%n: i64) -> i64 {
      %c1 = arith.constant 1 : i64
      %small = arith.cmpi sle, %n, %c1 : i64
      %0 = scf.if %small -> (i64) {
        scf.yield %c1 : i64
      } else {
        %m = arith.subi %n, %c1 : i64
        %1 = func.call @f(%m) : (i64) -> i64
        %2 = arith.muli %n, %1 : i64
        scf.yield %2 : i64
      }
      return %0 : i64
    }"""
    assert run(text, 20)[0] == 2432902008176640000


def test_endless_recursion_is_an_error(run: Run):
    text = """
    func.func @f(%n: i64) -> i64 {
      %1 = func.call @f(%n) : (i64) -> i64
      return %1 : i64
    }"""
    with pytest.raises(OperationError, match="nested too deeply"):
        run(text, 1)


def test_a_function_without_a_body_is_an_error_at_the_call(run: Run):
    text = """
    func.func private @g(i64) -> i64
    func.func @f(%n: i64) -> i64 {
      %1 = func.call @g(%n) : (i64) -> i64
      return %1 : i64
    }"""
    with pytest.raises(OperationError, match="no body for function @g") as error:
        run(text, 1)
    assert error.value.op.name == "func.call"


def test_execute_region_and_assert(run: Run):
    text = """
    func.func @f(%n: i32) -> i32 {
      %0 = scf.execute_region -> (i32) {
        %c0 = arith.constant 0 : i32
        %c = arith.cmpi sgt, %n, %c0 : i32
        cf.assert %c, "positive"
        cf.cond_br %c, ^bb1(%n : i32), ^bb1(%c0 : i32)
      ^bb1(%x: i32):
        scf.yield %x : i32
      }
      return %0 : i32
    }"""
    assert run(text, 4)[0] == 4
    with pytest.raises(OperationError, match="assertion failed: positive"):
        run(text, -4)


def test_assuming(run: Run):
    text = """
    func.func @f(%n: i32) -> i32 {
      %0 = arith.constant 0 : i32
      %positive = arith.cmpi sgt, %n, %0 : i32
      %w = shape.cstr_require %positive, "positive"
      %holds = shape.const_witness true
      %both = shape.assuming_all %w, %holds
      %1 = shape.assuming %both -> (i32) {
        shape.assuming_yield %n : i32
      }
      return %1 : i32
    }"""
    assert run(text, 4)[0] == 4
    with pytest.raises(OperationError, match="assertion failed: positive"):
        run(text, -4)
    text = """
    func.func @f() {
      %w = shape.const_witness false
      shape.assuming %w {
      }
      return
    }"""
    with pytest.raises(OperationError, match="relies on does not hold"):
        run(text)


def test_rounds_of_a_forall_see_its_outputs_as_they_were(run: Run):
    text = """
    func.func @f(%t: tensor<4x6xf32>, %n: index) -> tensor<4x6xf32> {
      %0 = scf.forall (%i, %j) = (1, 0) to (%n, 6) step (1, 3)
          shared_outs(%o = %t) -> (tensor<4x6xf32>) {
        %above = tensor.extract_slice %o[0, %j] [1, 2] [1, 1]
            : tensor<4x6xf32> to tensor<2xf32>
        %shifted = tensor.extract_slice %o[%i, 2] [1, 1] [1, 1]
            : tensor<4x6xf32> to tensor<f32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %above into %o[%i, %j] [1, 2] [1, 1]
              : tensor<2xf32> into tensor<4x6xf32>
          tensor.parallel_insert_slice %shifted into %o[0, %j] [1, 1] [1, 1]
              : tensor<f32> into tensor<4x6xf32>
        }
      }
      return %0 : tensor<4x6xf32>
    }"""
    before = np.arange(24, dtype=np.float32).reshape(4, 6)
    (result,) = run(text, before, 3)
    expected = before.copy()
    for i in (1, 2):
        for j in (0, 3):
            expected[i, j : j + 2] = before[0, j : j + 2]
            expected[0, j] = before[i, 2]
    assert np.array_equal(result, expected)
    assert np.array_equal(run(text, before, 1)[0], before)
