"""`stablehlo.bitcast_convert`, also between elements of different sizes.

    tensor<4x2xui32>  ->  tensor<4xui64>      the first of two has the low bits
    tensor<4xf32>     ->  tensor<4x4xui8>     the low bits come first

Source: https://openxla.org/stablehlo/spec#bitcast_convert
"""

from collections.abc import Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import ComplexType, IntegerType
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.dialects.stablehlo.elementwise import BitcastConvertOp
from xdsl_bufferization.support.errors import fail_at

from .element_builder import ElementBuilder
from .payloads import write_elementwise
from .types import bits_of, signless
from .writer import PARALLEL, Value, Values, Writer, identity, result_type


def write_bitcast(op: BitcastConvertOp, writer: Writer) -> Sequence[Value]:
    """Each element by itself if the sizes are equal; else parts of elements."""
    before, after = bits_of(op.element()), bits_of(op.result_element)
    if before == after:
        return write_elementwise(op, writer)
    if ComplexType in map(type, (op.element(), op.result_element)) or 1 in (
        before,
        after,
    ):
        fail_at(
            op,
            f"'{op.name}' from {op.element()} to {op.result_element} is not lowered; "
            "types of the same number of bits are, and numbers that are not complex",
        )
    return [_join(op, writer) if before < after else _split(op, writer)]


def _join(op: BitcastConvertOp, writer: Writer) -> Value:
    """The elements of the last dimension become one."""
    source, type_ = writer[op.values[0]].as_tensor(), result_type(op)
    rank, width = type_.get_num_dims(), bits_of(op.element())
    wide = IntegerType(bits_of(type_.element_type))
    element = signless(op.element())

    def body(code: ElementBuilder, _: Values) -> Values:
        at = [code.value(IndexOp(d)) for d in range(rank)]
        whole: SSAValue | None = None
        for number in range(op.shape()[-1]):
            index = [*at, code.index(number)]
            get = tensor.ExtractOp(source, index, element)
            bits = code.bits(code.value(get), IntegerType(width))
            part = code.value(arith.ExtUIOp(bits, wide))
            amount = code.number(number * width, wide)
            part = code.value(arith.ShLIOp(part, amount))
            whole = part if whole is None else code.value(arith.OrIOp(whole, part))
        assert whole is not None
        return [code.bits(whole, type_.element_type)]

    output = writer.empty(type_), identity(rank)
    (result,) = writer.generic([], [output], [PARALLEL] * rank, body)
    return writer.of_tensor(result)


def _split(op: BitcastConvertOp, writer: Writer) -> Value:
    """The parts of an element become the last dimension."""
    type_ = result_type(op)
    rank, width = type_.get_num_dims(), bits_of(type_.element_type)
    wide = IntegerType(bits_of(op.element()))

    def body(code: ElementBuilder, arguments: Values) -> Values:
        bits = code.bits(arguments[0], wide)
        number = code.value(IndexOp(rank - 1))
        number = code.value(arith.IndexCastOp(number, wide))
        amount = code.multiply(number, code.number(width, wide))
        part = code.value(arith.ShRUIOp(bits, amount))
        part = code.value(arith.TruncIOp(part, IntegerType(width)))
        return [code.bits(part, type_.element_type)]

    source = writer[op.values[0]].as_tensor()
    inputs = [(source, tuple(map(AffineDimExpr, range(rank - 1))))]
    output = writer.empty(type_), identity(rank)
    (result,) = writer.generic(inputs, [output], [PARALLEL] * rank, body)
    return writer.of_tensor(result)
