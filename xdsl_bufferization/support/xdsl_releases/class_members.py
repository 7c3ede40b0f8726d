"""What a class of ops has of its own: the fields that xDSL adds, and its methods.

own_members(arith.AddiOp)["lhs"]      # what reads the field
"""

from collections.abc import Mapping
from typing import Any

from .private_name import PrivateName

MEMBERS = PrivateName(
    "xdsl.irdl.operations",
    "IRDLOperation",
    "__dict__",
    reason="Formats look the fields of an op up in its class, and not in the classes "
    "that it derives from. A class that takes the place of another one needs all that "
    "xDSL has added to that.",
    without="Nothing: all classes of Python have such a table.",
    wish="Let formats look fields up with `getattr`.",
    check=lambda: True,
)


def own_members(cls: type[Any]) -> Mapping[str, Any]:
    """What a class has itself, by name; nothing that it inherits."""
    return vars(cls)
