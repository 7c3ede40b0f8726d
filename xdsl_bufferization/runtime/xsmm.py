"""What the runtime serves of kernels: the functions of `abi.py`, by name.

Compiled code requests a kernel by its description, gets a handle, and calls the kernel
by the handle. The same description gets the same handle, for as long as the process
lives. `KERNELS` is all that says how kernels are made; those of LIBXSMM, if code is to
have them, come first.

    address = kernel_symbol("xsmm_unary_dispatch")

The kernels that a program is known to call are made together, before it runs.

    ahead = KernelsAhead()
    ahead.add("xsmm_unary_invoke", (5, 1, 64, 64, 512, 512, 0))
    ahead.making()()
"""

import ctypes
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from xdsl_bufferization.support import abi, debug
from xdsl_bufferization.support.locks import computed_once, fork_safe_lock

from .addresses import address_of
from .kernels import requests
from .kernels.calls import invoke_code
from .libxsmm import libxsmm_for
from .llvm import (
    Library,
    Module,
    emit_object,
    join,
    load_for_good,
    runtime_function,
)
from .processors.processor import Processor, this_processor
from .processors.vector_unit import VectorUnit
from .xsmm_kernels import (
    Kernel,
    binary_kernel,
    brgemm_kernel,
    fused_brgemm_kernel,
    gemm_kernel,
    unary_kernel,
    window_kernel,
)

_STANDARD_ERROR: Final = 2


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


WINDOW_PARAMETERS: Final = (
    12 + 3 * abi.XSMM_WINDOW_STEPS + 2 * abi.XSMM_WINDOW_BOUNDS + abi.XSMM_WINDOW_ZEROS
)
"""How many numbers describe a kernel for windows."""

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
    (abi.XSMM_WINDOW_DISPATCH, abi.XSMM_WINDOW_INVOKE): KernelKind(
        requests.window_code, window_kernel, WINDOW_PARAMETERS, 5
    ),
}
"""The kinds of kernels, by two functions: one that requests, one that calls."""


class RequestedKernel(NamedTuple):
    """A kernel that compiled code asked for."""

    invoke: str
    """The function that calls it."""

    description: tuple[int, ...]
    """The numbers that the dispatch takes."""

    served_by: str
    """`libxsmm`, `generated`, or `numpy`."""


class KernelImage(NamedTuple):
    """Where the object code of a kernel is."""

    image: bytes
    """An object, which may have other kernels too."""

    symbol: str
    """The name of the kernel in it."""


_Key = tuple[str, tuple[int, ...]]
"""The function that calls a kernel, and its description."""


class _Code(NamedTuple):
    """How a kernel is to be made."""

    kind: KernelKind
    served_by: str
    text: str | None
    """LLVM IR; None for a kernel in NumPy."""


class _Joined(NamedTuple):
    """Kernels that are one module of LLVM's, to be compiled at once."""

    codes: Mapping[_Key, _Code]
    symbols: Mapping[str, _Key]
    """The kernels with code, by their names in the module."""

    module: Module | None
    """None if no kernel has code."""


