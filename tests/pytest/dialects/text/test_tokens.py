"""One pattern finds the tokens that xDSL's lexer finds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind

from xdsl_bufferization.dialects.text.lexer import LinearLexer

ROOT = Path(__file__).parents[3]

TEXTS = (
    "",
    "// a comment that ends the file",
    "%a // %b\n// %c",
    "4x8xf32 0xi32 0x1F 0x 1.5 1. 1.e5 1.5e-3 1e5 1..2 -1 - 1->",
    "%0 %a.b-c$ %#1 #a #0 !a.b ^bb0 @a @_ @$ @\"a b\" @\"\\22\"",
    "{-# #-} {- # - } ... .. -> - > ::= ? * / | +",
    '"" "a" "\\n" "\\00" "\\ff" "a\\"b" "é"',
    "é élan a\u00e9 ²1 1² \u0661",
    "a\x0bb\x0cc\rd\u2028e",
    '"does not end',
    '"ends in \\',
    "%",
    "@",
    "~",
)  # fmt: skip


def _tokens(lexer: MLIRLexer) -> Iterator[tuple[MLIRTokenKind, str, int, int]]:
    token: MLIRToken | None = None
    while token is None or token.kind is not MLIRTokenKind.EOF:
        token = lexer.lex()
        assert token.text == token.span.text
        yield token.kind, token.text, token.span.start, token.span.end


def _found(lexer: MLIRLexer) -> list[object]:
    """The tokens, and the error at which they end."""
    found: list[object] = []
    try:
        found.extend(_tokens(lexer))
    except ParseError as error:
        found.append((error.msg, error.span.start, error.span.end))
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_rare_tokens_and_errors_are_those_of_xdsl(text: str) -> None:
    source = Input(text, "a.mlir")
    assert _found(LinearLexer(source)) == _found(MLIRLexer(source))


def test_a_comment_ends_at_a_carriage_return() -> None:
    """As for `mlir-opt`; xDSL would read on at the next line feed."""
    names = [text for _, text, _, _ in _tokens(LinearLexer(Input("%a // b\r%c", "")))]
    assert names == ["%a", "%c", ""]
    (error,) = _found(LinearLexer(Input("// b\r~", "")))
    assert error == ("Unexpected character: ~", 5, 6)


def test_the_tokens_of_programs_are_those_of_xdsl() -> None:
    files = sorted(ROOT.rglob("*.mlir"), key=lambda file: (len(file.name), file))
    assert len(files) > 100
    for file in files[::15]:
        source = Input(file.read_text(encoding="utf-8")[:20_000], file.name)
        assert _found(LinearLexer(source)) == _found(MLIRLexer(source)), file
