"""The arithmetic of linalg's named ops on single elements.

A named op has a region that nobody writes or sees: what it computes for one element.
The functions here build such regions; `table.py` says which op computes what.

    multiply_add on (bf16, bf16, f32)
        -> arith.extf, arith.extf, arith.mulf, arith.addf, linalg.yield

Numbers are converted to the element type of the output, as signed ones unless the op
says otherwise. Source: https://mlir.llvm.org/docs/Dialects/Linalg/ under each op:
"Numeric casting is performed on the operands to the inner multiply, promoting them to
the same data type as the accumulator/output".
"""

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f64,
    i32,
    i64,
)
from xdsl.dialects.linalg.ops import IndexOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from ..common.making import create
from .attributes import BinaryFn, ElementwiseKind, TypeFn, UnaryFn


class UnsupportedPayloadError(Exception):
    """The element types do not fit what an op computes."""


class PayloadBuilder:
    """Appends scalar ops to the region of an op."""

    def __init__(self, block: Block, cast: TypeFn):
        self.block = block
        self.type_fn = cast
        """How `cast` treats integers."""

    @property
    def output_type(self) -> Attribute:
        """The element type of the (only) output."""
        return self.block.args[-1].type

    def insert(self, op: Operation) -> SSAValue:
        """Append `op`, and return its result."""
        self.block.add_op(op)
        return op.results[0]

    def constant(self, value: float, type: AnyFloat) -> SSAValue:
        """A floating-point number."""
        return self.insert(arith.ConstantOp(FloatAttr(value, type)))

    def integer(self, value: int) -> SSAValue:
        """An integer of 64 bits."""
        return self.insert(arith.ConstantOp(IntegerAttr(value, i64)))

    # Conversion.

    def cast(
        self, value: SSAValue, target: Attribute, kind: TypeFn | None = None
    ) -> SSAValue:
        """Convert `value` to the type `target`."""
        unsigned = (kind or self.type_fn) is TypeFn.CAST_UNSIGNED
        source = value.type
        if source == target:
            return value
        if isa(target, ComplexType):
            return self._cast_to_complex(value, target, kind)
        op = None
        if isa(target, IntegerType):
            op = _cast_to_integer(value, target, unsigned)
        elif isinstance(target, AnyFloat):
            op = _cast_to_float(value, target, unsigned)
        if op is None:
            raise UnsupportedPayloadError(
                f"could not cast operand of type {source} to {target}"
            )
        return self.insert(op)

    def _cast_to_complex(
        self, value: SSAValue, target: ComplexType, kind: TypeFn | None
    ) -> SSAValue:
        part = target.element_type
        if isa(value.type, ComplexType):
            real = self.cast(self.insert(complex.ReOp(value)), part, kind)
            imaginary = self.cast(self.insert(complex.ImOp(value)), part, kind)
        elif isinstance(part, AnyFloat):
            real = self.cast(value, part, kind)
            imaginary = self.constant(0.0, part)
        else:
            raise UnsupportedPayloadError(
                f"could not cast operand of type {value.type} to {target}"
            )
        return self.insert(
            complex.CreateOp.create(operands=[real, imaginary], result_types=[target])
        )

    # Functions.

    def unary(self, function: UnaryFn, value: SSAValue) -> SSAValue:
        """Apply a function of one number."""
        type_ = value.type
        if not isinstance(type_, AnyFloat):
            raise UnsupportedPayloadError(
                f"unsupported non numeric type: '{function.value}' is defined on "
                f"floating-point numbers, but got {type_}"
            )
        match function:
            case UnaryFn.RECIPROCAL:
                return self.insert(arith.DivfOp(self.constant(1.0, type_), value))
            case UnaryFn.SQUARE:
                return self.insert(arith.MulfOp(value, value))
            case _:
                return self.insert(_UNARY[function](value))

    def binary(self, function: BinaryFn, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Apply a function of two numbers of one type."""
        if lhs.type != rhs.type:
            raise UnsupportedPayloadError(
                f"'{function.value}' requires the same type for all operands, but got "
                f"{lhs.type} and {rhs.type}"
            )
        kind = _kind_of(lhs.type)
        if kind is None:
            raise UnsupportedPayloadError(
                "Cannot build binary Linalg operation: expects allComplex, "
                f"allFloatingPoint, or allInteger, got {lhs.type} and {rhs.type}"
            )
        op_type = _BINARY[function].get(kind)
        if op_type is None:
            raise UnsupportedPayloadError(
                f"unsupported operation: '{function.value}' on {lhs.type}"
            )
        return self.insert(op_type(lhs, rhs))

    def add(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Add two numbers."""
        return self.binary(BinaryFn.ADD, lhs, rhs)

    def sub(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Subtract two numbers."""
        return self.binary(BinaryFn.SUB, lhs, rhs)

    def mul(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Multiply two numbers."""
        return self.binary(BinaryFn.MUL, lhs, rhs)


def _cast_to_integer(
    value: SSAValue, target: IntegerType, unsigned: bool
) -> Operation | None:
    source = value.type
    if isinstance(source, AnyFloat):
        op_type = arith.FPToUIOp if unsigned else arith.FPToSIOp
        return op_type(value, target)
    if isinstance(source, IndexType):
        return arith.IndexCastOp(value, target)
    if not isa(source, IntegerType) or source.width == target.width:
        return None
    if source.width.data > target.width.data:
        return arith.TruncIOp(value, target)
    return (arith.ExtUIOp if unsigned else arith.ExtSIOp)(value, target)


def _cast_to_float(
    value: SSAValue, target: AnyFloat, unsigned: bool
) -> Operation | None:
    source = value.type
    if isa(source, IntegerType):
        return (arith.UIToFPOp if unsigned else arith.SIToFPOp)(value, target)
    if not isinstance(source, AnyFloat) or source.bitwidth == target.bitwidth:
        return None
    if source.bitwidth > target.bitwidth:
        return arith.TruncFOp(value, target)
    return arith.ExtFOp(value, target)


def _kind_of(type_: Attribute) -> str | None:
    if isinstance(type_, AnyFloat):
        return "float"
    if isa(type_, IntegerType):
        return "bool" if type_.width.data == 1 else "integer"
    return "complex" if isa(type_, ComplexType) else None


_UNARY: dict[UnaryFn, Callable[[SSAValue], Operation]] = {
    UnaryFn.EXP: math.ExpOp,
    UnaryFn.LOG: math.LogOp,
    UnaryFn.ABS: math.AbsFOp,
    UnaryFn.CEIL: math.CeilOp,
    UnaryFn.FLOOR: math.FloorOp,
    UnaryFn.NEGF: arith.NegfOp,
    UnaryFn.ROUND: math.RoundOp,
    UnaryFn.SQRT: math.SqrtOp,
    UnaryFn.RSQRT: math.RsqrtOp,
    UnaryFn.TANH: math.TanhOp,
    UnaryFn.ERF: math.ErfOp,
}

_BINARY: dict[BinaryFn, dict[str, Callable[[SSAValue, SSAValue], Operation]]] = {
    BinaryFn.ADD: {
        "float": arith.AddfOp,
        "integer": arith.AddiOp,
        "bool": arith.OrIOp,
        "complex": complex.AddOp,
    },
    BinaryFn.SUB: {
        "float": arith.SubfOp,
        "integer": arith.SubiOp,
        "complex": complex.SubOp,
    },
    BinaryFn.MUL: {
        "float": arith.MulfOp,
        "integer": arith.MuliOp,
        "bool": arith.AndIOp,
        "complex": complex.MulOp,
    },
    BinaryFn.DIV: {
        "float": arith.DivfOp,
        "integer": arith.DivSIOp,
        "complex": complex.DivOp,
    },
    BinaryFn.DIV_UNSIGNED: {"integer": arith.DivUIOp},
    BinaryFn.MAX_SIGNED: {
        "float": arith.MaximumfOp,
        "integer": arith.MaxSIOp,
        "bool": arith.MaxSIOp,
    },
    BinaryFn.MIN_SIGNED: {
        "float": arith.MinimumfOp,
        "integer": arith.MinSIOp,
        "bool": arith.MinSIOp,
    },
    BinaryFn.MAX_UNSIGNED: {"integer": arith.MaxUIOp},
    BinaryFn.MIN_UNSIGNED: {"integer": arith.MinUIOp},
    BinaryFn.POWF: {"float": math.PowFOp},
}

# Payloads: from one element per operand, the output last, to the new element.

Payload = Callable[[PayloadBuilder, Sequence[SSAValue]], SSAValue]


def unary(function: UnaryFn) -> Payload:
    """`function` of the first element."""
    return lambda b, elements: b.unary(function, elements[0])


def binary(function: BinaryFn) -> Payload:
    """`function` of the first two elements."""
    return lambda b, elements: b.binary(function, elements[0], elements[1])


def select(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    """The second or the third element, as the first says."""
    condition, on_true, on_false = elements[:3]
    if condition.type != IntegerType(1) or on_true.type != on_false.type:
        raise UnsupportedPayloadError(
            "'select' requires an i1 and two operands of one type, but got "
            f"{condition.type}, {on_true.type} and {on_false.type}"
        )
    return b.insert(arith.SelectOp(condition, on_true, on_false))


def copy(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    """The first element, converted."""
    return b.cast(elements[0], b.output_type)


def first(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    """The first element."""
    del b
    return elements[0]


def multiply_add(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    """Add the product of the first two elements to the third."""
    lhs, rhs, accumulator = elements
    lhs = b.cast(lhs, b.output_type)
    rhs = b.cast(rhs, b.output_type)
    return b.add(accumulator, b.mul(lhs, rhs))


def quantized_multiply_add(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    """As `multiply_add`, after subtracting a zero point from each factor."""
    lhs, rhs, lhs_zero, rhs_zero, accumulator = elements
    lhs = b.sub(b.cast(lhs, b.output_type), b.cast(lhs_zero, b.output_type))
    rhs = b.sub(b.cast(rhs, b.output_type), b.cast(rhs_zero, b.output_type))
    return b.add(accumulator, b.mul(lhs, rhs))


def reduce_with(function: BinaryFn, cast: TypeFn = TypeFn.CAST_SIGNED) -> Payload:
    """`function` of the output and the first element."""

    def payload(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
        element = b.cast(elements[0], b.output_type, cast)
        return b.binary(function, elements[-1], element)

    return payload


def random_number(b: PayloadBuilder, elements: Sequence[SSAValue]) -> SSAValue:
    """A number between the first two elements, from the position and a seed.

    Two steps of a linear congruential generator; `linalg.fill_rng_2d` defines it.
    """
    low, high, seed = elements[:3]
    offset = b.cast(b.integer(2**31 - 1), f64)
    column = b.insert(arith.IndexCastOp(b.insert(IndexOp(1)), i32))
    row = b.insert(arith.IndexCastOp(b.insert(IndexOp(0)), i32))
    state = b.add(column, _next_random(b, b.add(row, seed)))
    state = b.add(offset, b.cast(_next_random(b, state), f64))
    scale = b.mul(b.sub(high, low), b.constant(2.3283063999999999e-10, f64))
    return b.cast(b.add(b.mul(state, scale), low), b.output_type)


def _next_random(b: PayloadBuilder, state: SSAValue) -> SSAValue:
    factor = b.cast(b.integer(1103515245), i32)
    return b.add(b.mul(state, factor), b.cast(b.integer(12345), i32))


def elementwise(kind: ElementwiseKind) -> Payload:
    """What `linalg.elementwise` computes."""
    if kind.value in tuple(UnaryFn):
        return unary(UnaryFn(kind.value))
    if kind.value in tuple(BinaryFn):
        return binary(BinaryFn(kind.value))
    return select


def elementwise_arity(kind: ElementwiseKind) -> int:
    """How many inputs `linalg.elementwise` has."""
    if kind.value in tuple(UnaryFn):
        return 1
    return 2 if kind.value in tuple(BinaryFn) else 3


def build_payload(
    payload: Payload,
    types: Sequence[Attribute],
    cast: TypeFn = TypeFn.CAST_SIGNED,
) -> Region:
    """The region of an op whose operands have elements of `types`, one output last.

    Raises `UnsupportedPayloadError` if `payload` is not defined on these types.
    """
    block = Block(arg_types=types)
    builder = PayloadBuilder(block, cast)
    result = payload(builder, block.args)
    if result.type != builder.output_type:
        raise UnsupportedPayloadError(
            f"type of yield operand 1 ({result.type}) doesn't match the element type "
            f"of the output ({builder.output_type})"
        )
    block.add_op(create(YieldOp, operands=[result]))
    return Region(block)
