"""Ctrl-C while compiled code calls Python, as it does to print or to get a kernel.

    with deferred_interrupts():
        compiled(...)            # a KeyboardInterrupt is raised when this has returned

Python runs the handlers of signals between two steps of any function, also of one that
compiled code has called. There is no way through compiled code for an exception of a
handler: ctypes would drop it, and the code would go on with a result that nobody has
computed. So the handlers wait until the call has returned.

Code that calls no Python needs none of this. Handlers cannot run inside of it.
"""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any, Final

from .locks import fork_safe_lock

_DEFERRED: Final = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP")
    if hasattr(signal, name)
)
"""The signals whose handlers usually raise an exception."""

_QUICK: Final[Any] = import_module("_signal")
"""What `signal` calls: to make enumerations of handlers takes most of its time."""

_LOCK: Final = fork_safe_lock()
_deferring: Final[dict[int, int]] = {}
"""How many such blocks each thread is in, by its number."""


@contextmanager
def deferred_interrupts() -> Generator[None]:
    """Call the handlers of signals that arrive inside at the end, in their order."""
    number = threading.get_ident()
    with _LOCK:
        depth = _deferring[number] = _deferring.get(number, 0) + 1
    try:
        if depth > 1 or threading.current_thread() is not threading.main_thread():
            yield  # Handlers run in the main thread only.
        else:
            with _noted_signals():
                yield
    finally:
        _leave(number, depth)


def _leave(number: int, depth: int) -> None:
    with _LOCK:
        if depth > 1:
            _deferring[number] = depth - 1
        else:
            _deferring.pop(number, None)


@contextmanager
def _noted_signals() -> Generator[None]:
    arrived: list[tuple[int, FrameType | None]] = []

    def note(number: int, frame: FrameType | None) -> None:
        arrived.append((number, frame))

    handlers: dict[int, Any] = {}
    try:
        for number in _DEFERRED:
            # Those of C, and the default of the system, do not raise.
            if callable(handler := _QUICK.getsignal(number)):
                handlers[number] = handler
                _QUICK.signal(number, note)
        yield
    finally:
        for number, handler in handlers.items():
            if _QUICK.getsignal(number) is note:
                _QUICK.signal(number, handler)
        for number, frame in arrived:
            handlers[number](number, frame)


def raise_in(thread: threading.Thread, error: type[BaseException]) -> bool:
    """Raise an error in a thread, at the next step that it takes in Python.

    False if the thread is in `deferred_interrupts`: nothing is raised then.
    """
    import ctypes  # For this alone.

    assert thread.ident is not None
    with _LOCK:
        if thread.ident in _deferring:
            return False
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(error)
        )
        return True
