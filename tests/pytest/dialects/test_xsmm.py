"""What kernels read and write, and the numbers that the runtime knows them by."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.traits import MemoryEffectKind, get_effects, is_side_effect_free

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.xsmm import (
    BrgemmOp,
    GemmDispatchOp,
    GemmOp,
    UnaryOp,
)
from xdsl_bufferization.dialects.xsmm.attributes import (
    BinaryFlag,
    DataType,
    GemmFlag,
    UnaryFlag,
    UnaryKind,
)
from xdsl_bufferization.dialects.xsmm.invoke import InvokeOp

PRODUCT = """
func.func @f(%a: memref<8x16xf32>, %b: memref<16x4xf32>, %c: memref<8x4xf32>) {{
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = ({flags}) data_type = f32
  xsmm.gemm(data_type = f32, %0, %a, %b, %c)
      : (i64, memref<8x16xf32>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  return
}}
"""
UNARY = """
func.func @f(%handle: i64, %in: memref<8x4xf32>, %out: memref<8x4xf32>) {{
  xsmm.unary {kind}(data_type = f32, %handle, %in, %out)
      : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}}
"""
UNKNOWN_HANDLE = """
func.func @f(%h: i64, %a: memref<2x8x4xf32>, %b: memref<2x4x4xf32>,
    %c: memref<8x4xf32>) {
  xsmm.brgemm(data_type = f32, %h, %a, %b, %c, %h)
      : (i64, memref<2x8x4xf32>, memref<2x4x4xf32>, memref<8x4xf32>, i64) -> ()
  return
}
"""


def parse(text: str) -> ModuleOp:
    module = Parser(get_context(), text).parse_module()
    module.verify()
    return module


def operands_with(op: InvokeOp, kind: MemoryEffectKind) -> set[int]:
    effects = get_effects(op)
    assert effects is not None
    values = {effect.value for effect in effects if effect.kind is kind}
    return {index for index, operand in enumerate(op.operands) if operand in values}


def find(module: ModuleOp, op_type: type[InvokeOp]) -> InvokeOp:
    return next(op for op in module.walk() if isinstance(op, op_type))


@pytest.mark.parametrize(("flags", "read"), [("none", {1, 2, 3}), ("beta_0", {1, 2})])
def test_the_output_of_a_product_is_read_unless_it_is_overwritten(
    flags: str, read: set[int]
) -> None:
    op = find(parse(PRODUCT.format(flags=flags)), GemmOp)
    assert operands_with(op, MemoryEffectKind.READ) == read
    assert operands_with(op, MemoryEffectKind.WRITE) == {3}


def test_the_output_is_read_if_the_dispatch_is_not_known() -> None:
    op = find(parse(UNKNOWN_HANDLE), BrgemmOp)
    assert operands_with(op, MemoryEffectKind.READ) == {1, 2, 3}


@pytest.mark.parametrize(("kind", "read"), [("relu", {1}), ("zero", set[int]())])
def test_zero_reads_nothing(kind: str, read: set[int]) -> None:
    op = find(parse(UNARY.format(kind=kind)), UnaryOp)
    assert operands_with(op, MemoryEffectKind.READ) == read
    assert operands_with(op, MemoryEffectKind.WRITE) == {2}


def test_a_dispatch_has_no_effects() -> None:
    assert is_side_effect_free(GemmDispatchOp([8, 4, 16, 16, 4, 4], DataType.F32))


def test_numbers_are_those_of_libxsmm() -> None:
    assert [kind.number for kind in UnaryKind] == [0, 1, 2, 5, 7, 9, 11, 17, 28, 29]
    assert [flag.number for flag in UnaryFlag] == [0, 2, 4, 8]
    assert [flag.number for flag in BinaryFlag] == [0, 1, 2, 4, 8, 16, 32]
    assert [flag.number for flag in GemmFlag] == [0, 4, 2048, 4096, 8192]
    assert [type_.number for type_ in DataType] == [1, 0, 2]  # f32, f64, bf16
