"""What the ops on tensors accept, and how their verifiers count."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorTypeConstr,
    AnyUnrankedTensorTypeConstr,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

RANKED = AnyTensorTypeConstr
ANY_TENSOR = AnyTensorTypeConstr | AnyUnrankedTensorTypeConstr


def ranked_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of a value that an op's definition says to be a ranked tensor."""
    if not isinstance(type_ := value.type, TensorType):
        raise VerifyException(f"expected a ranked tensor, but got {type_}")
    return cast(TensorType[Attribute], type_)


def verify_dynamic_sizes(dynamic_sizes: Sequence[SSAValue], type_: Attribute) -> None:
    """One operand for each dynamic size of the result type."""
    if not isinstance(type_, TensorType):
        return
    expected = type_.get_shape().count(DYNAMIC_INDEX)
    if len(dynamic_sizes) != expected:
        raise VerifyException(
            f"incorrect number of dynamic sizes, has {len(dynamic_sizes)}, expected "
            f"{expected}"
        )
