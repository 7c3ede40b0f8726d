"""What is written anew: the results of passes, and a program in its usual form."""

from harness.editing.texts import apply

from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.results import format_pieces

RIGHT = "func.func @f() {\n     return\n}\n"
FAULTY = """\
func.func @g(%i: i32) {
    "cf.switch"(%i)[^bb1, ^bb1] <{
      case_operand_segments = array<i32: 0>,
      case_values = dense<[1, 2]> : tensor<2xi32>,
      operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^bb1:
    return
}
"""


def test_what_breaks_the_rules_of_an_op_is_not_formatted() -> None:
    """It may not be printed as it is: here there are more values than blocks."""
    document = Document(RIGHT + FAULTY)
    text = apply(document.text, format_pieces(document))
    assert text == "func.func @f() {\n  func.return\n}\n" + FAULTY
    assert document.faults()


def test_letters_stay_as_they_are_written() -> None:
    r"""The printer writes `\C3\A9` for `é`, as MLIR does; other bytes stay so."""
    text = 'func.func @f() attributes {t.a = "é 🙂 \\\\C3 \\FF"} {\n     return\n}\n'
    document = Document(text)
    found = apply(text, format_pieces(document))
    assert found == text.replace("     return", "  func.return")
    plain = Document(text.replace("é 🙂", "\\C3\\A9"))
    assert "\\C3\\A9" in apply(plain.text, format_pieces(plain))
