"""How the work of a transformation grows with a program, without a clock."""

import sys
from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp

Transform = Callable[[ModuleOp], object]


def count_calls(transform: Transform, module: ModuleOp) -> int:
    """The number of Python functions that a transformation calls."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        transform(module)
    finally:
        sys.setprofile(None)
    return calls


def growth(transform: Transform, small: ModuleOp, large: ModuleOp) -> float:
    """How many times as much work a larger program is."""
    return count_calls(transform, large) / count_calls(transform, small)
