"""How elements are loaded, multiplied and stored: f32 and f64 as they are, bf16 as f32.

    kind         a row of B              a factor of A            the sum of products
    f32          16 floats               1 float, broadcast       fma
    f64          8 doubles               1 double, broadcast      fma
    bf16         16 bf16, widened        1 float, broadcast       fma
    bf16 pairs   16 pairs                2 floats, each of them   fma of both halves
                                         broadcast
    bf16 dot     16 pairs                1 pair, broadcast        AVX-512's vdpbf16ps

A bf16 is the upper half of an f32. Without instructions for bf16, A is widened to f32
ahead, strip by strip. Sums of f32 and bf16 are f32 throughout, those of f64 are f64.
Results in bf16 are rounded to the nearest one, ties to even.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from typing_extensions import override

from ..processors.vector_unit import VectorUnit
from .emitter import F32, F64, I16, I32, Emitter, Type, Value, splat, vector_type, zeros

_UPPER_HALF = 0xFFFF0000
_QUIET_NAN = 0x0040
_BELOW_HALF = 0x7FFF


class Repeat(Enum):
    """Along what the elements of an operand are repeated; LIBXSMM's names."""

    NONE = "none"
    ROW = "row"
    """An element for each row."""
    COLUMN = "column"
    """An element for each column."""
    SCALAR = "scalar"


@dataclass(frozen=True)
class Operand:
    """How a matrix that is read lies in memory."""

    leading: int
    """The distance from one row to the next, in elements."""

    repeat: Repeat = Repeat.NONE


class Element(Protocol):
    """Elements of a matrix in memory, as vectors of numbers in registers."""

    type: Type
    bytes: int
    computed: Type
    """The type of the numbers in registers."""

    def load(self, code: Emitter, pointer: Value, lanes: int, used: int) -> Value:
        """A vector of which the first `used` lanes are read."""
        ...

    def load_broadcast(self, code: Emitter, pointer: Value, lanes: int) -> Value:
        """One element in each lane."""
        ...

    def store(self, code: Emitter, vector: Value, pointer: Value, used: int) -> None:
        """Write the first `used` lanes."""
        ...


class _Unchanged:
    """Elements that are in registers as they are in memory."""

    def __init__(self, type_: Type, size: int):
        self.type = self.computed = type_
        self.bytes = size

    def load(self, code: Emitter, pointer: Value, lanes: int, used: int) -> Value:
        return code.load(pointer, self.type, lanes, used)

    def load_broadcast(self, code: Emitter, pointer: Value, lanes: int) -> Value:
        return code.broadcast(code.load_scalar(pointer, self.type), lanes)

    def store(self, code: Emitter, vector: Value, pointer: Value, used: int) -> None:
        code.store(vector, pointer, used)


class _BF16:
    type = I16
    bytes = 2
    computed = F32

    def load(self, code: Emitter, pointer: Value, lanes: int, used: int) -> Value:
        return _widen(code, code.load(pointer, I16, lanes, used))

    def load_broadcast(self, code: Emitter, pointer: Value, lanes: int) -> Value:
        return _widen(code, code.broadcast(code.load_scalar(pointer, I16), lanes))

    def store(self, code: Emitter, vector: Value, pointer: Value, used: int) -> None:
        code.store(_round(code, vector), pointer, used)


class _BF16RoundedByProcessor(_BF16):
    """Numbers below the smallest normal one become 0, as in products there."""

    @override
    def store(self, code: Emitter, vector: Value, pointer: Value, used: int) -> None:
        code.store(code.round_to_bf16(vector), pointer, used)


_FLOATS: Element = _Unchanged(F32, 4)
UNCHANGED: dict[str, Element] = {"f32": _FLOATS, "f64": _Unchanged(F64, 8)}
"""What is multiplied as it is in memory."""

ELEMENTS: dict[str, Element] = {**UNCHANGED, "bf16": _BF16()}
MOVED_ELEMENTS: dict[str, Element] = {**UNCHANGED, "bf16": _Unchanged(I16, 2)}
"""For what does not compute: vectors of the elements themselves."""

_RESULTS: dict[str, Element] = {**UNCHANGED, "bf16": _BF16RoundedByProcessor()}


def unit_for(element: str, unit: VectorUnit) -> VectorUnit:
    """The registers of a processor with numbers of the type that is computed in."""
    return unit.of_f64 if ELEMENTS[element].computed is F64 else unit


def element_of_products(element: str, unit: VectorUnit) -> Element:
    """How the matrices of a product are read and written."""
    return (_RESULTS if unit.multiplies_bf16 else ELEMENTS)[element]


