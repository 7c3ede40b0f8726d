"""Pipelines with proofs: where they stand, and what faults and doubts become."""

import warnings

import numpy as np
import pytest

from xdsl_bufferization import NotProvenWarning, jit
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    TensorCopyInsertionPass,
)
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.pipelines.verified import with_proof, with_proofs
from xdsl_bufferization.support.errors import OperationError

INSERT = """
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (f32, tensor<4xf32>) {
  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = tensor.extract %t[%i] : tensor<4xf32>
  return %y, %new : f32, tensor<4xf32>
}
"""

ON_BUFFERS = """
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %y = tensor.extract %t[%i] : tensor<4xf32>
  %sum = arith.addf %x, %y : f32
  return %sum : f32
}
"""


def always(*_: object) -> bool:
    return True


@pytest.mark.parametrize("optimize", [True, False])
def test_a_pipeline_of_programs_proves_both(optimize: bool) -> None:
    passes = with_proofs(default_passes(optimize=optimize))
    one_shots = [each for each in passes if isinstance(each, OneShotBufferizePass)]
    assert one_shots
    assert all(each.verify for each in one_shots)
    names = [each.name for each in passes]
    assert names[names.index("buffer-deallocation-pipeline") + 1] == names[-1]
    assert names[-1] == "verify-deallocation"


def test_decisions_alone_are_proven_where_they_are_explicit() -> None:
    for one in (
        TensorCopyInsertionPass(),
        OneShotBufferizePass(test_analysis_only=True),
    ):
        assert [each.name for each in with_proof(one)] == [
            one.name,
            "verify-bufferization",
        ]


def test_a_proven_program_runs() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = jit(INSERT, verified=True)
        old, new = f(np.arange(4, dtype=np.float32), np.float32(9), 2)
    assert old == 2
    assert new.tolist() == [0, 1, 9, 3]


def test_a_fault_stops_before_the_program_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XBUF_CACHE", "off")
    monkeypatch.setattr(OneShotAnalysis, "is_in_place", always)
    with pytest.raises(OperationError, match="internal fault of one-shot-bufferize"):
        jit(INSERT, optimize=False, verified=True).prepare()


def test_what_is_not_decided_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XBUF_CACHE", "off")
    with pytest.warns(NotProvenWarning, match=r"ops on buffers use this one"):
        f = jit(ON_BUFFERS, verified=True)
        total = f(np.arange(4, dtype=np.float32), 3)
    assert total == 6
