"""Programs that are nested deeply: up to 2,000 levels, where Python takes 50.

    scf.for ... { scf.for ... { scf.for ... { ... } } }     1,000 loops

xDSL's parser, printer and verifier call themselves for each level, and so do passes.
Python stops a function that calls itself too often. Work on a deep program is done in a
thread with room: a large stack, and a limit that is as high as the stack allows.

    in_room(lambda: parse(text))               # in such a thread
    where_it_fits(module, lambda: f(module))   # there if the module is deep, else here

Memory for the stack is taken from the system as it is used. In a browser, Python has no
threads, and the work is done here. The stack of Chromium is enough for 220 levels.
"""

import io
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from types import TracebackType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from .frames import in_one_piece
from .interrupts import deferred_interrupts, raise_in
from .locks import fork_safe_lock

if TYPE_CHECKING:
    # `xbuf --help` is quick, and needs no compiler.
    from xdsl.ir import Operation

_T = TypeVar("_T")

_HAS_THREADS: Final = sys.platform not in ("emscripten", "wasi")
"""Whether a thread can be started."""

MOST_LEVELS: Final = 2000 if _HAS_THREADS else 220
"""How deep operations, attributes, types and expressions of a text may be nested."""

SHALLOW_LEVELS: Final = 24
"""So deep a program may be that everybody can work on it, wherever they are called."""

_FRAMES: Final = 150_000
"""How many calls may be in each other in a thread with room: 75 for each level."""

_STACK_BYTES: Final = (1 << 29, 1 << 27)
"""Sizes of the stack; the first that there is room for goes. A call takes 1 kB."""

_SECONDS: Final = 0.1
"""So long an error may take to arrive: nothing wakes a thread that waits for it."""

_has_room: ContextVar[bool] = ContextVar("_has_room", default=False)
_LOCK: Final = fork_safe_lock()


class NeedsRoomError(Exception):
    """A program is nested more deeply than can be worked on here.

    A parser raises it before it is too late. Whoever has called it calls it again, in a
    thread with room.
    """

    def __init__(self, text: str):
        super().__init__("the program needs a thread with room")
        self.text = text
        """All of the program."""


def has_room() -> bool:
    """Whether this is a thread with room."""
    return _has_room.get()


def in_room(work: Callable[[], _T]) -> _T:
    """What `work` returns, called in a thread with room; its errors are raised here.

    Raises a `RecursionError` for what does not end, and never overflows the stack.
    """
    if has_room():
        return work()
    if not _HAS_THREADS:
        with _more_frames():
            return copy_context().run(_with_room, work)
    room = _Room(work)
    with _more_frames():
        room.enter()
    return room.result()


def free_traceback(error: BaseException) -> None:
    """Free what an error has gone through, place by place; for who has described it.

    Python frees a traceback by functions that call themselves for each place. Hundreds
    of levels take more of a browser's stack than Python knows of.
    """
    errors = [error]
    for each in errors:
        errors += [
            other
            for other in (each.__cause__, each.__context__)
            if other is not None and other not in errors
        ]
    for each in errors:
        places: list[TracebackType] = []
        place, each.__traceback__ = each.__traceback__, None
        while place is not None:
            places.append(place)
            place = place.tb_next
        for outer in places:
            outer.tb_next = None


def _with_room(work: Callable[[], _T]) -> _T:
    _has_room.set(True)
    return in_one_piece(work)


_is_run_again: ContextVar[bool] = ContextVar("_is_run_again", default=False)


def is_run_again() -> bool:
    """Whether all of what runs now is run again if a program needs room."""
    return _is_run_again.get()


def run_where_it_fits(work: Callable[[], _T]) -> _T:
    """What `work` returns, called again in a thread with room if a program needs it.

    Nothing else may have happened when `work` reads the program.
    """
    token = _is_run_again.set(True)
    try:
        return in_one_piece(work)
    except NeedsRoomError as error:
        text = error.text
    finally:
        _is_run_again.reset(token)
    with _standard_input(text):
        return in_room(work)


@contextmanager
def _standard_input(text: str) -> Generator[None]:
    """The text is there to be read again, if the program came from there."""
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def needs_room(op: "Operation") -> bool:
    """Whether `op` has more levels inside than can be worked on anywhere."""
    from .xdsl_releases.notes import noted

    return noted(op, _NOTE) is not None or _is_deep(op)


def note_needs_room(op: "Operation") -> None:
    """Note that something in `op` is nested deeply, attributes perhaps."""
    from .xdsl_releases.notes import note

    note(op, _NOTE)


def where_it_fits(op: "Operation", work: Callable[[], _T]) -> _T:
    """What `work` returns, called in a thread with room if it is on a deep `op`."""
    if not has_room() and needs_room(op):
        return in_room(work)
    return in_one_piece(work)


_NOTE = "needs_room"
"""The attribute of an object of an op that something nested deeply was read into."""


def _is_deep(op: "Operation") -> bool:
    """Whether regions inside of `op` are deeply nested, however deep they are."""
    level, outer = 0, [op]
    while outer:
        level += 1
        inner: list[Operation] = []
        for around in outer:
            for region in around.regions:
                block = region.first_block
                if block is not None and level > SHALLOW_LEVELS:
                    return True
                while block is not None:
                    each = block.first_op
                    while each is not None:
                        if each.regions:
                            inner.append(each)
                        each = each.next_op
                    block = block.next_block
        outer = inner
    return False


class _Room(Generic[_T]):
    """A thread in which one piece of work is done."""

    _error: BaseException | None = None
    _thread: threading.Thread | None = None

    def __init__(self, work: Callable[[], _T]) -> None:
        self._work = work
        self._context = copy_context()
        # In Python 3.11, a thread counts as over when Ctrl-C has ended a `join`.
        self._is_over = threading.Event()

    def enter(self) -> None:
        """Do the work, and wait for its end."""
        pending: type[BaseException] | None = None
        try:
            # The thread is there or not, and nobody has to find out.
            with deferred_interrupts():
                self._thread = self._start()
        except BaseException as error:
            if self._thread is None:
                raise
            pending = type(error)
        while not self._is_over.is_set():
            try:
                if pending is not None and raise_in(self._thread, pending):
                    pending = None
                self._is_over.wait(_SECONDS)
            except BaseException as error:  # Ctrl-C, or a signal handler's.
                pending = type(error)

    def result(self) -> _T:
        """What the work has returned, or its error."""
        error, self._error = self._error, None
        if error is not None:
            raise error
        return self._result

    def _start(self) -> threading.Thread:
        with _LOCK:
            for size in _STACK_BYTES:
                before = threading.stack_size(size)
                try:
                    thread = threading.Thread(target=self._run, daemon=True)
                    thread.start()
                except RuntimeError:
                    continue
                finally:
                    threading.stack_size(before)
                return thread
        raise MemoryError("there is no room for a thread with a large stack")

    def _run(self) -> None:
        try:
            self._result = self._context.run(_with_room, self._work)
        except BaseException as error:
            self._error = error
        finally:
            self._is_over.set()


class _Limit:
    """How many calls may be in each other, for all threads of the process."""

    users = 0
    before = 0


@contextmanager
def _more_frames() -> Generator[None]:
    with _LOCK:
        if _Limit.users == 0:
            _Limit.before = sys.getrecursionlimit()
        _Limit.users += 1
        sys.setrecursionlimit(max(_FRAMES, _Limit.before))
    try:
        yield
    finally:
        with _LOCK:
            _Limit.users -= 1
            if _Limit.users == 0:
                sys.setrecursionlimit(_Limit.before)
