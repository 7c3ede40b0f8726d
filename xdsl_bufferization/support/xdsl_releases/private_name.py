"""A private name of xDSL: what it is for, and what is done in a release without it."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class PrivateName:
    """An attribute of a class of xDSL that begins with an underscore, or is hidden."""

    module: str
    """The module of xDSL that defines the class."""

    owner: str
    """The class."""

    name: str

    reason: str
    """What the name is for here, and why no public name will do."""

    without: str
    """What is done if xDSL has no such name."""

    wish: str
    """What xDSL could have instead."""

    check: Callable[[], bool] | None = None
    """Whether xDSL has what is hidden, where looking for the name does not tell."""

    def is_there(self) -> bool:
        """Whether the release of xDSL that is installed has the name."""
        if self.check is not None:
            return self.check()
        owner: Any = getattr(import_module(self.module), self.owner, None)
        if owner is None:
            return False
        if self.name == "__dict__":
            return owner.__dictoffset__ != 0
        known = {each.name for each in fields(owner)} if is_dataclass(owner) else ()
        return (
            hasattr(owner, self.name)
            or self.name in known
            or self.name in getattr(owner, "__annotations__", ())
        )
