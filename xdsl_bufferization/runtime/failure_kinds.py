"""What can stop compiled code, and how the code tells its caller.

The lowering numbers the places where a program can fail, from 1. Code that fails passes
the number and a few values to `FAIL`, which never returns. A caller in this process
gets an exception with the text of that number. An object for C has the text in it.

    cf.assert %c, "no"            ->  Failure("a.mlir:3:5", "cf.assert", "no")
    llvm.call @_xbuf_fail(1, 0, 0, 0)

The runtime and the lowering share this file and `abi.py`, and nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FAIL: Final = "_xbuf_fail"
"""`void (i64 number, i64, i64, i64)`: end the call with the failure of that number."""

FAIL_AFTER_LOOP: Final = "_xbuf_fail_after_loop"
"""`void (ptr call)`: end the call if an iteration of a shared loop has failed."""

CURRENT_CALL: Final = "_xbuf_current_call"
"""`ptr ()`: the call that this thread carries out."""

GUARD_ITERATIONS: Final = "_xbuf_guard_iterations"
"""`void (ptr function, ptr data, i64 start, i64 end, ptr call)`: call a function with
data and iterations. A failure ends the function, and is kept for `call`."""

TRACK: Final = "_xbuf_track"
"""`void (ptr allocated, i64 number)`: note an allocation, to be freed if the call
fails; the number is for when there is no memory for the note."""

UNTRACK: Final = "_xbuf_untrack"
"""`void (ptr allocated, i64 number)`: forget an allocation, which is freed next. Fails
with the number if the call did not allocate it or has freed it."""

CHECK_STACK: Final = "_xbuf_check_stack"
"""`void (i64 bytes, i64 number)`: fail unless the stack has room for so many bytes."""

FAILURE_FUNCTIONS: Final = frozenset(
    {
        FAIL,
        FAIL_AFTER_LOOP,
        CURRENT_CALL,
        GUARD_ITERATIONS,
        TRACK,
        UNTRACK,
        CHECK_STACK,
    }
)
"""All of these, which the runtime serves."""

VALUES: Final = 3
"""How many values a failure can show."""


@dataclass(frozen=True)
class Failure:
    """One way in which one operation of a program can fail."""

    place: str
    """`file:line:col`; empty where the program has no places."""

    op: str
    """The name of the operation."""

    reason: str
    """What is found; `{0}` to `{2}` stand for values."""

    is_memory: bool = False
    """Whether memory is lacking, and the program need not be wrong."""

    def text(self, values: Sequence[int | str]) -> str:
        """The reason with values, as `str.format` writes them."""
        return self.reason.format(*values)


def escaped(text: str) -> str:
    """Text of a program as part of a `reason`, in which braces stand for values."""
    return text.replace("{", "{{").replace("}", "}}")
