"""LLVM's instructions, written as text as soon as they are asked for.

    build = Builder()
    sum = build.add(a, b)      ->   %3 = add i64 %1, %2

llvmlite.ir keeps an object for each instruction and operand, and makes the text in the
end: five times the time for a kernel, which has a thousand instructions.
"""

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple


class Type:
    """A type: equal types are one object."""

    __slots__ = ("_element", "count", "text", "width")

    def __init__(
        self, text: str, width: int = 0, element: "Type | None" = None, count: int = 1
    ):
        self.text = text
        self.width = width
        """How many bits an integer has; 0 for other types."""
        self._element = element
        self.count = count
        """How many lanes a vector has."""

    @property
    def element(self) -> "Type":
        """The type of the lanes of a vector."""
        assert self._element is not None, "only a vector has lanes"
        return self._element


@cache
def vector_type(element: Type, lanes: int) -> Type:
    """The type of vectors; of a single lane, too."""
    return Type(f"<{lanes} x {element.text}>", 0, element, lanes)


F32: Final = Type("float")
F64: Final = Type("double")
BF16: Final = Type("bfloat")
I1, I8, I16, I32, I64 = (Type(f"i{width}", width) for width in (1, 8, 16, 32, 64))
POINTER: Final = Type("ptr")
VOID: Final = Type("void")


class Operand:
    """A constant, an argument, or what an instruction computes."""

    __slots__ = ("text", "type")

    def __init__(self, type_: Type, text: str):
        self.type = type_
        self.text = text
        """How an operand is written, without its type."""

    def typed(self) -> str:
        """How an operand is written with its type."""
        return f"{self.type.text} {self.text}"


# Constants.


def number(type_: Type, value: float) -> Operand:
    """A number of any type."""
    return Operand(type_, _spelled(type_, value))


@cache
def zeros(type_: Type) -> Operand:
    """A vector of zeros."""
    return Operand(type_, "zeroinitializer")


def lanes_of(element: Type, values: Iterable[float]) -> Operand:
    """A vector of numbers."""
    texts = [f"{element.text} {_spelled(element, value)}" for value in values]
    return Operand(vector_type(element, len(texts)), f"<{', '.join(texts)}>")


def _spelled(type_: Type, value: float) -> str:
    if type_ is not F32 and type_ is not F64:
        return str(value)
    # LLVM writes an f32 as the bits of the f64 with the same value.
    format_ = "<f" if type_ is F32 else "<d"
    (rounded,) = struct.unpack(format_, struct.pack(format_, value))
    (bits,) = struct.unpack("<Q", struct.pack("<d", rounded))
    return f"0x{bits:016X}"


# Instructions.


class Phi(Operand):
    """A value that depends on the block before; `sources` are added later."""

    __slots__ = ("sources",)

    def __init__(self, type_: Type, text: str):
        super().__init__(type_, text)
        self.sources: list[str] = []

    def add_incoming(self, value: Operand, block: "Block") -> None:
        """Have the value that another one has at the end of a block."""
        self.sources.append(f"[{value.text}, %{block.name}]")

    def line(self) -> str:
        """The instruction."""
        return f"{self.text} = phi {self.type.text} {', '.join(self.sources)}"


class Block(NamedTuple):
    """Instructions that run one after the other."""

    name: str
    lines: list[str | Phi]

    def text(self) -> str:
        """The block as LLVM has it."""
        lines = (each if isinstance(each, str) else each.line() for each in self.lines)
        return "\n".join((f"{self.name}:", *lines))


