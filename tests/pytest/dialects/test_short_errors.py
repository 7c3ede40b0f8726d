"""Errors of the Python API: place, op and message, whatever the size of the program."""

import traceback
from collections.abc import Callable

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.utils.exceptions import ParseError, VerifyException

from xdsl_bufferization import bufferize, compile, deallocate, explain, parse
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.common.diagnostics import describe

SIZE = 20_000
CONSTANT = f"dense<[{', '.join(['1.0'] * SIZE)}]> : tensor<{SIZE}xf32>"


def program(line: str) -> str:
    """A function with a large constant, and with `line`."""
    return (
        "func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n"
        f"  %c = arith.constant {CONSTANT}\n  {line}\n"
        "  return %0 : tensor<4xf32>\n}\n"
    )


UNKNOWN = '%0 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>'


def message(error: Exception) -> str:
    """What Python prints of an error, behind the calls that led to it."""
    return "".join(traceback.format_exception_only(error))


@pytest.mark.parametrize("function", [bufferize, explain])
def test_an_op_that_is_refused(function: Callable[[ModuleOp], object]):
    with pytest.raises(OperationError) as caught:
        function(parse(program(UNKNOWN)))
    expected = "<string>:3:8: op was not bufferized: no model says how to bufferize "
    assert str(caught.value).startswith(f"{expected}'test.op'; ")
    assert len(message(caught.value)) < 300
    assert caught.value.message.startswith("op was not bufferized")


def test_an_op_that_is_refused_by_compile():
    with pytest.raises(OperationError, match=r"^<string>:1:1: function @f is still"):
        compile(parse(program("%0 = tensor.empty() : tensor<4xf32>")))


def test_an_op_that_is_refused_by_deallocate():
    text = """func.func @f() {
  %0 = memref.alloc() : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return
}"""
    with pytest.raises(OperationError, match=r"^<string>:3:3: 'memref.dealloc' frees"):
        deallocate(parse(text))


def test_a_program_that_does_not_verify():
    text = program(UNKNOWN).replace("-> tensor<4xf32> {", "-> tensor<5xf32> {")
    with pytest.raises(VerifyException) as caught:
        parse(text)
    assert str(caught.value).startswith("<string>:4:3: 'func.return' op: Expected ")
    assert len(message(caught.value)) < 300


def test_a_program_that_cannot_be_parsed():
    with pytest.raises(ParseError) as caught:
        parse(program(UNKNOWN).replace(f"tensor<{SIZE}xf32>", "tensor<3xf32>"))
    first, shown, caret = str(caught.value).splitlines()
    assert first.startswith("<string>:2:28: Shape mismatch in dense literal.")
    assert shown[len(caret) - 1 :].startswith("<[1.0, 1.0")
    assert len(message(caught.value)) < 500


def test_where_a_value_is_defined_is_said_as_well():
    with pytest.raises(ParseError) as caught:
        parse("func.func @f(%a: f32) {\n  %0 = arith.addi %a, %a : i32\n  return\n}")
    assert str(caught.value).splitlines()[3:] == ["<string>:1:14: %a is defined here"]


def test_a_module_that_nobody_wrote():
    type_ = TensorType(f32, [4])
    function = FuncOp("g", ((type_,), (type_,)))
    op = test.TestOp(function.body.block.args, [type_])
    function.body.block.add_ops([op, ReturnOp(*op.results)])
    with pytest.raises(OperationError, match=r"^in @g: op was not .* 'test.op'; "):
        bufferize(ModuleOp([function]))


def test_an_error_that_goes_through_two_functions_has_one_place():
    with pytest.raises(OperationError) as caught:
        explain(parse(program(UNKNOWN)))
    assert str(caught.value).count("<string>:3:8") == 1


def test_the_tool_says_the_same():
    with pytest.raises(VerifyException) as caught:
        parse(program(UNKNOWN).replace("-> tensor<4xf32> {", "-> tensor<5xf32> {"))
    line = describe(caught.value, "a")
    assert line is not None
    assert line.startswith("<string>:4:3: error: 'func.return' op: Expected arguments")
