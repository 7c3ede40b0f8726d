"""Whether two objects have the same in their fields, also in fields of no dataclass.

same_contents(trait, other)
"""

from xdsl.traits import OpTrait

from .private_name import PrivateName

CONTENTS = PrivateName(
    "xdsl.traits",
    "OpTrait",
    "__dict__",
    reason="xDSL compares the class and the dataclass fields of traits, which leaves "
    "out what a class that is no dataclass stores in its instances.",
    without="Traits are compared as xDSL compares them.",
    wish="Let traits that are no dataclasses compare what they store.",
)


def same_contents(one: OpTrait, other: OpTrait) -> bool:
    """Whether two traits that xDSL takes for equal have the same in all fields."""
    return getattr(one, "__dict__", None) == getattr(other, "__dict__", None)
