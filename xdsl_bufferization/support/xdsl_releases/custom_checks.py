"""What a class of ops checks beside the fields and traits of its definition.

definition_in(AddiOp.verify_)     # the definition, and what is checked after that
"""

import inspect
from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import OpDef

from .private_name import PrivateName

_DEFINITION, _CUSTOM = "op_def", "custom_verify"


def _is_there() -> bool:
    return definition_in(ModuleOp.verify_) is not None


CUSTOM = PrivateName(
    "xdsl.irdl.operations",
    "IRDLOperation",
    f"verify_.<locals>.{_CUSTOM}",
    reason="The fields of ops with equal types are checked once. xDSL's method checks "
    "them for each op, before what the class itself checks.",
    without="The fields of each op are checked: all takes more time.",
    wish="A method of `IRDLOperation` for each of the two checks.",
    check=_is_there,
)


def definition_in(
    verify: Callable[[Any], None],
) -> tuple[OpDef, Callable[[Any], None]] | None:
    """The definition that a method `verify_` checks, and the check that comes then.

    None for other methods. xDSL's decorator makes such a method of the one that the
    class had before.
    """
    if not inspect.isfunction(verify) or verify.__module__ != OpDef.__module__:
        return None
    variables = inspect.getclosurevars(verify).nonlocals
    definition, custom = variables.get(_DEFINITION), variables.get(_CUSTOM)
    if isinstance(definition, OpDef) and custom is not None:
        return definition, custom
    return None
