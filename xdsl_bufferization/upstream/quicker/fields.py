"""The fields of an op are checked once for each signature.

    arith.addf : (f32, f32) -> f32      // checked
    arith.addf : (f32, f32) -> f32      // the same types: fine

Traits are about the place of an op, and are checked for each op. So is an array of
numbers, such as the offsets of a slice, which most ops have others of.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation
from xdsl.irdl import (
    AttrConstraint,
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    AttrSizedSuccessorSegments,
    OpDef,
    ParamAttrConstraint,
    VerificationContext,
)
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.common.signatures import Signatures


class _Known(NamedTuple):
    """What is known of a definition."""

    fields: OpDef
    """The definition, kept so that no other gets its identity."""

    sound: Signatures
    apart: dict[str, AttrConstraint]
    """The constraints of properties that are checked for each op."""


_known: dict[int, _Known] = {}
_checks: dict[int, tuple[frozenset[OpTrait], tuple[OpTrait, ...]]] = {}

_SIZES = (
    AttrSizedOperandSegments.attribute_name,
    AttrSizedResultSegments.attribute_name,
    AttrSizedRegionSegments.attribute_name,
    AttrSizedSuccessorSegments.attribute_name,
)
"""Arrays that say which operands belong to which field."""


def verify_once(in_xdsl: Callable[[OpDef, Operation], None]) -> Callable[..., None]:
    """`OpDef.verify`, of which the part about fields is done once for a signature."""

    def verify(self: OpDef, op: Operation) -> None:
        known = _known.get(id(self))
        if known is None:
            known = _known[id(self)] = _of(self)

        def check(op: Operation) -> None:
            in_xdsl(self, op)

        if known.sound.check(op, check):
            return
        for name, constraint in known.apart.items():
            if not _fits(op, name, constraint):
                in_xdsl(self, op)
        for trait in _traits_to_check(self.traits.traits):
            trait.verify(op)

    return verify


def _of(fields: OpDef) -> _Known:
    apart = {
        name: field.constr
        for name, field in fields.properties.items()
        if _is_of_array(field.constr) and name not in _SIZES
    }
    return _Known(fields, Signatures(fields.attributes, apart=apart), apart)


def _is_of_array(constraint: AttrConstraint) -> bool:
    """Whether a constraint is about an array of numbers, and nothing else is."""
    if not isinstance(constraint, ParamAttrConstraint) or constraint.variables():
        return False
    return cast("ParamAttrConstraint[Any]", constraint).base_attr is DenseArrayBase


def _fits(op: Operation, name: str, constraint: AttrConstraint) -> bool:
    attribute = op.properties.get(name)
    if attribute is None:
        # Its name is part of the signature.
        return True
    try:
        constraint.verify(attribute, VerificationContext())
    except VerifyException:
        return False
    return True


def _traits_to_check(traits: frozenset[OpTrait]) -> tuple[OpTrait, ...]:
    """Those that check anything, in the same order."""
    entry = _checks.get(id(traits))
    if entry is None:
        checking = (each for each in traits if type(each).verify is not OpTrait.verify)
        entry = _checks[id(traits)] = traits, tuple(checking)
    return entry[1]
