"""Globals of tensors: each of the ops that name one reads or writes the same array."""

from collections.abc import Callable

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.reference.evaluator import evaluate

PROGRAM = """
ml_program.global private @table(dense<[1, 2, 3]> : tensor<3xi32>) : tensor<3xi32>
ml_program.global private mutable @state(dense<4> : tensor<i32>) : tensor<i32>
func.func @f(%new: tensor<i32>) -> (tensor<3xi32>, tensor<i32>, tensor<i32>) {
  %table = ml_program.global_load_const @table : tensor<3xi32>
  %before = ml_program.global_load @state : tensor<i32>
  ml_program.global_store @state = %new : tensor<i32>
  %after = ml_program.global_load @state : tensor<i32>
  return %table, %before, %after : tensor<3xi32>, tensor<i32>, tensor<i32>
}"""


def test_globals_are_loaded_and_stored(parse: Callable[[str], ModuleOp]):
    results = evaluate(parse(PROGRAM), "f", [np.array(9, np.int32)])
    assert [each.tolist() for each in results] == [[1, 2, 3], 4, 9]
