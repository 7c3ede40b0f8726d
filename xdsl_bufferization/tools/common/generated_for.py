"""Have a command generate code for another processor than the one here.

    with generating_for("x86-64-v3"):    what xbuf run mlp.mlir --cpu x86-64-v3 does
        run(options)

All that is compiled inside is for that processor, also the code of the runtime, and
what processes compile that are started meanwhile.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager

from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.processors.names import NATIVE
from xdsl_bufferization.runtime.processors.processor import (
    VARIABLE,
    name_asked_for,
    processor_named,
)

from .diagnostics import UsageError

_OPTION = "--cpu"


@contextmanager
def generating_for(cpu: str | None, target: str = NATIVE) -> Generator[None]:
    """Generate code for the processor of a name; None: as `XBUF_CPU` says.

    Raises `UsageError` if code for it cannot run here. A machine other than the native
    one has a processor of its own.
    """
    if target != NATIVE:
        if cpu is not None:
            raise UsageError(
                _OPTION,
                f"--target {target} says which processor the code is for: leave out "
                "one of both",
            )
        yield
        return
    place, name = (VARIABLE, name_asked_for()) if cpu is None else (_OPTION, cpu)
    try:
        processor_named(name)
    except EngineError as error:
        raise UsageError(place, str(error)) from None
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = name
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before
