"""What the runtime serves of kernels: the functions of `abi.py`, by name.

Compiled code requests a kernel by its description, gets a handle, and calls the kernel
by the handle. The same description gets the same handle, for as long as the process
lives. `KERNELS` is all that says how kernels are made.

    address = kernel_symbol("xsmm_unary_dispatch")
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
from xdsl_bufferization.runtime.kernels import requests
from xdsl_bufferization.runtime.kernels.calls import invoke_code
from xdsl_bufferization.runtime.kernels.emitter import KERNEL
from xdsl_bufferization.runtime.kernels.vector_unit import VectorUnit
from xdsl_bufferization.runtime.llvm import Library, compile_function
from xdsl_bufferization.runtime.xsmm_kernels import (
    Kernel,
    binary_kernel,
    brgemm_kernel,
    fused_brgemm_kernel,
    gemm_kernel,
    unary_kernel,
)


class KernelKind(NamedTuple):
    """How the runtime serves one kind of kernel."""

    generate: Callable[[Sequence[int], VectorUnit], str | None]
    """From a description, as the dispatch takes it, to code; None if there is none."""

    interpret: Callable[[Sequence[int]], Kernel]
    """The same kernel in NumPy."""

    parameters: int
    """The length of a description."""

    buffers: int
    """How many buffers a call takes."""

    has_batch: bool = False
    """Whether the size of a batch follows them."""


KERNELS: Final[Mapping[tuple[str, str], KernelKind]] = {
    (abi.XSMM_UNARY_DISPATCH, abi.XSMM_UNARY_INVOKE): KernelKind(
        requests.unary_code, unary_kernel, 7, 2
    ),
    (abi.XSMM_BINARY_DISPATCH, abi.XSMM_BINARY_INVOKE): KernelKind(
        requests.binary_code, binary_kernel, 8, 3
    ),
    (abi.XSMM_GEMM_DISPATCH, abi.XSMM_GEMM_INVOKE): KernelKind(
        requests.gemm_code, gemm_kernel, 8, 3
    ),
    (abi.XSMM_BRGEMM_DISPATCH, abi.XSMM_BRGEMM_INVOKE): KernelKind(
        requests.brgemm_code, brgemm_kernel, 10, 3, has_batch=True
    ),
    (abi.XSMM_FUSED_BRGEMM_DISPATCH, abi.XSMM_FUSED_BRGEMM_INVOKE): KernelKind(
        requests.fused_brgemm_code,
        fused_brgemm_kernel,
        15,
        4,
        has_batch=True,
    ),
}
"""By the names of the two functions: that which requests, and that which calls."""


class _Kernels:
    """All kernels that were requested, of all kinds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handles: dict[tuple[str, Sequence[int]], int] = {}
        self._code: list[object] = []
        """What has to stay for the handles to be valid."""

    def request(self, name: str, kind: KernelKind, description: Sequence[int]) -> int:
        """The address of a kernel that the function `name` calls."""
        with self._lock:
            handle = self._handles.get((name, description))
            if handle is None:
                handle = self._make(kind, description)
                self._handles[name, description] = handle
            return handle

    def _make(self, kind: KernelKind, description: Sequence[int]) -> int:
        if (text := kind.generate(description, requests.host_unit())) is not None:
            library = compile_function(text, KERNEL)
            self._code.append(library)
            return library[KERNEL]
        function = _callback(
            _quietly(kind.interpret(description)), None, kind.buffers + kind.has_batch
        )
        self._code.append(function)
        return _address_of(function)


_KERNELS: Final = _Kernels()


def _quietly(kernel: Kernel) -> Kernel:
    """As in any compiled code, infinity is a number like others."""

    def run(*operands: int) -> None:
        with np.errstate(all="ignore"):
            kernel(*operands)

    return run


@cache
def kernel_symbol(name: str) -> int:
    """The address of a function of `abi.py`, which lives as long as the process."""
    for (dispatch, invoke), kind in KERNELS.items():
        if name == dispatch:
            return _address_of(_dispatch(dispatch, invoke, kind))
        if name == invoke:
            return _invoke(invoke, kind)[invoke]
    raise KeyError(name)


@cache
def _dispatch(name: str, invoke: str, kind: KernelKind) -> Any:
    def dispatch(*description: int) -> int:
        return _KERNELS.request(invoke, kind, description)

    dispatch.__name__ = name
    return _callback(dispatch, ctypes.c_int64, kind.parameters)


@cache
def _invoke(name: str, kind: KernelKind) -> Library:
    return compile_function(invoke_code(name, kind.buffers, kind.has_batch), name)


def _address_of(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _callback(function: Callable[..., Any], result: Any, parameters: int) -> Any:
    """A function for compiled code, on words."""

    def call(*words: int) -> Any:
        try:
            return function(*words)
        except Exception as error:
            # There is no way back to compiled code, and none past it for exceptions.
            name = function.__name__
            sys.stderr.write(f"{name}{words} failed: {error!r}\n")
            sys.stderr.flush()
            os.abort()

    return ctypes.CFUNCTYPE(result, *[ctypes.c_int64] * parameters)(call)
