"""What `xbuf run` does: bufferize a program, compile, run, compare and report.

    func.func @entry(%x: tensor<256x128xf32>) -> ...   ->   max_rel_error  2.1e-07
                                                            allocs         4 ...

The program is compiled twice. The first run counts allocations and copies, on a heap
that is slow and overwrites freed memory. The second is timed, on the heap of the
process.
"""

import dataclasses
import gc
import statistics
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.targets.target import LLVM, NATIVE
from xdsl_bufferization.dialects.remarks import collected_remarks
from xdsl_bufferization.explanation.caller_copies import find_caller_copies
from xdsl_bufferization.frontends.argument_sizes import sizes_of
from xdsl_bufferization.frontends.default_pipelines import with_checks
from xdsl_bufferization.frontends.refined_arguments import refine_for
from xdsl_bufferization.frontends.stablehlo.recognition import is_stablehlo
from xdsl_bufferization.frontends.stablehlo.stablehlo_legalize_to_linalg import (
    stablehlo_legalize_to_linalg,
)
from xdsl_bufferization.pipelines.compile import compile_module, requests_kernels
from xdsl_bufferization.pipelines.python_callers import expect_python_callers
from xdsl_bufferization.pipelines.verified import with_proofs
from xdsl_bufferization.reference.evaluator import evaluate_call
from xdsl_bufferization.reference.flops import count_flops
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import EngineError, MismatchError
from xdsl_bufferization.runtime.heap import CountingHeap, HeapReport
from xdsl_bufferization.runtime.processors.processor import this_processor
from xdsl_bufferization.runtime.team import default_threads
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.support.whole_files import written_whole

from ..common.diagnostics import UsageError, UserError
from ..common.program import (
    check_backend,
    choose_pipeline,
    entry_of,
    keep_buffers_public,
    load,
    parse_passes,
    run_passes,
)
from ..common.progress import stage
from ..mlir_opt.proving import proofs_on_stderr
from .arguments import is_bf16
from .call import Call
from .compare import BF16_TOLERANCE, max_relative_error, tolerance_of
from .initial_numbers import InitialNumbers
from .initial_types import NORMAL
from .kernel_remarks import ABOUT_KERNELS, say_first, says_nothing, with_remarks
from .random_splats import randomize_splats
from .run_report import Counters, RunReport
from .timing import deviation_of, mean_of, measure, warm_up_calls

Array = NDArray[Any]


@dataclass(frozen=True)
class RunOptions:
    """What to run, and how."""

    file: str
    entry: str | None = None
    pipeline: str | None = None
    """The passes from tensors to buffers that are freed; None: the default ones."""
    optimize: bool = True
    """Whether the default passes make kernels."""
    seed: int = 0
    inputs: str | None = None
    outputs: str | None = None
    check: bool = False
    tolerance: float | None = None
    repeat: int = 3
    benchmark: int | None = None
    """How many calls are timed after others that warm up; None: `repeat`, at once."""
    init_type: str | None = None
    """Which numbers the arguments have, of `INIT_TYPES`; None: NumPy's random ones."""
    splat_to_random: bool = False
    """Whether constants of equal positive numbers become random."""
    xsmm: str = "generated"
    """Where kernels come from, one of `abi.XSMM_BACK_ENDS`."""
    threads: int = 0
    """The threads of the timed calls; 0: as many as the environment says."""
    checked: bool = False
    """Whether the program checks what it does."""
    verified: bool = False
    """Whether copies and deallocations are proven while it is compiled."""
    target: str = NATIVE
    backend: str = LLVM


@dataclass(frozen=True)
class RunResult:
    """A report, and the fault of the run if there is one."""

    report: RunReport
    problem: UserError | None
    outputs: dict[str, Array]
    """What came out of the last call that was looked at, by name."""


