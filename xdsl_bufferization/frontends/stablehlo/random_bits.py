"""`stablehlo.rng_bit_generator` by the generator Philox 4x32 of ten iterations.

    %state, %bits = stablehlo.rng_bit_generator %s, algorithm = DEFAULT
        : (tensor<2xui64>) -> (tensor<2xui64>, tensor<10xui32>)

The state is a key and a counter of 128 bits. Every value of the counter gives four
words. The key is the first number, and the second is the low half of the counter. The
high half is the third number, or the key again if there are two. XLA does the same on
processors, where PHILOX is the default, too.

Source: J. Salmon and others, Parallel random numbers: as easy as 1, 2, 3 (2011).
"""

from collections.abc import Sequence
from math import prod
from typing import Any, Final

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IntegerType, TensorType, i32, i64
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.stablehlo.control import RngBitGeneratorOp
from xdsl_bufferization.dialects.stablehlo.syntax import tensor_type
from xdsl_bufferization.support.errors import fail_at

from .element_builder import ElementBuilder
from .shapes import insert, reshape
from .slices import extract
from .types import Kind, bits_of, kind_of
from .writer import (
    PARALLEL,
    Value,
    Values,
    Writer,
    element_at,
    identity,
    result_type,
)

_ITERATIONS: Final = 10
_FACTORS: Final = (0xD2511F53, 0xCD9E8D57)
_STEPS: Final = (0x9E3779B9, 0xBB67AE85)
"""What is added to the two words of the key before each iteration but the first."""


def write_random_bits(op: RngBitGeneratorOp, writer: Writer) -> Sequence[Value]:
    """Words for each value of the counter, in columns of a matrix."""
    _check(op)
    code = writer.code
    state = writer[op.values[0]].as_tensor()
    numbers = [element_at(code, state, [code.index(n)]) for n in range(op.shape()[0])]
    key, low = numbers[0], numbers[1]
    high = numbers[2] if len(numbers) > 2 else key
    type_ = result_type(op, 1)
    wanted = prod(type_.get_shape())
    columns = 2 if bits_of(type_.element_type) == 64 else 4
    rows = -(-wanted // columns)

    def body(inner: ElementBuilder, _: Values) -> Values:
        index = inner.value(IndexOp(0))
        count = inner.value(arith.IndexCastOp(index, i64))
        words = _philox(inner, _counter(inner, low, high, count), _words(inner, key))
        return _elements(inner, words, type_.element_type)

    column = TensorType(type_.element_type, [rows])
    outputs = [(writer.empty(column), identity(1)) for _ in range(columns)]
    parts = writer.generic([], outputs, [PARALLEL], body)
    whole = writer.empty(TensorType(type_.element_type, [rows, columns]))
    for number, part in enumerate(parts):
        thin = reshape(writer, part, [rows, 1])
        whole = insert(writer, thin, whole, [0, number], [1, 1])
    flat = reshape(writer, whole, [rows * columns])
    bits = reshape(writer, extract(writer, flat, [0], [wanted], [1]), type_.get_shape())
    last = _next_state(writer, state, numbers, rows)
    return [writer.of_tensor(last), writer.of_tensor(bits)]


def _check(op: RngBitGeneratorOp) -> None:
    """An error at `op` for another generator, state or type."""
    kind = kind_of(op, tensor_type(op.outputs[1]).element_type)
    if str(op.rng_algorithm.data) == "THREE_FRY":
        fail_at(op, "THREE_FRY is not lowered; use the algorithm DEFAULT or PHILOX")
    if op.shape() not in ((2,), (3,)) or bits_of(op.element()) != 64:
        fail_at(op, f"expected a state of 2 or 3 numbers of 64 bits, got {op.shape()}")
    if kind not in (Kind.SIGNED, Kind.UNSIGNED) or 0 in result_type(op, 1).get_shape():
        fail_at(op, "expected random integers, at least one")


def _words(code: ElementBuilder, number: SSAValue) -> list[SSAValue]:
    """The low and the high word of a number of 64 bits."""
    high = code.value(arith.ShRUIOp(number, code.number(32, i64)))
    return [code.value(arith.TruncIOp(each, i32)) for each in (number, high)]


def _counter(
    code: ElementBuilder, low: SSAValue, high: SSAValue, count: SSAValue
) -> list[SSAValue]:
    """The four words of a counter behind another one."""
    total = code.add(low, count)
    carry = code.value(arith.ExtUIOp(code.compare("ult", total, low), i64))
    return [*_words(code, total), *_words(code, code.add(high, carry))]


def _philox(
    code: ElementBuilder, counter: list[SSAValue], key: list[SSAValue]
) -> list[SSAValue]:
    """Four random words."""
    words = counter
    for iteration in range(_ITERATIONS):
        if iteration:
            key = [
                code.add(each, code.number(step, i32))
                for each, step in zip(key, _STEPS, strict=True)
            ]
        first = _product(code, words[0], _FACTORS[0])
        second = _product(code, words[2], _FACTORS[1])
        words = [
            _mixed(code, second[1], words[1], key[0]),
            second[0],
            _mixed(code, first[1], words[3], key[1]),
            first[0],
        ]
    return words


def _product(code: ElementBuilder, word: SSAValue, factor: int) -> list[SSAValue]:
    """The low and the high word of a product."""
    wide = code.value(arith.ExtUIOp(word, i64))
    return _words(code, code.multiply(wide, code.number(factor, i64)))


def _mixed(code: ElementBuilder, *words: SSAValue) -> SSAValue:
    first, second, third = words
    return code.value(arith.XOrIOp(code.value(arith.XOrIOp(first, second)), third))


def _elements(code: ElementBuilder, words: Values, type_: Any) -> list[SSAValue]:
    """Random elements of four random words: of two words each, or of one."""
    width = bits_of(type_)
    if width == 32:
        return [*words]
    if width < 32:
        return [code.value(arith.TruncIOp(word, IntegerType(width))) for word in words]
    wide = [code.value(arith.ExtUIOp(word, i64)) for word in words]
    shift = code.number(32, i64)
    return [
        code.value(arith.OrIOp(low, code.value(arith.ShLIOp(high, shift))))
        for low, high in zip(wide[::2], wide[1::2], strict=True)
    ]


def _next_state(
    writer: Writer, state: SSAValue, numbers: Values, used: int
) -> SSAValue:
    """The state behind the values of the counter that are used."""
    code = writer.code
    total = code.add(numbers[1], code.number(used, i64))
    state = code.value(tensor.InsertOp(total, state, [code.index(1)]))
    if len(numbers) > 2:
        carry = code.compare("ult", total, numbers[1])
        high = code.add(numbers[2], code.value(arith.ExtUIOp(carry, i64)))
        state = code.value(tensor.InsertOp(high, state, [code.index(2)]))
    return state
