"""Numbers and expressions are read and written as MLIR does."""

import math
from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import AffineMapAttr, DenseIntOrFPElementsAttr, f32, f64
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.context import get_context
from xdsl_bufferization.dialects.mlir_text import float_text


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("dense<[0x7F800000, 1.0]> : tensor<2xf32>", [math.inf, 1.0]),
        ("dense<0xFF800000> : vector<2xf32>", [-math.inf, -math.inf]),
        ("dense<0xFF80> : tensor<1xbf16>", [-math.inf]),
        ("dense<0x10> : tensor<1xi32>", [16]),
    ],
)
def test_a_hexadecimal_float_is_its_bits(text: str, values: list[float]) -> None:
    attribute = Parser(get_context(), text).parse_attribute()
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    assert list(attribute.get_values()) == values


def test_bits_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ParseError, match="do not fit"):
        Parser(get_context(), "dense<0x1FFFFFFFF> : tensor<1xf32>").parse_attribute()


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
    get_context()
    attribute = Parser(get_context(), text).parse_attribute()
    assert str(attribute) == text


def test_a_difference_keeps_its_meaning() -> None:
    get_context()
    map_ = AffineMap.from_callable(lambda i, j: (i - (j + 1) * 2,))
    parsed = Parser(get_context(), str(AffineMapAttr(map_))).parse_attribute()
    assert isinstance(parsed, AffineMapAttr)
    assert parsed.data.eval([7, 2], []) == map_.eval([7, 2], []) == (1,)


def test_floats_have_few_digits_or_all() -> None:
    assert float_text(1.5, f64) == "1.500000e+00"
    assert float_text(3.4028234663852886e38, f32) == "3.40282347E+38"
    assert float_text(-math.inf, f32) == "0xFF800000"


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
    attribute = Parser(get_context(), f"affine_map<{text}>").parse_attribute()
    assert str(attribute) == f"affine_map<{expected}>"
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
    ours = str(Parser(get_context(), program).parse_module())
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
        Parser(get_context(), text).parse_module()
    assert error.value.span.text == operator
    assert error.value.span.start == text.rindex(operator)
