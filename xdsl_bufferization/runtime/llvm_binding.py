"""llvmlite, loaded when it is first asked for.

binding().get_host_cpu_name()
"""

import ctypes
import importlib
from contextlib import suppress
from typing import Any, Protocol, cast

from xdsl_bufferization.support.locks import computed_once, hold_lock_during_forks


class Binding(Protocol):
    """The module `llvmlite.binding`."""

    def initialize_native_target(self) -> None:
        """Make the host's code generator available."""
        ...

    def initialize_native_asmprinter(self) -> None:
        """Make the host's object writer available."""
        ...


@computed_once
def binding() -> Binding:
    """Load llvmlite and prepare it for this machine."""
    llvm = cast(Binding, importlib.import_module("llvmlite.binding"))
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    _hold_during_forks(llvm)
    # Code for float16 calls conversion routines of the compiler's support library.
    with suppress(OSError):
        ctypes.CDLL("libgcc_s.so.1", mode=ctypes.RTLD_GLOBAL)
    return llvm


def _hold_during_forks(llvm: Any) -> None:
    """Let forks wait for the end of what another thread does in LLVM.

    llvmlite has one lock for all that it calls, and no name for it that is public.
    """
    with suppress(AttributeError):
        lock: Any = llvm.ffi.lib._lock._lock  # noqa: SLF001, it has no other name
        hold_lock_during_forks(lock)
