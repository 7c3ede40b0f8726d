"""A model that claims too little is found by running its op; right ones are not."""

from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.interfaces.boxes import Box, Linear
from xdsl_bufferization.bufferization.interfaces.bufferizable import get_model
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.bufferization.interfaces.state import (
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.bufferization.interfaces.subset import SubsetOpInterface
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.pipelines.model_answers.check_model_by_execution import (
    check_model_by_execution,
)

Parse = Callable[[str], ModuleOp]

PROGRAM = """
func.func @main(
    %t: tensor<4x4xf32>, %u: tensor<4x4xf32>, %s: tensor<2x4xf32>, %x: f32, %i: index
) {
  %inserted = tensor.insert %x into %t[%i, %i] : tensor<4x4xf32>
  %extracted = tensor.extract %t[%i, %i] : tensor<4x4xf32>
  %slice = tensor.extract_slice %t[%i, 0] [2, 4] [1, 1]
      : tensor<4x4xf32> to tensor<2x4xf32>
  %with = tensor.insert_slice %s into %t[%i, 0] [2, 4] [1, 1]
      : tensor<2x4xf32> into tensor<4x4xf32>
  %filled = linalg.fill ins(%x : f32) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  %sum = linalg.add ins(%t, %u : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
  %turned = linalg.transpose ins(%t : tensor<4x4xf32>)
      outs(%u : tensor<4x4xf32>) permutation = [1, 0]
  %chosen = scf.for %j = %i to %i step %i iter_args(%each = %t) -> (tensor<4x4xf32>) {
    scf.yield %each : tensor<4x4xf32>
  }
  %constant = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %new = tensor.splat %x : tensor<4xf32>
  %copy = bufferization.alloc_tensor() copy(%t) : tensor<4x4xf32>
  func.return
}
"""


@pytest.fixture
def ops(parse: Parse) -> dict[str, Operation]:
    """The ops of the program, by the names of what they define."""
    attach_all()
    return {
        op.results[0].name_hint or "": op for op in parse(PROGRAM).walk() if op.results
    }


RIGHT = (
    "inserted", "extracted", "slice", "with", "filled", "sum", "turned", "chosen",
    "constant", "new", "copy",
)  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_our_models_are_right(ops: dict[str, Operation], name: str):
    assert check_model_by_execution(ops[name]) == []


Answer = Callable[..., object]


def _says(answer: object) -> Answer:
    return lambda *_: answer


def _none(*_: object) -> tuple[()]:
    return ()


def _is_the_result(_: object, operand: OpOperand, *__: object) -> object:
    result = operand.owner.results[0]
    return [AliasingValue(result, BufferRelation.EQUIVALENT)]


def _first_row(*_: object) -> Box:
    return Box((Linear(0), Linear(0)), (1, 4), (1, 1))


@pytest.mark.parametrize(
    ("name", "question", "answer", "problem"),
    [
        (
            "sum",
            "bufferizes_to_memory_read",
            _says(False),
            "operand #0 is said not to be read, but result #0 changes with it",
        ),
        (
            "with",
            "bufferizes_to_memory_read",
            _says(False),
            "operand #1 is said not to be read, but result #0 changes with it",
        ),
        (
            "filled",
            "bufferizes_to_memory_write",
            _says(False),
            "operand #1 is said not to be written, but its elements change",
        ),
        (
            "inserted",
            "get_aliasing_values",
            _none,
            "operand #1 is said not to alias result #0, but the result is in its "
            "buffer",
        ),
        (
            "chosen",
            "get_aliasing_op_operands",
            _none,
            "result #0 is said not to alias operand #3, but the result is in its "
            "buffer",
        ),
        (
            "copy",
            "get_aliasing_values",
            _is_the_result,
            "result #0 is said to always alias operand #0, but is elsewhere",
        ),
        (
            "slice",
            "get_aliasing_values",
            _is_the_result,
            "result #0 is said to be the buffer of operand #0, but has other elements "
            "or another order",
        ),
        (
            "constant",
            "bufferizes_to_allocation",
            _says(True),
            "result #0 is said to be a new buffer, but is none",
        ),
        (
            "constant",
            "is_writable",
            _says(True),
            "result #0 is said to be writable, but each run has the same buffer: a "
            "constant",
        ),
        (
            "new",
            "result_bufferizes_to_memory_write",
            _says(False),
            "result #0 is said to have no new contents, but it has some",
        ),
        (
            "filled",
            "result_bufferizes_to_memory_write",
            _says(False),
            "result #0 is said to have no new contents, but it has some",
        ),
        (
            "turned",
            "bufferizes_to_elementwise_access",
            _says(True),
            "operand #0 and operand #1 are said to be accessed in step, but in one "
            "buffer the results are others",
        ),
    ],
)
def test_a_wrong_answer_is_found(
    ops: dict[str, Operation],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    question: str,
    answer: Answer,
    problem: str,
):
    monkeypatch.setattr(type(get_model(ops[name])), question, answer)
    assert problem in check_model_by_execution(ops[name])


@pytest.mark.parametrize(
    ("name", "question", "answer", "problem"),
    [
        (
            "with",
            "get_box",
            _first_row,
            "the op is said to work on a part of operand #1, but elements outside of "
            "the part change",
        ),
        (
            "extracted",
            "get_box",
            _first_row,
            "the op is said to work on a part of operand #0, but result #0 changes "
            "with elements outside of the part",
        ),
        (
            "slice",
            "get_box",
            _first_row,
            "result #0 is said to be a part of operand #0, but has other elements",
        ),
        (
            "extracted",
            "overwrites_box",
            _says(True),
            "the part of operand #0 is said to be overwritten, but what it was before "
            "shows",
        ),
    ],
)
def test_a_wrong_part_is_found(
    ops: dict[str, Operation],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    question: str,
    answer: Answer,
    problem: str,
):
    subset = type(ops[name].get_trait(SubsetOpInterface))
    monkeypatch.setattr(subset, question, answer)
    assert problem in check_model_by_execution(ops[name])


def test_values_may_be_given(ops: dict[str, Operation]):
    op = ops["extracted"]
    values = {op.operands[0]: np.ones((4, 4), np.float32), op.operands[1]: np.int64(3)}
    assert check_model_by_execution(op, values) == []


def test_what_cannot_be_run_is_said(parse: Parse):
    module = parse(
        """
        func.func @f(%t: tensor<4xi7>) -> tensor<4xi7> {
          %0 = tensor.cast %t : tensor<4xi7> to tensor<4xi7>
          func.return %0 : tensor<4xi7>
        }
        """
    )
    cast, return_, *_ = [op for op in module.walk() if op.operands]
    assert check_model_by_execution(cast) == [
        "'tensor.cast' cannot be run, so nothing was tested: NumPy has no values of "
        "type i7"
    ]
    assert check_model_by_execution(return_) == [
        "'func.return' cannot be run, so nothing was tested: a terminator: a part of "
        "the op around it, and tested with that"
    ]
    assert check_model_by_execution(module) == [
        "'builtin.module' has no model of BufferizableOpInterface to test"
    ]