def run(options: RunOptions) -> RunResult:
    """Run a program as `options` say; errors are those that `diagnostics` describes."""
    check_backend(options.backend, options.target)
    _check_target(options)
    pipeline = choose_pipeline(
        options.pipeline,
        optimize=options.optimize,
        backend=options.backend,
        threads=options.threads,
    )
    passes = parse_passes(pipeline)
    with stage("parsing"):
        module = load(options.file, get_context())
    numbers = _initial_numbers(options)
    if options.splat_to_random and numbers is not None:
        randomize_splats(module, numbers)
    entry = entry_of(module, options.file, options.entry)
    call = Call.of(
        entry,
        options.file,
        inputs=options.inputs,
        seed=options.seed,
        numbers=numbers,
    )
    if is_stablehlo(module):
        refine_for(module, entry, sizes_of(call.arguments, {}))
    lowered = _without_stablehlo(module)
    flops = count_flops(lowered, call.function)
    reference = _reference(lowered, call) if options.check else None
    # The results are looked at, also where they are an argument's buffer.
    is_native = options.target == NATIVE
    expect_python_callers(module, finds_results_in_arguments=is_native)
    if options.checked:
        passes = [*with_checks(passes)]
    with proofs_on_stderr(options.verified):
        bufferize_seconds = _bufferize(module, passes, verified=options.verified)
    keep_buffers_public(module, call.function)
    for_caller = find_caller_copies(module).get(call.function, ())
    if isinstance(reference, OperationError):
        raise reference

    execute = _execute if is_native else _execute_on_target
    execution = execute(module, call, options)
    if options.outputs is not None:
        _save(options.outputs, call.output_names, execution.outputs[-1])
    error = None
    if reference is not None:
        error = max(reference.error_of(each) for each in execution.outputs)
    seconds = execution.seconds
    report = RunReport(
        max_rel_error=error,
        **dataclasses.asdict(execution.counters),
        seconds=seconds,
        gflops=None if flops is None else flops / statistics.median(seconds) / 1e9,
        compile_seconds=bufferize_seconds + execution.compile_seconds,
        kernels=_kernels(module, options),
        caller_copies=len(for_caller),
        threads=_threads(options),
        cpu=_cpu(options),
        mean_seconds=mean_of(seconds, options.benchmark),
        deviation_seconds=deviation_of(seconds, options.benchmark),
    )
    tolerance = options.tolerance
    if tolerance is None:
        is_coarse = any(map(is_bf16, call.output_types))
        first = execution.outputs[0]
        tolerance = BF16_TOLERANCE if is_coarse else tolerance_of(first)
    problem = execution.wrong_frees or _difference(error, tolerance)
    return RunResult(
        report,
        UserError(call.place, problem) if problem else None,
        dict(zip(call.output_names, execution.outputs[-1], strict=True)),
    )


def _initial_numbers(options: RunOptions) -> InitialNumbers | None:
    """What `--init-type` says that arguments and splats are; None: NumPy's numbers."""
    if options.init_type is None and not options.splat_to_random:
        return None
    try:
        return InitialNumbers(options.init_type or NORMAL, options.seed)
    except ValueError as error:
        raise UsageError(options.file, str(error)) from None


def _check_target(options: RunOptions) -> None:
    if options.target == NATIVE:
        return
    for name, is_given in (
        ("--xsmm", options.xsmm != "generated"),
        ("--threads", options.threads > 1),
        ("--checked", options.checked),
    ):
        if is_given:
            raise UsageError(
                options.file,
                f"{name} is for programs that run in this process: leave it out, or "
                f"--target {options.target}",
            )


def _threads(options: RunOptions) -> int:
    """How many threads may share a loop."""
    return options.threads or default_threads() if options.target == NATIVE else 1


def _cpu(options: RunOptions) -> str | None:
    """The processor that the code is for, if that is not the one here."""
    name = this_processor().name if options.target == NATIVE else NATIVE
    return None if name == NATIVE else name


def _without_stablehlo(module: ModuleOp) -> ModuleOp:
    """The program as the reference knows it: itself, or a copy of a program of JAX."""
    if not is_stablehlo(module):
        return module
    copy = module.clone()
    stablehlo_legalize_to_linalg(copy)
    return copy


@dataclass(frozen=True)
class _Reference:
    """What should come out of a call, in the order of `Call.outputs`."""

    outputs: list[Array]
    unspecified: frozenset[int]
    """Outputs that may be anything: buffers that the program lends to its tensors."""

    def error_of(self, outputs: list[Array]) -> float:
        """How far the outputs of a call are from these."""
        kept = [n for n in range(len(outputs)) if n not in self.unspecified]
        actual, expected = ([each[n] for n in kept] for each in (outputs, self.outputs))
        return max_relative_error(actual, expected)


def _reference(module: ModuleOp, call: Call) -> _Reference | OperationError:
    """What the program computes in NumPy, or why that is not known.

    What bufferization has to say about the program goes before that.
    """
    arguments = call.arguments_as_numbers()
    try:
        with stage("evaluating the reference"), call.saying_what_is_random():
            outcome = evaluate_call(module, call.function, arguments)
    except OperationError as error:
        return error
    first = len(outcome.results)
    unspecified = frozenset(
        first + at for at, n in enumerate(call.buffers) if n in outcome.unspecified
    )
    buffers = [arguments[n] for n in call.buffers]
    return _Reference([*outcome.results, *buffers], unspecified)


def _bufferize(module: ModuleOp, passes: list[ModulePass], *, verified: bool) -> float:
    """Run the pipeline, with proofs or without; returns how long that took.

    Passes that make kernels without a word say why an op has none.
    """
    started = time.perf_counter()
    with stage("bufferizing"):
        if not says_nothing(passes):
            run_passes(module, [*with_proofs(passes)] if verified else passes)
            return time.perf_counter() - started
        passes = with_remarks(passes)
        with collected_remarks(ABOUT_KERNELS) as remarks:
            run_passes(module, [*with_proofs(passes)] if verified else passes)
    seconds = time.perf_counter() - started
    say_first(module, remarks)
    return seconds


