"""From a module on buffers to functions that Python can call.

Compilation is the last step. It has three parts:

1. The module is lowered to the llvm dialect.
2. xDSL's back end prints the module as LLVM IR.
3. The runtime gets the LLVM IR, and a description of each public function for callers.

    module = compile_module(buffers)      func.func @entry(%x: memref<4xf32>) -> ...
    result = module["entry"](x)           x: a NumPy array of 4 float32
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from xdsl.backend.llvm.convert import convert_module
from xdsl.context import Context
from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Operation
from xdsl.utils.exceptions import LLVMTranslationException
from xdsl.utils.hints import isa

from xdsl_bufferization.codegen.complete_locations import complete_locations
from xdsl_bufferization.codegen.llvm.emission.symbols import (
    LoweringOptions,
    OnFailure,
)
from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.codegen.local_dialects import lower_local_dialects
from xdsl_bufferization.codegen.math_polynomial_approximation import (
    approximate_math,
)
from xdsl_bufferization.codegen.outline_loop_nests import (
    outline_loop_nests,
)
from xdsl_bufferization.codegen.share_loop_nests import share_loop_nests
from xdsl_bufferization.codegen.split_parallel_reductions import (
    split_parallel_reductions,
)
from xdsl_bufferization.codegen.tm_tensor_to_loops import (
    tm_tensor_to_loops,
)
from xdsl_bufferization.codegen.vectorize_loop_nests import (
    vectorize_loop_nests,
)
from xdsl_bufferization.dialects.short_errors import short_errors
from xdsl_bufferization.dialects.text.splats import SplatBytes
from xdsl_bufferization.runtime.engine import (
    CompiledModule,
    generate_object,
    load_module,
)
from xdsl_bufferization.runtime.failure_kinds import Failure
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.runtime.object_code import (
    CONSTANT_ALIGNMENT,
    LinkedKernel,
    ObjectCode,
)
from xdsl_bufferization.runtime.processors.processor import (
    Processor,
    processor_or_this,
)
from xdsl_bufferization.runtime.stack import stack_bytes
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.frames import in_one_piece
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.repeated import Repeated
from xdsl_bufferization.support.traversal import ops_inside

from .forgotten_steps import refuse_tensors
from .parallel_loops_to_openmp import ParallelLoopsToOpenMPPass
from .signatures import public_functions, signatures_of
from .symbols import check_names, rename_apart_from_c

_LARGE_CONSTANT_BYTES = 4096


@short_errors()
def compile_module(
    module: ModuleOp,
    symbols: Mapping[str, int] | None = None,
    *,
    counting_heap: bool = False,
    count_copies: bool = False,
    poison: bool = False,
    opt_level: int = 3,
    xsmm: str = "generated",
    cpu: str | None = None,
    threads: int = 1,
    checked: bool = False,
) -> CompiledModule:
    """Compile a module on buffers, after deallocation; `module` stays as it is.

    The result maps the names of the public functions to callables on NumPy arrays.
    `symbols` are addresses of functions and globals that the module only declares. Ops
    of the xsmm dialect become calls of the runtime, as `convert-xsmm-to-func` says.

    - `counting_heap`: all buffers come from a `CountingHeap`, the `heap` of the result.
    - `count_copies`: the heap also counts the copies that are executed.
    - `poison`: reads of unwritten or freed memory show in the results. `poison` and
      `count_copies` imply `counting_heap`.
    - `opt_level`: LLVM's level of optimization, from 0 to 3.
    - `xsmm`: where kernels come from. `generated`: made here for this processor.
      `vectors`: the same, but never with AMX. `libxsmm`: an installed LIBXSMM, where it
      has the kernel.
    - `cpu`: the name of the processor that the code is for, as `--cpu` of `xbuf run`
      takes it. None: the one that `XBUF_CPU` names, or the one here.
    - `threads`: how many threads share each parallel loop. 0: as many as the
      environment says, by `OMP_NUM_THREADS` or one for each core. The results are the
      same to the bit.
    - `checked`: what the contract leaves undefined is checked, as the pass
      `generate-runtime-verification` says. A check that fails ends the call with a
      `ProgramError`, and all that the call allocated is freed.

    Raises `OperationError` at an op that cannot be lowered or called. Raises
    `EngineError` if the code cannot be linked, LIBXSMM is not there, or code for that
    processor cannot run here.
    """
    started = time.perf_counter()
    counting = counting_heap or count_copies or poison
    code = compile_object(
        module,
        counts=counting,
        count_copies=count_copies,
        opt_level=opt_level,
        xsmm=xsmm,
        cpu=cpu,
        threads=threads,
        checked=checked,
    )
    heap = CountingHeap(poison=poison) if counting else None
    compiled = load_module(code, heap, symbols)
    compiled.code.compile_seconds = time.perf_counter() - started
    return compiled


def compile_object(
    module: ModuleOp,
    *,
    counts: bool = False,
    count_copies: bool = False,
    opt_level: int = 3,
    xsmm: str = "generated",
    cpu: str | None = None,
    threads: int = 1,
    checked: bool = False,
) -> ObjectCode:
    """Compile a module on buffers, and load nothing: see `compile_module`.

    With `counts`, the code is for a `CountingHeap`.
    """
    refuse_tensors(module, "call bufferize first, or run one-shot-bufferize")
    processor = processor_or_this(cpu)
    kernels = _Kernels(xsmm, processor)
    with ThreadPoolExecutor(1) as beside:
        program = in_one_piece(
            lambda: translate(
                module,
                prepare=lambda copy: kernels.link(copy, beside),
                use_generic_functions=counts,
                count_copies=count_copies,
                threads=threads,
                on_failure=OnFailure.RAISE,
                checked=checked,
            )
        )
    code = generate_object(
        program.text,
        program.signatures,
        opt_level=opt_level,
        constants=program.constants,
        xsmm=xsmm,
        cpu=processor.name,
        failures=program.failures,
        unroll=not program.is_large,
    )
    return replace(code, kernels=kernels.finish())


def requests_kernels(module: ModuleOp) -> bool:
    """Whether a module has kernels, or declares the functions for them."""
    return _declares_kernels(module) or _has_kernels(module)


def _declares_kernels(module: ModuleOp) -> bool:
    return any(
        isinstance(op, func.FuncOp) and op.sym_name.data in abi.XSMM_FUNCTIONS
        for op in module.ops
    )


def _has_kernels(module: ModuleOp) -> bool:
    return any(op.dialect_name() == "xsmm" for op in ops_inside(module))


class _Kernels:
    """The kernels that a module calls, made while Python lowers the module."""

    def __init__(self, xsmm: str, processor: Processor):
        self._xsmm = xsmm
        self._processor = processor
        self._linked: list[LinkedKernel] = []
        self._made: Future[None] | None = None

    def link(self, module: ModuleOp, beside: Executor) -> None:
        """Have a module call the kernels that it requests, each by a name.

        What is asked for once, ahead, need not be asked for in each call. LLVM compiles
        the kernels in `beside`.
        """
        if not _declares_kernels(module):
            return
        # Generating kernels takes what most programs do not need.
        from xdsl_bufferization.codegen.link_xsmm_kernels import (
            link_xsmm_kernels,
        )
        from xdsl_bufferization.runtime.xsmm import KernelsAhead

        ahead = KernelsAhead(self._xsmm, self._processor)
        for name, request in link_xsmm_kernels(module, is_partial=True).items():
            try:
                ahead.add(request.invoke, request.description)
            except KeyError as error:
                fail_at(request.op, f"there is no such kernel: {error} has no meaning")
            self._linked.append(LinkedKernel(name, request.invoke, request.description))
        self._made = beside.submit(ahead.making())

    def finish(self) -> tuple[LinkedKernel, ...]:
        """The kernels, all of them made; raises what making one has raised."""
        if self._made is not None:
            self._made.result()
        return tuple(self._linked)


# LLVM IR.


@dataclass(frozen=True)
class LLVMProgram:
    """A program as LLVM IR, with what else its callers and its linker must know."""

    text: str
    signatures: tuple[abi.FunctionSignature, ...]
    """Of the public functions."""

    constants: dict[str, bytes | Repeated]
    """Contents of globals that the text only declares; see `take_out_constants`."""

    failures: tuple[Failure, ...] = ()
    """What can fail, if callers in this process are told."""

    is_large: bool = False
    """Whether loop nests were moved to functions of their own."""


@without_garbage_collection()
def translate(
    module: ModuleOp,
    *,
    use_generic_functions: bool = False,
    count_copies: bool = False,
    threads: int = 1,
    prepare: Callable[[ModuleOp], object] | None = None,
    on_failure: OnFailure = OnFailure.ABORT,
    checked: bool = False,
) -> LLVMProgram:
    """Return a module on buffers as LLVM IR; the options are those of `lower-to-llvm`.

    The module stays as it is; `prepare` is called with the copy that is lowered. With
    `checked`, the program checks what it does. Raises `OperationError` at an op that
    cannot be lowered or called.
    """
    copy = _copy_to_lower(module, count_copies, checked=checked)
    signatures = signatures_of(copy)
    if prepare is not None:
        prepare(copy)
    options = LoweringOptions(
        use_generic_functions,
        count_copies,
        threads,
        on_failure=on_failure,
        is_tracking=checked and on_failure is OnFailure.RAISE,
        stack_bytes=stack_bytes() if on_failure is OnFailure.RAISE else None,
        has_team=on_failure is OnFailure.RAISE,
    )
    is_large = _split_loop_nests(copy, threads)
    failures = _lower(copy, options)
    renamed = rename_apart_from_c(copy)
    constants = take_out_constants(copy)
    converted = _converted(copy)
    if on_failure is OnFailure.RAISE:
        _move_into_wrappers(copy, converted, renamed, is_large=is_large)
    text = str(converted)
    return LLVMProgram(text, signatures, constants, failures, is_large)


def llvm_ir(
    module: ModuleOp,
    *,
    use_generic_functions: bool = False,
    count_copies: bool = False,
    threads: int = 1,
) -> str:
    """Return `module` as LLVM IR with C interfaces for its public functions.

    The options are those of `lower-to-llvm`, and `threads` that of `compile_module`.
    """
    copy = _copy_to_lower(module, count_copies)
    _split_loop_nests(copy, threads)
    _lower(copy, LoweringOptions(use_generic_functions, count_copies, threads))
    return str(_converted(copy))


def _copy_to_lower(
    module: ModuleOp, count_copies: bool, *, checked: bool = False
) -> ModuleOp:
    """A copy of `module` that calls the runtime for kernels."""
    check_names(module)
    copy = module.clone()
    lower_local_dialects(copy)
    if checked:
        # The accesses of the loops are what can be checked.
        tm_tensor_to_loops(copy)
    complete_locations(copy)
    if checked:
        from xdsl_bufferization.codegen.runtime_verification import (
            generate_runtime_verification as verification,
        )

        verification.generate_runtime_verification(
            copy, shows_values=True, has_stack=True
        )
    if _has_kernels(copy):
        from xdsl_bufferization.codegen.xsmm.convert_xsmm_to_func import (
            convert_xsmm_to_func,
        )

        if count_copies:
            from xdsl_bufferization.codegen.xsmm.count_kernel_copies import (
                count_kernel_copies,
            )

            count_kernel_copies(copy)
        convert_xsmm_to_func(copy)
    return copy


def take_out_constants(lowered: ModuleOp) -> dict[str, bytes | Repeated]:
    """Replace large private globals by declarations, and return their contents.

    LLVM's text form takes about a second per million numbers to write and read, for
    data that no optimisation looks at.
    """
    constants: dict[str, bytes | Repeated] = {}
    for op in lowered.ops:
        if not isinstance(op, llvm.GlobalOp) or not _may_live_elsewhere(op):
            continue
        value = op.value
        if not isa(value, DenseIntOrFPElementsAttr):
            continue
        if isinstance(value.data, SplatBytes):
            constants[op.sym_name.data] = value.data.repeated
        elif len(value.data.data) < _LARGE_CONSTANT_BYTES:
            continue
        else:
            constants[op.sym_name.data] = value.data.data
        op.value = None
        op.linkage = llvm.LinkageAttr("external")
    return constants


def _may_live_elsewhere(op: llvm.GlobalOp) -> bool:
    private = op.linkage.linkage.data in ("private", "internal")
    alignment = 1 if op.alignment is None else op.alignment.value.data
    return private and alignment <= CONSTANT_ALIGNMENT


def _split_loop_nests(copy: ModuleOp, threads: int) -> bool:
    """Make loops over vectors; returns whether nests became functions."""
    if threads != 1:
        share_loop_nests(copy)
    is_large = outline_loop_nests(copy)
    # Equal nests are one by now, and become some 40 ops for each function.
    approximate_math(copy, where_allowed=True)
    vectorize_loop_nests(copy)
    return is_large


def _lower(copy: ModuleOp, options: LoweringOptions) -> tuple[Failure, ...]:
    """Lower a module to the llvm dialect; returns what can fail."""
    if options.threads < 0:
        raise ValueError(f"threads is a number from 0, not {options.threads}")
    for function in public_functions(copy):
        function.attributes[abi.EMIT_C_INTERFACE] = UnitAttr()
    if options.threads == 1:
        # One thread computes the same bits as several.
        split_parallel_reductions(copy)
    else:
        ParallelLoopsToOpenMPPass().apply(Context(), copy)
    return lower_to_llvm(copy, options)


def _converted(lowered: ModuleOp) -> Any:
    """A module of the llvm dialect as one of `llvmlite.ir`."""
    try:
        converted: Any = convert_module(lowered, fallback_target_triple=None)
    except (LLVMTranslationException, NotImplementedError) as error:
        fail_at(lowered, f"xDSL's LLVM back end cannot translate the module: {error}")
    _keep_apart(lowered, converted)
    return converted


def _keep_apart(lowered: ModuleOp, converted: Any) -> None:
    """Tell LLVM of functions that it must not inline, and that nobody else calls.

    xDSL's back end translates neither the attribute nor the linkage of a function.
    """
    for op in lowered.ops:
        if isinstance(op, llvm.FuncOp) and op.no_inline is not None:
            function = converted.get_global(op.sym_name.data)
            function.linkage = op.linkage.linkage.data
            function.attributes.add("noinline")
            if not any(map(_may_take_long, ops_inside(op))):
                function.attributes.add("optnone")


def _may_take_long(op: Operation) -> bool:
    """Whether an op is of a loop that computes; other loops call kernels."""
    if isinstance(op, llvm.ConstantOp):
        return False
    return isinstance(op, llvm.LoadOp | llvm.StoreOp) or any(
        isinstance(result.type, AnyFloat | VectorType) for result in op.results
    )


def _move_into_wrappers(
    lowered: ModuleOp, converted: Any, renamed: Mapping[str, str], *, is_large: bool
) -> None:
    """Have each function that only its wrapper calls become a part of the wrapper.

    `renamed` has the names in the program of functions that have others here.

    Python calls wrappers alone. Descriptors as words are hundreds of arguments for a
    network with its weights, which take LLVM seconds. If the loops that compute are
    functions of their own, what calls them is not worth LLVM's time either.
    """
    calls = Counter(
        op.callee.string_value()
        for op in ops_inside(lowered)
        if isinstance(op, llvm.CallOp) and op.callee is not None
    )
    functions = {
        op.sym_name.data: op for op in lowered.ops if isinstance(op, llvm.FuncOp)
    }
    for name, wrapped in functions.items():
        wrapper = abi.C_INTERFACE_PREFIX + renamed.get(name, name)
        if wrapper not in functions or calls[name] != 1:
            continue
        function = converted.get_global(name)
        function.linkage = "internal"
        function.attributes.add("alwaysinline")
        if is_large and not any(map(_may_take_long, ops_inside(wrapped))):
            attributes = converted.get_global(wrapper).attributes
            attributes.add("noinline")
            attributes.add("optnone")
