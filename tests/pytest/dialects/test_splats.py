"""Dense constants of one value: read, recognized and written to the bit."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.hints import isa

from xdsl_bufferization.context import get_context


def read(text: str) -> DenseIntOrFPElementsAttr[Any]:
    attribute = Parser(get_context(), text).parse_attribute()
    assert isa(attribute, DenseIntOrFPElementsAttr)
    return attribute


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
    ],
)
def test_a_splat_is_the_same_as_its_elements_written_out(
    value: str, element: str, mlir_opt: Callable[..., str]
):
    splat = f"dense<{value}> : tensor<2x3x{element}>"
    row = f"[{', '.join([value] * 3)}]"
    attribute = read(splat)
    assert attribute == read(f"dense<[{row}, {row}]> : tensor<2x3x{element}>")
    assert attribute.is_splat()
    assert str(attribute) == splat
    constant = f'"test.op"() {{value = {splat}}} : () -> ()'
    assert splat in mlir_opt(constant, "-allow-unregistered-dialect")


@pytest.mark.parametrize(
    "text",
    [
        "dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>",
        "dense<[0x7FC00000, 0x7FC00001]> : tensor<2xf32>",
        "dense<[1, 2]> : tensor<2xi8>",
    ],
)
def test_two_values_are_no_splat(text: str):
    attribute = read(text)
    assert not attribute.is_splat()
    assert str(attribute) == text


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
    assert attribute.is_splat() == (len(attribute) == 1)
    assert str(attribute) == text


def test_a_splat_of_no_elements_has_none():
    assert str(read("dense<1.0> : tensor<4x0xf32>")) == "dense<> : tensor<4x0xf32>"


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
        assert str(attribute) == "dense<3> : tensor<1024x1024xi8>"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A list of the elements takes eight.
    assert peak < 4 << 20
