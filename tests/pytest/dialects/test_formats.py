"""Formats of classes are found, and what they infer is remembered."""

import pytest
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import DenseArrayBase
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.common.formats import format_of
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.printing import mlir_text


def test_a_class_with_a_format_has_one() -> None:
    assert format_of(arith.AddfOp) is format_of(arith.AddfOp) is not None
    assert format_of(func.FuncOp) is None


def test_a_class_that_overrides_a_method_is_read_by_it() -> None:
    class Own(arith.AddfOp):
        pass

    class Other(arith.AddfOp):
        @classmethod
        def parse(cls, parser: object) -> "Other":  # pyright: ignore
            raise NotImplementedError

    assert format_of(Own) is not None
    assert format_of(Other) is None


SLICES = """
func.func @f(%t: tensor<?x?xf32>, %n: index) {
  %0 = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<?x?xf32> to tensor<2x2xf32>
  %1 = tensor.extract_slice %t[0, -0] [2,2] [ 1 , 1 ] : tensor<?x?xf32> to tensor<2x2xf32>
  %2 = tensor.extract_slice %t[0, %n] [2, %n] [1, 1] : tensor<?x?xf32> to tensor<2x?xf32>
  %3 = tensor.extract_slice %t[0, // first
    0] [x, 2] [1, 1] : tensor<?x?xf32> to tensor<2x2xf32>
  return
}
"""  # noqa: E501


def test_lists_of_numbers_are_read_and_printed_with_and_without_values() -> None:
    module = parse_module(SLICES.replace("[x, 2]", "[0x2, 2]"), "a.mlir", get_context())
    slices = [op for op in module.walk() if isinstance(op, tensor.ExtractSliceOp)]
    offsets: list[DenseArrayBase] = [op.static_offsets for op in slices]
    assert offsets[0] is offsets[1]
    assert offsets[0] == offsets[3]
    assert len(slices[2].offsets) == len(slices[2].sizes) == 1
    lines = mlir_text(module).splitlines()
    assert lines[2].partition("=")[2] == lines[3].partition("=")[2]
    assert "%t[0, %n] [2, %n] [1, 1]" in lines[4]


def test_a_list_that_is_no_list_of_numbers_is_refused_where_it_is() -> None:
    with pytest.raises(ParseError) as error:
        parse_module(SLICES, "a.mlir", get_context())
    assert error.value.span.get_location().line == 7


def test_types_that_do_not_fit_are_refused_each_time() -> None:
    right = "  %{} = arith.addf %x, %x : f32\n"
    wrong = "  %9 = arith.addf %x, %x : i32\n"
    text = "func.func @f(%x: f32) {\n" + right.format(0) + right.format(1)
    with pytest.raises(ParseError, match="Unexpected attribute i32"):
        parse_module(text + wrong + "  return\n}", "a.mlir", get_context())
