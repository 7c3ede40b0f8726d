"""Which function of a program is called, if the caller names none.

func.func @f(...)                              @f, the only public function
func.func @f(...), func.func @entry(...)       @entry
func.func @f(...), func.func @main(...)        @main
func.func @f(...), func.func @g(...)           an error that lists both
"""

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from .signatures import public_functions


class EntryError(LookupError):
    """A program does not have the function that is to be called."""


def find_entry(module: ModuleOp, wanted: str | None, option: str) -> FuncOp:
    """The function to call: `wanted`, the only public one, `@entry`, or `@main`.

    Raises `EntryError`. `option` is where the caller chooses, for the error.
    """
    by_name = {each.sym_name.data: each for each in public_functions(module)}
    usual = [*by_name] if len(by_name) == 1 else ["entry", "main"]
    for name in (wanted,) if wanted else usual:
        if (function := by_name.get(name)) is not None:
            return function
    if not by_name:
        raise EntryError("there is no public function with a body to run")
    names = ", ".join(f"@{each}" for each in by_name)
    if wanted is not None:
        raise EntryError(f"there is no public function @{wanted}; there is {names}")
    raise EntryError(f"choose a function with {option}: {names}")
