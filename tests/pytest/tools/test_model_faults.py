"""An exception in somebody's model is reported as theirs."""

import pytest
from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.api import parse
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.state import BufferizationState
from xdsl_bufferization.tools.diagnostics import describe

PROGRAM = "func.func @f() {\n  return\n}"


class Broken(BufferizableOpInterface):
    """A model of somebody else."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        helper(op)


def helper(op: Operation) -> None:
    raise KeyError(op.name)  # line of the cause


def error_of(op: Operation) -> Exception:
    with pytest.raises(KeyError) as caught:
        Broken().bufferize(op, state=None)  # pyright: ignore[reportArgumentType]
    return caught.value


def line_of_the_cause() -> int:
    return helper.__code__.co_firstlineno + 1


def test_model_method_and_line_are_named():
    (function,) = parse(PROGRAM).ops
    assert describe(error_of(function), "in.mlir") == (
        "<string>:1:1: error: Broken.bufferize raises KeyError: 'func.func' "
        f"(test_model_faults.py:{line_of_the_cause()})"
    )


def test_an_op_without_a_place_leaves_the_file():
    line = describe(error_of(ModuleOp([])), "in.mlir")
    assert line is not None
    assert line.startswith("in.mlir: error: Broken.bufferize raises KeyError")


def test_other_exceptions_stay_defects():
    with pytest.raises(ZeroDivisionError) as caught:
        assert 1 / 0
    assert describe(caught.value, "in.mlir") is None
