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
