"""Floats are written as MLIR does."""

import math
from io import StringIO

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, f32, f64

from xdsl_bufferization.dialects.printing import MLIRPrinter
from xdsl_bufferization.dialects.text.numbers import float_text


def test_floats_have_few_digits_or_all() -> None:
    assert float_text(1.5, f64) == "1.500000e+00"
    assert float_text(3.4028234663852886e38, f32) == "3.40282347E+38"
    assert float_text(-math.inf, f32) == "0xFF800000"


def test_floats_are_written_with_them() -> None:
    type_ = TensorType(f32, [2])
    constant = DenseIntOrFPElementsAttr.from_list(type_, [math.inf, 3.4e38])
    output = StringIO()
    MLIRPrinter(output).print_attribute(constant)
    text = output.getvalue()
    assert text == "dense<[0x7F800000, 3.400000e+38]> : tensor<2xf32>"


def test_xdsls_text_of_a_float_is_what_it_was() -> None:
    constant = DenseIntOrFPElementsAttr.from_list(TensorType(f32, [1]), [math.inf])
    assert "0x7f800000" in str(constant)
