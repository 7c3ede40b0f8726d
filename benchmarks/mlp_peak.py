"""What a processor can multiply and add at most, of numbers in registers or near them.

The clock of many processors depends on the code that they run. Code on registers alone
may run at a higher clock than code that loads factors, however near the factors are.
All products of matrices have to load factors. So there are two peaks.
"""

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mlp_runners import Mlp, Runner, at_cache_line
from numpy.typing import NDArray

from xdsl_bufferization.runtime.kernels.amx import DEPTH, REGISTERS, ROWS, Amx
from xdsl_bufferization.runtime.kernels.emitter import (
    F32,
    I32,
    I64,
    POINTER,
    Emitter,
    Value,
    vector_type,
    zeros,
)
from xdsl_bufferization.runtime.llvm import compile_function
from xdsl_bufferization.runtime.processors.processor import this_processor
from xdsl_bufferization.support import abi

REGISTERS_ALONE = "peak of multiply-add"
FROM_CACHE = "peak, factors from the cache"

_FLOPS = 20_000_000
"""What a call does, about: much, beside what it costs to call."""

_STEPS = 32
"""So many rows of factors are used in turn: few, for the first-level cache."""

_STEP = 128
"""Numbers of 32 bits that each row has room for: four vectors, and some scalars."""

_TILE = ROWS, 64
"""The shape of each register of AMX, in bytes."""

_TILE_NUMBERS = ROWS * 16


def peak_runners(each: Mlp) -> dict[str, tuple[Runner, int]]:
    """Code that only multiplies and adds, by name, and its operations.

    For bf16 by the instructions that kernels use for pairs: those of AMX if they may,
    those of AVX-512, or the ones of f32.
    """
    unit, is_bf16 = this_processor().vector_unit_here, each.float_type == "bf16"
    if is_bf16 and unit.multiplies_tiles and each.xsmm != "vectors":
        registers, cache = _tiles, _loaded_tiles
    else:
        is_paired = is_bf16 and unit.multiplies_bf16
        registers = partial(_vectors, is_paired=is_paired)
        cache = partial(_loaded_vectors, is_paired=is_paired)
    return {
        REGISTERS_ALONE: _runner(registers, is_bf16=is_bf16),
        FROM_CACHE: _runner(cache, is_bf16=is_bf16),
    }


def _runner(write: Callable[[Emitter], int], *, is_bf16: bool) -> tuple[Runner, int]:
    """Code that `write` writes; `write` returns the operations of one iteration."""
    code = Emitter(abi.KERNEL, [POINTER, I64])
    each = write(code)
    library = compile_function(code.finish(), abi.KERNEL)
    memory = _numbers(is_bf16=is_bf16)
    run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(library[abi.KERNEL])
    address, rounds = memory.ctypes.data, _FLOPS // each
    return Runner(lambda: run(address, rounds), (library, memory)), each * rounds


def _numbers(*, is_bf16: bool) -> NDArray[np.uint32]:
    """The factors, and memory for sums behind them."""
    size = max(_STEPS * _STEP, 4 * _STEPS * _TILE_NUMBERS)
    factors = np.random.default_rng(7).uniform(-0.5, 0.5, size).astype(np.float32)
    numbers = factors.view(np.uint32)
    if is_bf16:  # Twice the upper half.
        numbers = numbers & 0xFFFF0000 | numbers >> 16
    return at_cache_line(np.concatenate([numbers, np.zeros_like(numbers)]))


def _vectors(code: Emitter, *, is_paired: bool) -> int:
    """Sums that do not wait for each other; returns the operations of an iteration."""
    unit = this_processor().vector_unit_here
    lanes, count = unit.lanes, 12 if unit.registers >= 32 else 10
    place, rounds = code.arguments
    places = [code.at(place, number * lanes, F32) for number in range(count)]
    starts = [code.load(each, F32, lanes, lanes) for each in places]
    type_ = I32 if is_paired else F32
    factor, vector = (code.load(each, type_, lanes, lanes) for each in places[:2])

    def body(_: Any, sums: list[Value]) -> list[Value]:
        return [_add(code, factor, vector, each) for each in sums]

    _store(code, code.loop(rounds, 1, starts, body))
    return (4 if is_paired else 2) * lanes * count


def _loaded_vectors(code: Emitter, *, is_paired: bool) -> int:
    """The sums of a tile of C, as kernels add them up."""
    unit = this_processor().vector_unit_here
    lanes, rows, columns = unit.lanes, 6, 4 if unit.registers >= 32 else 2
    place, rounds = code.arguments
    type_ = I32 if is_paired else F32

    def body(number: Value | int, sums: list[Value]) -> list[Value]:
        step = code.multiply(code.remainder(number, _STEPS), _STEP)
        start = code.at(place, step, F32)
        vectors = [
            code.load(code.at(start, column * lanes, F32), type_, lanes, lanes)
            for column in range(columns)
        ]
        scalars = [
            code.load_scalar(code.at(start, columns * lanes + row, F32), type_)
            for row in range(rows)
        ]
        factors = [code.broadcast(each, lanes) for each in scalars for _ in vectors]
        return [
            _add(code, *each)
            for each in zip(factors, vectors * rows, sums, strict=True)
        ]

    zero = zeros(vector_type(F32, lanes))
    _store(code, code.loop(rounds, 1, [zero] * (rows * columns), body))
    return (4 if is_paired else 2) * lanes * rows * columns


def _add(code: Emitter, factor: Value, vector: Value, sum_: Value) -> Value:
    if factor.type.element == I32:
        return code.dot_bf16(factor, vector, sum_)
    return code.fma(factor, vector, sum_)


def _store(code: Emitter, sums: list[Value]) -> None:
    """Behind the factors, so that they are needed."""
    target = code.at(code.arguments[0], _STEPS * _STEP, F32)
    for number, sum_ in enumerate(sums):
        lanes = sum_.type.count
        code.store(sum_, code.at(target, number * lanes, F32), lanes)


def _tiles(code: Emitter) -> int:
    """Four tiles of sums, of two tiles of each matrix."""
    return _sums_of_tiles(code, steps=0)


def _loaded_tiles(code: Emitter) -> int:
    """The same, of new tiles each time."""
    return _sums_of_tiles(code, steps=4)


def _sums_of_tiles(code: Emitter, *, steps: int) -> int:
    amx = Amx(code)
    place, rounds = code.arguments
    amx.configure(dict.fromkeys(range(REGISTERS), _TILE))

    def load(start: Value) -> None:
        for number in range(4):
            tile = code.at(start, number * _TILE_NUMBERS, F32)
            amx.load(4 + number, tile, _TILE[1])

    def body(number: Value | int, _: list[Value]) -> list[Value]:
        if steps:
            step = code.remainder(number, steps)
            load(code.at(place, code.multiply(step, 4 * _TILE_NUMBERS), F32))
        for sums in range(4):
            amx.multiply(sums, 4 + sums // 2, 6 + sums % 2)
        return []

    load(place)
    code.loop(rounds, 1, [], body)
    amx.release()
    return 4 * 2 * ROWS * ROWS * DEPTH
