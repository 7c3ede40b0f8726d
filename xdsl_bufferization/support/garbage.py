"""Python's garbage collector, left out of work that makes much and drops little.

    @without_garbage_collection()
    def analyze(module): ...

Every op, use and answer is an object. While more objects are made, the collector looks
at all of them again and again. The search takes a fifth of the time of a pass, and
finds nothing.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

_MANY_OBJECTS: Final = 1_000_000
"""What so many objects take is a hundred megabytes."""


@contextmanager
def without_garbage_collection() -> Generator[None, None, None]:
    """Nothing is collected inside, in any thread; reference counts work as ever.

    Does nothing where the collector is off already, and leaves it as it was.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collect_what_is_much() -> None:
    """Collect garbage if many objects were made since the last time.

    For places where a pass is over, inside of what runs without the collector.
    """
    if gc.get_count()[0] > _MANY_OBJECTS:
        gc.collect(0)
