"""Instructions as text are what LLVM reads, with the numbers that were meant."""

import ctypes
import math
import struct

import numpy as np
import pytest

from xdsl_bufferization.runtime.kernels.emitter import Emitter, byte_size
from xdsl_bufferization.runtime.kernels.instructions import (
    F32,
    F64,
    I32,
    POINTER,
    Builder,
    Operand,
    Type,
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


@pytest.mark.parametrize("type_", [F32, F64])
@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
@pytest.mark.parametrize("has_masks", [True, False])
def test_the_first_lanes_of_a_vector_are_stored(
    type_: Type, lanes: int, has_masks: bool
) -> None:
    """Without masks in parts of powers of two, and never more than they are."""
    size = byte_size(type_)
    dtype = np.float32 if type_ is F32 else np.float64
    for used in range(1, lanes + 1):
        code = Emitter("store", [POINTER, POINTER], has_masks=has_masks)
        source, target = code.arguments
        vector = code.load(source, type_, lanes, lanes)
        code.store(vector, target, used)
        text = code.finish()
        is_masked = has_masks and 1 < used < lanes
        assert ("llvm.masked.store" in text) is is_masked
        library = compile_function(text, "store")
        given = np.arange(1, lanes + 1, dtype=dtype)
        found = np.zeros(lanes + 1, dtype)
        run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(library["store"])
        run(given.ctypes.data, found.ctypes.data)
        assert found.itemsize == size
        assert [*found] == [*given[:used], *[0] * (lanes + 1 - used)]
