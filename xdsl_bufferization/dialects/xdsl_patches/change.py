"""What a change in xDSL is: one method, and what takes its place.

Change(Printer, "print_op", replace, "why", "what xDSL could have instead")
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Change:
    """One method of one class of xDSL."""

    owner: type[Any]
    """The class of xDSL."""

    name: str
    """The method of the class."""

    replace: Callable[[Any], Any]
    """From what xDSL has to what takes its place."""

    reason: str
    """What the change is for, in a sentence or two."""

    proposal: str
    """What xDSL could have instead, so that the change is no longer needed."""

    @property
    def owner_name(self) -> str:
        """The class with its module."""
        return f"{self.owner.__module__}.{self.owner.__name__}"

    @property
    def short_name(self) -> str:
        """The method, without the module of its class."""
        return f"{self.owner.__name__}.{self.name}"

    @property
    def full_name(self) -> str:
        """The method, with its module."""
        return f"{self.owner_name}.{self.name}"
