"""Build the code of one kernel: a function on pointers, with loops and vectors.

    code = Emitter("kernel", [POINTER, POINTER])
    def body(i, _):
        code.store(code.load(code.at(a, i, F32), F32, 8, 8), code.at(b, i, F32), 8)
        return []
    code.loop(64, 8, [], body)

Instructions are those of `instructions.py`. Addresses count in elements. Vectors may be
partial: what is behind the last element is neither read nor written, and reads as zero.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from .instructions import (
    BF16,
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    I64,
    POINTER,
    VOID,
    Block,
    Builder,
    Operand,
    Type,
    lanes_of,
    number,
    vector_type,
    zeros,
)

__all__ = [
    "CACHE_LINE",
    "F32",
    "F64",
    "I8",
    "I16",
    "I32",
    "I64",
    "POINTER",
    "VOID",
    "Body",
    "Emitter",
    "Type",
    "Value",
    "byte_size",
    "splat",
    "vector_type",
    "zeros",
]

CACHE_LINE = 64
"""In bytes."""

Value = Any
"""An `Operand`; an index that is known may be an int."""

Body = Callable[[Value, list[Value]], list[Value]]
"""From the index of an iteration and the values carried in: the values carried out."""


class Emitter:
    """The code of a function without a result."""

    def __init__(
        self, name: str, parameters: Sequence[Type], *, has_masks: bool = False
    ):
        """`has_masks` is that of the processor's vector unit."""
        self._name = name
        self._has_masks = has_masks
        self.arguments: tuple[Value, ...] = tuple(
            Operand(type_, f"%a{at}") for at, type_ in enumerate(parameters)
        )
        self._builder = Builder()
        self._globals: list[str] = []
        self._declared: dict[str, str] = {}

    def finish(self) -> str:
        """The text of the LLVM module."""
        self._builder.ret_void()
        parameters = ", ".join(each.typed() for each in self.arguments)
        return "\n".join(
            [
                *self._globals,
                *self._declared.values(),
                f'define void @"{self._name}"({parameters}) {{',
                *(block.text() for block in self._builder.blocks),
                "}\n",
            ]
        )

    # Numbers.

    def index(self, value: int | Value) -> Value:
        """A number of elements."""
        return number(I64, value) if isinstance(value, int) else value

    def constant(self, type_: Type, value: int) -> Value:
        """A number of any type."""
        return number(type_, value)

    def add(self, left: int | Value, right: int | Value) -> Value:
        """The sum of two indices."""
        if isinstance(left, int) and isinstance(right, int):
            return left + right
        if 0 in (left, right):
            return right if isinstance(left, int) and left == 0 else left
        return self._builder.add(self.index(left), self.index(right))

    def multiply(self, left: int | Value, right: int) -> Value:
        """The product of an index and a number."""
        if isinstance(left, int):
            return left * right
        return self._builder.mul(left, self.index(right))

    def divide(self, left: int | Value, right: int) -> Value:
        """How many times a number goes into an index."""
        if isinstance(left, int):
            return left // right
        return self._builder.udiv(left, self.index(right))

    def remainder(self, left: int | Value, right: int) -> Value | int:
        """The remainder of an index that is not negative."""
        if isinstance(left, int):
            return left % right
        return self._builder.urem(left, self.index(right))

    def subtract(self, left: int | Value, right: int | Value) -> Value:
        """The difference of two indices."""
        if isinstance(left, int) and isinstance(right, int):
            return left - right
        return self._builder.sub(self.index(left), self.index(right))

    def minimum(self, left: int | Value, right: int) -> Value | int:
        """The smaller one of two indices that are not negative."""
        if isinstance(left, int):
            return min(left, right)
        return self.intrinsic("llvm.umin.i64", I64, [left, self.index(right)])

    # Memory.

    def at(self, pointer: Value, offset: int | Value, element: Type) -> Value:
        """The address of the element `offset` behind `pointer`."""
        if isinstance(offset, int) and offset == 0:
            return pointer
        return self._builder.gep(pointer, self.index(offset), element)

    def load(self, pointer: Value, element: Type, lanes: int, used: int) -> Value:
        """A vector of which only the first `used` lanes are read."""
        type_ = vector_type(element, lanes)
        size = byte_size(element)
        if used == lanes:
            return self._builder.load(pointer, type_, size)
        return self.intrinsic(
            f"llvm.masked.load.v{lanes}{_suffix(element)}.p0",
            type_,
            [pointer, number(I32, size), self._mask(lanes, used), zeros(type_)],
        )

    def in_memory(self, value: Value) -> Value:
        """The address of memory that holds `value`, until the function returns."""
        place = self._builder.alloca(value.type, 1)
        self._builder.store(value, place)
        return self._builder.ptrtoint(place, I64)

    def memory(self, count: int, element: Type) -> Value:
        """The address of memory for elements, until the function returns."""
        return self._builder.alloca(element, count, CACHE_LINE)

    def bytes(self, data: bytes) -> Value:
        """The address of bytes that do not change, at the start of a cache line."""
        name = f"@bytes.{len(self._globals)}"
        text = "".join(f"\\{byte:02X}" for byte in data)
        constant = f'internal constant [{len(data)} x i8] c"{text}"'
        self._globals.append(f"{name} = {constant}, align {CACHE_LINE}")
        return Operand(POINTER, name)

    def load_scalar(self, pointer: Value, element: Type) -> Value:
        """One element."""
        return self._builder.load(pointer, element)

    def store(self, vector: Value, pointer: Value, used: int) -> None:
        """Write the first `used` lanes of a vector."""
        element, lanes = vector.type.element, vector.type.count
        size = byte_size(element)
        if used == lanes:
            self._builder.store(vector, pointer, size)
            return
        if used == 1:
            # LLVM 22 stores zero for a truncated vector with a mask of one lane.
            first = self._builder.extract_element(vector, number(I32, 0))
            self._builder.store(first, pointer, size)
            return
        if not self._has_masks:
            # AVX2 has a store with a mask, which takes Zen 12 cycles.
            whole = 1 << used.bit_length() - 1
            self.store(self._lanes(vector, 0, whole), pointer, whole)
            if rest := used - whole:
                behind = self._lanes(vector, whole, min(whole, lanes - whole))
                self.store(behind, self.at(pointer, whole, element), rest)
            return
        self.intrinsic(
            f"llvm.masked.store.v{lanes}{_suffix(element)}.p0",
            VOID,
            [vector, pointer, number(I32, size), self._mask(lanes, used)],
        )

    def prefetch(
        self, pointer: Value, *, is_written: bool = False, level: int = 1
    ) -> None:
        """Have the cache line of an address in the first-level cache soon, or another.

        No address is wrong.
        """
        words = (int(is_written), 4 - level, 1)  # It is data, not code.
        hint = [pointer, *(number(I32, word) for word in words)]
        self.intrinsic("llvm.prefetch.p0", VOID, hint)

    def _lanes(self, vector: Value, first: int, count: int) -> Value:
        return self.shuffle(vector, vector, range(first, first + count))

    def _mask(self, lanes: int, used: int) -> Value:
        return lanes_of(I1, [int(lane < used) for lane in range(lanes)])

    # Vectors.

    def broadcast(self, scalar: Value, lanes: int) -> Value:
        """A vector with `scalar` in each lane."""
        type_ = vector_type(scalar.type, lanes)
        first = self._builder.insert_element(
            Operand(type_, "undef"), scalar, number(I32, 0)
        )
        return self._builder.shuffle_vector(
            first, first, zeros(vector_type(I32, lanes))
        )

    def interleave(self, left: Value, right: Value) -> Value:
        """A vector of twice the lanes: left, right, left, ..."""
        lanes = left.type.count
        order = [lane // 2 + lane % 2 * lanes for lane in range(2 * lanes)]
        return self.shuffle(left, right, order)

    def shuffle(self, left: Value, right: Value, order: Sequence[int]) -> Value:
        """A vector of lanes by their numbers: first `left`, then `right`."""
        return self._builder.shuffle_vector(left, right, lanes_of(I32, order))

    def fma(self, left: Value, right: Value, sum_: Value) -> Value:
        """`left * right + sum_`, rounded once where a processor has that.

        Elsewhere it is rounded twice: a function of C would do it for each number.
        """
        name = f"llvm.fmuladd.v{left.type.count}{_suffix(left.type.element)}"
        return self.intrinsic(name, left.type, [left, right, sum_])

    def maximum(self, left: Value, right: Value) -> Value:
        """The larger one of each pair of lanes, as `arith.maximumf` has it."""
        name = f"llvm.maximum.v{left.type.count}{_suffix(left.type.element)}"
        return self.intrinsic(name, left.type, [left, right])

    def dot_bf16(self, left: Value, right: Value, sum_: Value) -> Value:
        """Add the products of pairs of bf16 in each lane; of AVX-512 alone."""
        lanes = sum_.type.count
        name = f"llvm.x86.avx512bf16.dpbf16ps.{lanes * 32}"
        pairs = vector_type(BF16, 2 * lanes)
        halves = [self._builder.bitcast(each, pairs) for each in (left, right)]
        return self.intrinsic(name, sum_.type, [sum_, *halves])

    def round_to_bf16(self, vector: Value) -> Value:
        """The bits of the nearest numbers in bf16; of AVX-512 alone."""
        lanes = vector.type.count
        name = f"llvm.x86.avx512bf16.cvtneps2bf16.{lanes * 32}"
        rounded = self.intrinsic(name, vector_type(BF16, lanes), [vector])
        return self._builder.bitcast(rounded, vector_type(I16, lanes))

    def call_address(self, address: Value, operands: list[Value]) -> None:
        """Call the function at an address, a number, with numbers."""
        function = self._builder.inttoptr(address)
        self._builder.call(function.text, VOID, operands)

    @property
    def build(self) -> Builder:
        """What writes single instructions."""
        return self._builder

    def intrinsic(self, name: str, type_: Type, operands: list[Value]) -> Value:
        """Call a function that LLVM knows."""
        if name not in self._declared:
            types = ", ".join(operand.type.text for operand in operands)
            self._declared[name] = f"declare {type_.text} @{name}({types})"
        return self._builder.call(f"@{name}", type_, operands)

    # Control.

    def loop_panels(
        self,
        size: int,
        vectors: int,
        lanes: int,
        write: Callable[[Value | int, tuple[int, ...]], list[Value]],
    ) -> None:
        """Write code for each panel of `size` columns: several vectors, or the rest.

        `write` gets the first column of a panel, and the used lanes of its vectors.
        """
        panel = vectors * lanes
        whole = size - size % panel
        self.loop(whole, panel, [], lambda at, _: write(at, (lanes,) * vectors))
        if rest := size - whole:
            widths = (lanes,) * (rest // lanes)
            if rest % lanes:
                widths += (rest % lanes,)
            write(whole, widths)

    def loop(
        self, count: int | Value, step: int, carried: list[Value], body: Body
    ) -> list[Value]:
        """Iterations for 0, `step`, ... below `count`; none if `count` is 0.

        If there is a single iteration, and this is known, no loop is written.
        """
        if isinstance(count, int) and count <= step:
            return body(0, carried) if count > 0 else carried
        build = self._builder
        before = build.block
        header, after = (build.append_block() for _ in range(2))
        is_guarded = not isinstance(count, int)
        if is_guarded:
            is_empty = build.icmp_signed("<=", count, self.index(0))
            build.cbranch(is_empty, after, header)
        else:
            build.branch(header)
        build.position_at_end(header)
        index, *phis = (build.phi(each) for each in (I64, *(v.type for v in carried)))
        results = body(index, phis)
        following = build.add(index, self.index(step))
        is_more = build.icmp_signed("<", following, self.index(count))
        last = build.block
        build.cbranch(is_more, header, after)
        for phi, start, value in zip(
            (index, *phis),
            (self.index(0), *carried),
            (following, *results),
            strict=True,
        ):
            phi.add_incoming(start, before)
            phi.add_incoming(value, last)
        build.position_at_end(after)
        if not is_guarded:
            return results
        return self._either(carried, before, results, last)

    def when(
        self,
        left: int | Value,
        comparison: str,
        right: int,
        carried: list[Value],
        body: Callable[[list[Value]], list[Value]],
    ) -> list[Value]:
        """Run `body` once if a comparison of two indices holds, else not."""
        build = self._builder
        before = build.block
        inside, after = (build.append_block() for _ in range(2))
        holds = build.icmp_signed(comparison, self.index(left), self.index(right))
        build.cbranch(holds, inside, after)
        build.position_at_end(inside)
        results = body(carried)
        last = build.block
        build.branch(after)
        build.position_at_end(after)
        return self._either(carried, before, results, last)

    def _either(
        self, carried: list[Value], before: Block, results: list[Value], last: Block
    ) -> list[Value]:
        """The values carried past `before`, or the results of `last`."""
        ends = [self._builder.phi(value.type) for value in carried]
        for end, value, result in zip(ends, carried, results, strict=True):
            end.add_incoming(value, before)
            end.add_incoming(result, last)
        return ends


def splat(element: Type, lanes: int, value: float) -> Value:
    """A vector with one constant in each lane."""
    return lanes_of(element, [value] * lanes)


_FLOATS: Final = {F32: ("f32", 4), F64: ("f64", 8)}
"""How names of functions end that work on a type of floats, and its bytes."""


def byte_size(element: Type) -> int:
    """The bytes of an element in memory."""
    return _FLOATS[element][1] if element in _FLOATS else element.width // 8


def _suffix(element: Type) -> str:
    return _FLOATS[element][0] if element in _FLOATS else f"i{element.width}"