_SIGNED = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
_FLOAT = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class Builder:
    """Adds instructions to the block that it stands at the end of."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._count = 0
        self.block = self.append_block()
        self._lines = self.block.lines

    # Blocks.

    def append_block(self) -> Block:
        """Add an empty block at the end of the function."""
        block = Block(f"b{len(self.blocks)}", [])
        self.blocks.append(block)
        return block

    def position_at_end(self, block: Block) -> None:
        """Go on in another block."""
        self.block = block
        self._lines = block.lines

    def branch(self, target: Block) -> None:
        """Go to a block."""
        self.write(f"br label %{target.name}")

    def cbranch(self, condition: Operand, yes: Block, no: Block) -> None:
        """Go to one of two blocks."""
        self.write(f"br {condition.typed()}, label %{yes.name}, label %{no.name}")

    def phi(self, type_: Type) -> Phi:
        """A value that depends on the block before."""
        phi = Phi(type_, self._name())
        self._lines.append(phi)
        return phi

    def ret_void(self) -> None:
        """Return nothing."""
        self.write("ret void")

    # Numbers.

    def add(self, left: Operand, right: Operand) -> Operand:
        """The sum of integers."""
        return self._binary("add", left, right)

    def sub(self, left: Operand, right: Operand) -> Operand:
        """The difference of integers."""
        return self._binary("sub", left, right)

    def mul(self, left: Operand, right: Operand) -> Operand:
        """The product of integers."""
        return self._binary("mul", left, right)

    def udiv(self, left: Operand, right: Operand) -> Operand:
        """The quotient of integers without a sign."""
        return self._binary("udiv", left, right)

    def urem(self, left: Operand, right: Operand) -> Operand:
        """The remainder of integers without a sign."""
        return self._binary("urem", left, right)

    def and_(self, left: Operand, right: Operand) -> Operand:
        """The bits that both have."""
        return self._binary("and", left, right)

    def or_(self, left: Operand, right: Operand) -> Operand:
        """The bits that one of them has."""
        return self._binary("or", left, right)

    def shl(self, left: Operand, right: Operand) -> Operand:
        """Bits moved to the left."""
        return self._binary("shl", left, right)

    def lshr(self, left: Operand, right: Operand) -> Operand:
        """Bits moved to the right."""
        return self._binary("lshr", left, right)

    def fadd(self, left: Operand, right: Operand) -> Operand:
        """The sum of floats."""
        return self._binary("fadd", left, right)

    def fsub(self, left: Operand, right: Operand) -> Operand:
        """The difference of floats."""
        return self._binary("fsub", left, right)

    def fmul(self, left: Operand, right: Operand) -> Operand:
        """The product of floats."""
        return self._binary("fmul", left, right)

    def fdiv(self, left: Operand, right: Operand) -> Operand:
        """The quotient of floats."""
        return self._binary("fdiv", left, right)

    def icmp_signed(self, comparison: str, left: Operand, right: Operand) -> Operand:
        """A comparison of integers, such as `<`."""
        return self._compare(f"icmp {_SIGNED[comparison]}", left, right)

    def fcmp_ordered(self, comparison: str, left: Operand, right: Operand) -> Operand:
        """A comparison of floats that does not hold for NaN."""
        return self._compare(f"fcmp o{_FLOAT[comparison]}", left, right)

    def fcmp_unordered(self, comparison: str, left: Operand, right: Operand) -> Operand:
        """One that holds for NaN; `uno`: whether there is one."""
        name = comparison if comparison == "uno" else f"u{_FLOAT[comparison]}"
        return self._compare(f"fcmp {name}", left, right)

    def select(self, condition: Operand, yes: Operand, no: Operand) -> Operand:
        """One of two values."""
        operands = f"{condition.typed()}, {yes.typed()}, {no.typed()}"
        return self._emit(yes.type, f"select {operands}")

    def bitcast(self, value: Operand, type_: Type) -> Operand:
        """The same bits as another type."""
        return self._convert("bitcast", value, type_)

    def zext(self, value: Operand, type_: Type) -> Operand:
        """Wider integers without a sign."""
        return self._convert("zext", value, type_)

    def trunc(self, value: Operand, type_: Type) -> Operand:
        """The lower bits of integers."""
        return self._convert("trunc", value, type_)

    def ptrtoint(self, value: Operand, type_: Type) -> Operand:
        """An address as a number."""
        return self._convert("ptrtoint", value, type_)

    def inttoptr(self, value: Operand) -> Operand:
        """A number as an address."""
        return self._convert("inttoptr", value, POINTER)

    # Vectors.

    def insert_element(self, vector: Operand, value: Operand, lane: Operand) -> Operand:
        """A vector with another value in a lane."""
        operands = f"{vector.typed()}, {value.typed()}, {lane.typed()}"
        return self._emit(vector.type, f"insertelement {operands}")

    def extract_element(self, vector: Operand, lane: Operand) -> Operand:
        """The value in a lane."""
        text = f"extractelement {vector.typed()}, {lane.typed()}"
        return self._emit(vector.type.element, text)

    def shuffle_vector(self, left: Operand, right: Operand, order: Operand) -> Operand:
        """Lanes of two vectors, by their numbers."""
        type_ = vector_type(left.type.element, order.type.count)
        text = f"shufflevector {left.typed()}, {right.typed()}, {order.typed()}"
        return self._emit(type_, text)

    # Memory.

    def alloca(self, type_: Type, count: int, align: int | None = None) -> Operand:
        """Memory until the function returns."""
        alignment = "" if align is None else f", align {align}"
        return self._emit(POINTER, f"alloca {type_.text}, i32 {count}{alignment}")

    def gep(self, pointer: Operand, offset: Operand, element: Type) -> Operand:
        """The address of an element."""
        operands = f"{element.text}, ptr {pointer.text}, {offset.typed()}"
        return self._emit(POINTER, f"getelementptr {operands}")

    def load(self, pointer: Operand, type_: Type, align: int | None = None) -> Operand:
        """What is in memory."""
        alignment = "" if align is None else f", align {align}"
        return self._emit(type_, f"load {type_.text}, ptr {pointer.text}{alignment}")

    def store(self, value: Operand, pointer: Operand, align: int | None = None) -> None:
        """Write to memory."""
        alignment = "" if align is None else f", align {align}"
        self.write(f"store {value.typed()}, ptr {pointer.text}{alignment}")

    # Calls.

    def call(self, function: str, type_: Type, operands: Sequence[Operand]) -> Operand:
        """Call a function by its name, such as `@f`, or by the value of its address."""
        arguments = ", ".join([each.typed() for each in operands])
        text = f"call {type_.text} {function}({arguments})"
        if type_ is VOID:
            self.write(text)
            return Operand(VOID, "")
        return self._emit(type_, text)

    # Text.

    def write(self, line: str) -> None:
        """Add an instruction without a result."""
        self._lines.append(line)

    def _name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def _emit(self, type_: Type, text: str) -> Operand:
        value = Operand(type_, self._name())
        self._lines.append(f"{value.text} = {text}")
        return value

    def _binary(self, name: str, left: Operand, right: Operand) -> Operand:
        return self._emit(left.type, f"{name} {left.typed()}, {right.text}")

    def _compare(self, name: str, left: Operand, right: Operand) -> Operand:
        type_ = left.type
        is_vector = type_.text.startswith("<")
        result = vector_type(I1, type_.count) if is_vector else I1
        return self._emit(result, f"{name} {left.typed()}, {right.text}")

    def _convert(self, name: str, value: Operand, type_: Type) -> Operand:
        return self._emit(type_, f"{name} {value.typed()} to {type_.text}")
