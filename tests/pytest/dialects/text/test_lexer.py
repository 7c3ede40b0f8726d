"""Text is refused, and read, in time that is linear in its length."""

from collections.abc import Callable
from itertools import accumulate

import pytest
from typing_extensions import override
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser, WiderParser
from xdsl_bufferization.dialects.text.lexer import MOST_DIGITS, LinearLexer
from xdsl_bufferization.dialects.text.tokens import LightToken

MANY = 1_000_000


@pytest.mark.parametrize("parser_type", (WiderParser, MLIRParser))
@pytest.mark.parametrize(
    "piece", ("x", "\\n", "\\41"), ids=("characters", "escapes", "hexadecimals")
)
@pytest.mark.parametrize("before", ("", '"test.op"() {a = ', '"test.op"() {a = @'))
def test_a_string_that_does_not_end_is_refused(
    parser_type: type[WiderParser], piece: str, before: str
) -> None:
    # Each way to cut it into pieces was tried: 2 to the power of its length.
    text = f'{before}"{piece * MANY}'
    with pytest.raises(ParseError, match="before closing string literal") as error:
        parser_type(get_context(), text).parse_module()
    place = error.value.span.get_location()
    assert (place.line, place.col) == (1, text.index('"', len(before)) + 1)


@pytest.mark.parametrize("end", ("\n", "\\q", "\\0", "\v"))
def test_a_string_that_is_broken_at_its_end_is_refused(end: str) -> None:
    with pytest.raises(ParseError, match="before closing string literal"):
        MLIRParser(get_context(), f'"{"x" * MANY}{end}"').parse_module()


def test_a_long_string_is_read() -> None:
    text = '"' + "x" * MANY + '\\n\\41\\"\\\\"'
    lexer = LinearLexer(Input(text, "a.mlir"))
    assert lexer.lex().text == text


def test_a_number_with_many_digits_is_refused_where_it_stands() -> None:
    text = f'"test.op"() {{a = {"7" * (MOST_DIGITS + 1)}}} : () -> ()'
    with pytest.raises(ParseError, match="write this number in hexadecimals") as error:
        MLIRParser(get_context(), text).parse_module()
    assert error.value.span.start == text.index("7")


class _CountingLexer(LinearLexer):
    """A lexer that counts the characters of its tokens."""

    characters = 0

    @override
    def lex(self) -> LightToken:
        token = super().lex()
        self.characters += len(token.span)
        return token


class _CountingParser(MLIRParser):
    """A parser whose lexer counts."""

    counted: _CountingLexer

    def __init__(self, text: str) -> None:
        ctx = get_context()
        ctx.allow_unregistered = True
        super().__init__(ctx, text, "a.mlir")
        self.counted = _CountingLexer(Input(text, "a.mlir"))
        self.reading.lexer = self.counted
        self.go_to(0)


REPETITIONS: dict[str, Callable[[int], str]] = {
    "ranks of tensors": lambda n: f"func.func private @f(tensor<{'2x' * n}f32>)",
    "ranks of memrefs": lambda n: f"func.func private @f(memref<{'?x' * n}f32>)",
    "ranks of vectors": lambda n: f"func.func private @f(vector<{'1x' * n}f32>)",
    "arguments": lambda n: f"func.func private @f({', '.join(['tensor<4xf32>'] * n)})",
    "elements": lambda n: (
        f'"test.op"() {{a = dense<[{", ".join(["1"] * n)}]> : tensor<{n}xi8>}}'
        " : () -> ()"
    ),
    "references": lambda n: f'"test.op"() {{a = @a{"::@b" * n}}} : () -> ()',
    "operands": lambda n: (
        f'%0 = "test.op"() : () -> i8\n"test.op"({", ".join(["%0"] * n)})'
        f" : ({', '.join(['i8'] * n)}) -> ()"
    ),
}


@pytest.mark.parametrize("name", REPETITIONS)
def test_no_text_is_read_again_and_again(name: str) -> None:
    text = REPETITIONS[name](500)
    parser = _CountingParser(text)
    parser.parse_module()
    assert parser.counted.characters < 3 * len(text)


def test_names_of_an_affine_map_are_looked_up_and_not_searched_for() -> None:
    names = [f"d{number}" for number in range(300)]
    text = f"affine_map<({', '.join(names)}) -> ({', '.join(reversed(names))})>"
    attribute = MLIRParser(get_context(), text).parse_attribute()
    positions = [str(result) for result in vars(attribute)["data"].results]
    assert positions == list(reversed(names))


def test_the_first_of_two_equal_names_counts() -> None:
    text = "affine_map<(a, a)[a, b, b] -> (a + b)>"
    assert "d0 + s1" in str(MLIRParser(get_context(), text).parse_attribute())


def test_arguments_of_a_block_have_their_places_and_numbers() -> None:
    arguments = ", ".join(f'%{n}: i8 loc("b.mlir":{n + 1}:1)' for n in range(50))
    parser = _CountingParser(f'"test.op"() ({{ ^bb0({arguments}): }}) : () -> ()')
    block = parser.parse_operation().regions[0].block
    assert [each.index for each in block.args] == list(range(50))
    assert {each.block for each in block.args} == {block}
    lines = [vars(each.location)["line"].data for each in block.args]
    assert lines == list(accumulate([1] * 50))
