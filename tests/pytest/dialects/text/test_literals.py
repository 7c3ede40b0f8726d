"""Dense constants, splats above all: read, recognized and written to the bit."""

import math
import tracemalloc
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.printing import MLIRPrinter
from xdsl_bufferization.dialects.text.splats import splat_of


def read(text: str) -> DenseIntOrFPElementsAttr[Any]:
    attribute = MLIRParser(get_context(), text).parse_attribute()
    assert isa(attribute, DenseIntOrFPElementsAttr)
    return attribute


def written(attribute: DenseIntOrFPElementsAttr[Any]) -> str:
    output = StringIO()
    MLIRPrinter(output).print_attribute(attribute)
    return output.getvalue()


def text_of(constant: DenseIntOrFPElementsAttr[Any]) -> str:
    """A constant as MLIR writes it."""
    stream = StringIO()
    MLIRPrinter(stream).print_attribute(constant)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("value", "element"),
    [
        ("true", "i1"),
        ("-7", "i8"),
        ("7", "index"),
        ("-9223372036854775808", "i64"),
        ("255", "ui8"),
        ("-0.000000e+00", "bf16"),
        ("0x7C00", "f16"),
        ("0x7FC00001", "f32"),
        ("1.500000e+00", "f64"),
        ("(1,-2)", "complex<i32>"),
        ("(1.000000e+00,-0.000000e+00)", "complex<f32>"),
        ("(0x7F800000,-0.000000e+00)", "complex<f32>"),
        ("(0x7C00,0x7E00)", "complex<f16>"),
    ],
)
def test_a_splat_is_the_same_as_its_elements_written_out(
    value: str, element: str, mlir_opt: Callable[..., str]
):
    splat = f"dense<{value}> : tensor<2x3x{element}>"
    row = f"[{', '.join([value] * 3)}]"
    attribute = read(splat)
    assert attribute == read(f"dense<[{row}, {row}]> : tensor<2x3x{element}>")
    assert splat_of(attribute) is not None
    assert written(attribute) == splat
    constant = f'"test.op"() {{value = {splat}}} : () -> ()'
    assert splat in mlir_opt(constant, "-allow-unregistered-dialect")


@pytest.mark.parametrize(
    "text",
    [
        "dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>",
        "dense<[0x7FC00000, 0x7FC00001]> : tensor<2xf32>",
        "dense<[1, 2]> : tensor<2xi8>",
        "dense<[(1.000000e+00,0.000000e+00), (1.000000e+00,-0.000000e+00)]> "
        ": tensor<2xcomplex<f64>>",
        "dense<[(1,-128), (2,127)]> : tensor<2xcomplex<i8>>",
    ],
)
def test_two_values_are_no_splat(text: str):
    attribute = read(text)
    assert splat_of(attribute) is None
    assert written(attribute) == text


@pytest.mark.parametrize(
    "text",
    [
        "dense<> : tensor<0xf32>",
        "dense<5> : tensor<i32>",
        "dense<5> : vector<1xi32>",
    ],
)
def test_no_element_and_one(text: str):
    attribute = read(text)
    assert (splat_of(attribute) is not None) == (len(attribute) == 1)
    assert written(attribute) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dense<1.0> : tensor<2xcomplex<f32>>", "found a number"),
        ("dense<[1.0, 0x10]> : tensor<2xcomplex<f32>>", "found a number"),
        ("dense<(1.0,2.0)> : tensor<2xf32>", "found a complex number"),
        ("dense<(1,2)> : tensor<2xi32>", "found a complex number"),
        ("dense<((1.0,2.0),1.0)> : tensor<complex<f32>>", "Expected either a float"),
        ("dense<(1.0 2.0)> : tensor<complex<f32>>", "between the parts of a complex"),
        ("dense<(1.0,0x1FFFFFFFF)> : tensor<complex<f32>>", "do not fit 'f32'"),
        ("dense<(1,1.5)> : tensor<complex<i32>>", "Expected integer value"),
        ("dense<(300,1)> : tensor<complex<i8>>", "out of range for type i8"),
    ],
)
def test_complex_elements_have_two_parts(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        read(text)


def test_a_large_splat_of_complex_numbers_is_one_element():
    attribute = read("dense<(1.0,2.0)> : tensor<200000000xcomplex<f64>>")
    repeated = splat_of(attribute)
    assert repeated is not None
    assert len(repeated.element) == 16


def test_a_splat_of_no_elements_has_none():
    assert written(read("dense<1.0> : tensor<4x0xf32>")) == "dense<> : tensor<4x0xf32>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dense<1.5> : tensor<2xi32>", "Expected integer value"),
        ("dense<x> : tensor<2xf32>", "Expected either a float"),
        ("dense<1.5> : f32", "Expected memref, vector or tensor type"),
    ],
)
def test_errors_are_those_of_xdsl(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        read(text)


def test_a_splat_costs_its_bytes():
    tracemalloc.start()
    try:
        attribute = read("dense<3> : tensor<1024x1024xi8>")
        assert text_of(attribute) == "dense<3> : tensor<1024x1024xi8>"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A list of the elements takes eight.
    assert peak < 4 << 20


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
    assert list(read(text).get_values()) == values


def test_bits_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ParseError, match="do not fit"):
        read("dense<0x1FFFFFFFF> : tensor<1xf32>")


@pytest.mark.parametrize("parser", [Parser, MLIRParser])
def test_every_parser_reads_bits_and_splats(parser: type[Parser]) -> None:
    for text in (
        "dense<0x7F800000> : tensor<2xf32>",
        "dense<[0x7F800000]> : tensor<1xf32>",
    ):
        attribute = parser(get_context(), text).parse_attribute()
        assert isinstance(attribute, DenseIntOrFPElementsAttr)
        assert {*attribute.get_values()} == {math.inf}


def test_a_splat_is_one_number_in_xdsls_text_as_well() -> None:
    assert str(read("dense<[7, 7]> : tensor<2xi8>")) == "dense<7> : tensor<2xi8>"
    text = "dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>"
    assert str(read(text)) == text


@pytest.mark.parametrize("elements", ["7", "[1, 2]"])
def test_integers_that_are_too_wide(elements: str):
    with pytest.raises(ParseError, match="constants of i65 are not supported"):
        read(f"dense<{elements}> : tensor<2xi65>")
