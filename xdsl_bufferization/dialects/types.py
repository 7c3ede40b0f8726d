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
    same = True
    if isinstance(first, ShapedType) and isinstance(second, ShapedType):
        same = first.get_num_dims() == second.get_num_dims() and all(
            a == b or DYNAMIC_INDEX in (a, b)
            for a, b in zip(first.get_shape(), second.get_shape(), strict=True)
        )
    if isa(first, ContainerType) and isa(second, ContainerType):
        same = same and first.get_element_type() == second.get_element_type()
    if not same:
        raise VerifyException(
            f"{first} and {second} differ in shape or element type; only layout and "
            "memory space may differ"
        )
