"""What the runtime serves of kernels: the functions of `abi.py`, by name.

Compiled code requests a kernel by its description, gets a handle, and calls the kernel
by the handle. The same description gets the same handle, for as long as the process
lives. `KERNELS` is all that says how kernels are made.

    addresses = symbols()          {"xsmm_unary_dispatch": 0x7f..., ...}
"""

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from xdsl_bufferization import abi
from xdsl_bufferization.runtime import xsmm_kernels
from xdsl_bufferization.runtime.xsmm_kernels import Kernel
from xdsl_bufferization.runtime.xsmm_matrices import ELEMENT_TYPES


class KernelKind(NamedTuple):
    """How the runtime serves one kind of kernel."""

    make: Callable[[Sequence[int]], Kernel]
    """From a description, as the dispatch takes it."""

    parameters: int
    """The length of a description."""

    buffers: int
    """How many buffers a call takes."""

    has_batch: bool = False
    """Whether the size of a batch follows them."""


KERNELS: Final[Mapping[tuple[str, str], KernelKind]] = {
    (abi.XSMM_UNARY_DISPATCH, abi.XSMM_UNARY_INVOKE): KernelKind(
        xsmm_kernels.unary_kernel, 7, 2
    ),
    (abi.XSMM_BINARY_DISPATCH, abi.XSMM_BINARY_INVOKE): KernelKind(
        xsmm_kernels.binary_kernel, 8, 3
    ),
    (abi.XSMM_GEMM_DISPATCH, abi.XSMM_GEMM_INVOKE): KernelKind(
        xsmm_kernels.gemm_kernel, 8, 3
    ),
    (abi.XSMM_BRGEMM_DISPATCH, abi.XSMM_BRGEMM_INVOKE): KernelKind(
        xsmm_kernels.brgemm_kernel, 10, 3, has_batch=True
    ),
    (abi.XSMM_FUSED_BRGEMM_DISPATCH, abi.XSMM_FUSED_BRGEMM_INVOKE): KernelKind(
        xsmm_kernels.fused_brgemm_kernel, 15, 4, has_batch=True
    ),
}
"""By the names of the two functions: that which requests, and that which calls."""

SYMBOLS: Final = frozenset(name for names in KERNELS for name in names)
"""The functions that `symbols` has addresses of."""


class _Handles:
    """All kernels that were requested, of all kinds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handles: dict[tuple[str, Sequence[int]], int] = {}
        self._kernels: dict[int, tuple[str, Kernel]] = {}

    def request(self, name: str, kind: KernelKind, description: Sequence[int]) -> int:
        """The handle of a kernel that the function `name` calls."""
        with self._lock:
            handle = self._handles.get((name, description))
            if handle is None:
                handle = len(self._handles) + 1
                self._kernels[handle] = name, kind.make(description)
                self._handles[name, description] = handle
            return handle

    def find(self, name: str, handle: int) -> Kernel:
        """The kernel of a handle."""
        found, kernel = self._kernels[handle]
        if found != name:
            raise LookupError(f"{handle} is a handle of {found}, not of {name}")
        return kernel


_HANDLES: Final = _Handles()


@cache
def symbols() -> Mapping[str, int]:
    """The addresses of the functions, which live as long as the process."""
    return {
        name: ctypes.cast(function, ctypes.c_void_p).value or 0
        for name, function in _functions().items()
    }


@cache
def _functions() -> Mapping[str, Any]:
    functions: dict[str, Any] = {}
    for (dispatch, invoke), kind in KERNELS.items():
        functions[dispatch] = _dispatch(invoke, kind)
        functions[invoke] = _invoke(invoke, kind)
    return functions


def _dispatch(invoke: str, kind: KernelKind) -> Any:
    def dispatch(*description: int) -> int:
        return _HANDLES.request(invoke, kind, description)

    return _callback(dispatch, ctypes.c_int64, kind.parameters)


def _invoke(name: str, kind: KernelKind) -> Any:
    end = 2 * kind.buffers

    def invoke(data_type: int, handle: int, *operands: int) -> None:
        kernel = _HANDLES.find(name, handle)
        width = ELEMENT_TYPES[data_type].bytes
        pairs = zip(operands[:end:2], operands[1:end:2], strict=True)
        addresses = [pointer + width * offset for pointer, offset in pairs]
        # As in any compiled code, infinity is a number like others.
        with np.errstate(all="ignore"):
            kernel(*addresses, *operands[end:])

    return _callback(invoke, None, 2 + end + kind.has_batch)


def _callback(function: Callable[..., Any], result: Any, parameters: int) -> Any:
    """A function for compiled code, on words."""

    def call(*words: int) -> Any:
        try:
            return function(*words)
        except Exception as error:
            # There is no way back to compiled code, and none past it for exceptions.
            name = function.__name__
            sys.stderr.write(f"xsmm: cannot {name} kernel {words}: {error!r}\n")
            sys.stderr.flush()
            os.abort()

    return ctypes.CFUNCTYPE(result, *[ctypes.c_int64] * parameters)(call)
