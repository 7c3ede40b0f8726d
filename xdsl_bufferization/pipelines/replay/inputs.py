"""The arguments that a function is called with, until a fault shows.

    func.func @f(%c: i1, %n: index)      and the constant 10 in the function
    ->  %c: True, False;  %n: 0, 1, 2, 3, 9, 10, 11, -1

A number of type `i1` that a fault names has the value that the fault names. Numbers
that a comparison needs are next to the constants of the program. Buffers are full of
zeros or of ones.
"""

import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Final, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.runtime.descriptor import dtype_of
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.support.traversal import ops_inside

MOST_TRIES: Final = 1000
"""How many calls are made for one fault. Of more choices, some are drawn."""

_NUMBERS: Final = (0, 1, 2, 3)
_LARGEST: Final = 1 << 16
"""Larger constants are no arguments: they may be sizes of buffers, or of loops."""

_SIZES: Final = (4, 1, 0)
"""What a dynamic size is."""


def inputs_of(
    function: FuncOp, case: Mapping[SSAValue, bool]
) -> Iterator[tuple[Any, ...]]:
    """Arguments of calls; `case` has values of `i1` for some of them.

    Raises `EngineError` if the type of an argument has no values here.
    """
    constants = _constants(function)
    choices = [
        [case[each]] if each in case else _choices(each.type, constants)
        for each in function.args
    ]
    for chosen in _combinations(choices):
        # A call may write to its buffers.
        yield tuple(map(copy, chosen))


def _combinations(choices: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """All combinations, or some of them if there are too many."""
    if math.prod(map(len, choices)) <= MOST_TRIES:
        yield from itertools.product(*choices)
        return
    rng = random.Random(0)
    for _ in range(MOST_TRIES):
        yield tuple(map(rng.choice, choices))


def _constants(function: FuncOp) -> list[float]:
    """The numbers in a function, each once."""
    found: dict[float, None] = {}
    for op in ops_inside(function):
        if not isinstance(op, arith.ConstantOp):
            continue
        value = op.value
        if isinstance(value, IntegerAttr | FloatAttr):
            number: float = value.value.data
            if abs(number) <= _LARGEST:
                found[number] = None
    return list(found)


def _choices(type_: Attribute, constants: Sequence[float]) -> list[Any]:
    if isa(type_, MemRefType):
        return _buffers(type_)
    width = cast(IntegerType, type_).width.data if isinstance(type_, IntegerType) else 0
    if width == 1:
        return [True, False]
    near = (number for each in constants for number in (each - 1, each, each + 1))
    numbers = [*dict.fromkeys((*_NUMBERS, *near, -1))]
    if isinstance(type_, AnyFloat):
        return [float(number) for number in numbers]
    whole = [int(number) for number in numbers if number == int(number)]
    if isinstance(type_, IndexType):
        return whole
    if width:
        end = 1 << (width - 1)
        return [number for number in whole if -end <= number < end]
    raise EngineError(f"no argument of type {type_} is made here")


def _buffers(type_: MemRefType[Attribute]) -> list[Any]:
    shape = type_.get_shape()
    dtype = dtype_of(str(type_.element_type))
    sizes = _SIZES if DYNAMIC_INDEX in shape else _SIZES[:1]
    return [
        fill([size if each == DYNAMIC_INDEX else each for each in shape], dtype)
        for size in sizes
        for fill in (np.zeros, np.ones)
    ]
