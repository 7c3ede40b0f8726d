"""A change is made only in the method of xDSL that it was written for.

    aside(change)     # None, or why the change is not made

xDSL's next release may rename a method, give it a parameter or write it anew. The
change then stands aside: xDSL's method stays, and programs compile as before, slower,
or with less that is read. `xbuf --version` says which changes stand aside.

A method is known by a digest of its source text. Docstrings and comments count, since
what they say may be what the change relies on; indentation and empty lines do not.
"""

import hashlib
import linecache
from collections.abc import Iterator
from itertools import count
from types import CodeType, FunctionType

from xdsl_bufferization.support.xdsl_releases.class_members import own_members

from .change import Change
from .known_methods import KNOWN_METHODS


def aside(change: Change) -> str | None:
    """Why a change is not made, as the end of a sentence; None if it is made."""
    known = KNOWN_METHODS.get(change.short_name, ())
    there = digest_of(change)
    if there in known:
        return None
    if there is None:
        return "xDSL has no such method, or not its source text"
    return "xDSL's method is not one that the change was written for"


def digest_of(change: Change) -> str | None:
    """What a method is known by; None without source text.

    `"absent"` where the class leaves the method to its base classes, as it should for
    changes that add a method.
    """
    method = own_members(change.owner).get(change.name)
    if method is None:
        return "absent" if hasattr(change.owner, change.name) else None
    lines = [line for code in _codes(method, []) for line in _lines(code)]
    if not lines:
        return None
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _codes(method: object, seen: list[object]) -> Iterator[CodeType]:
    """The code of a method, and of the functions that its decorators keep."""
    function = getattr(method, "fget", None) or getattr(method, "__func__", method)
    if not isinstance(function, FunctionType) or function in seen:
        return
    seen.append(function)
    yield function.__code__
    for cell in function.__closure__ or ():
        yield from _codes(cell.cell_contents, seen)


def _lines(code: CodeType) -> Iterator[str]:
    """The source text of a method, from its first decorator to its last line.

    `inspect.getsource` splits all of it into tokens, which takes 20 times as long.
    """
    indent = None
    for number in count(code.co_firstlineno):
        line = linecache.getline(code.co_filename, number)
        text = line.strip()
        if not line:
            return
        if not text:
            continue
        depth = len(line) - len(line.lstrip())
        if indent is not None and depth <= indent and text[0] != ")":
            return
        if indent is None and text.startswith(("def ", "async def ")):
            indent = depth
        yield text
