"""Make the changes in xDSL, once in a process, when this package is first used.

    activate()              # on the first load of a pass or target of ours
    attach_definitions()    # where passes of ours, or patterns of ours, are to run

Before that, xDSL is as it is without this package. Afterwards it reads, prints and
verifies more, and refuses nothing that it accepted.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from xdsl_bufferization.support.locks import fork_safe_lock
from xdsl_bufferization.support.xdsl_releases.class_members import own_members

from ..common.definitions import EXTENDED_DIALECTS, load_extension
from .attach import attach_knowledge, correct
from .change import Change
from .changes import CHANGES
from .first_use import on_first_use
from .guard import aside
from .of_dialects import corrections_of
from .verify import widen_class

_LOCK = fork_safe_lock()

_MADE: dict[str, Any] = {}
"""What was put in place, by the name of the change."""

_ASIDE: dict[str, str] = {}
"""Why a change was not made, by the short name of the change."""

_RETIRED: list[str] = []
"""The faults that the installed xDSL does not have any more."""

_LOOK_UPS = frozenset({"Operation.get_trait", "Operation.get_traits_of_type"})
"""The changes that attach what is known of a dialect when a trait is asked for."""


def activate() -> None:
    """Make the changes; a second call does nothing, whichever thread it is from.

    The ops of a dialect are corrected when somebody first asks for a trait of one.
    """
    with _LOCK:
        _activate()


@cache
def _activate() -> None:
    for change in CHANGES:
        _make(change)
    on_first_use(_correct_dialect)


def _correct_dialect(dialect: str) -> None:
    for correction in corrections_of(dialect):
        if not correction.is_needed():
            _RETIRED.append(correction.fault)
            continue
        for op_type in correction.op_types:
            correct(op_type, correction.kind, correction.trait)


def _make(change: Change) -> None:
    name = change.full_name
    before = own_members(change.owner).get(change.name)
    if name in _MADE and before is _MADE[name]:
        return  # Ctrl-C has ended an earlier call.
    if (why := aside(change)) is not None:
        _ASIDE[change.short_name] = why
        return
    _MADE[name] = change.replace(before)
    setattr(change.owner, change.name, _MADE[name])


def stood_aside() -> Mapping[str, str]:
    """The changes that were not made so far, by short name, and why.

    A change is not made in a method of xDSL that it was not written for: see `guard`.
    """
    return MappingProxyType(_ASIDE)


def retired() -> frozenset[str]:
    """The faults, among those looked for so far, that xDSL has mended by itself."""
    return frozenset(_RETIRED)


def asks_first() -> bool:
    """Whether a look-up of traits attaches what is known of a dialect.

    If xDSL's look-up is another one than that of the change, nothing asks.
    """
    return not _LOOK_UPS & _ASIDE.keys()


def attach_definitions() -> None:
    """Give xDSL's ops the effects and canonicalization patterns of MLIR's definitions.

    From then on `canonicalize`, `cse` and `dce` of xDSL do more than before.
    """
    activate()
    with _LOCK:
        _attach_definitions()


@cache
def _attach_definitions() -> None:
    for dialect in EXTENDED_DIALECTS:
        attach_definitions_of(dialect)


@cache
def attach_definitions_of(dialect: str) -> None:
    """Do that for the ops of one dialect."""
    if dialect in EXTENDED_DIALECTS:
        for definition in load_extension(dialect).definitions.values():
            attach_knowledge(definition.op_type, *definition.new_traits)
            if "Operation.verify" in _ASIDE:
                widen_class(definition)
