"""Large constants of equal elements, kept as one element.

    dense<1.0> : tensor<200000000xf32>     # four bytes, not 800 MB

xDSL 0.74 keeps all bytes of a constant. A large splat has `SplatBytes` in their place.
Its field `data` makes all bytes when somebody asks for them, so that code that knows
nothing of splats goes on as before. Our own code asks `splat_of`.
"""

import sys
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar, TypeVar, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    RankedStructure,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.support.repeated import Repeated

LARGE_BYTES = 1 << 16
"""Constants of fewer bytes are kept as in xDSL."""

_WIDEST = 64
"""How many bits an integer has at most of which xDSL has constants with many elements.
"""

_Element = TypeVar("_Element", bound=AnyDenseElement)


class _Subclass:
    """Stands before an attribute of xDSL that has a subclass, which xDSL forbids."""

    def __init_subclass__(cls) -> None:
        """Nothing, which keeps the method of xDSL's attribute from being called."""


@dataclass(frozen=True, init=False, eq=False)
class SplatBytes(_Subclass, BytesAttr):
    """The bytes of a splat: one element, and how often it stands there."""

    name: ClassVar[str] = BytesAttr.name
    repeated: Repeated

    def __init__(self, repeated: Repeated) -> None:
        object.__setattr__(self, "repeated", repeated)

    @property
    @override
    def data(self) -> bytes:  # pyright: ignore[reportIncompatibleVariableOverride], made when it is asked for
        """All bytes."""
        return self.repeated.whole()

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, SplatBytes) and self.repeated == other.repeated

    @override
    def __hash__(self) -> int:
        return hash(self.repeated)


def splat_bytes(element: bytes, shape: tuple[int, ...]) -> BytesAttr:
    """The bytes of a constant of that shape whose elements are all the same.

    Raises a `VerifyException` for more elements than can be counted in 64 bits.
    """
    count = prod(shape)
    if count > sys.maxsize:
        raise VerifyException(f"a constant of {count} elements is too large")
    repeated = Repeated(element, count)
    if repeated.size < LARGE_BYTES:
        return BytesAttr(repeated.whole())
    return SplatBytes(repeated)


def splat(
    type_: RankedStructure[_Element], element: bytes
) -> DenseIntOrFPElementsAttr[_Element]:
    """The constant of that type whose elements all have these bytes."""
    return DenseIntOrFPElementsAttr(type_, splat_bytes(element, type_.get_shape()))


def splat_of(constant: DenseIntOrFPElementsAttr[Any]) -> Repeated | None:
    """The one element of a constant; None if its elements differ, or if it has none."""
    if isinstance(constant.data, SplatBytes):
        return constant.data.repeated
    data = constant.data.data
    size = element_size(constant.get_element_type())
    # Shifted by one element it is the same.
    if not data or data[size:] != data[:-size]:
        return None
    return Repeated(data[:size], len(data) // size)


def has_constants(type_: Attribute) -> bool:
    """Whether xDSL has constants of tensors and vectors with elements of a type."""
    if not isinstance(type_, IntegerType):
        return True
    return cast("IntegerType", type_).width.data <= _WIDEST


def element_size(type_: AnyDenseElement) -> int:
    """The bytes of an element of a constant.

    Raises a `VerifyException` for types of which xDSL has no constants.
    """
    try:
        return type_.compile_time_size
    except NotImplementedError:
        raise VerifyException(f"constants of {type_} are not supported") from None


def length(constant: DenseIntOrFPElementsAttr[Any]) -> int:
    """How many elements a constant has."""
    if isinstance(constant.data, SplatBytes):
        return constant.data.repeated.count
    return len(constant.data.data) // element_size(constant.get_element_type())


def from_list(
    type: RankedStructure[_Element], data: Any
) -> DenseIntOrFPElementsAttr[_Element]:
    """The constant with these elements; one alone stands for all."""
    element_type = type.get_element_type()
    element_size(element_type)
    if isinstance(element_type, IntegerType):
        data = tuple(map(element_type.get_normalized_value, data))
    if isa(element_type, ComplexType[IntegerType]):
        normal = element_type.element_type.get_normalized_value
        data = tuple((normal(real), normal(imaginary)) for real, imaginary in data)
    packed = cast(
        "AnyFloat | IntegerType | IndexType | ComplexType[Any]", element_type
    ).pack(data)
    if len(data) == 1:
        return splat(type, packed)
    return DenseIntOrFPElementsAttr(type, BytesAttr(packed))
