"""The kernels of unary and binary calls: one or two matrices, element by element.

    for each row:
      for each vector of columns:
        operands -> f32 -> operation -> element -> output

What is only moved, and what is f64, is not made f32 on the way.

An operand that is repeated has less than a row per row: one element for all columns
(`ROW`), one row for all rows (`COLUMN`), or a single element.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from xdsl_bufferization.support import abi

from ..processors.vector_unit import VectorUnit
from .elements import ELEMENTS, MOVED_ELEMENTS, Element, Operand, Repeat, relu
from .emitter import (
    CACHE_LINE,
    I16,
    POINTER,
    Emitter,
    Value,
    byte_size,
    vector_type,
    zeros,
)


@dataclass(frozen=True)
class Elementwise:
    """A kernel with an output of `m` rows and `n` columns."""

    operation: str
    """A key of `UNARY` or of `BINARY`, by the number of operands, or `CLEARING`."""

    m: int
    n: int
    operands: tuple[Operand, ...]
    ldo: int
    element: str = "f32"


def _same(code: Emitter, vector: Value) -> Value:
    return vector


UNARY: Final[Mapping[str, Callable[[Emitter, Value], Value]]] = {
    "identity": _same,
    "relu": relu,
}

CLEARING: Final = "zero"
"""The operation that does not look at its operand."""

_MOVING: Final = ("identity", CLEARING)
"""The operations that compute nothing."""

BINARY: Final[Mapping[str, Callable[[Emitter, Value, Value], Value]]] = {
    "add": lambda code, left, right: code.build.fadd(left, right),
    "sub": lambda code, left, right: code.build.fsub(left, right),
    "mul": lambda code, left, right: code.build.fmul(left, right),
    "div": lambda code, left, right: code.build.fdiv(left, right),
}

_Row = Callable[[Value | int, int], Value]
"""From a column and how many lanes are used, the elements of one row from there on."""


def build_elementwise(kernel: Elementwise, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr in, ..., ptr out)`."""
    element, lanes = ELEMENTS[kernel.element], unit.lanes
    if kernel.operation in _MOVING:
        computed, element = element.computed, MOVED_ELEMENTS[kernel.element]
        lanes = lanes * byte_size(computed) // element.bytes
    pointers = [POINTER] * (len(kernel.operands) + 1)
    code = Emitter(abi.KERNEL, pointers, has_masks=unit.has_masks)
    *inputs, output = code.arguments

    def row(number: Value, _: list[Value]) -> list[Value]:
        rows = [
            _row(code, element, lanes, operand, base, number)
            for operand, base in zip(kernel.operands, inputs, strict=True)
        ]
        out = code.at(output, code.multiply(number, kernel.ldo), element.type)

        def columns(column: Value | int, used: int) -> list[Value]:
            if kernel.operation == CLEARING:
                result = zeros(vector_type(element.type, lanes))
            else:
                operands = [load(column, used) for load in rows]
                result = _compute(kernel.operation, code, operands)
            element.store(code, result, code.at(out, column, element.type), used)
            return []

        _for_columns(code, kernel.n, lanes, columns)
        return []

    code.loop(kernel.m, 1, [], row)
    return code.finish()


def _compute(operation: str, code: Emitter, operands: list[Value]) -> Value:
    if len(operands) == 1:
        return UNARY[operation](code, operands[0])
    return BINARY[operation](code, *operands)


def _for_columns(
    code: Emitter, n: int, lanes: int, body: Callable[[Value | int, int], list[Value]]
) -> None:
    whole = n - n % lanes
    code.loop(whole, lanes, [], lambda column, _: body(column, lanes))
    if rest := n - whole:
        body(whole, rest)


def _row(
    code: Emitter,
    element: Element,
    lanes: int,
    operand: Operand,
    base: Value,
    number: Value,
) -> _Row:
    """The row of an operand for row `number` of the output."""
    offset = code.multiply(number, operand.leading)
    match operand.repeat:
        case Repeat.ROW | Repeat.SCALAR:
            is_one = operand.repeat is Repeat.SCALAR
            start = base if is_one else code.at(base, offset, element.type)
            value = element.load_broadcast(code, start, lanes)
            return lambda column, used: value
        case Repeat.COLUMN:
            start = base
        case Repeat.NONE:
            start = code.at(base, offset, element.type)
    return lambda column, used: element.load(
        code, code.at(start, column, element.type), lanes, used
    )


