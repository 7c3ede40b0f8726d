"""What a processor can multiply and add in registers alone."""

import ctypes
from typing import Any

import numpy as np
from mlp_runners import Mlp, Runner

from xdsl_bufferization.runtime.kernels.amx import DEPTH, REGISTERS, ROWS, Amx
from xdsl_bufferization.runtime.kernels.emitter import (
    F32,
    I32,
    I64,
    KERNEL,
    POINTER,
    Emitter,
    Value,
    vector_type,
)
from xdsl_bufferization.runtime.kernels.requests import host_unit
from xdsl_bufferization.runtime.llvm import compile_function

_LANES_OF_PLACE = 512
"""Numbers to start from."""

_TILE = ROWS, 64
"""The shape of each register of AMX, in bytes."""


def peak_runner(each: Mlp, rounds: int) -> tuple[Runner, int]:
    """Code that only multiplies and adds, and how many operations that are.

    For bf16 by the instructions that kernels use for pairs: those of AMX if they may,
    those of AVX-512, or the ones of f32.
    """
    unit, is_bf16 = host_unit(), each.float_type == "bf16"
    code = Emitter(KERNEL, [POINTER, I64])
    if is_bf16 and unit.multiplies_tiles and each.xsmm != "vectors":
        flops = _tiles(code)
    else:
        flops = _vectors(code, is_bf16=is_bf16 and unit.multiplies_bf16)
    library = compile_function(code.finish(), KERNEL)
    memory = np.linspace(0.1, 0.9, _LANES_OF_PLACE, dtype=np.float32)
    run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(library[KERNEL])
    address = memory.ctypes.data
    return Runner(lambda: run(address, rounds), (library, memory)), flops * rounds


def _vectors(code: Emitter, *, is_bf16: bool) -> int:
    """Sums that do not wait for each other; returns the operations of a round."""
    unit = host_unit()
    lanes, count = unit.lanes, 12 if unit.registers >= 32 else 10
    place, rounds = code.arguments
    places = [code.at(place, number * lanes, F32) for number in range(count)]
    starts = [code.load(each, F32, lanes, lanes) for each in places]
    factor = starts[0]
    pairs = code.build.bitcast(factor, vector_type(I32, lanes))

    def multiply(sum_: Value) -> Value:
        if is_bf16:
            return code.dot_bf16(pairs, pairs, sum_)
        return code.fma(factor, sum_, factor)

    def body(_: Any, sums: list[Value]) -> list[Value]:
        return [multiply(each) for each in sums]

    for result, each in zip(code.loop(rounds, 1, starts, body), places, strict=True):
        code.store(result, each, lanes)
    return (4 if is_bf16 else 2) * lanes * count


def _tiles(code: Emitter) -> int:
    """Four tiles of sums, of two tiles of each matrix."""
    amx = Amx(code)
    _, rounds = code.arguments
    amx.configure(dict.fromkeys(range(REGISTERS), _TILE))

    def body(_: Any, __: list[Value]) -> list[Value]:
        for number in range(4):
            amx.multiply(number, 4 + number // 2, 6 + number % 2)
        return []

    code.loop(rounds, 1, [], body)
    amx.release()
    return 4 * 2 * ROWS * ROWS * DEPTH
