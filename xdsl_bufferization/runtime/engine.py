"""LLVM IR to callable functions, through llvmlite.

The text is parsed, optimised for the processor at hand, turned into object code and
loaded, together with the heap that it allocates from. Nothing here knows the compiler:
the signatures say how to call each function.

    module = compile_llvm_ir(text, [FunctionSignature("entry", ...)])
    result = module["entry"](x)
"""

import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from typing_extensions import override

from xdsl_bufferization.abi import (
    C_INTERFACE_PREFIX,
    XSMM_BACK_ENDS,
    FunctionSignature,
)
from xdsl_bufferization.failures import Failure
from xdsl_bufferization.repeated import Repeated
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.failures import guarded_functions
from xdsl_bufferization.runtime.function import CompiledFunction, LoadedCode
from xdsl_bufferization.runtime.heap import Heap, ProcessHeap
from xdsl_bufferization.runtime.llvm import (
    Module,
    TargetMachine,
    host_target_machine,
    optimize,
    parse,
)
from xdsl_bufferization.runtime.object_code import (
    HEAP_FUNCTIONS,
    ObjectCode,
    load_object,
)


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
    started = time.perf_counter()
    code = generate_object(
        text_or_module,
        signatures,
        opt_level=opt_level,
        constants=constants,
        xsmm=xsmm,
        failures=failures,
    )
    compiled = load_module(code, heap, symbols)
    compiled.code.compile_seconds = time.perf_counter() - started
    return compiled


def load_module(
    code: ObjectCode,
    heap: Heap | None = None,
    symbols: Mapping[str, int] | None = None,
) -> CompiledModule:
    """Load object code; raises `EngineError` if a symbol is found nowhere."""
    heap = ProcessHeap() if heap is None else heap
    return CompiledModule(load_object(code, heap, symbols), code.signatures)


def generate_object(
    text_or_module: object,
    signatures: Sequence[FunctionSignature],
    *,
    opt_level: int = 3,
    constants: Mapping[str, bytes | Repeated] | None = None,
    xsmm: str = "generated",
    failures: Sequence[Failure] = (),
) -> ObjectCode:
    """Compile LLVM IR as `compile_llvm_ir` does, and load nothing."""
    if opt_level not in range(4):
        raise ValueError(f"opt_level is 0, 1, 2 or 3, not {opt_level}")
    if xsmm not in XSMM_BACK_ENDS:
        raise ValueError(f"xsmm is {' or '.join(XSMM_BACK_ENDS)}, not {xsmm}")
    machine = host_target_machine(opt_level)
    text = str(text_or_module)
    if failures:
        text += guarded_functions(signatures)
    module = _parse(text, machine)
    defined = {each.name for each in module.functions if not each.is_declaration}
    _check_defined(defined, [C_INTERFACE_PREFIX + each.name for each in signatures])
    optimize(module, machine, opt_level)
    undefined = tuple(
        each.name
        for each in (*module.functions, *module.global_variables)
        if each.is_declaration and not each.name.startswith("llvm.")
    )
    return ObjectCode(
        machine.emit_object(module),
        tuple(signatures),
        undefined,
        HEAP_FUNCTIONS & defined,
        constants or {},
        xsmm=xsmm,
        failures=tuple(failures),
    )


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
