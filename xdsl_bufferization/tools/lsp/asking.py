"""Asks the child, and starts another one where it takes too long.

    asking = Asking()
    found = await asking.ask(question)      None if the question was dropped
    asking.drop()                           kills the child in the middle of a question

One question is asked at a time. A second child is kept ready, as starting one takes a
second.
"""

import asyncio
import pickle
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from typing import Final, TypeAlias

from .child import LENGTH_BYTES, Early, packed

_START: Final = "import sys; sys.path[:] = {!r}; from {}.child import main; main()"
"""Starts a child that finds what this process finds, and no file of a workspace."""

SECONDS: Final = 120.0
"""So long a question may take."""


Hear: TypeAlias = Callable[[object], None]
"""Is given a part of an answer, before the child knows all of it."""


class TooLongError(Exception):
    """A question took too long, or the child died of it."""


class _Child:
    """A process that answers."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.asked_at: float | None = None
        """When it was given the question that it works on."""
        self.has_question = asyncio.Event()
        """Not set while it is given a question, which may be longer than a pipe."""
        self.has_question.set()
        self._is_ready = False
        self._is_killed = False

    @classmethod
    async def start(cls) -> "_Child":
        """Start a process; it gets ready by itself."""
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-c",
                _START.format(sys.path, __package__),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                limit=1 << 30,
            )
        )

    async def ask(self, question: object, hear: Hear) -> object:
        """The answer to a question."""
        if not self._is_ready:
            await self._read()
            self._is_ready = True
        await self._give(question)
        found = await self._read()
        while isinstance(found, Early):
            hear(found.answer)
            found = await self._read()
        self.asked_at = None
        return found

    async def _give(self, question: object) -> None:
        stream = self.process.stdin
        assert stream is not None
        self.asked_at = time.monotonic()
        stream.transport.set_write_buffer_limits(0)
        self.has_question.clear()
        try:
            stream.write(packed(question))
            await stream.drain()
        finally:
            self.has_question.set()

    async def _read(self) -> object:
        assert self.process.stdout is not None
        length = await self.process.stdout.readexactly(LENGTH_BYTES)
        size = int.from_bytes(length, "little")
        return pickle.loads(await self.process.stdout.readexactly(size))

    def kill(self) -> None:
        """Kill the process, once: Python reaps one that is dead when it kills it."""
        if not self._is_killed and self.process.returncode is None:
            self._is_killed = True
            self.process.kill()

    async def end(self) -> None:
        """Kill the process, and wait until it is gone."""
        self.kill()
        if self.process.stdin is not None:
            self.process.stdin.close()
        await self.process.wait()


class Asking:
    """Asks one child after the other."""

    def __init__(self) -> None:
        self._child: asyncio.Task[_Child] | None = None
        self._spare: asyncio.Task[_Child] | None = None
        self._turn = asyncio.Lock()
        self._current: _Child | None = None
        self._is_dropped = False
        self._is_closed = False
        self._ending: set[asyncio.Task[None]] = set()

    def warm(self) -> None:
        """Have a child, and a second one for the time after it."""
        if self._child is None:
            self._child = self._spare or asyncio.ensure_future(_Child.start())
            self._spare = None

    async def ask(self, question: object, hear: Hear = lambda _: None) -> object | None:
        """The answer; None if the question was dropped.

        `hear` is given what is known of it before. Raises a `TooLongError` if there is
        none.
        """
        async with self._turn:
            if self._is_closed:
                return None
            self.warm()
            assert self._child is not None
            child = self._current = await self._child
            self._is_dropped = False
            try:
                async with asyncio.timeout(SECONDS):
                    found = await child.ask(question, hear)
            except (
                asyncio.IncompleteReadError,
                BrokenPipeError,
                ConnectionResetError,
                TimeoutError,
            ) as error:
                self._replace(child)
                if self._is_dropped:
                    return None
                raise TooLongError from error
            else:
                if self._is_dropped:  # The child had answered before it was killed.
                    self._replace(child)
                return found
            finally:
                self._current = None
                self._have_spare()

    async def has_question(self) -> None:
        """Wait until the child has all of the question that is to be asked now."""
        # A task that was just made to ask has to run before it has a child.
        await asyncio.sleep(0)
        if self._current is not None:
            await self._current.has_question.wait()

    def busy_for(self) -> float:
        """So many seconds a child has worked on a question; 0 while it starts."""
        at = None if self._current is None else self._current.asked_at
        return 0.0 if at is None else time.monotonic() - at

    @property
    def is_dropping(self) -> bool:
        """Whether the question that is asked now gets no answer any more."""
        return self._current is not None and self._is_dropped

    def drop(self) -> None:
        """Kill the child, if it is in the middle of a question."""
        if self._current is not None:
            self._is_dropped = True
            self._current.kill()

    def _replace(self, child: _Child) -> None:
        self._child = None
        ending = asyncio.ensure_future(child.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    def _have_spare(self) -> None:
        if self._spare is None and self._child is not None and not self._is_closed:
            self._spare = asyncio.ensure_future(_Child.start())

    async def close(self) -> None:
        """End all children."""
        self._is_closed = True
        started = (task for task in (self._child, self._spare) if task is not None)
        children = [await task for task in started]
        await asyncio.gather(*(child.end() for child in children), *self._ending)
