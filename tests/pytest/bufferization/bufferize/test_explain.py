"""Each copy is explained in one line, with places, and always in the same order."""

import pytest
from harness.oracles.decisions import parse

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions

PROGRAM = """\
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %1 = tensor.insert %f into %c[%i] : tensor<4xf32>
  %2 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %3 = tensor.insert %f into %2[%i] : tensor<4xf32>
  %4 = tensor.extract %2[%i] : tensor<4xf32>
  return %0, %3 : tensor<4xf32>, tensor<4xf32>
}
func.func @g(%t: tensor<4xf32> {bufferization.writable = false}, %f: f32, %i: index)
    -> tensor<4xf32> {
  %0 = tensor.extract_slice %t[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""

REMARKS = [
    "test.mlir:2:8: remark: copy of %t here: %0 is read at 8:3 "
    "after being written at 5:8",
    "test.mlir:4:8: remark: copy of %c here: %c is not writable: it is a constant",
    "test.mlir:6:8: remark: copy of %2 here: %2 is read at 7:8 "
    "after being written at 6:8",
    "test.mlir:12:8: remark: copy of %t here: %t is not writable: it is a function "
    "argument, and would be written at 13:8",
]


def test_remarks() -> None:
    remarks: list[str] = []
    options = BufferizationOptions(bufferize_function_boundaries=True)
    one_shot_bufferize(parse(PROGRAM), options, remarks.append)
    assert remarks == REMARKS


def test_the_pass_writes_remarks_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    pass_ = OneShotBufferizePass(bufferize_function_boundaries=True, explain=True)
    pass_.apply(get_context(), parse(PROGRAM))
    assert capsys.readouterr().err.splitlines() == REMARKS


def test_the_analysis_alone_is_explained_as_well(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pass_ = OneShotBufferizePass(
        bufferize_function_boundaries=True, explain=True, test_analysis_only=True
    )
    pass_.apply(get_context(), parse(PROGRAM))
    assert capsys.readouterr().err.splitlines() == REMARKS


def test_silent_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    OneShotBufferizePass(bufferize_function_boundaries=True).apply(
        get_context(), parse(PROGRAM)
    )
    assert capsys.readouterr().err == ""


def test_a_write_to_what_all_rounds_of_a_parallel_loop_share() -> None:
    program = """\
func.func @f(%t: tensor<4xf32>, %f: f32, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%s = %o) -> (tensor<4xf32>) {
    %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
    %1 = tensor.extract_slice %0[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %s[%i] [1] [1]
        : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
"""
    remarks: list[str] = []
    options = BufferizationOptions(bufferize_function_boundaries=True)
    one_shot_bufferize(parse(program), options, remarks.append)
    assert remarks == [
        "test.mlir:3:10: remark: copy of %t here: it is from outside of the parallel "
        "loop in which it would be written, at 3:10"
    ]
