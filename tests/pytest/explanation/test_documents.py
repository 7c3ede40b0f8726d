"""Every copy in the examples of the documents is explained in a sentence.

The talk of 2022 is about copies of tensors: its examples come first. The signatures of
2020 return arguments, and the perceptron of 2023 needs no copy. What is left in the
documents of 2020, 2021 and 2023 are copies of buffers, for which nothing is decided.
"""

import pytest
from harness.running.explained import AS_WRITTEN, copies_of, explain_text

from xdsl_bufferization.explanation.report import Verdict
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

FOO = """\
func.func @foo(%a : tensor<?xf32>, %f : f32, %idx0 : index, %idx1 : index)
  -> (f32, f32)
{
  %b = tensor.insert %f into %a[%idx0] : tensor<?xf32>
  %c = tensor.extract %a[%idx1] : tensor<?xf32>
  %d = tensor.extract %b[%idx1] : tensor<?xf32>
  return %c, %d : f32, f32
}
"""
"""Why we need some kind of copy."""


def test_why_we_need_some_kind_of_copy() -> None:
    (copy,) = copies_of(explain_text(FOO, AS_WRITTEN))
    assert (copy.value_name, copy.size) == ("%a", "dim 0 of %a * 4 bytes")
    (reason,) = copy.reasons
    assert reason.sentence == (
        "line 5 reads it after line 4 would have overwritten it; the value was defined "
        "at line 1"
    )
    assert reason.remedy == "move the read before the write: line 5 before line 4"


def test_by_default_the_read_moves_before_the_write() -> None:
    explanation = explain_text(FOO)
    assert copies_of(explanation) == []
    assert explanation.functions[0].allocations == 0
    (change,) = explanation.changes
    assert change.endswith(
        "'tensor.insert' needs no copy of operand #1: 'tensor.extract' at 5:8 now runs "
        "before 'tensor.insert' at 4:8, which overwrites what is read"
    )


def test_what_if_we_swap_ops() -> None:
    lines = FOO.splitlines()
    lines[3], lines[4] = lines[4], lines[3]
    assert copies_of(explain_text("\n".join(lines))) == []


def test_always_copy_without_function_boundaries() -> None:
    explanation = explain_text(
        """\
func.func @foo(%t: tensor<?xf32>, %f: f32, %idx1: index, %idx2: index) -> f32 {
  %1 = tensor.insert %f into %t[%idx1] : tensor<?xf32>
  %2 = tensor.extract %1[%idx2] : tensor<?xf32>
  return %2 : f32
}
""",
        "one-shot-bufferize",
    )
    (copy,) = copies_of(explanation)
    (reason,) = copy.reasons
    assert (
        reason.sentence == "it is not writable: it is the function argument of line 1"
    )
    assert reason.remedy == "set bufferize-function-boundaries"


def test_allocate_and_copy_t() -> None:
    explanation = explain_text(
        """\
func.func @foo(%sz: index, %f: f32, %idx1: index, %idx2: index) -> f32 {
  %t_m = memref.alloc(%sz) : memref<?xf32>
  %t = bufferization.to_tensor %t_m restrict : memref<?xf32> to tensor<?xf32>
  %1 = tensor.insert %f into %t[%idx1] : tensor<?xf32>
  %2 = tensor.extract %1[%idx2] : tensor<?xf32>
  return %2 : f32
}
"""
    )
    (copy,) = copies_of(explanation)
    (reason,) = copy.reasons
    assert reason.sentence == (
        "it is not writable: it is a result of 'bufferization.to_tensor' at line 3"
    )
    assert reason.remedy == "mark %t `writable`"


SLICES = """\
func.func @foo(%arg0: tensor<?xf32>, %ub: index, %v: vector<5xf32>, %pos: index,
    %cond: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %r1 = scf.for %iv = %c0 to %ub step %c10 iter_args(%arg1 = %arg0) -> tensor<?xf32> {
    %1 = tensor.extract_slice %arg1[%iv][10][1] : tensor<?xf32> to tensor<10xf32>
    %r2 = scf.if %cond -> tensor<10xf32> {
      %2 = vector.transfer_write %v, %1[%pos] : vector<5xf32>, tensor<10xf32>
      scf.yield %2 : tensor<10xf32>
    } else {
      scf.yield %1 : tensor<10xf32>
    }
    %3 = tensor.insert_slice %r2 into %arg1[%iv][10][1]
        : tensor<10xf32> into tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  }
  return %r1 : tensor<?xf32>
}
"""
"""It can get even more complicated."""


def test_this_should_bufferize_without_memory_copies() -> None:
    explanation = explain_text(SLICES)
    (function,) = explanation.functions
    assert {decision.verdict for decision in function.decisions} == {Verdict.IN_PLACE}


GENERATE = """\
func.func @foo(%arg0: index, %arg1: f32, %arg2: index, %arg3: index) -> f32 {
  %0 = tensor.generate %arg0 {
  ^bb0(%i: index):
    tensor.yield %arg1 : f32
  } : tensor<?xf32>
  %1 = tensor.insert %arg1 into %0[%arg2] : tensor<?xf32>
  %2 = tensor.extract {read}[%arg3] : tensor<?xf32>
  return %2 : f32
}
"""
"""The slides about the analysis, with `%1` or `%0` read at the end."""


def test_the_analysis_puts_the_only_use_in_place() -> None:
    assert copies_of(explain_text(GENERATE.replace("{read}", "%1"))) == []


def test_what_if_0_bufferizes_in_place() -> None:
    text = GENERATE.replace("{read}", "%0")
    assert copies_of(explain_text(text)) == []
    (copy,) = copies_of(explain_text(text, AS_WRITTEN))
    (reason,) = copy.reasons
    assert (copy.value_name, reason.sentence) == (
        "%0",
        "line 7 reads it after line 6 would have overwritten it; the value was defined "
        "at line 2",
    )


def test_what_if_3_bufferizes_in_place() -> None:
    text = GENERATE.replace("{read}", "%0").replace("into %0", "into %3")
    text = text.replace(
        "  %1 =", "  %3 = tensor.cast %0 : tensor<?xf32> to tensor<?xf32>\n  %1 ="
    )
    assert copies_of(explain_text(text)) == []
    (copy,) = copies_of(explain_text(text, AS_WRITTEN))
    assert copy.op == "tensor.cast"
    assert [reason.sentence for reason in copy.reasons] == [
        "line 8 reads it after line 7 would have overwritten it; the value was defined "
        "at line 2"
    ]


CALLS = """\
func.func @callee(%arg0: tensor<5xf32>) -> (tensor<5xf32>) {
  return %arg0 : tensor<5xf32>
}
func.func @caller(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  %x = call @callee(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
  return %x : tensor<5xf32>
}
"""
"""A signature of 2020 that returns an argument."""


def test_returned_arguments_are_copied_by_deallocation_alone() -> None:
    explanation = explain_text(CALLS)
    assert copies_of(explanation) == []
    callee, _ = explanation.functions
    assert (callee.copies, callee.later_copies) == (1, 1)


@pytest.mark.parametrize("has_bias", [False, True])
def test_the_perceptron_needs_no_copy(has_bias: bool) -> None:
    text = mlp(MlpOptions(batch=8, layers=(8, 8), bias=has_bias, relu=True))
    assert [copy.op for copy in copies_of(explain_text(text))] == []
