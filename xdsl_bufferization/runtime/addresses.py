"""Where functions are that compiled code calls."""

import ctypes
from typing import Any


def address_of(function: Any) -> int:
    """The address of a C function that `ctypes` knows, or of a callback of it."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address
