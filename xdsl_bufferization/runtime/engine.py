"""LLVM IR to callable functions, through llvmlite.

The text is parsed, optimised for the processor at hand, turned into object code and
loaded, together with the heap that it allocates from. Nothing here knows the compiler:
the signatures say how to call each function.

    module = compile_llvm_ir(text, [FunctionSignature("entry", ...)])
    result = module["entry"](x)
"""

import ctypes
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import numpy as np
from typing_extensions import override

from xdsl_bufferization.abi import (
    C_INTERFACE_PREFIX,
    CLOCK_FUNCTIONS,
    PRINT_FUNCTIONS,
    THREAD_FUNCTIONS,
    XSMM_BACK_ENDS,
    XSMM_FUNCTIONS,
    FunctionSignature,
)
from xdsl_bufferization.failures import Failure
from xdsl_bufferization.repeated import Repeated
from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.failures import (
    GUARDED_PREFIX,
    failure_functions,
    guarded_functions,
)
from xdsl_bufferization.runtime.function import CompiledFunction, LoadedCode
from xdsl_bufferization.runtime.heap import Heap, ProcessHeap
from xdsl_bufferization.runtime.llvm import (
    Module,
    TargetMachine,
    host_target_machine,
    load,
    optimize,
    parse,
)

CONSTANT_ALIGNMENT: Final = 64
"""Alignment in bytes of `constants`: a cache line, and MLIR's default for buffers."""


class CompiledModule(Mapping[str, CompiledFunction]):
    """Loaded code: a mapping from the names of its functions to callables.

    The code stays loaded as long as this object, one of its functions, or an array over
    one of its globals exists.
    """

    code: LoadedCode

    def __init__(self, code: LoadedCode, signatures: Iterable[FunctionSignature]):
        self.code = code
        self._signatures = {each.name: each for each in signatures}
        self._functions: dict[str, CompiledFunction] = {}

    @property
    def compile_seconds(self) -> float:
        """Time from the compiler's input to loaded code."""
        return self.code.compile_seconds

    @property
    def heap(self) -> Heap:
        """Where the code allocates."""
        return self.code.heap

    @override
    def __repr__(self) -> str:
        functions = (each.with_accesses() for each in self._signatures.values())
        lines = "".join(f"\n  {each}" for each in functions)
        return f"<compiled module{lines or ' without functions'}>"

    @override
    def __getitem__(self, name: str) -> CompiledFunction:
        signature = self._signatures.get(name)
        if signature is None:
            known = ", ".join(self._signatures) or "none"
            raise KeyError(f"no compiled function {name!r}; there is {known}")
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = CompiledFunction(signature, self.code)
        return function

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    @override
    def __len__(self) -> int:
        return len(self._signatures)


def compile_llvm_ir(
    text_or_module: object,
    signatures: Sequence[FunctionSignature],
    *,
    opt_level: int = 3,
    heap: Heap | None = None,
    symbols: Mapping[str, int] | None = None,
    constants: Mapping[str, bytes | Repeated] | None = None,
    xsmm: str = "generated",
    failures: Sequence[Failure] = (),
) -> CompiledModule:
    """Compile LLVM IR text, or an llvmlite module, and load it.

    `signatures` describe the functions to call, each of which needs its `_mlir_ciface_`
    wrapper. `heap` is where the code allocates: the heap of the process by default.
    `symbols` gives addresses of further functions that the code calls, which are sought
    in the process otherwise. `constants` gives the contents of globals that the code
    only declares: large ones need not travel through LLVM. `xsmm` is where kernels come
    from, one of `abi.XSMM_BACK_ENDS`. `failures` are what the code can fail with, by
    the numbers that it passes to `failures.FAIL`. Raises `EngineError` if the text is
    malformed, a wrapper is missing, or a symbol is found nowhere.
    """
    if opt_level not in range(4):
        raise ValueError(f"opt_level is 0, 1, 2 or 3, not {opt_level}")
    if xsmm not in XSMM_BACK_ENDS:
        raise ValueError(f"xsmm is {' or '.join(XSMM_BACK_ENDS)}, not {xsmm}")
    started = time.perf_counter()
    heap = ProcessHeap() if heap is None else heap
    exports = [C_INTERFACE_PREFIX + signature.name for signature in signatures]
    machine = host_target_machine(opt_level)
    text = str(text_or_module)
    if failures:
        exports += [GUARDED_PREFIX + signature.name for signature in signatures]
        text += guarded_functions(signatures)
    module = _parse(text, machine)
    defined = {each.name for each in module.functions if not each.is_declaration}
    _check_defined(defined, exports)
    optimize(module, machine, opt_level)
    placed = {name: _place(data) for name, data in (constants or {}).items()}
    declared = {each.name for each in module.functions if each.is_declaration}
    imports = {
        # What the program defines itself goes first, as with any linker.
        **{name: at for name, at in heap.symbols.items() if name not in defined},
        **{
            name: array.__array_interface__["data"][0] for name, array in placed.items()
        },
        **_kernel_functions(declared & XSMM_FUNCTIONS, xsmm),
        **_thread_functions(declared.intersection(THREAD_FUNCTIONS)),
        **_print_functions(declared & PRINT_FUNCTIONS),
        **_clock_functions(declared & CLOCK_FUNCTIONS),
        **(failure_functions() if failures else {}),
        **(symbols or {}),
    }
    try:
        library = load(machine.emit_object(module), imports, exports)
    except RuntimeError as error:
        raise EngineError(_link_failure(module, imports, str(error))) from error
    seconds = time.perf_counter() - started
    calls_python = bool(symbols or declared & (XSMM_FUNCTIONS | PRINT_FUNCTIONS))
    constants_in_memory = tuple(placed.values())
    code = LoadedCode(
        library, heap, seconds, constants_in_memory, calls_python, failures
    )
    return CompiledModule(code, signatures)


