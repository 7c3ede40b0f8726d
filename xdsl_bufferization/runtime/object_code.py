"""Object code, and what it takes to load it: here, or in another process.

    code = ObjectCode(image, signatures, ...)      what LLVM has made
    loaded = load_object(code, ProcessHeap())      code of this process

An object names all that it calls. The addresses are those of the process that loads it:
of the heap, of functions that print or tell the time, of threads, and of kernels.
"""

import ctypes
import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.repeated import Repeated

from .descriptor import Array
from .errors import EngineError
from .failure_kinds import Failure
from .failures import GUARDED_PREFIX, failure_functions
from .function import LoadedCode
from .heap import Heap
from .llvm import Library, load
from .processors.names import NATIVE
from .processors.processor import processor_named

CONSTANT_ALIGNMENT: Final = 64
"""Alignment in bytes of `constants`: a cache line, and MLIR's default for buffers."""

HEAP_FUNCTIONS: Final = frozenset(
    {
        abi.MALLOC,
        abi.GENERIC_ALLOC,
        abi.ALIGNED_ALLOC,
        abi.GENERIC_ALIGNED_ALLOC,
        abi.FREE,
        abi.GENERIC_FREE,
        abi.COUNT_COPY,
    }
)
"""What a heap may give to the code."""


@dataclass(frozen=True)
class LinkedKernel:
    """A kernel that code calls by a name."""

    name: str
    invoke: str
    """The function of `abi.py` that calls kernels of this kind."""

    description: tuple[int, ...]
    """The numbers that ask for it."""

    image: bytes | None = None
    """Object code that has it; None for what the runtime is to make.

    Kernels may share an image, which is loaded once.
    """

    symbol: str = abi.KERNEL
    """Its name in the image."""


@dataclass(frozen=True)
class ObjectCode:
    """A compiled program, of which nothing is loaded yet."""

    image: bytes
    """The object, for the processor `cpu`."""

    signatures: tuple[abi.FunctionSignature, ...]
    undefined: tuple[str, ...]
    """The functions and globals that the object names and does not have."""

    defined: frozenset[str] = frozenset()
    """Those of `HEAP_FUNCTIONS` that the program has itself."""

    constants: Mapping[str, bytes | Repeated | Array] = field(
        default_factory=dict[str, bytes | Repeated | Array]
    )
    """Contents of globals that the object only names. An array is used as it is."""

    kernels: Sequence[LinkedKernel] = ()
    xsmm: str = "generated"
    """Where kernels come from: one of `abi.XSMM_BACK_ENDS`."""

    cpu: str = NATIVE
    """The name of the processor that all of it is for."""

    failures: tuple[Failure, ...] = ()
    """What the code can fail with."""

    @property
    def exports(self) -> list[str]:
        """The functions of the object that are called from outside."""
        prefixes = [abi.C_INTERFACE_PREFIX, *[GUARDED_PREFIX] * bool(self.failures)]
        return [prefix + each.name for prefix in prefixes for each in self.signatures]


def load_object(
    code: ObjectCode, heap: Heap, symbols: Mapping[str, int] | None = None
) -> LoadedCode:
    """Load code into this process; `symbols` has further addresses, by name.

    Raises `EngineError` if a symbol is found nowhere.
    """
    started = time.perf_counter()
    placed = {name: _place(data) for name, data in code.constants.items()}
    kernels, libraries, has_python = _linked_kernels(code)
    named = frozenset(code.undefined)
    imports = {
        # What the program defines itself goes first, as with any linker.
        **{name: at for name, at in heap.symbols.items() if name not in code.defined},
        **{
            name: array.__array_interface__["data"][0] for name, array in placed.items()
        },
        **_kernel_functions(named & abi.XSMM_FUNCTIONS, code),
        **_thread_functions(named.intersection(abi.THREAD_FUNCTIONS)),
        **_team_functions(named.intersection(abi.TEAM_FUNCTIONS)),
        **_print_functions(named & abi.PRINT_FUNCTIONS),
        **_clock_functions(named & abi.CLOCK_FUNCTIONS),
        **(failure_functions() if code.failures else {}),
        **kernels,
        **(symbols or {}),
    }
    try:
        library = load(code.image, imports, code.exports)
    except RuntimeError as error:
        raise EngineError(_link_failure(code, imports, str(error))) from error
    calls_python = bool(
        symbols or has_python or named & (abi.XSMM_FUNCTIONS | abi.PRINT_FUNCTIONS)
    )
    return LoadedCode(
        library,
        heap,
        time.perf_counter() - started,
        tuple(placed.values()),
        calls_python,
        bool(named & abi.PRINT_FUNCTIONS),
        code.failures,
        libraries,
    )