@dataclass(frozen=True)
class _Execution:
    """What came of running the compiled program."""

    counters: Counters
    wrong_frees: str | None
    outputs: list[list[Array]]
    """The outputs of some of the calls, to compare and to save."""
    seconds: list[float]
    compile_seconds: float


def _execute(module: ModuleOp, call: Call, options: RunOptions) -> _Execution:
    """Run the program in this process: once to count, and some more to be timed."""
    counters, wrong_frees, outputs = _count(module, call, options)
    # The heap of the process does not survive wrong frees.
    compiled = _compile(
        module,
        call,
        options,
        count=wrong_frees is not None,
        threads=options.threads,
    )
    repeat = options.benchmark or options.repeat
    warm_up = warm_up_calls(options.benchmark)
    seconds, timed_outputs = measure(compiled, call, repeat, warm_up)
    both = [outputs, timed_outputs]
    return _Execution(counters, wrong_frees, both, seconds, compiled.compile_seconds)


def _execute_on_target(module: ModuleOp, call: Call, options: RunOptions) -> _Execution:
    """Run the program in a process of its own, where every call counts."""
    # Generating kernels and running emulators takes what most runs do not need.
    from .run_on_target import run_on_target

    rounds = [call.prepare() for _ in range(options.benchmark or options.repeat)]
    try:
        done = run_on_target(
            module,
            call.function,
            rounds,
            options.target,
            options.backend,
            read_back=call.buffers,
        )
    except KeyError:
        raise call.removed() from None
    except (EngineError, MismatchError) as error:
        raise UserError(call.place, str(error)) from error
    first = done.calls[0].counts
    counters = Counters(
        first.allocs, first.frees, first.live_bytes, first.peak_bytes, first.copies
    )
    wrong_frees = None
    if first.wrong_frees:
        wrong_frees = (
            "the compiled program freed memory twice, or memory that is not its own "
            f"({first.wrong_frees} times)"
        )
    outputs = [call.outputs(each.results, each.arguments) for each in done.calls]
    seconds = [each.counts.seconds for each in done.calls]
    return _Execution(counters, wrong_frees, outputs, seconds, done.compile_seconds)


def _compile(
    module: ModuleOp,
    call: Call,
    options: RunOptions,
    *,
    count: bool = False,
    threads: int = 1,
) -> CompiledModule:
    try:
        with stage("compiling"):
            return compile_module(
                module,
                counting_heap=count,
                count_copies=count,
                poison=count,
                xsmm=options.xsmm,
                threads=threads,
                checked=options.checked,
            )
    except EngineError as error:
        raise UserError(call.place, str(error)) from error


def _count(
    module: ModuleOp, call: Call, options: RunOptions
) -> tuple[Counters, str | None, list[Array]]:
    """One call on a counting heap: its counters, wrong frees, what came out.

    On one thread: how much memory several need at a time depends on how they run.
    """
    compiled = _compile(module, call, options, count=True)
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    arguments, margins = call.prepare_guarded()
    with stage("running"), call.saying_what_is_random():
        results = call.make(compiled, arguments)
    call.check(margins)
    at_return = heap.report()
    outputs = call.outputs(results, arguments)
    del results
    gc.collect()
    at_end = heap.report()
    counters = Counters(
        allocs=at_return.allocs,
        frees=at_return.frees,
        live_bytes=at_end.live_bytes,
        peak_bytes=at_return.peak_bytes,
        copies=at_return.copies,
    )
    return counters, _wrong_frees(at_end), outputs


def _wrong_frees(heap: HeapReport) -> str | None:
    if not (heap.double_frees or heap.foreign_frees):
        return None
    return (
        f"the compiled program freed memory twice ({heap.double_frees} times) or "
        f"memory that is not its own ({heap.foreign_frees} times)"
    )


def _kernels(module: ModuleOp, options: RunOptions) -> list[dict[str, Any]]:
    """The kernels that the program requested in this process, if it has any."""
    if options.target != NATIVE or not requests_kernels(module):
        return []
    # Generating kernels takes what most programs do not need.
    from xdsl_bufferization.runtime.xsmm import requested_kernels

    return [each._asdict() for each in requested_kernels(options.xsmm)]


def _difference(error: float | None, tolerance: float) -> str | None:
    if error is None or error <= tolerance:
        return None
    return (
        f"the results differ from the reference evaluation: relative error "
        f"{error:.3g}, tolerance {tolerance:g}"
    )


def _save(file: str, names: list[str], outputs: list[Array]) -> None:
    arrays = dict(zip(names, outputs, strict=True))
    try:
        # An open file: given a name, NumPy would append ".npz" to it.
        with written_whole(file) as stream:
            np.savez(stream, allow_pickle=False, **arrays)
    except OSError as error:
        raise UserError(file, error.strerror or str(error)) from error