def _kernel_functions(names: AbstractSet[str], back_end: str) -> Mapping[str, int]:
    """The functions of the runtime for kernels that the code declares."""
    if not names:
        return {}
    # Generating kernels takes what most programs do not need.
    from xdsl_bufferization.runtime.xsmm import kernel_symbol

    return {name: kernel_symbol(name, back_end) for name in sorted(names)}


def _thread_functions(names: AbstractSet[str]) -> Mapping[str, int]:
    """The functions of an OpenMP runtime that the code declares."""
    if not names:
        return {}
    # Most programs start no threads.
    from xdsl_bufferization.runtime.threads import thread_functions

    functions = thread_functions()
    return {name: functions[name] for name in sorted(names)}


def _print_functions(names: AbstractSet[str]) -> Mapping[str, int]:
    """The functions that print which the code declares."""
    if not names:
        return {}
    # Most programs print nothing.
    from xdsl_bufferization.runtime.printing import print_function

    return {name: print_function(name) for name in sorted(names)}


def _clock_functions(names: AbstractSet[str]) -> Mapping[str, int]:
    """The functions that tell the time which the code declares."""
    if not names:
        return {}
    # Most programs do not ask.
    from xdsl_bufferization.runtime.clock import clock_function

    return {name: clock_function(name) for name in sorted(names)}


def _place(data: bytes | Repeated) -> Array:
    """Return a copy of `data` in memory aligned to `CONSTANT_ALIGNMENT`."""
    repeated = data if isinstance(data, Repeated) else None
    size = len(data) if isinstance(data, bytes) else data.size
    # Pages full of zeros take no memory before they are written.
    make = np.zeros if repeated is not None and repeated.is_zero() else np.empty
    room = make(size + CONSTANT_ALIGNMENT, np.uint8)
    start = -room.__array_interface__["data"][0] % CONSTANT_ALIGNMENT
    placed = room[start : start + size]
    if isinstance(data, bytes):
        placed[:] = np.frombuffer(data, np.uint8)
    elif not data.is_zero():
        element = np.frombuffer(data.element, f"V{len(data.element)}")
        placed.view(element.dtype)[:] = element
    return placed


def _parse(text: str, machine: TargetMachine) -> Module:
    try:
        module = parse(text)
        module.verify()
    except RuntimeError as error:
        raise EngineError(f"malformed LLVM IR: {str(error).strip()}") from error
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    return module


def _check_defined(defined: Container[str], exports: Sequence[str]) -> None:
    for name in exports:
        if name not in defined:
            function = name.removeprefix(C_INTERFACE_PREFIX)
            raise EngineError(
                f"the code does not define {name}: request the C interface of "
                f"{function!r} before lowering (llvm.emit_c_interface)"
            )


def _link_failure(module: Module, imports: Mapping[str, int], message: str) -> str:
    """Name the symbol that could not be found; LLVM itself names only its user."""
    process = ctypes.CDLL(None)
    missing = [
        each.name
        for each in (*module.functions, *module.global_variables)
        if each.is_declaration
        and not each.name.startswith("llvm.")
        and each.name not in imports
        and not hasattr(process, each.name)
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
