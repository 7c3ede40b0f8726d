"""Locks that forks wait for, and what is computed once for all threads."""

import threading

import pytest

from xdsl_bufferization.support import locks
from xdsl_bufferization.support.locks import computed_once, fork_safe_lock


def test_a_fork_waits_for_locks_that_are_taken_in_any_order(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(locks, "_locks", [])
    monkeypatch.setattr(locks, "_pairs", [])
    first, second = fork_safe_lock(), fork_safe_lock()
    has_both, may_end = threading.Event(), threading.Event()

    def take_both() -> None:
        with second, first:
            has_both.set()
            assert may_end.wait(60)

    other = threading.Thread(target=take_both)
    other.start()
    assert has_both.wait(60)
    forks = threading.Thread(target=locks._before)  # pyright: ignore[reportPrivateUsage]
    forks.start()
    assert forks.is_alive()
    may_end.set()
    forks.join(60)
    other.join(60)
    assert not forks.is_alive()
    # The thread that forks has both.
    assert not first.acquire(blocking=False)
    assert not second.acquire(blocking=False)


def test_what_is_computed_once_is_one_object():
    is_computing, may_end = threading.Event(), threading.Event()
    calls: list[int] = []

    @computed_once
    def make(number: int) -> object:
        calls.append(number)
        is_computing.set()
        assert may_end.wait(60)
        return object()

    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(make(1))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert is_computing.wait(60)
    may_end.set()
    for thread in threads:
        thread.join()
    assert calls == [1]
    assert all(each is found[0] for each in found)
    make.cache_clear()
    assert make(1) is not found[0]
