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
from typing import Any, Final, NamedTuple

from xdsl.dialects.builtin import FunctionType, SymbolRefAttr
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

from .signatures import Signatures, is_about_elements
from .symbols import lookup_symbol

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


# Whether a call has the function that it names, without a search for the function.
#
#     func.call @f(%x) : (f32) -> f32      // @f is in the table, and takes an f32: fine
#
# xDSL 0.74 goes through the ops of the module for each call: the time to verify grows
# with the square of the functions. Here a call is accepted if that is simple to see. In
# all other cases xDSL decides, and says what is wrong.


_FUNCTIONS: Final = {
    "xdsl.dialects.func": "func.func",
    "xdsl.dialects.llvm": "llvm.func",
}
"""What calls may name, by the module of the call."""


def has_its_callee(op: Operation, trait: OpTrait) -> bool:
    """Whether a trait is the check of a call of xDSL, and accepts the call."""
    check = type(trait)
    function = _FUNCTIONS.get(check.__module__)
    if function is None or check.__name__ != "CallOpSymbolUserOpInterface":
        return False
    name = op.properties.get("callee")
    callee = lookup_symbol(op, name) if isinstance(name, SymbolRefAttr) else None
    if callee is None or callee.name != function:
        return False
    if type(callee).__module__ != check.__module__:
        return False
    return function == "llvm.func" or _fits(op, callee.properties.get("function_type"))


def _fits(call: Operation, type_: object) -> bool:
    return (
        isinstance(type_, FunctionType)
        and type_.inputs.data == tuple(value.type for value in call.operands)
        and type_.outputs.data == tuple(value.type for value in call.results)
    )
