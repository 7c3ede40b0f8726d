"""Ask the system for the registers that AMX multiplies tiles in.

A process must ask before code with such instructions runs, or is killed. The answer
holds for all threads of the process.

    may_use_tiles()   ->   True on Linux, where the processor has AMX
"""

import ctypes
import sys
from functools import cache
from typing import Final

# Numbers of Linux on x86-64.
_ARCH_PRCTL: Final = 158
_ARCH_REQ_XCOMP_PERM: Final = 0x1023
_XFEATURE_XTILEDATA: Final = 18


@cache
def may_use_tiles() -> bool:
    """Whether this process may use the registers of AMX: Linux is asked, once.

    For processors that have AMX. Source: Documentation/arch/x86/xstate.rst of Linux.
    """
    if sys.platform != "linux":
        return False
    system_call = ctypes.CDLL(None).syscall
    return system_call(_ARCH_PRCTL, _ARCH_REQ_XCOMP_PERM, _XFEATURE_XTILEDATA) == 0
