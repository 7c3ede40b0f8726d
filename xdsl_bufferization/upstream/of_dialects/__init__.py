"""What is changed in dialects of xDSL, a module for each of these dialects.

To import all of these dialects takes long. So the changes of a dialect are made when
somebody first asks for a trait or an attribute of the dialect.
Not here: changes that every program needs (`changes.py`).
"""

from functools import cache
from importlib import import_module
from typing import Final

from xdsl_bufferization.upstream.change import Change

CHANGED_DIALECTS: Final = ("cf", "complex", "memref", "scf")


@cache
def changes_of(dialect: str) -> tuple[Change, ...]:
    """The changes of one dialect."""
    if dialect not in CHANGED_DIALECTS:
        return ()
    changes: tuple[Change, ...] = import_module(f"{__name__}.{dialect}").CHANGES
    return changes