def _linked_kernels(
    code: ObjectCode,
) -> tuple[dict[str, int], tuple[Library, ...], bool]:
    """The address of each kernel, and what has to stay loaded for it.

    Also whether there are kernels that are functions of Python.
    """
    has_python = False
    addresses: dict[str, int] = {}
    symbols: dict[bytes, list[str]] = {}
    for each in code.kernels:
        if each.image is not None:
            symbols.setdefault(each.image, []).append(each.symbol)
    libraries = {image: load(image, {}, names) for image, names in symbols.items()}
    for each in code.kernels:
        if each.image is not None:
            addresses[each.name] = libraries[each.image][each.symbol]
            continue
        # Generating kernels takes what most programs do not need.
        from .xsmm import is_interpreted, kernel_address

        processor = processor_named(code.cpu)
        asked = each.invoke, each.description, code.xsmm, processor
        addresses[each.name] = kernel_address(*asked)
        has_python |= is_interpreted(*asked)
    return addresses, tuple(libraries.values()), has_python


def _kernel_functions(names: AbstractSet[str], code: ObjectCode) -> Mapping[str, int]:
    """The functions of the runtime for kernels that the code declares."""
    if not names:
        return {}
    # Generating kernels takes what most programs do not need.
    from .xsmm import kernel_symbol

    processor = processor_named(code.cpu)
    return {name: kernel_symbol(name, code.xsmm, processor) for name in sorted(names)}


def _thread_functions(names: AbstractSet[str]) -> Mapping[str, int]:
    """The functions of an OpenMP runtime that the code declares."""
    if not names:
        return {}
    # Most programs start no threads.
    from .threads import thread_functions

    functions = thread_functions()
    return {name: functions[name] for name in sorted(names)}


def _team_functions(names: AbstractSet[str]) -> Mapping[str, int]:
    """The functions of the team of this process that the code declares."""
    if not names:
        return {}
    # Most programs start no threads.
    from .team import team_functions

    functions = team_functions()
    return {name: functions[name] for name in sorted(names)}


def _print_functions(names: AbstractSet[str]) -> Mapping[str, int]:
    """The functions that print which the code declares."""
    if not names:
        return {}
    # Most programs print nothing.
    from .printing import print_function

    return {name: print_function(name) for name in sorted(names)}


def _clock_functions(names: AbstractSet[str]) -> Mapping[str, int]:
    """The functions that tell the time which the code declares."""
    if not names:
        return {}
    # Most programs do not ask.
    from .clock import clock_function

    return {name: clock_function(name) for name in sorted(names)}


def aligned_room(size: int, *, is_zero: bool = False) -> Array:
    """So many bytes, aligned to `CONSTANT_ALIGNMENT`, undefined or zero."""
    # Pages full of zeros take no memory before they are written.
    make = np.zeros if is_zero else np.empty
    room = make(size + CONSTANT_ALIGNMENT, np.uint8)
    start = -room.__array_interface__["data"][0] % CONSTANT_ALIGNMENT
    return room[start : start + size]


def _place(data: bytes | Repeated | Array) -> Array:
    """Return a copy of `data` in memory aligned to `CONSTANT_ALIGNMENT`."""
    if isinstance(data, np.ndarray):
        return data
    repeated = data if isinstance(data, Repeated) else None
    size = len(data) if isinstance(data, bytes) else data.size
    placed = aligned_room(size, is_zero=repeated is not None and repeated.is_zero())
    if isinstance(data, bytes):
        placed[:] = np.frombuffer(data, np.uint8)
    elif not data.is_zero():
        element = np.frombuffer(data.element, f"V{len(data.element)}")
        placed.view(element.dtype)[:] = element
    return placed


def _link_failure(code: ObjectCode, imports: Mapping[str, int], message: str) -> str:
    """Name the symbol that could not be found; LLVM itself names only its user."""
    process = ctypes.CDLL(None)
    missing = [
        name
        for name in code.undefined
        if name not in imports and not hasattr(process, name)
    ]
    if missing:
        return (
            f"undefined symbol: {', '.join(missing)}; define it in the program, or "
            "give its address in `symbols`"
        )
    return (
        f"the code could not be linked ({message.strip()}); it may need a routine of "
        "the compiler's support library that this process does not have, usually a "
        "conversion from or to float16"
    )
