"""What each stage did, on the standard error output, for who looks for a fault.

    $ XBUF_DEBUG=passes,kernels xbuf run mlp.mlir
    debug: pass fuse-elementwise-ops: 1.4 ms, 31 ops -> 28 ops
    debug: pass default-tpp-passes: 210.9 ms, 31 ops -> 87 ops
    debug: kernel xsmm_gemm_invoke(1, 64, 64, 64, 64, 64, 64, 0): generated
    debug: 1 kernel made in 9.6 ms

Nobody pays for what is not asked for: a stage looks at the variable once.
"""

import os
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from .escaping import in_terminal

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.passes import ModulePass

VARIABLE: Final = "XBUF_DEBUG"

PASSES: Final = "passes"
DECISIONS: Final = "decisions"
KERNELS: Final = "kernels"
WORDS: Final = (PASSES, DECISIONS, KERNELS)

_running: ContextVar[tuple["ModulePass", ...]] = ContextVar("_running", default=())
"""The passes that are running, the innermost last."""


def wants(word: str) -> bool:
    """Whether somebody asked for what a kind of stages did.

    Raises a `PassFailedException` if the variable has a word that is none of `WORDS`.
    """
    given = os.environ.get(VARIABLE)
    return given is not None and word in _words_of(given)


@lru_cache(maxsize=8)
def _words_of(given: str) -> frozenset[str]:
    if (problem := problem_of(given)) is not None:
        # Imported here: loaded code runs without xDSL.
        from xdsl.utils.exceptions import PassFailedException

        raise PassFailedException(f"{VARIABLE}: {problem}")
    return _split(given)


def _split(given: str) -> frozenset[str]:
    return frozenset(filter(None, map(str.strip, given.split(","))))


def problem_of(given: str) -> str | None:
    """What is wrong with the words in the variable, in one line."""
    unknown = sorted(_split(given) - {*WORDS})
    if not unknown:
        return None
    return f"there is no '{unknown[0]}'; the words are {', '.join(WORDS)}"


def say(text: str) -> None:
    """Write a line to the standard error output."""
    sys.stderr.write(f"{in_terminal(f'debug: {text}')}\n")


def say_kernel(name: str, description: Sequence[int], where: str) -> None:
    """Say where a kernel comes from; its numbers are those of its dispatch."""
    say(f"kernel {name}({', '.join(map(str, description))}): {where}")


@contextmanager
def observed(pass_: "ModulePass", module: "Operation") -> Generator[None]:
    """Say what a pass did, if somebody asked, indented by the passes around it.

    A pass that calls the method of its base class is one pass.
    """
    around = _running.get()
    if not wants(PASSES) or (around and around[-1] is pass_):
        yield
        return
    token = _running.set((*around, pass_))
    before = _count(module)
    start = time.perf_counter()
    try:
        yield
    finally:
        took = time.perf_counter() - start
        _running.reset(token)
        what = f"{before} ops -> {_count(module)} ops"
        indent = "  " * len(around)
        say(f"{indent}pass {pass_.name}: {milliseconds(took)}, {what}")


def _count(module: "Operation") -> int:
    from .traversal import ops_inside

    return len(ops_inside(module))


def milliseconds(seconds: float) -> str:
    """A time as it is said."""
    return f"{seconds * 1000:.1f} ms"
