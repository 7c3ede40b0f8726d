"""The fields of an op are checked once for each signature.

    arith.addf : (f32, f32) -> f32      // checked
    arith.addf : (f32, f32) -> f32      // the same types: fine

`verify_itself` is `op.verify_()` in fewer steps, and `verify_as` is the method `verify`
of a definition. xDSL 0.74 checks all constraints of each op. Traits are
about the place of an op, and are checked for each op.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from xdsl.ir import Operation, OpTraits
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    AttrSizedSuccessorSegments,
    OpDef,
)
from xdsl.traits import OpTrait

from xdsl_bufferization.support.xdsl_releases.custom_checks import definition_in

from .callees import has_its_callee
from .signatures import Signatures, is_about_elements

_SIZES = (
    AttrSizedOperandSegments.attribute_name,
    AttrSizedResultSegments.attribute_name,
    AttrSizedRegionSegments.attribute_name,
    AttrSizedSuccessorSegments.attribute_name,
)
"""Arrays that say which operands belong to which field."""

_Verify = Callable[[Any], None]


class _Known(NamedTuple):
    """What is known of a definition."""

    definition: OpDef
    """The definition, kept so that no other gets its identity."""

    fields: OpDef
    """The definition without traits."""

    sound: Signatures


_known: dict[int, _Known] = {}
_checks: dict[int, tuple[frozenset[OpTrait], tuple[OpTrait, ...]]] = {}


def verify_itself(op: Operation) -> None:
    """Verify an op as its class says, without what is nested in it.

    Raises a `VerifyException` without a place.
    """
    definition, verify = _steps(type(op).verify_)
    if definition is not None:
        verify_as(op, definition)
    verify(op)


def verify_as(op: Operation, definition: OpDef) -> None:
    """Check the fields and traits of an op, as the method of a definition does."""
    verify_fields(op, definition)
    for trait in _traits_to_check(definition.traits.traits):
        if not has_its_callee(op, trait):
            trait.verify(op)


def verify_fields(op: Operation, definition: OpDef) -> None:
    """Check the fields of an op alone."""
    known = _known.get(id(definition))
    if known is None:
        known = _known[id(definition)] = _know(definition)
    known.sound.check(op, known.fields.verify)


def _know(definition: OpDef) -> _Known:
    fields = replace(definition, traits=OpTraits(lambda: ()))
    arrays = {
        name
        for name, field in definition.properties.items()
        if is_about_elements(field.constr) and name not in _SIZES
    }
    return _Known(definition, fields, Signatures(definition.attributes, arrays=arrays))


@cache
def _steps(verify: _Verify) -> tuple[OpDef | None, _Verify]:
    """The definition that a method checks, if any, and the check that comes then."""
    return definition_in(verify) or (None, verify)


def _traits_to_check(traits: frozenset[OpTrait]) -> tuple[OpTrait, ...]:
    """Those that check anything, in the same order."""
    entry = _checks.get(id(traits))
    if entry is None:
        checking = (each for each in traits if type(each).verify is not OpTrait.verify)
        entry = _checks[id(traits)] = traits, tuple(checking)
    return entry[1]