def build_transpose(
    m: int, n: int, ldi: int, ldo: int, element: str, unit: VectorUnit
) -> str:
    """LLVM IR of `void kernel(ptr in, ptr out)`: m x n becomes n x m.

    Squares of as many rows as a vector has lanes are transposed in registers. The last
    ones overlap those before them, so that they are complete. With short vectors,
    the squares of a cache line follow each other. Where rows are far apart, the line is
    gone when the next rows have been read.
    """
    type_, lanes = MOVED_ELEMENTS[element].type, unit.lanes
    beside = max(CACHE_LINE // (lanes * MOVED_ELEMENTS[element].bytes), 1)
    code = Emitter(abi.KERNEL, [POINTER, POINTER], has_masks=unit.has_masks)
    source, target = code.arguments
    rows, columns = min(m, lanes), min(n, lanes)

    def square(i: Value | int, j: Value | int) -> list[Value]:
        start = code.at(source, code.add(code.multiply(i, ldi), j), type_)
        vectors = [
            code.load(code.at(start, row * ldi, type_), type_, lanes, columns)
            if row < rows
            else zeros(vector_type(type_, lanes))
            for row in range(lanes)
        ]
        place = code.at(target, code.add(code.multiply(j, ldo), i), type_)
        for column, vector in enumerate(_transposed(code, vectors)[:columns]):
            code.store(vector, code.at(place, column * ldo, type_), rows)
        return []

    def squares(j: Value | int, count: int) -> list[Value]:
        places = [code.add(j, number * lanes) for number in range(count)]
        firsts = [code.minimum(place, n - columns) for place in places]

        def strip(i: Value | int, _: list[Value]) -> list[Value]:
            row = code.minimum(i, m - rows)
            for first in firsts:
                square(row, first)
            return []

        return code.loop(m, lanes, [], strip)

    # Rows of the output are written from their beginning to their end.
    step = beside * lanes
    whole = n - n % step
    code.loop(whole, step, [], lambda j, _: squares(j, beside))
    if rest := n - whole:
        squares(whole, -(-rest // lanes))
    return code.finish()


def _transposed(code: Emitter, rows: list[Value]) -> list[Value]:
    """A square of vectors: blocks of 1, 2, 4, ... change places across the diagonal."""
    lanes = len(rows)
    size = 1
    while size < lanes:
        upper = [
            lane if not lane & size else lane - size + lanes for lane in range(lanes)
        ]
        lower = [
            lane + size if not lane & size else lane + lanes for lane in range(lanes)
        ]
        rows = [
            code.shuffle(
                rows[row & ~size], rows[row | size], lower if row & size else upper
            )
            for row in range(lanes)
        ]
        size *= 2
    return rows


def build_vnni_2(m: int, n: int, ldi: int, ldo: int, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr in, ptr out)` on bf16: [m][n] to [m / 2][n][2]."""
    code = Emitter(abi.KERNEL, [POINTER, POINTER], has_masks=unit.has_masks)
    source, target = code.arguments

    def pair(row: Value, _: list[Value]) -> list[Value]:
        out = code.at(target, code.multiply(row, ldo), I16)

        def columns(column: Value | int, used: int) -> list[Value]:
            at = code.add(code.multiply(row, ldi), column)
            first = code.at(source, at, I16)
            second = code.at(first, ldi, I16)
            halves = [code.load(p, I16, unit.lanes, used) for p in (first, second)]
            pairs = code.interleave(*halves)
            code.store(pairs, code.at(out, code.multiply(column, 2), I16), 2 * used)
            return []

        _for_columns(code, n, unit.lanes, columns)
        return []

    # Row 2 r of the input begins where row r of pairs does, in rows of the output.
    code.loop(m, 2, [], pair)
    return code.finish()
