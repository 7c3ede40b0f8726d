"""What is said, once, when PyTorch computes what cannot be compiled.

FallbackWarning: xbuf: PyTorch computes a graph of 1 ops, as aten.rand.default draws
random numbers, and compiled code would draw others than PyTorch
"""

import warnings

_said: set[str] = set()


class FallbackWarning(UserWarning):
    """A graph, or a call, is computed by PyTorch instead of native code."""


def say_once(message: str) -> None:
    """Warn, once for each message in this process."""
    if message not in _said:
        _said.add(message)
        warnings.warn(f"xbuf: {message}", FallbackWarning, stacklevel=3)


def forget_what_was_said() -> None:
    """Say everything once more."""
    _said.clear()


def reason_of(error: Exception) -> str:
    """The line of an error that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
