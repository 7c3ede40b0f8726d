"""What has happened to a buffer, also by names of it that joins have made.

    %s = scf.if %c { yield %a } else { yield %b }   // a stand-in: %a if %c, else %b
    memref.dealloc %a                               // has happened to %s where %c holds
    memref.dealloc %s                               // has happened to %a where %c holds

A buffer notes what happens by its own name, and asks the others: the stand-ins that it
may be (`above`), and what it is a stand-in of (`below`). Answers are remembered until
something happens there. A chain of joins is asked once, and not at each of its uses.
"""

from collections.abc import Iterator

from xdsl.ir import Operation

from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE, TRUE

from .buffers import FIELDS, Buffer, Event
from .conditions import Conditions


class Histories:
    """Answers about buffers.

    A buffer that remembers what is above is below one that does, or below none that has
    been asked. So forgetting goes up, or down, until nothing is remembered.
    """

    def __init__(self, conditions: Conditions):
        """Answer by conditions."""
        self._conditions = conditions

    def of(self, buffer: Buffer, name: str) -> int:
        """What has happened to a buffer, by whichever name."""
        found = buffer.condition(name)
        # Most buffers have one name only.
        if buffer.follower is not None:
            found = self._conditions.disjoin(found, self._above(buffer, name))
        if buffer.sources:
            found = self._conditions.disjoin(found, self._below(buffer, name))
        return found

    def since(self, buffer: Buffer, name: str, time: int) -> int:
        """What has happened by its own name, and by stand-ins newer than `time`."""
        conditions = self._conditions
        found = buffer.condition(name)
        when = TRUE
        while buffer.follower is not None and buffer.follower[0].born > time:
            buffer, this = buffer.follower
            when = conditions.conjoin(when, this)
            part = conditions.conjoin(when, buffer.condition(name))
            found = conditions.disjoin(found, part)
        return found

    def _above(self, buffer: Buffer, name: str) -> int:
        """What has happened by the names of stand-ins."""
        path: list[Buffer] = []
        while name not in buffer.above and buffer.follower is not None:
            path.append(buffer)
            buffer = buffer.follower[0]
        conditions = self._conditions
        found = buffer.above.setdefault(name, FALSE)
        for each in reversed(path):
            assert each.follower is not None
            stand_in, when = each.follower
            happened = conditions.disjoin(stand_in.condition(name), found)
            happened = conditions.conjoin(when, happened)
            found = each.above[name] = conditions.given(happened, each.allocated)
        return found

    def _below(self, buffer: Buffer, name: str) -> int:
        """What has happened by the names of what a stand-in may be."""
        waiting = [buffer]
        while waiting:
            each = waiting[-1]
            unknown = [s for s in each.sources if s.sources and name not in s.below]
            waiting += unknown
            if not unknown:
                waiting.pop()
                each.below[name] = self._from_sources(each, name)
        return buffer.below[name]

    def _from_sources(self, buffer: Buffer, name: str) -> int:
        conditions = self._conditions
        found = FALSE
        for source, when in buffer.sources.items():
            happened = source.condition(name)
            if source.sources:
                happened = conditions.disjoin(happened, source.below[name])
            found = conditions.disjoin(found, conditions.conjoin(when, happened))
        return conditions.given(found, buffer.allocated)

    @staticmethod
    def forget(buffer: Buffer) -> None:
        """Something has happened to a buffer: answers about others may be wrong."""
        buffer.above.clear()
        waiting = list(buffer.sources)
        while waiting:
            source = waiting.pop()
            if source.above:
                source.above.clear()
                waiting += source.sources
        follower = buffer.follower
        while follower is not None and follower[0].below:
            follower[0].below.clear()
            follower = follower[0].follower

    def events_of(self, buffer: Buffer) -> Iterator[Event]:
        """What has ended the life of a buffer, by whichever name."""
        yield from buffer.events
        above, when = buffer.follower, TRUE
        while above is not None:
            stand_in, this = above
            when = self._conditions.conjoin(when, this)
            yield from self._where(stand_in, when)
            above = stand_in.follower
        waiting = list(buffer.sources.items())
        while waiting:
            source, when = waiting.pop()
            yield from self._where(source, when)
            for inner, this in source.sources.items():
                both = self._conditions.conjoin(when, this)
                if both != FALSE:
                    waiting.append((inner, both))

    def _where(self, buffer: Buffer, when: int) -> Iterator[Event]:
        for event in buffer.events:
            condition = self._conditions.conjoin(when, event.condition)
            if condition != FALSE:
                yield event._replace(condition=condition)

    def last_op(self, buffer: Buffer) -> Operation:
        """What has ended the life of a buffer last, as far as its own name tells.

        If that tells nothing, one of the stand-ins does.
        """
        each: Buffer | None = buffer
        while each is not None:
            if each.events:
                return each.events[-1].op
            each = None if each.follower is None else each.follower[0]
        return buffer.op


def start_to_remember(stand_in: Buffer) -> None:
    """Nothing is above a new stand-in, and what is below may remember that."""
    stand_in.above.update(dict.fromkeys(FIELDS, FALSE))
