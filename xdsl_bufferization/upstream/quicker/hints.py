"""A type hint becomes a constraint once.

    isa(attribute, ArrayAttr[IntegerAttr])

xDSL 0.74 makes the same constraint of the same hint at each call, which takes longer
than the check itself.
"""

from collections.abc import Callable
from typing import Any, Final

_MOST: Final = 1 << 12
"""So many constraints are kept."""


def convert_once(in_xdsl: Callable[..., Any]) -> Callable[..., Any]:
    """`irdl_to_attr_constraint`, which keeps the constraint of a generic class."""
    known: dict[Any, Any] = {}

    def irdl_to_attr_constraint(irdl: Any, *, allow_type_var: bool = False) -> Any:
        # Only `Class[...]` takes long; an attribute may be a hint as well.
        if allow_type_var or getattr(irdl, "__origin__", None) is None:
            return in_xdsl(irdl, allow_type_var=allow_type_var)
        try:
            return known[irdl]
        except KeyError:
            constraint = in_xdsl(irdl)
            if len(known) < _MOST:
                known[irdl] = constraint
            return constraint

    return irdl_to_attr_constraint
