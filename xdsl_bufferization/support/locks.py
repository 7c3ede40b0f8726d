"""Locks that no fork of the process copies while they are held.

    _LOCK = fork_safe_lock()        # instead of threading.RLock()

A fork copies the memory of a process, and of its threads the one that forks. A lock
that another thread holds would stay locked in the child, and what it guards half done.
So a fork waits until it has all locks, and then parent and child release them. Locks
that somebody waits for in another order cannot stop a fork: it takes all or none.
"""

import os
import threading
from collections.abc import Callable
from typing import Final, Generic, NamedTuple, Protocol, TypeVar, TypeVarTuple

_Arguments = TypeVarTuple("_Arguments")
_Answer = TypeVar("_Answer")


class _Lock(Protocol):
    def acquire(self, blocking: bool = True) -> bool: ...

    def release(self) -> None: ...


class _Pair(NamedTuple):
    """A lock of machine code, which is held for short times and waits for no other."""

    take: Callable[[], object]
    give_back: Callable[[], object]


_locks: Final[list[_Lock]] = []
_pairs: Final[list[_Pair]] = []
_children: Final[list[Callable[[], object]]] = []


def fork_safe_lock() -> threading.RLock:  # pyright: ignore[reportGeneralTypeIssues]
    """A lock for the life of the process; a thread that has it may take it again."""
    lock = threading.RLock()
    hold_lock_during_forks(lock)
    return lock


def hold_lock_during_forks(lock: _Lock) -> None:
    """Let forks wait for a lock that one thread may take several times."""
    _locks.append(lock)


def hold_during_forks(
    take: Callable[[], object], give_back: Callable[[], object]
) -> None:
    """The same for a lock with functions of its own, within which no other is taken."""
    _pairs.append(_Pair(take, give_back))


def call_in_children(function: Callable[[], object]) -> None:
    """Call a function in each child, before it goes on."""
    _children.append(function)


class _Once(Generic[*_Arguments, _Answer]):
    """A function whose answers are kept."""

    def __init__(self, function: Callable[[*_Arguments], _Answer]) -> None:
        self._function = self.__wrapped__ = function
        self._known: dict[tuple[*_Arguments], _Answer] = {}

    def __call__(self, *arguments: *_Arguments) -> _Answer:
        if arguments in self._known:
            return self._known[arguments]
        with _ONCE:
            if arguments not in self._known:
                self._known[arguments] = self._function(*arguments)
            return self._known[arguments]

    def cache_clear(self) -> None:
        """Forget all answers."""
        self._known.clear()


def computed_once(
    function: Callable[[*_Arguments], _Answer],
) -> _Once[*_Arguments, _Answer]:
    """`functools.cache` for what is to exist once, whichever threads ask for it.

    With `cache`, each thread that asks early computes an answer, and all but one are
    dropped. Compiled code would be left with addresses of functions that are gone.
    """
    return _Once(function)


_ONCE: Final = fork_safe_lock()


def _before() -> None:
    while (busy := _take_all()) is not None:
        busy.acquire()  # Wait until it is free, and begin anew.
        busy.release()
    for pair in _pairs:
        pair.take()


def _take_all() -> _Lock | None:
    """Take all locks; or none, and return one that is taken."""
    taken: list[_Lock] = []
    for lock in _locks:
        if not lock.acquire(blocking=False):
            for each in taken:
                each.release()
            return lock
        taken.append(lock)
    return None


def _after() -> None:
    for pair in _pairs:
        pair.give_back()
    for lock in _locks:
        lock.release()


def _after_in_child() -> None:
    _after()
    for function in _children:
        function()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before, after_in_parent=_after, after_in_child=_after_in_child
    )
