"""Affine expressions are read and written as MLIR does."""

from collections.abc import Callable
from io import StringIO

import pytest
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.printing import MLIRPrinter, mlir_text


def read(text: str) -> Attribute:
    return MLIRParser(get_context(), text).parse_attribute()


def written(attribute: Attribute) -> str:
    output = StringIO()
    MLIRPrinter(output).print_attribute(attribute)
    return output.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "affine_map<(d0, d1) -> (d0 - d1)>",
        "affine_map<(d0, d1) -> (d0 - d1 * 3)>",
        "affine_map<(d0)[s0] -> ((d0 + s0) floordiv 4)>",
        "affine_map<(d0) -> (-d0 + 3, d0 - 1, (d0 * 2) mod 8)>",
    ],
)
def test_an_affine_map_is_written_as_it_is_read(text: str) -> None:
    assert written(read(text)) == text


def test_a_difference_keeps_its_meaning() -> None:
    map_ = AffineMap.from_callable(lambda i, j: (i - (j + 1) * 2,))
    parsed = read(written(AffineMapAttr(map_)))
    assert isinstance(parsed, AffineMapAttr)
    assert parsed.data.eval([7, 2], []) == map_.eval([7, 2], []) == (1,)


def test_an_affine_set_is_written_as_it_is_read() -> None:
    text = "affine_set<(d0)[s0] : (d0 - s0 * 2 - 1 >= 0, -d0 + s0 == 0)>"
    assert written(read(text)) == text


def test_xdsls_text_of_a_map_is_what_it_was() -> None:
    text = "affine_map<(d0, d1) -> ((d0 + (d1 * -1)))>"
    assert str(read(text)) == text
    assert str(Parser(get_context(), text).parse_attribute()) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(d0)[s0] -> (d0 * s0)", "(d0)[s0] -> (d0 * s0)"),
        ("(d0)[s0] -> (s0 * d0)", "(d0)[s0] -> (d0 * s0)"),
        ("(d0)[s0] -> (-(s0 * 2) * d0 + 1)", "(d0)[s0] -> (d0 * (s0 * -2) + 1)"),
        ("(d0)[s0] -> (d0 floordiv s0)", "(d0)[s0] -> (d0 floordiv s0)"),
        ("(d0)[s0] -> (d0 mod (s0 * s0))", "(d0)[s0] -> (d0 mod (s0 * s0))"),
        ("()[s0] -> (96 ceildiv s0)", "()[s0] -> (96 ceildiv s0)"),
        ("()[s0, s1] -> (s0 * s1 * 4)", "()[s0, s1] -> ((s0 * s1) * 4)"),
    ],
)
def test_semi_affine_maps(text: str, expected: str, mlir_opt: Callable[..., str]):
    attribute = written(read(f"affine_map<{text}>"))
    assert attribute == f"affine_map<{expected}>"
    program = f'"test.op"() {{map = {attribute}}} : () -> ()'
    printed = mlir_opt(program, "-allow-unregistered-dialect")
    assert f"affine_map<{expected}>" in printed


@pytest.mark.parametrize(
    "text",
    [
        "%i - 3",
        "-%i + 3",
        "-%i - %j",
        "%i - %j * 2 + 7",
        "%i - %j mod 3",
        "-(%i mod 3) + 9",
        "(-%i) mod 3",
        "(-%i + 5) floordiv 3 + %j ceildiv 2",
        "%i - symbol(%n) * 2",
        "(%i + symbol(%n)) mod 4 - 1",
    ],
)
def test_a_subscript_is_written_as_mlir_does(text: str, mlir_opt: Callable[..., str]):
    program = f"""
    func.func @f(%m: memref<400xf32>, %n: index) {{
      affine.for %i = 0 to 4 {{
        affine.for %j = 0 to 4 {{
          %0 = affine.load %m[{text}] : memref<400xf32>
        }}
      }}
      func.return
    }}"""
    ours = mlir_text(MLIRParser(get_context(), program).parse_module())
    assert f"%m[{text}] :" in ours
    names = {"%m": "%arg0", "%n": "%arg1", "%i": "%arg2", "%j": "%arg3"}
    for name, theirs in names.items():
        text = text.replace(name, theirs)
    assert f"%arg0[{text}] :" in mlir_opt(ours)


@pytest.mark.parametrize(
    ("expression", "operator", "what"),
    [
        ("d0 * d1", "*", "one of the operands of a product"),
        ("d0 * s0 * d1", "*", "one of the operands of a product"),
        ("s0 mod d0", "mod", "the right operand of mod"),
        ("d0 floordiv (d1 + s0)", "floordiv", "the right operand of floordiv"),
        ("4 ceildiv d0", "ceildiv", "the right operand of ceildiv"),
    ],
)
def test_what_is_not_even_semi_affine_is_an_error_there(
    expression: str, operator: str, what: str
):
    text = f'"test.op"() {{m = affine_map<(d0, d1)[s0] -> ({expression})>}} : () -> ()'
    with pytest.raises(ParseError, match=f"non-affine expression: {what}") as error:
        MLIRParser(get_context(), text).parse_module()
    assert error.value.span.text == operator
    assert error.value.span.start == text.rindex(operator)
