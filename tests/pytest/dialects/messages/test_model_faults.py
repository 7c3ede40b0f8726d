"""An exception in somebody's model is reported as theirs."""

import subprocess
import sys
from pathlib import Path

import pytest
from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization import parse
from xdsl_bufferization.bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
)
from xdsl_bufferization.bufferization.interfaces.state import BufferizationState
from xdsl_bufferization.tools.common.diagnostics import describe

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


def test_a_command_names_the_model_that_fails(tmp_path: Path):
    """In a process of its own, as a model cannot be taken back."""
    (tmp_path / "rows.py").write_text("""
from xdsl.dialects.test import TestOp
from xdsl_bufferization.bufferization.interfaces.attach import attach
from xdsl_bufferization.bufferization.interfaces import bufferizable
from xdsl_bufferization.tools.xbuf import main

class RowsModel(bufferizable.BufferizableOpInterface):
    def bufferize(self, op, state):
        state.replace_op(op, [op.matrix])

attach(TestOp, RowsModel())
raise SystemExit(main(["run", "a.mlir"]))
""")
    (
        tmp_path / "a.mlir"
    ).write_text("""func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
""")
    run = subprocess.run(
        [sys.executable, "rows.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "internal error" not in run.stderr
    assert run.stderr.splitlines()[0] == (
        "a.mlir:2:8: error: RowsModel.bufferize raises AttributeError: 'TestOp' object "
        "has no attribute 'matrix' (rows.py:9)"
    )
