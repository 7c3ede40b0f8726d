"""The fields of an op are checked once for each signature.

    arith.addf : (f32, f32) -> f32      // checked
    arith.addf : (f32, f32) -> f32      // the same types: fine

Traits are about the place of an op, and are checked for each op.
"""

from collections.abc import Callable
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    AttrSizedSuccessorSegments,
    OpDef,
)
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.common.signatures import Signatures, is_about_elements

_SIZES = (
    AttrSizedOperandSegments.attribute_name,
    AttrSizedResultSegments.attribute_name,
    AttrSizedRegionSegments.attribute_name,
    AttrSizedSuccessorSegments.attribute_name,
)
"""Arrays that say which operands belong to which field."""


class _Known(NamedTuple):
    """What is known of a definition."""

    fields: OpDef
    """The definition, kept so that no other gets its identity."""

    sound: Signatures


_known: dict[int, _Known] = {}
_checks: dict[int, tuple[frozenset[OpTrait], tuple[OpTrait, ...]]] = {}


def verify_once(in_xdsl: Callable[[OpDef, Operation], None]) -> Callable[..., None]:
    """`OpDef.verify`, of which the part about fields is done once for a signature."""

    def verify(self: OpDef, op: Operation) -> None:
        known = _known.get(id(self))
        if known is None:
            known = _known[id(self)] = _Known(self, _signatures(self))

        def check(op: Operation) -> None:
            in_xdsl(self, op)

        if not known.sound.check(op, check):
            for trait in _traits_to_check(self.traits.traits):
                trait.verify(op)

    return verify


def _signatures(fields: OpDef) -> Signatures:
    arrays = {
        name
        for name, field in fields.properties.items()
        if is_about_elements(field.constr) and name not in _SIZES
    }
    return Signatures(fields.attributes, arrays=arrays)


def _traits_to_check(traits: frozenset[OpTrait]) -> tuple[OpTrait, ...]:
    """Those that check anything, in the same order."""
    entry = _checks.get(id(traits))
    if entry is None:
        checking = (each for each in traits if type(each).verify is not OpTrait.verify)
        entry = _checks[id(traits)] = traits, tuple(checking)
    return entry[1]
