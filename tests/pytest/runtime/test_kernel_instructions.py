"""Instructions as text are what LLVM reads, with the numbers that were meant."""

import ctypes
import math
import struct

import pytest

from xdsl_bufferization.runtime.kernels.emitter import Emitter
from xdsl_bufferization.runtime.kernels.instructions import (
    F32,
    I32,
    POINTER,
    Builder,
    Operand,
    number,
    vector_type,
)
from xdsl_bufferization.runtime.llvm import compile_function


def test_an_instruction_is_written_with_its_types() -> None:
    build = Builder()
    total = build.add(Operand(I32, "%a"), number(I32, 7))
    assert build.block.lines == ["%v1 = add i32 %a, 7"]
    assert total.typed() == "i32 %v1"


def test_equal_types_are_one_object() -> None:
    assert vector_type(F32, 8) is vector_type(F32, 8)
    assert vector_type(F32, 8).text == "<8 x float>"


@pytest.mark.parametrize(
    "value", [0.1, -0.0, 1e-45, 3.4028235e38, math.inf, -math.inf, math.nan, 16777217.0]
)
def test_a_float_is_rounded_to_32_bits_once(value: float) -> None:
    code = Emitter("store", [POINTER])
    code.build.store(number(F32, value), code.arguments[0])
    library = compile_function(code.finish(), "store")
    place = ctypes.c_uint32()
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library["store"])(ctypes.addressof(place))
    assert struct.pack("<I", place.value) == struct.pack("<f", value)
