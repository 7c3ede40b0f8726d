"""Work in a thread with room, and Ctrl-C while somebody waits for its end."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from xdsl_bufferization.support.interrupts import deferred_interrupts
from xdsl_bufferization.support.nesting import has_room, in_room


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
