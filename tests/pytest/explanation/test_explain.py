"""Each kind of reason in words, with places, bytes and what would avoid it."""

from dataclasses import replace

import pytest
from harness.oracles.decisions import parse
from harness.running.explained import copies_of, explain_text, sentences_of
from harness.running.growth import growth

from xdsl_bufferization import explain
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.explanation.report import Decision, ReasonKind, Verdict
from xdsl_bufferization.pipelines.bufferize import BufferizePass
from xdsl_bufferization.support.errors import OperationError


def copy_in(text: str, options: str = "") -> Decision:
    """The only copy of a program."""
    pipeline = f"one-shot-bufferize{{bufferize-function-boundaries {options}}}"
    (copy,) = copies_of(explain_text(text, pipeline))
    return copy


def test_what_must_not_be_written_may_be_another_value() -> None:
    copy = copy_in("""\
func.func @f(%p: i1, %t: tensor<4xf32>, %f: f32, %i: index) -> f32 {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %0 = arith.select %p, %c, %t : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  return %2 : f32
}
""")
    (reason,) = copy.reasons
    assert reason.kind is ReasonKind.NOT_WRITABLE
    assert (copy.value_name, copy.op) == ("%c", "arith.select")
    assert reason.sentence == (
        "it is not writable: it is the constant of line 2, and line 4 would write it"
    )
    assert reason.write is not None
    assert (reason.write.line, reason.write.value) == (4, "%0")


def test_a_read_in_the_next_iteration_of_a_loop() -> None:
    copy = copy_in("""\
func.func @f(%n: index, %t: tensor<4xf32>, %f: f32, %s: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%x = %s) -> f32 {
    %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
    %1 = tensor.extract %0[%c0] : tensor<4xf32>
    scf.yield %1 : f32
  }
  return %r : f32
}
""")
    assert sentences_of(copy) == [
        "line 4 reads it in the next iteration of the loop at line 3 after line 4 "
        "would have overwritten it; the value was defined at line 1"
    ]
    assert copy.reasons[0].remedy is None


def test_a_value_that_each_iteration_may_define() -> None:
    copy = copy_in("""\
func.func @f(%n: index, %e: tensor<4xf32>, %f: f32, %s: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %n iter_args(%x = %s) -> f32 {
    %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
    %1 = tensor.extract %0[%c0] : tensor<4xf32>
    scf.yield %1 : f32
  }
  return %r : f32
}
""")
    assert copy.reasons[0].remedy == (
        "define %t in each iteration of the loop at line 4, if that is cheaper than a "
        "copy"
    )


def test_an_op_that_reads_what_it_would_overwrite() -> None:
    copy = copy_in("""\
func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""")
    assert copy.operand_number == 2
    assert sentences_of(copy) == 2 * [
        "line 2 reads it while it would overwrite it; the value was defined at line 1"
    ]


def test_slices_of_which_nobody_knows_whether_they_meet() -> None:
    text = """\
func.func @f(%a: tensor<8xf32>, %v: tensor<4xf32>, %i: index, %j: index)
    -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = tensor.insert_slice %v into %a[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.extract_slice %a[%j] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<8xf32>
}
"""
    conflict, returned = copies_of(explain_text(text))
    assert conflict.bytes == 32
    assert returned.reasons[0].kind is ReasonKind.LAYOUT
    known = text.replace("%a[%i]", "%a[0]").replace("%a[%j]", "%a[4]")
    kinds = [copy.reasons[0].kind for copy in copies_of(explain_text(known))]
    assert kinds == [ReasonKind.LAYOUT]
    off = "one-shot-bufferize{bufferize-function-boundaries disjoint-subsets=false}"
    copies = copies_of(explain_text(known, off))
    assert [copy.reasons[0].remedy for copy in copies] == ["set disjoint-subsets"]


