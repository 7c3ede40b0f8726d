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
    processor_named,
    this_processor,
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
    before = os.environ.get(VARIABLE)
    _check(cpu)
    if cpu is not None:
        os.environ[VARIABLE] = cpu
    try:
        yield
    finally:
        if before is not None:
            os.environ[VARIABLE] = before
        elif cpu is not None:
            del os.environ[VARIABLE]


def _check(cpu: str | None) -> None:
    try:
        if cpu is None:
            this_processor()
        else:
            processor_named(cpu)
    except EngineError as error:
        if cpu is None:
            place, _, message = str(error).partition(": ")
            raise UsageError(place, message) from None
        raise UsageError(_OPTION, str(error)) from None
