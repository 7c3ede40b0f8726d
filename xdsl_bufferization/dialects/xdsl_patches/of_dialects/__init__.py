"""What is corrected of ops of xDSL, a module for each of their dialects.

To import all of these dialects takes long. So the corrections of a dialect are attached
when somebody first asks for a trait of one of its ops.
Not here: changes in classes of xDSL (`changes.py`).
"""

from functools import cache
from importlib import import_module
from typing import Final

from ..correction import Correction

CORRECTED_DIALECTS: Final = ("cf", "complex", "memref", "scf")


@cache
def corrections_of(dialect: str) -> tuple[Correction, ...]:
    """The corrections of one dialect."""
    if dialect not in CORRECTED_DIALECTS:
        return ()
    module = import_module(f"{__name__}.{dialect}")
    corrections: tuple[Correction, ...] = module.CORRECTIONS
    return corrections


def all_corrections() -> tuple[Correction, ...]:
    """The corrections of all dialects."""
    return tuple(
        each for dialect in CORRECTED_DIALECTS for each in corrections_of(dialect)
    )
