"""What will be asked about a long function, before a change of it is read."""

import pytest

from xdsl_bufferization.editing.decisions import Decisions, answer
from xdsl_bufferization.editing.document import Document

CALLEE = """\
func.func private @g(%f: f32) -> f32 {
  return %f : f32
}
"""


def long_function(lines: int, called: str = "") -> str:
    inserts = "".join(
        f"  %{n + 1} = tensor.insert %x into %{n}[%i] : tensor<4xf32> // {n}\n"
        for n in range(lines)
    )
    return (
        "func.func @f(%0: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {\n"
        f"{inserts}{called}  return %{lines} : tensor<4xf32>\n}}\n"
    )


CALLS = long_function(600, "  %y = call @g(%x) : (f32) -> f32\n")
EDITS = [
    ("%x into %300[", "%x into %299["),
    ("// 300\n", "// Another comment.\n"),
    ("[%i] : tensor<4xf32> // 7\n", "[%i]\n    : tensor<4xf32>\n"),
    ("%500[", "%500 ["),
    ("\n}\n", "\n}"),
    ("  %10 = tensor.insert %x into %9[%i] : tensor<4xf32> // 9\n", "  %10 = "),
]


@pytest.mark.parametrize(("old", "new"), EDITS)
@pytest.mark.parametrize(
    "text",
    [
        long_function(600),
        f"// First.\n{long_function(3).replace('@f', '@e')}{long_function(600)}",
        f"{CALLEE}{CALLS}",
        f"{CALLS}{CALLEE}",
        f"module {{\n{long_function(600)}{CALLEE}}}\n",
    ],
)
def test_a_guess_is_what_is_asked(text: str, old: str, new: str) -> None:
    document, decisions = Document(text), Decisions()
    document.faults()
    start = text.index(old, text.index("@f"))
    guess = decisions.guess(document, start, start + len(old), new)
    document.change(start, start + len(old), new)
    first, *_ = [*decisions.questions(document, start), None]
    if guess is None:
        # Lines of what stands behind the function are others.
        assert old.count("\n") != new.count("\n")
        return
    is_asked = first is not None and first.names == ("f",)
    assert is_asked != any(
        fault.range.start >= start - 99 for fault in document.faults()
    )
    if is_asked:
        assert guess == first
        assert decisions.take(guess, answer(guess)) == []
        assert decisions.are_known(document, start, start + 1)


def test_short_functions_are_not_guessed() -> None:
    text = long_function(20)
    document, decisions = Document(text), Decisions()
    start = text.index("%10[")
    assert decisions.guess(document, start, start, " ") is None
    document.faults()
    assert decisions.guess(document, start, start, " ") is None
