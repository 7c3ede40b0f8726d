"""What compiled code calls to know the time.

The functions are those of MLIR's runner libraries.

    %0 = func.call @rtclock() : () -> f64
"""

import ctypes
import time
from typing import Any, Final

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.locks import computed_once

from .addresses import address_of


def clock_function(name: str) -> int:
    """The address of one of `abi.CLOCK_FUNCTIONS`, for the life of the process."""
    return address_of(_callback(name))


@computed_once
def _callback(name: str) -> Any:
    type_, get_time = _CLOCKS[name.removeprefix(abi.C_INTERFACE_PREFIX)]
    return ctypes.CFUNCTYPE(type_)(get_time)


_CLOCKS: Final = {
    abi.RT_CLOCK: (ctypes.c_double, time.time),
    abi.NANO_TIME: (ctypes.c_int64, time.time_ns),
}
