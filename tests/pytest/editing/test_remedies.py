"""A remedy avoids the copy, keeps comments and layout, and computes the same."""

import numpy as np
import pytest
from harness.editing.explaining import explain
from harness.editing.texts import apply

import xdsl_bufferization as xbuf
from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.remedies import Remedy, list_remedies

ARGUMENTS = "%a: tensor<4xf32>, %x: f32, %i: index"

READ_LATE = f"""\
// In front.
func.func @f({ARGUMENTS}) -> (tensor<4xf32>, f32) {{
  // The new number.
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>   // in its place
  %c2 = arith.constant 2.0 : f32

    // The old number,
    // doubled.
    %y = tensor.extract %a[%i] : tensor<4xf32> // from %a
  %z = arith.mulf %y, %c2 : f32
  return %b, %z : tensor<4xf32>, f32
}}
"""

NEEDS_ANOTHER = f"""\
func.func @f({ARGUMENTS}) -> (tensor<4xf32>, f32) {{
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %c1 = arith.constant 1 : index  // needed
  %y = tensor.extract %a[%c1] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}}
"""

ONE_LINE = f"""\
func.func @f({ARGUMENTS}) -> (tensor<4xf32>, f32) {{
  %b = tensor.insert %x into %a[%i] : tensor<4xf32> %y = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}}
"""  # noqa: E501

OF_A_LOOP = f"""\
func.func @f({ARGUMENTS}) -> (tensor<4xf32>, f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // Starts anew each time.
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %x) -> (f32) {{
    %1 = tensor.insert %t into %s[%k] : tensor<4xf32>
    %2 = tensor.extract %1[%i] : tensor<4xf32>
    %3 = arith.addf %2, %t : f32
    scf.yield %3 : f32
  }}
  return %a, %r : tensor<4xf32>, f32
}}
"""

OF_A_CONSTANT = f"""\
func.func @f({ARGUMENTS}) -> (tensor<4xf32>, f32) {{
  // Begins with ones.
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %b = tensor.insert %x into %c[%i] : tensor<4xf32>  // a copy
  %y = tensor.extract %c[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}}
"""

NOT_WRITABLE = """\
func.func @f(%a: tensor<4xf32> {bufferization.writable = false, test.b}, %x: f32,
             %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  return %b, %x : tensor<4xf32>, f32
}
"""

SIMPLE = (
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-deallocation-pipeline"
)
"""A pipeline without the passes that do by themselves what a remedy does."""


def remedies_of(text: str, pipeline: str = SIMPLE) -> list[Remedy]:
    from xdsl_bufferization.editing.decisions import Decisions

    document = Document(text)
    assert document.faults() == []
    decisions = explain(document, Decisions(pipeline))
    return list_remedies(document, decisions, 0, len(text))


def copies_of(text: str) -> int:
    from xdsl_bufferization.editing.decisions import Decisions

    document = Document(text)
    found = explain(document, Decisions(SIMPLE)).explained(document)
    return sum(
        decision.verdict == "copied"
        for explained in found
        if explained.report is not None
        for decision in explained.report.decisions
    )


def results_of(text: str) -> list[bytes]:
    run = xbuf.jit(text, optimize=False)
    numbers = np.array([3.0, -1.0, 2.5, 7.0], np.float32)
    results = run(numbers, np.float32(5.5), 2)
    return [np.asarray(each).tobytes() for each in results]


def comments_of(text: str) -> list[str]:
    parts = (line.partition("//") for line in text.split("\n"))
    return sorted(comment.strip() for _, mark, comment in parts if mark)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (READ_LATE, "move the read before the write"),
        (NEEDS_ANOTHER, "move the read before the write"),
        (ONE_LINE, "move the read before the write"),
        (OF_A_LOOP, "in each iteration"),
        (OF_A_CONSTANT, "such as linalg.fill"),
        (NOT_WRITABLE, "remove `bufferization.writable = false`"),
    ],
)
def test_a_remedy_avoids_a_copy_and_computes_the_same(text: str, kind: str) -> None:
    remedy = next(each for each in remedies_of(text) if kind in each.title)
    better = apply(text, list(remedy.edits))
    assert Document(better).faults() == []
    assert comments_of(better) == comments_of(text)
    assert results_of(better) == results_of(text)
    assert copies_of(better) < copies_of(text)


def test_lines_move_with_the_comments_about_them() -> None:
    (remedy,) = remedies_of(READ_LATE)
    assert apply(READ_LATE, list(remedy.edits)) == READ_LATE.replace(
        """\
    // The old number,
    // doubled.
    %y = tensor.extract %a[%i] : tensor<4xf32> // from %a
""",
        "",
    ).replace(
        "  // The new number.\n",
        """\
    // The old number,
    // doubled.
    %y = tensor.extract %a[%i] : tensor<4xf32> // from %a
  // The new number.
""",
    )


def test_a_buffer_becomes_writable() -> None:
    text = """\
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %a = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %y = tensor.extract %b[%i] : tensor<4xf32>
  return %y : f32
}
"""
    (remedy,) = remedies_of(text)
    better = apply(text, list(remedy.edits))
    assert "to_tensor %m restrict writable : memref" in better
    assert Document(better).faults() == []
    assert copies_of(better) == 0


def test_no_remedy_of_other_lines_is_offered() -> None:
    document = Document(READ_LATE)
    decisions = explain(document)
    end = READ_LATE.index("func.func")
    assert list_remedies(document, decisions, 0, end) == []


def test_what_would_change_the_meaning_is_not_offered() -> None:
    """An op between the two writes what the read needs."""
    text = f"""\
func.func @f({ARGUMENTS}) -> (tensor<4xf32>, f32) {{
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %q = tensor.extract %b[%i] : tensor<4xf32>
  %k = arith.fptoui %q : f32 to i32
  %j = arith.index_cast %k : i32 to index
  %y = tensor.extract %a[%j] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}}
"""
    assert remedies_of(text) == []
