"""Say what to do where a compiled program ends the process.

    oob.mlir: error: the program was ended by SIGSEGV: it does what no program may; ...

Compiled code does not look whether an index is there, or a divisor is zero. It may end
the process then, of which a shell shows a word or two.
"""

import ctypes
import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from xdsl_bufferization.support.escaping import in_terminal

_NAMES: Final = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT")
_STDERR: Final = 2
_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int)


@contextmanager
def explained_crashes(file: str, advice: str) -> Generator[None]:
    """Within this, a signal that ends the process is explained before it does.

    Python's own handlers run between its instructions, which no instruction of compiled
    code is. So the handler is one of C, which calls Python.
    """
    if os.name != "posix":
        yield
        return
    set_handler = ctypes.CDLL(None).signal
    set_handler.argtypes = [ctypes.c_int, ctypes.c_void_p]
    set_handler.restype = ctypes.c_void_p

    def explain(number: int) -> None:
        # What failed is tried again, and ends the process as without this handler.
        set_handler(number, None)
        name = signal.Signals(number).name
        line = (
            f"{in_terminal(file)}: error: the program was ended by {name}: {advice}\n"
        )
        os.write(_STDERR, line.encode(errors="replace"))

    handler = _Handler(explain)
    address = ctypes.cast(handler, ctypes.c_void_p)
    numbers = [getattr(signal, name) for name in _NAMES]
    old = [set_handler(number, address) for number in numbers]
    try:
        yield
    finally:
        for number, each in zip(numbers, old, strict=True):
            set_handler(number, each)
