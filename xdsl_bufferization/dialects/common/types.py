"""What verifiers ask about shaped types."""

from xdsl.dialects.builtin import DYNAMIC_INDEX, ContainerType, ShapedType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa


def verify_same_contents(first: Attribute, second: Attribute) -> None:
    """Two tensors or buffers hold as many elements, of one type, as far as they say.

    A dynamic size agrees with any other, and an unranked type with any shape. Layout
    and memory space may differ.
    """
    if not (
        have_compatible_shapes(first, second) and have_same_element_type(first, second)
    ):
        raise VerifyException(
            f"{first} and {second} differ in shape or element type; only layout and "
            "memory space may differ"
        )


def have_compatible_shapes(first: Attribute, second: Attribute) -> bool:
    """Whether two types may describe one shape; if either is unranked, they may."""
    if not isinstance(first, ShapedType) or not isinstance(second, ShapedType):
        return True
    return first.get_num_dims() == second.get_num_dims() and all(
        a == b or DYNAMIC_INDEX in (a, b)
        for a, b in zip(first.get_shape(), second.get_shape(), strict=True)
    )


def have_same_element_type(first: Attribute, second: Attribute) -> bool:
    """Whether two tensors, buffers or vectors hold elements of one type."""
    if not isa(first, ContainerType) or not isa(second, ContainerType):
        return True
    return first.get_element_type() == second.get_element_type()
