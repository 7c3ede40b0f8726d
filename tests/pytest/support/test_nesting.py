"""Work in a thread with room, and Ctrl-C while somebody waits for its end."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from xdsl_bufferization.support import nesting
from xdsl_bufferization.support.interrupts import deferred_interrupts
from xdsl_bufferization.support.nesting import free_traceback, has_room, in_room


@pytest.fixture(autouse=True)
def python_handles_interrupts() -> Iterator[None]:
    """As in any program; where tests run at the same time, nobody does."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_work_has_room():
    assert in_room(has_room)
    assert not has_room()


def test_an_interrupt_ends_the_work():
    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass

    with pytest.raises(KeyboardInterrupt):
        in_room(work)


def test_an_interrupt_waits_for_compiled_code():
    """A call that is in Python again must not end there."""
    ended: list[str] = []
    is_seen = threading.Event()

    def note(*_: object) -> None:
        is_seen.set()
        raise KeyboardInterrupt

    def work() -> None:
        with deferred_interrupts():
            os.kill(os.getpid(), signal.SIGINT)
            assert is_seen.wait(60)
            for _ in range(100_000):
                pass
            ended.append("the call")
        while True:
            pass

    signal.signal(signal.SIGINT, note)
    with pytest.raises(KeyboardInterrupt):
        in_room(work)
    assert ended == ["the call"]


def test_an_error_that_another_thread_raises_arrives():
    """In a thread other than the first one, which signals do not wake."""
    code = """
import threading
from xdsl_bufferization.support import nesting
from xdsl_bufferization.support.interrupts import raise_in
from xdsl_bufferization.support.nesting import in_room
started, outcome = threading.Event(), []
def work():
    started.set()
    while True:
        pass
def wait():
    try:
        in_room(work)
    except KeyboardInterrupt:
        outcome.append("interrupted")
thread = threading.Thread(target=wait, daemon=True)
thread.start()
assert started.wait(60)
while not raise_in(thread, KeyboardInterrupt):
    pass
thread.join(60)
assert outcome == ["interrupted"]
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_without_threads_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser, where Python has none."""
    monkeypatch.setattr(nesting, "_HAS_THREADS", False)
    limit = sys.getrecursionlimit()
    assert in_room(threading.current_thread) is threading.current_thread()
    assert in_room(has_room)
    assert in_room(sys.getrecursionlimit) > limit
    assert not has_room()
    assert sys.getrecursionlimit() == limit


def test_a_traceback_is_freed_with_those_of_its_causes() -> None:
    def fail(levels: int) -> None:
        if levels:
            fail(levels - 1)
        raise ValueError("inner")

    try:
        try:
            fail(3)
        except ValueError as inner:
            raise TypeError("outer") from inner
    except TypeError as error:
        cause = error.__cause__
        assert cause is not None
        place = cause.__traceback__
        assert place is not None
        assert place.tb_next is not None
        free_traceback(error)
        assert error.__traceback__ is None
        assert cause.__traceback__ is None
        assert place.tb_next is None
