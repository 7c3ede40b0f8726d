"""`jit` with passes of the caller, and what it says of functions that compute."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32
from xdsl.passes import ModulePass

from xdsl_bufferization import jit
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.pipeline_text import PipelineError
from xdsl_bufferization.support.errors import OperationError

PROGRAM = """\
func.func @put(%m: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %x = arith.constant 5.0 : f32
  %new = tensor.insert %x into %m[%i] : tensor<4xf32>
  return %new : tensor<4xf32>
}
"""

PASSES = (
    "cse,one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-deallocation-pipeline"
)


@dataclass(frozen=True)
class SevenPass(ModulePass):
    """Makes each constant number a 7."""

    name = "seven"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in op.walk():
            if isinstance(each, arith.ConstantOp) and each.result.type == f32:
                each.properties["value"] = FloatAttr(7.0, f32)


def test_passes_as_text() -> None:
    put = jit(PROGRAM, passes=PASSES)
    m = np.zeros(4, np.float32)
    assert put(m, 2).tolist() == [0, 0, 5, 0]
    assert m.tolist() == [0, 0, 0, 0]
    (function,) = put.explain().functions
    assert function.caller_copies[0].argument == "%m"


def test_passes_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XBUF_CACHE", str(tmp_path))
    given = [SevenPass(), one_shot_of_programs()]
    put = jit(PROGRAM, passes=iter(given))
    assert put(np.zeros(4, np.float32), 1).tolist() == [0, 7, 0, 0]
    # An object may have been changed since: its code stays in this process.
    assert not list(tmp_path.rglob("*.xbuf*"))
    assert jit(PROGRAM)(np.zeros(4, np.float32), 1).tolist() == [0, 5, 0, 0]


def test_a_wrong_pipeline_says_where() -> None:
    with pytest.raises(PipelineError) as found:
        jit(PROGRAM, passes="cse,one-shot-bufferise").lower()
    assert str(found.value) == (
        "passes, column 5: there is no pass 'one-shot-bufferise'; do you mean "
        "'one-shot-bufferize'?"
    )


def test_passes_that_leave_tensors() -> None:
    with pytest.raises(OperationError, match=r"function @put is still on tensors"):
        jit(PROGRAM, passes="cse")(np.zeros(4, np.float32), 1)


def one_more(x: Any) -> Any:
    """What somebody may want to be compiled."""
    return x + 1


def test_a_function_that_computes_is_no_program() -> None:
    with pytest.raises(TypeError) as found:
        jit(one_more)(np.zeros(4, np.float32))
    assert any("is called by jit" in each for each in found.value.__notes__)
    with pytest.raises(TypeError, match="has returned int, and no program"):
        jit(cast(Any, lambda: 3))()
