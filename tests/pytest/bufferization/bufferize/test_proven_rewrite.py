"""one-shot-bufferize{verify}: right programs pass, and each kind of fault is found."""

import pytest
from harness.oracles.decisions import parse
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.bufferize.rewrite_notes import RewriteNotes
from xdsl_bufferization.bufferization.interfaces.options import (
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.bufferization.verification.proofs import (
    Proof,
    collected_proofs,
)
from xdsl_bufferization.support.errors import OperationError

INSERT = """
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (f32, tensor<4xf32>) {
  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = tensor.extract %t[%i] : tensor<4xf32>
  return %y, %new : f32, tensor<4xf32>
}
"""

TILE = """
func.func @f(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %n = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %n : tensor<8xf32>
}
"""

ELSEWHERE = TILE.replace("into %t[0]", "into %t[4]")

RESHAPED = """
func.func @f(%t: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %s = tensor.extract_slice %t[0, 0] [4, 4] [1, 1]
      : tensor<4x8xf32> to tensor<4x4xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %f = linalg.fill ins(%x : f32) outs(%c : tensor<16xf32>) -> tensor<16xf32>
  %e = tensor.expand_shape %f [[0, 1]] output_shape [4, 4]
      : tensor<16xf32> into tensor<4x4xf32>
  %n = tensor.insert_slice %e into %t[0, 0] [4, 4] [1, 1]
      : tensor<4x4xf32> into tensor<4x8xf32>
  return %n : tensor<4x8xf32>
}
"""

RETURNED = """
func.func private @part(%t: tensor<8xf32>) -> tensor<4xf32> {
  %s = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func @f(%t: tensor<8xf32>, %x: f32) -> tensor<4xf32> {
  %s = call @part(%t) : (tensor<8xf32>) -> tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}
"""

WITH_FUNCTIONS = BufferizationOptions(
    bufferize_function_boundaries=True,
    function_boundary_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
)


def always(*_: object) -> bool:
    return True


def verify(
    module: ModuleOp, options: BufferizationOptions = WITH_FUNCTIONS
) -> tuple[RewriteNotes, Proof]:
    with collected_proofs() as proofs:
        notes = one_shot_bufferize(module, options, verify=True)
    (proof,) = proofs
    return notes, proof


@pytest.mark.parametrize("text", [INSERT, TILE, ELSEWHERE, RESHAPED, RETURNED])
def test_what_we_make_is_proven(text: str) -> None:
    _, proof = verify(parse(text))
    assert proof.remarks == ()
    assert proof.name == "one-shot-bufferize{verify}"
    assert proof.ops > 1


def test_what_the_rewrite_does_by_itself_is_noted() -> None:
    tile, _ = verify(parse(TILE))
    assert [op.name for op in tile.left_out] == ["tensor.insert_slice"]
    reshaped, _ = verify(parse(RESHAPED))
    (copy,) = reshaped.layout_copies
    assert copy.operand.owner.name == "tensor.collapse_shape"
    assert not reshaped.left_out
    returned, _ = verify(parse(RETURNED))
    (copy,) = returned.layout_copies
    assert copy.operand.owner.name == "func.return"


def fault_of(text: str) -> str:
    with pytest.raises(OperationError) as caught:
        one_shot_bufferize(parse(text), WITH_FUNCTIONS, verify=True)
    assert "internal fault of one-shot-bufferize" in str(caught.value)
    return str(caught.value)


def test_a_copy_that_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OneShotAnalysis, "is_in_place", always)
    assert "'tensor.extract' reads operand 0, %t" in fault_of(INSERT)


def say_that_all_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OneShotAnalysis, "is_written_in_place", always)


def test_an_insertion_whose_source_is_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    say_that_all_is_there(monkeypatch)
    assert "does not copy operand 0, %f" in fault_of(ELSEWHERE)


def test_an_insertion_of_what_was_copied_for_its_layout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without the copy, which no decision shows, the source would lie there."""
    say_that_all_is_there(monkeypatch)
    assert "does not copy operand 0, %e" in fault_of(RESHAPED)


def test_a_copy_of_one_of_two_equal_operands_is_not_decided() -> None:
    text = """
    func.func private @g(tensor<4xf32> {bufferization.access = "read"},
                         tensor<4xf32> {bufferization.access = "read"}) -> f32
    func.func @f(%t: tensor<8xf32>) -> f32 {
      %s = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
      %y = call @g(%s, %s) : (tensor<4xf32>, tensor<4xf32>) -> f32
      return %y : f32
    }
    """
    _, proof = verify(parse(text))
    (remark,) = proof.remarks
    assert "which of its operands is copied for a layout is not known" in remark


def test_functions_that_stay_on_tensors_are_not_decided() -> None:
    _, proof = verify(parse(TILE), BufferizationOptions())
    (remark,) = proof.remarks
    assert "'func.func' is not decided: its arguments and results stay" in remark


def test_remarks_are_written_where_nobody_collects_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one_shot_bufferize(parse(TILE), BufferizationOptions(), verify=True)
    assert "not decided" in capsys.readouterr().err
