"""Every reason of a copy is found, and each of them is a cause.

`causes.py` tries as many random programs as one likes.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from harness.oracles.decisions import parse
from harness.volume.causes import (
    check_by_the_rules,
    check_in_program,
    check_model,
    check_random_program,
)

from xdsl_bufferization.bufferization.analyses.one_shot.all_reasons import AllReasons
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import (
    NotWritable,
    RaWConflict,
)
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.analyses.one_shot.parallel_regions import (
    SharedWrite,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions

MODELS = Path(__file__).parents[3] / "torch_models"
OPTIONS = BufferizationOptions(bufferize_function_boundaries=True)


@pytest.mark.parametrize("first", range(0, 12, 4))
def test_reasons_are_causes_by_the_rules(first: int) -> None:
    counts = Counter[str]()
    for number in range(first, first + 4):
        check_by_the_rules(number, counts)
    assert counts["with several reasons"]


@pytest.mark.parametrize("first", range(0, 6, 2))
def test_reasons_are_causes_in_the_program(first: int) -> None:
    counts = Counter[str]()
    for number in range(first, first + 2):
        check_random_program(number, counts)
    assert counts["copies without their reasons"]


def test_reasons_are_causes_in_a_model() -> None:
    counts = Counter[str]()
    check_model(MODELS / "residual.mlir", counts)
    assert counts["copies"] == counts["copies without their reasons"]
    assert counts["copies"]


def reasons_of(
    text: str,
    op_name: str,
    number: int,
    options: BufferizationOptions = OPTIONS,
) -> AllReasons | None:
    module = parse(text)
    analysis = analyze(module, options, wants_all_reasons=True)
    for function in module.ops:
        root = analysis.get_root_analysis(function)
        assert root is not None
        for operand, found in root.all_reasons.items():
            if operand.owner.name == op_name and operand.number == number:
                return found
    return None


def test_all_kinds_of_reasons_are_named_together() -> None:
    found = reasons_of(
        """
func.func @f(%a: tensor<4xf32> {bufferization.writable = false}, %f: f32, %i: index)
    -> (f32, f32, tensor<4xf32>) {
  %0 = tensor.insert %f into %a[%i] : tensor<4xf32>
  %1 = tensor.extract %a[%i] : tensor<4xf32>
  %2 = tensor.extract %a[%i] : tensor<4xf32>
  return %1, %2, %0 : f32, f32, tensor<4xf32>
}
""",
        "tensor.insert",
        1,
    )
    assert found is not None
    assert found.is_complete
    kinds = [type(reason) for reason in found.reasons]
    assert kinds == [NotWritable, RaWConflict, RaWConflict]


def test_what_only_passes_on_a_read_is_not_named_beside_it() -> None:
    found = reasons_of(
        """
func.func @f(%a: tensor<8xf32>, %f: f32, %i: index) -> (f32, tensor<8xf32>) {
  %0 = tensor.insert %f into %a[%i] : tensor<8xf32>
  %1 = tensor.extract_slice %a[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  return %2, %0 : f32, tensor<8xf32>
}
""",
        "tensor.insert",
        1,
    )
    assert found is not None
    (reason,) = found.reasons
    assert isinstance(reason, RaWConflict)
    assert reason.read.owner.name == "tensor.extract"


def test_each_write_of_a_parallel_loop_is_named() -> None:
    text = """
func.func @f(%a: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %a) -> (tensor<4xf32>) {
    %1 = tensor.insert %f into %a[%i] : tensor<4xf32>
    %2 = tensor.extract_slice %1[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}
"""
    found = reasons_of(text, "tensor.insert", 1)
    assert found is not None
    assert any(isinstance(reason, SharedWrite) for reason in found.reasons)
    check_in_program(parse(text), OPTIONS, Counter())


def test_the_search_ends_where_there_are_very_many() -> None:
    reads = 30
    lines = [f"  %r{n} = tensor.extract %a[%i] : tensor<4xf32>" for n in range(reads)]
    found = reasons_of(
        "\n".join(
            (
                "func.func @f(%a: tensor<4xf32>, %f: f32, %i: index) "
                "-> tensor<4xf32> {",
                "  %0 = tensor.insert %f into %a[%i] : tensor<4xf32>",
                *lines,
                "  return %0 : tensor<4xf32>",
                "}",
            )
        ),
        "tensor.insert",
        1,
        replace(OPTIONS, reason_steps=20),
    )
    assert found is not None
    assert not found.is_complete
    assert len(found.reasons) > 10
