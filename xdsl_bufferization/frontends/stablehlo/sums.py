"""What the products of matrices and windows are summed in.

    bf16 x bf16 -> bf16    summed in f32, and rounded once, as XLA does
    i8 x i8 -> i32         converted to i32 first

StableHLO leaves the precision open. A sum in bf16 itself is wrong in the first digit
once it has a thousand terms.
"""

from typing import Any, cast

from xdsl.dialects.builtin import Float32Type, TensorType
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp

from .conversions import converted
from .element_builder import ElementBuilder
from .types import Kind, bits_of, kind_of, signless
from .writer import Values, Writer


def sum_element(op: StableHLOOp) -> Attribute:
    """The type that `op` sums in, with its sign."""
    result = op.result_element
    if kind_of(op, result) is not Kind.FLOAT:
        return result
    types = (op.element(0), op.element(1), result, Float32Type())
    return max((each for each in types if kind_of(op, each) is Kind.FLOAT), key=bits_of)


def factor(
    op: StableHLOOp, writer: Writer, number: int, *, keeps_small: bool
) -> SSAValue:
    """An operand with elements of the type that `op` sums in.

    With `keeps_small`, f16 and bf16 are left to be converted element by element, which
    the payload of a named op of linalg does.
    """
    value, old = writer[op.values[number]], op.element(number)
    is_small = kind_of(op, old) is Kind.FLOAT and bits_of(old) == 16
    if keeps_small and is_small:
        return value.as_tensor()
    return _with_elements(op, writer, value.as_tensor(), old, sum_element(op))


def rounded(op: StableHLOOp, writer: Writer, sums: SSAValue) -> SSAValue:
    """Sums with the elements of the result."""
    return _with_elements(op, writer, sums, sum_element(op), op.result_element)


def _with_elements(
    op: StableHLOOp, writer: Writer, value: SSAValue, old: Attribute, new: Attribute
) -> SSAValue:
    if old == new:
        return value

    def body(code: ElementBuilder, arguments: Values) -> Values:
        return [converted(op, code, arguments[0], old, new)]

    shape = cast("TensorType[Any]", value.type).get_shape()
    type_ = TensorType(signless(new), shape)
    (result,) = writer.elementwise([writer.of_tensor(value)], [type_], body)
    return result