class Multiplication(Protocol):
    """How a row of B times an element of A is added to a vector of sums."""

    k_step: int
    """How many rows of B one vector holds."""

    panel: int
    """How many vectors wide a tile is best, if there are 32 registers.

    Each widened vector of B costs as much as two multiplications.
    """

    scratch_registers: int
    """The registers that it needs beside the sums and the row of B."""

    factors: Element
    """What factors are loaded from: elements of A, or those as f32."""

    def load_row(self, code: Emitter, pointer: Value, lanes: int, used: int) -> Value:
        """Part of a row of B."""
        ...

    def load_factor(self, code: Emitter, pointer: Value, lanes: int) -> Value:
        """An element of A in each lane."""
        ...

    def add(self, code: Emitter, factor: Value, row: Value, sum_: Value) -> Value:
        """`factor * row + sum_`, lane by lane."""
        ...


class _Single:
    """One row at a time, in f32 or f64."""

    k_step = 1
    scratch_registers = 1

    def __init__(self, element: str):
        self._element = ELEMENTS[element]
        self.factors: Element = UNCHANGED.get(element, _FLOATS)
        self.panel = 4 if element in UNCHANGED else 2

    def load_row(self, code: Emitter, pointer: Value, lanes: int, used: int) -> Value:
        return self._element.load(code, pointer, lanes, used)

    def load_factor(self, code: Emitter, pointer: Value, lanes: int) -> Value:
        return self.factors.load_broadcast(code, pointer, lanes)

    def add(self, code: Emitter, factor: Value, row: Value, sum_: Value) -> Value:
        return code.fma(factor, row, sum_)


class _Pairs:
    """Two rows of bf16 at a time, each half widened to f32."""

    k_step = 2
    panel = 2
    scratch_registers = 4
    factors: Element = _FLOATS

    def load_row(self, code: Emitter, pointer: Value, lanes: int, used: int) -> Value:
        return _halves(code, code.load(pointer, I32, lanes, used))

    def load_factor(self, code: Emitter, pointer: Value, lanes: int) -> Value:
        second = code.at(pointer, 1, F32)
        both = (pointer, second)
        return tuple(self.factors.load_broadcast(code, each, lanes) for each in both)

    def add(self, code: Emitter, factor: Value, row: Value, sum_: Value) -> Value:
        for left, right in zip(factor, row, strict=True):
            sum_ = code.fma(left, right, sum_)
        return sum_


class _DotOfPairs:
    """Two rows of bf16 at a time, in one instruction."""

    k_step = 2
    panel = 4
    scratch_registers = 1
    factors: Element = ELEMENTS["bf16"]

    def load_row(self, code: Emitter, pointer: Value, lanes: int, used: int) -> Value:
        return code.load(pointer, I32, lanes, used)

    def load_factor(self, code: Emitter, pointer: Value, lanes: int) -> Value:
        return code.broadcast(code.load_scalar(pointer, I32), lanes)

    def add(self, code: Emitter, factor: Value, row: Value, sum_: Value) -> Value:
        return code.dot_bf16(factor, row, sum_)


def product_of(element: str, has_pairs: bool, unit: VectorUnit) -> Multiplication:
    """How matrices of `element` are multiplied; `has_pairs` is B's VNNI form."""
    if not has_pairs:
        return _Single(element)
    return _DotOfPairs() if unit.multiplies_bf16 else _Pairs()


def relu(code: Emitter, vector: Value) -> Value:
    """The larger of each element and +0; NaN stays NaN, as in `arith.maximumf`."""
    zero = zeros(vector.type)
    is_kept = code.build.fcmp_unordered(">", vector, zero)
    return code.build.select(is_kept, vector, zero)


def _widen(code: Emitter, vector: Value) -> Value:
    lanes = vector.type.count
    wide = code.build.zext(vector, vector_type(I32, lanes))
    upper = code.build.shl(wide, splat(I32, lanes, 16))
    return code.build.bitcast(upper, vector_type(F32, lanes))


def _halves(code: Emitter, pairs: Value) -> tuple[Value, Value]:
    lanes = pairs.type.count
    floats = vector_type(F32, lanes)
    first = code.build.shl(pairs, splat(I32, lanes, 16))
    second = code.build.and_(pairs, splat(I32, lanes, _UPPER_HALF))
    return code.build.bitcast(first, floats), code.build.bitcast(second, floats)


def _round(code: Emitter, vector: Value) -> Value:
    """The nearest bf16, ties to even; NaN becomes a quiet NaN."""
    lanes, build = vector.type.count, code.build
    bits = build.bitcast(vector, vector_type(I32, lanes))
    upper = build.lshr(bits, splat(I32, lanes, 16))
    is_odd = build.and_(upper, splat(I32, lanes, 1))
    half = build.add(is_odd, splat(I32, lanes, _BELOW_HALF))
    rounded = build.lshr(build.add(bits, half), splat(I32, lanes, 16))
    nan = build.or_(upper, splat(I32, lanes, _QUIET_NAN))
    is_nan = build.fcmp_unordered("uno", vector, vector)
    chosen = build.select(is_nan, nan, rounded)
    return build.trunc(chosen, vector_type(I16, lanes))
