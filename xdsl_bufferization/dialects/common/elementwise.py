"""Constraints and checks that the elementwise ops of arith and math share.

An elementwise op works on scalars, or on vectors or tensors of them of one shape.
Sources: the traits `SameOperandsAndResultShape` and `ElementwiseMappable` in
https://mlir.llvm.org/docs/Traits/
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from typing_extensions import TypeVar, override
from xdsl.dialects.builtin import (
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
    container_of,
    i1,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IntConstraint, MessageConstraint
from xdsl.irdl.constraints import InferenceContext, VerificationContext
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self, have_compatible_shape

BOOL_LIKE = MessageConstraint(container_of(IntegerType(1)), "must be bool-like")
"""`i1`, or a vector or tensor of `i1`."""


def with_element_type(type_: Attribute, element_type: Attribute) -> Attribute:
    """`element_type` for a scalar, else a container of it in the shape of `type_`."""
    if isa(type_, VectorType):
        return VectorType(element_type, type_.shape, type_.scalable_dims)
    if isa(type_, TensorType):
        return TensorType(element_type, type_.shape, type_.encoding)
    return element_type


@dataclass(frozen=True)
class BoolsOf(AttrConstraint[Attribute]):
    """The truth values of a comparison of what has the type `variable`."""

    variable: str

    @override
    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        BOOL_LIKE.verify(attr, constraint_context)
        compared = constraint_context.get_variable(self.variable)
        if compared is not None and attr != with_element_type(compared, i1):
            raise VerifyException(
                "result type has i1 element type and same shape as operands: "
                f"'{attr}' does not fit '{compared}'"
            )

    @override
    def can_infer(self, var_constraint_names: AbstractSet[str]) -> bool:
        return self.variable in var_constraint_names

    @override
    def infer(self, context: InferenceContext) -> Attribute:
        compared = context.get_variable(self.variable)
        return i1 if compared is None else with_element_type(compared, i1)

    @override
    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[Attribute]:
        return self


def verify_same_shape(types: Sequence[Attribute]) -> None:
    """All types are scalars, or containers of one kind and of compatible shapes."""
    first = types[0]
    for other in types[1:]:
        is_same = _kind(first) == _kind(other) and have_compatible_shape(first, other)
        if not is_same or _scalable(first) != _scalable(other):
            raise VerifyException(
                "requires the same shape for all operands and results, but got "
                f"'{first}' and '{other}'"
            )


def _kind(type_: Attribute) -> type[Attribute] | None:
    kinds = (VectorType, TensorType, MemRefType)
    return next((kind for kind in kinds if isinstance(type_, kind)), None)


def _scalable(type_: Attribute) -> Attribute | None:
    """Which dimensions of a vector are scalable."""
    return type_.scalable_dims if isinstance(type_, VectorType) else None


def verify_conversion(source: Attribute, target: Attribute) -> None:
    """Same shape: of a tensor, the same sizes are known."""
    verify_same_shape((source, target))
    if not isinstance(source, TensorType) or not isinstance(target, TensorType):
        return
    if source.get_shape() != target.get_shape():
        raise VerifyException(
            "failed to verify that input and output have the same tensor dimensions: "
            f"'{source}' and '{target}'"
        )


def verify_cast(source: Attribute, target: Attribute, *, fits: bool) -> None:
    """Same shape, and the element types are such that the cast `fits`."""
    verify_conversion(source, target)
    if not fits or _encoding(source) != _encoding(target):
        raise VerifyException(
            f"operand type '{source}' and result type '{target}' are cast incompatible"
        )


def _encoding(type_: Attribute) -> Attribute | None:
    return type_.encoding if isinstance(type_, TensorType) else None


def bit_width(type_: Attribute) -> int:
    """The number of bits of an integer or float, or of an element of a container."""
    element_type = get_element_type_or_self(type_)
    return int(getattr(element_type, "bitwidth", 0))
