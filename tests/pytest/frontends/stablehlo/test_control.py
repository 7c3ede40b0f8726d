"""Loops, branches and calls of StableHLO run as they say."""

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_text
from xdsl.dialects.func import FuncOp

from xdsl_bufferization import parse
from xdsl_bufferization.frontends.stablehlo.stablehlo_legalize_to_linalg import (
    stablehlo_legalize_to_linalg,
)

COUNTED = """func.func @main(%n: tensor<i32>, %x: tensor<4xf32>)
    -> (tensor<i32>, tensor<4xf32>) {
  %first = stablehlo.constant dense<2> : tensor<i32>
  %0:3 = stablehlo.while(%i = %first, %y = %x, %bound = %n)
      : tensor<i32>, tensor<4xf32>, tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %i, %bound, SIGNED
        : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %y, %y : tensor<4xf32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %1, %bound : tensor<i32>, tensor<4xf32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<4xf32>
}"""


@pytest.mark.parametrize(("end", "times"), [(5, 3), (2, 0), (-7, 0)])
def test_loops_that_count(end: int, times: int) -> None:
    x = np.arange(4, dtype=np.float32)
    last, y = run_text(COUNTED, np.array(end, np.int32), x)
    assert last == max(end, 2)
    assert y.tolist() == (x * 2**times).tolist()


def _op_names(text: str) -> set[str]:
    module = parse(text)
    stablehlo_legalize_to_linalg(module)
    return {op.name for op in module.walk()}


def test_a_loop_that_counts_is_a_for_loop() -> None:
    assert "scf.for" in _op_names(COUNTED)
    assert "scf.while" not in _op_names(COUNTED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("compare LT, %i, %bound, SIGNED", "compare NE, %i, %bound, SIGNED"),
        ("stablehlo.add %i, %one", "stablehlo.add %i, %i"),
        ("dense<1>", "dense<3>"),
        ("stablehlo.return %2, %1, %bound", "stablehlo.return %2, %1, %i"),
    ],
)
def test_a_loop_that_counts_otherwise_has_a_condition(old: str, new: str) -> None:
    assert old in COUNTED
    assert "scf.while" in _op_names(COUNTED.replace(old, new))


def test_loops_with_a_condition() -> None:
    result = run_text(
        """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<3xf32>
  cond {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %hundred = stablehlo.constant dense<100.0> : tensor<f32>
    %1 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.compare LT, %1, %hundred, FLOAT
        : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %1 = stablehlo.add %y, %y : tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}""",
        np.array([1, 2, 3], "f4"),
    )
    assert result.tolist() == [32, 64, 96]


CASE = """func.func @main(%n: tensor<i32>, %x: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<f32>) {
  %0:2 = "stablehlo.case"(%n) ({
    %c = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %x, %c : tensor<2xf32>, tensor<f32>
  }, {
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %1, %c : tensor<2xf32>, tensor<f32>
  }, {
    %c = stablehlo.constant dense<3.0> : tensor<f32>
    %1 = stablehlo.add %x, %x : tensor<2xf32>
    stablehlo.return %1, %c : tensor<2xf32>, tensor<f32>
  }) : (tensor<i32>) -> (tensor<2xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<f32>
}"""


@pytest.mark.parametrize(
    ("number", "factor", "constant"),
    [(0, 1, 1), (1, -1, 2), (2, 2, 3), (9, 2, 3), (-1, 2, 3)],
)
def test_a_number_without_a_branch_takes_the_last(
    number: int, factor: int, constant: int
) -> None:
    x = np.array([1, 2], "f4")
    y, c = run_text(CASE, np.array(number, np.int32), x)
    assert y.tolist() == (x * factor).tolist()
    assert c == constant


@pytest.mark.parametrize("condition", [False, True])
def test_one_of_two_branches(condition: bool) -> None:
    x = np.array([1, 2], "f4")
    result = run_text(
        """func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %1 = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}""",
        np.array(condition),
        x,
    )
    assert result.tolist() == (x if condition else -x).tolist()


CALLS = """
module {
  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = call @twice(%0) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = stablehlo.composite "mine.negate" %1 {decomposition = @negate}
        : (tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = call @sum(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @sum(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %x, %y : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @negate(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.negate %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


def test_functions_are_called_or_written_where_they_are_called() -> None:
    assert run_text(CALLS, np.array([1, 2], "f4")).tolist() == [-4, -8]
    module = parse(CALLS)
    stablehlo_legalize_to_linalg(module)
    # @twice is called twice and calls; all others are written where they are called.
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    assert [op.sym_name.data for op in functions] == ["main", "twice"]


def test_a_function_that_calls_itself_stays_a_function() -> None:
    other = "call @twice(%x) : (tensor<2xf32>)"
    text = CALLS.replace("call @sum(%x, %x) : (tensor<2xf32>, tensor<2xf32>)", other)
    module = parse(text)
    stablehlo_legalize_to_linalg(module)
    assert "func.call @twice" in str(module)


def test_a_long_chain_of_functions() -> None:
    count = 200
    chain = "\n".join(
        f"""func.func private @f{n}(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = call @f{n + 1}(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}}"""
        for n in range(count)
    )
    text = f"""
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = call @f0(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}
{chain}
func.func private @f{count}(%x: tensor<2xf32>) -> tensor<2xf32> {{
  return %x : tensor<2xf32>
}}"""
    module = parse(text)
    stablehlo_legalize_to_linalg(module)
    sums = [op for op in module.walk() if op.name == "arith.addf"]
    assert len(sums) == count
    assert len([op for op in module.ops if isinstance(op, FuncOp)]) < 10


def test_a_function_without_a_body_is_called() -> None:
    text = """
func.func private @outside(tensor<2xui32>) -> tensor<2xui32>
func.func public @main(%x: tensor<2xui32>) -> tensor<2xui32> {
  %0 = stablehlo.add %x, %x : tensor<2xui32>
  %1 = call @outside(%0) : (tensor<2xui32>) -> tensor<2xui32>
  return %1 : tensor<2xui32>
}"""
    module = parse(text)
    stablehlo_legalize_to_linalg(module)
    module.verify()
    assert "@outside(tensor<2xi32>) -> tensor<2xi32>" in str(module)