def test_a_copy_only_because_of_a_layout() -> None:
    (function,) = explain_text("""\
func.func @f(%a: tensor<8x8xf32>, %o: tensor<16xf32>) -> tensor<16xf32> {
  %s = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %r = linalg.exp ins(%c : tensor<16xf32>) outs(%o : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
""").functions
    assert function.layout_copies == 1
    (copy,) = [each for each in function.decisions if each.verdict is Verdict.COPIED]
    assert (copy.op, copy.bytes) == ("tensor.collapse_shape", 64)
    assert copy.reasons[0].kind is ReasonKind.LAYOUT
    assert copy.reasons[0].sentence == (
        f"line {copy.position.line} needs a memref<4x4xf32>, and the buffer of %s is a "
        "memref<4x4xf32, strided<[8, 1]>>"
    )


def test_iterations_of_a_parallel_loop_that_share_a_buffer() -> None:
    copies = copies_of(
        explain_text("""\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (4) shared_outs(%o = %a) -> (tensor<4xf32>) {
    %1 = tensor.insert %f into %b[%i] : tensor<4xf32>
    %2 = tensor.extract_slice %1[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}
""")
    )
    (copy,) = (copy for copy in copies if copy.op == "tensor.insert")
    shared = [r for r in copy.reasons if r.kind is ReasonKind.SHARED_WRITE]
    assert [reason.sentence for reason in shared] == [
        "all iterations of the parallel loop around line 4 would write to one buffer "
        "there, which line 4 reads"
    ]
    assert shared[0].remedy is not None
    assert "shared_outs" in shared[0].remedy


def test_a_yield_that_is_not_equivalent_to_its_iter_arg() -> None:
    text = """\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%x = %a) -> tensor<4xf32> {
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""
    with pytest.raises(OperationError, match="not equivalent"):
        explain_text(text, "one-shot-bufferize{bufferize-function-boundaries}")
    copies = copies_of(explain_text(text))
    (copy,) = (copy for copy in copies if copy.op == "scf.yield")
    (reason,) = copy.reasons
    assert reason.kind is ReasonKind.NOT_EQUIVALENT
    assert reason.sentence == (
        "line 4 passes it on to the next iteration of the loop at line 3, which "
        "expects the buffer that this iteration was given"
    )


def test_what_is_inserted_but_computed_elsewhere() -> None:
    text = """\