class _Kernels:
    """All kernels that code with one back end requested, for one processor."""

    def __init__(self, back_end: str, processor: Processor) -> None:
        self._back_end = back_end
        self._processor = processor
        self._lock = fork_safe_lock()
        self._handles: dict[_Key, int] = {}
        self._callbacks: list[object] = []
        """Functions of Python that have to stay for their handles to be valid."""
        self.requested: list[RequestedKernel] = []
        self.images: dict[_Key, KernelImage] = {}
        """The object code of the kernels that were generated here."""

        self.interpreted: set[_Key] = set()
        """The kernels that are functions of Python."""

    def request(self, name: str, kind: KernelKind, description: Sequence[int]) -> int:
        """The address of a kernel that the function `name` calls."""
        key = name, tuple(description)
        with self._lock:
            if key not in self._handles:
                self._make(self._joined({key: self.code(key, kind)}))
            return self._handles[key]

    def has(self, key: _Key) -> bool:
        """Whether a kernel has an address."""
        return key in self._handles

    def making(self, codes: Mapping[_Key, _Code]) -> Callable[[], None]:
        """What gives addresses to kernels, as far as they have none.

        LLVM does nearly all of that. So it takes no time of other threads with Python.
        """
        joined = self._joined(codes)

        def make() -> None:
            with self._lock:
                if not all(map(self.has, codes)):
                    self._make(joined)

        return make

    def code(self, key: _Key, kind: KernelKind) -> _Code:
        """How to make a kernel; raises `KeyError` for a description of none."""
        name, description = key
        if self._back_end == "libxsmm":
            libxsmm = libxsmm_for(self._processor)
            text = libxsmm.code(name, description, self._generated)
            if text is not None:
                return _Code(kind, "libxsmm", text)
        unit = self._processor.vector_unit_here
        if self._back_end == "vectors":
            unit = replace(unit, multiplies_tiles=False)
        text = kind.generate(description, unit)
        return _Code(kind, "numpy" if text is None else "generated", text)

    def _generated(self, name: str, description: Sequence[int]) -> int:
        return kernel_address(name, description, processor=self._processor)

    def _joined(self, codes: Mapping[_Key, _Code]) -> _Joined:
        keys = [key for key, code in codes.items() if code.text is not None]
        symbols = {f"{abi.KERNEL}_{at}": key for at, key in enumerate(keys)}
        texts = {symbol: codes[key].text or "" for symbol, key in symbols.items()}
        return _Joined(codes, symbols, join(texts, abi.KERNEL) if texts else None)

    def _make(self, joined: _Joined) -> None:
        start = time.perf_counter()
        handles = self._compiled(joined)
        made = {key: each for key, each in joined.codes.items() if not self.has(key)}
        for key, (kind, served_by, _) in made.items():
            self._handles[key] = handles.get(key) or self._interpreted(key, kind)
            self.requested.append(RequestedKernel(*key, served_by))
        if made and debug.wants(debug.KERNELS):
            _say_made(made, time.perf_counter() - start)

    def _compiled(self, joined: _Joined) -> dict[_Key, int]:
        """The addresses of kernels that have code."""
        if joined.module is None:
            return {}
        image = emit_object(joined.module, self._processor)
        library = load_for_good(image, joined.symbols)
        for symbol, key in joined.symbols.items():
            if joined.codes[key].served_by == "generated":
                self.images[key] = KernelImage(image, symbol)
        return {key: library[symbol] for symbol, key in joined.symbols.items()}

    def _interpreted(self, key: _Key, kind: KernelKind) -> int:
        """The address of a kernel in NumPy."""
        self.interpreted.add(key)
        kernel = _quietly(kind.interpret(key[1]))
        function = _callback(kernel, None, kind.buffers + kind.has_batch)
        self._callbacks.append(function)
        return address_of(function)


def _say_made(codes: Mapping[_Key, _Code], seconds: float) -> None:
    for key, code in codes.items():
        debug.say_kernel(*key, code.served_by)
    number = f"{len(codes)} kernel{'' if len(codes) == 1 else 's'}"
    debug.say(f"{number} made in {debug.milliseconds(seconds)}")


@computed_once
def _made(back_end: str, processor: Processor) -> _Kernels:
    return _Kernels(back_end, processor)


def _kernels(back_end: str, processor: Processor | None) -> _Kernels:
    return _made(back_end, processor or this_processor())


def kernel_address(
    name: str,
    description: Sequence[int],
    back_end: str = "generated",
    processor: Processor | None = None,
) -> int:
    """The address of a kernel that the function `name` of `abi.py` calls.

    It is for `this_processor` unless there is another. Raises `KeyError` for a
    description of no kernel.
    """
    kernels = _kernels(back_end, processor)
    return kernels.request(name, _kind_of(name), description)


