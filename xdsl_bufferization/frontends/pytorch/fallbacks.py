"""What is said, once, when PyTorch computes what cannot be compiled.

FallbackWarning: xbuf: PyTorch computes a graph of 1 ops, as aten.rand.default draws
random numbers, and compiled code would draw others than PyTorch
"""

import re
import warnings
from pathlib import Path
from textwrap import shorten
from typing import Any, Final

from .differences import name_of
from .frameworks import torch

_MOST_CHARACTERS: Final = 80
"""Of a line of the user's program."""

_PLACE: Final = re.compile(
    r'File "(?P<file>[^"]+)", line (?P<line>\d+), in .*\n\s*(?P<text>.+)'
)
"""The last place of what PyTorch keeps of the user's program with an op."""

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


def place_in(graph: Any, reason: str) -> str:
    """Where the user's program asks for the op that a reason names; else nothing.

    ` (net.py:7: return torch.fft.fft(y).real + 1)`
    """
    for node in graph.nodes:
        trace = node.meta.get("stack_trace")
        if node.op == "call_function" and trace and name_of(node) in reason:
            found = [None, *_PLACE.finditer(trace)]
            library = str(Path(torch().__file__).parent)
            # Not where PyTorch calls itself.
            own = (each for each in found if each and library not in each["file"])
            *_, place = [found[-1], *own]
            if place is not None:
                text = shorten(place["text"], _MOST_CHARACTERS, placeholder=" ...")
                return f" ({place['file']}:{place['line']}: {text})"
    return ""


def reason_of(error: Exception) -> str:
    """The line of an error that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