func.func @f(%a: tensor<8xf32>, %v: tensor<4xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %v into %a[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
    (function,) = explain_text(text).functions
    moved = function.decisions[0]
    assert (moved.verdict, moved.bytes) == (Verdict.MOVED, 16)
    assert sentences_of(moved) == [
        "line 2 inserts it into a buffer in which it was not computed"
    ]
    assert function.bytes_copied == 16 + 32  # and the clone of what is returned
    assert function.later_copies == 1


@pytest.mark.parametrize("restrict", ["", "restrict "])
def test_the_advice_says_what_the_pass_needs(restrict: str) -> None:
    text = f"""\
func.func @f(%a: memref<8xf32>, %x: f32) {{
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %0 in {restrict}writable %a
    : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}}
"""
    (function,) = explain_text(text).functions
    (moved,) = (each for each in function.decisions if each.verdict is Verdict.MOVED)
    (reason,) = moved.reasons
    assert reason.remedy is not None
    assert ("needs 'restrict'" in reason.remedy) == (not restrict)


def test_functions_without_analysis() -> None:
    text = """\
func.func @f(%a: tensor<4xf32>, %f: f32, %i: index) -> f32 {
  %0 = tensor.insert %f into %a[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
"""
    copy = copy_in(text, "no-analysis-func-filter=f")
    (reason,) = copy.reasons
    assert reason.kind is ReasonKind.NOT_ANALYSED
    assert reason.sentence.startswith("@f is left out of the analysis")


def test_new_buffers_without_a_copy_are_told_apart() -> None:
    copy = copy_in("""\
func.func @f(%a: tensor<?xf64>, %f: f64, %i: index) -> (f64, f64) {
  %0 = linalg.fill ins(%f : f64) outs(%a : tensor<?xf64>) -> tensor<?xf64>
  %1 = tensor.extract %a[%i] : tensor<?xf64>
  %2 = tensor.extract %0[%i] : tensor<?xf64>
  return %1, %2 : f64, f64
}
""")
    assert copy.verdict is Verdict.ALLOCATED
    assert (copy.bytes, copy.size) == (None, "dim 0 of %a * 8 bytes")


def test_ten_reasons_are_told_and_the_others_counted() -> None:
    reads = [f"  %r{n} = tensor.extract %a[%i] : tensor<4xf32>" for n in range(25)]
    copy = copy_in(
        "\n".join(
            (
                "func.func @f(%a: tensor<4xf32>, %f: f32, %i: index) "
                "-> tensor<4xf32> {",
                "  %0 = tensor.insert %f into %a[%i] : tensor<4xf32>",
                *reads,
                "  return %0 : tensor<4xf32>",
                "}",
            )
        )
    )
    lines = [reason.read.line for reason in copy.reasons if reason.read is not None]
    assert lines == list(range(3, 13))
    assert (copy.more_reasons, copy.are_reasons_counted) == (15, True)


def test_values_of_one_alias_set_have_its_number() -> None:
    (function,) = explain_text("""\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %f: f32, %i: index)
    -> tensor<4xf32> {
  %0 = tensor.insert %f into %a[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""").functions
    assert [(v.name, v.alias_set) for v in function.values] == [
        ("%a", 1),
        ("%b", 2),
        ("%0", 1),
    ]
    assert [d.alias_set for d in function.decisions] == [1, 1]
    assert (function.position.line, function.last_line) == (1, 5)


SWAPPED = """\
func.func @f(%a: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %f into %a[%i] : tensor<4xf32>
  %1 = tensor.extract %a[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
"""


def test_explaining_leaves_a_module_as_it_is() -> None:
    module = parse(SWAPPED)
    before = str(module)
    explanation = explain(module)
    assert str(module) == before
    assert explanation.text == before
    (copy,) = copies_of(explanation)
    line = explanation.text.splitlines()[copy.position.line - 1]
    assert line[copy.position.column - 1 :].startswith("tensor.insert")
    (reason,) = copy.reasons
    assert reason.definition is not None
    line = explanation.text.splitlines()[reason.definition.line - 1]
    assert line[reason.definition.column - 1 :].startswith("%a")


def test_python_takes_options_or_a_pipeline() -> None:
    module = parse(SWAPPED)
    (copy,) = copies_of(explain(module, bufferize_function_boundaries=False))
    assert ReasonKind.NOT_WRITABLE in {reason.kind for reason in copy.reasons}
    explanation = explain(module, passes=[BufferizePass()])
    assert "eliminate-empty-tensors" in explanation.pipeline
    one_shot = OneShotBufferizePass()
    with pytest.raises(TypeError, match="one of both"):
        explain(module, passes=[one_shot], bufferize_function_boundaries=True)
    with pytest.raises(TypeError):
        explain(
            module,
            no_such_option=True,  # pyright: ignore[reportCallIssue]
        )


def chain(count: int) -> str:
    """Writes, each of which is copied as what it overwrites is read at the end."""
    lines = ["func.func @f(%t0: tensor<4xf32>, %f: f32, %i: index) {"]
    lines += (
        f"  %t{n + 1} = tensor.insert %f into %t{n}[%i] : tensor<4xf32>"
        for n in range(count)
    )
    lines += (
        f"  %r{n} = tensor.extract %t{n}[%i] : tensor<4xf32>" for n in range(count)
    )
    return "\n".join([*lines, "  return", "}"])


def test_the_cost_is_linear() -> None:
    assert growth(explain, parse(chain(30)), parse(chain(120))) < 5


def test_reports_are_plain_data() -> None:
    explanation = explain(parse(SWAPPED))
    assert explanation == replace(explanation)
    assert hash(explanation.functions[0].decisions[0])