def _kind_of(name: str) -> KernelKind:
    return next(kind for (_, invoke), kind in KERNELS.items() if invoke == name)


class KernelsAhead:
    """Kernels to be made together, which takes less time than one by one."""

    def __init__(
        self, back_end: str = "generated", processor: Processor | None = None
    ) -> None:
        self._kernels = _kernels(back_end, processor)
        self._codes: dict[_Key, _Code] = {}

    def add(self, name: str, description: Sequence[int]) -> None:
        """Add a kernel that the function `name` of `abi.py` calls.

        Raises `KeyError` for a description of no kernel.
        """
        key = name, tuple(description)
        if not self._kernels.has(key):
            self._codes[key] = self._kernels.code(key, _kind_of(name))
        elif debug.wants(debug.KERNELS):
            debug.say_kernel(*key, "made before in this process")

    def making(self) -> Callable[[], None]:
        """What makes each kernel that was added; best called in a thread of its own."""
        return self._kernels.making(self._codes)


def kernel_image(
    name: str,
    description: Sequence[int],
    back_end: str = "generated",
    processor: Processor | None = None,
) -> KernelImage | None:
    """The object code of a kernel with an address; None for one of LIBXSMM or NumPy."""
    return _kernels(back_end, processor).images.get((name, tuple(description)))


def is_interpreted(
    name: str,
    description: Sequence[int],
    back_end: str = "generated",
    processor: Processor | None = None,
) -> bool:
    """Whether a kernel with an address is a function of Python."""
    return (name, tuple(description)) in _kernels(back_end, processor).interpreted


def requested_kernels(
    back_end: str, processor: Processor | None = None
) -> tuple[RequestedKernel, ...]:
    """The kernels that code with a back end requested so far, in order, each once."""
    return tuple(_kernels(back_end, processor).requested)


def _quietly(kernel: Kernel) -> Kernel:
    """Without NumPy's warnings: in compiled code, infinity is a number like others."""

    def run(*operands: int) -> None:
        with np.errstate(all="ignore"):
            kernel(*operands)

    return run


def kernel_symbol(name: str, back_end: str, processor: Processor | None = None) -> int:
    """The address of a function of `abi.py`, which lives as long as the process.

    Raises `EngineError` if `back_end` is LIBXSMM, and that is not there.
    """
    return _symbol(name, back_end, processor or this_processor())


@computed_once
def _symbol(name: str, back_end: str, processor: Processor) -> int:
    if back_end == "libxsmm":
        libxsmm_for(processor)
    for (dispatch, invoke), kind in KERNELS.items():
        if name == dispatch:
            kernels = _kernels(back_end, processor)
            return address_of(_dispatch(dispatch, invoke, kind, kernels))
        if name == invoke:
            return _invoke(invoke, kind)[invoke]
    raise KeyError(name)


@computed_once
def _dispatch(name: str, invoke: str, kind: KernelKind, kernels: _Kernels) -> Any:
    def dispatch(*description: int) -> int:
        return kernels.request(invoke, kind, description)

    dispatch.__name__ = name
    return _callback(dispatch, ctypes.c_int64, kind.parameters)


@computed_once
def _invoke(name: str, kind: KernelKind) -> Library:
    return runtime_function(invoke_code(name, kind.buffers, kind.has_batch), name)


def _callback(function: Callable[..., Any], result: Any, parameters: int) -> Any:
    """A function for compiled code, on words."""

    def call(*words: int) -> Any:
        try:
            return function(*words)
        except Exception as error:
            # There is no way back to compiled code, and none past it for exceptions.
            message = f"{function.__name__}{words} failed: {error!r}\n"
            with suppress(OSError):  # Whatever `sys.stderr` is.
                os.write(_STANDARD_ERROR, message.encode(errors="backslashreplace"))
            os.abort()

    return ctypes.CFUNCTYPE(result, *[ctypes.c_int64] * parameters)(call)
