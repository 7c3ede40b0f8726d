"""Element types: which kind they are of, and the same types without signs.

    tensor<4xui32>   ->   tensor<4xi32>

Arithmetic of MLIR takes integers without signs. An op of StableHLO says by its type
whether they have one; so a rule asks the type of the old op, and writes the new type.
"""

from enum import Enum, auto
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute

from xdsl_bufferization.support.errors import fail_at


class Kind(Enum):
    """What an op has to know of elements."""

    BOOL = auto()
    SIGNED = auto()
    UNSIGNED = auto()
    FLOAT = auto()
    COMPLEX = auto()


_FLOATS = {"f16", "bf16", "f32", "f64"}


def kind_of(op: Operation, element: Attribute) -> Kind:
    """The kind of an element type; an error at `op` for one that is not lowered."""
    if isinstance(element, IntegerType):
        integer = cast("IntegerType", element)
        if integer.width.data == 1:
            return Kind.BOOL
        is_unsigned = integer.signedness.data is Signedness.UNSIGNED
        return Kind.UNSIGNED if is_unsigned else Kind.SIGNED
    if isinstance(element, ComplexType):
        return Kind.COMPLEX
    if str(element) not in _FLOATS:
        fail_at(
            op,
            f"elements of type {element} are not lowered; convert them to f32, f64, "
            "f16, bf16, integers or complex numbers",
        )
    return Kind.FLOAT


def bits_of(element: Attribute) -> int:
    """How many bits an element has."""
    if isinstance(element, ComplexType):
        return 2 * bits_of(cast("ComplexType[Any]", element).element_type)
    return cast("IntegerType | AnyFloat", element).bitwidth


def signless(attribute: Attribute) -> Attribute:
    """The attribute or type with integers without signs in place of all others."""
    if isinstance(attribute, IntegerType):
        return IntegerType(cast("IntegerType", attribute).width.data)
    if isinstance(attribute, DictionaryAttr):
        return DictionaryAttr({k: signless(v) for k, v in attribute.data.items()})
    if isinstance(attribute, ArrayAttr):
        elements = cast("ArrayAttr[Attribute]", attribute).data
        return ArrayAttr([signless(each) for each in elements])
    if isinstance(attribute, DenseIntOrFPElementsAttr | DenseResourceAttr):
        return _with_type(attribute)
    if isinstance(attribute, IntegerAttr):
        return _signless_number(cast("IntegerAttr[Any]", attribute))
    if isinstance(attribute, TensorType | MemRefType | FunctionType):
        return _with_parameters(cast(ParametrizedAttribute, attribute))
    return attribute


def signless_tensor(type_: Attribute) -> TensorType[Any]:
    """The type of a tensor with integers without signs."""
    return cast("TensorType[Any]", signless(type_))


def _with_type(attribute: Any) -> Attribute:
    type_ = signless(attribute.type)
    if type_ == attribute.type:
        return attribute
    return attribute.new(
        [type_ if each == attribute.type else each for each in attribute.parameters]
    )


def _with_parameters(attribute: ParametrizedAttribute) -> Attribute:
    old = attribute.parameters
    new = [signless(each) for each in old]
    return attribute if new == [*old] else attribute.new(new)


def _signless_number(attribute: "IntegerAttr[Any]") -> Attribute:
    type_: Any = signless(attribute.type)
    if type_ == attribute.type:
        return attribute
    return IntegerAttr(wrapped(attribute.value.data, type_), type_)


def wrapped(value: int, type_: IntegerType) -> int:
    """The number with the same bits, from -2**(n-1) up to 2**(n-1)."""
    width = type_.width.data
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) and width > 1 else value
