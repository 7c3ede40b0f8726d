"""A program that was made of a graph, compiled, and called with tensors.

function = compile_graph(program_of(graph_module), weights={0})
outputs = function(weight, x)
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final, Unpack, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import ParseError, PassFailedException, VerifyException

from xdsl_bufferization.bufferization.bufferize.value_arguments import (
    mark_value_arguments,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.explanation.profile import Profiler
from xdsl_bufferization.optimization.packing.prepare_weights import (
    PREPARE_SUFFIX,
    argument_sources,
    mark_weights,
)
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.pipelines.pass_bundle import run_pass
from xdsl_bufferization.pipelines.verified import with_proofs
from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.support.garbage import (
    collect_what_is_much,
    without_garbage_collection,
)

from ..default_pipelines import passes_by_weights, with_checks
from ..doubts import doubts_as_warnings
from .graphs import TensorProgram
from .inputs import in_order
from .lowering import ENTRY
from .preparation import Prepare, can_evaluate, evaluated
from .tensors import array_of, tensor_of
from .weights import CachedWeights, Source

NOT_COMPILED: Final = (
    OperationError,
    ParseError,
    VerifyException,
    PassFailedException,
    EngineError,
)
"""What says that a program cannot be compiled, when it is read or later."""


class TensorFunction:
    """A compiled graph: takes all inputs of the graph, and returns all its outputs."""

    code: CompiledModule | None
    """What was compiled; None if there was nothing to compute."""

    is_dynamic: bool
    """Whether the code is for several sizes."""

    arguments: "CodeArguments"
    """How the arguments of the code are made of the inputs of the graph."""

    def __init__(
        self,
        program: TensorProgram,
        code: CompiledModule | None,
        arguments: "CodeArguments",
    ):
        self.code = code
        self.is_dynamic = program.is_dynamic
        self._call = None if code is None else code[ENTRY]
        self.arguments = arguments
        self._tail = program.tail
        self._open_sizes = program.open_sizes
        self._orders = program.orders

    @property
    def preparations(self) -> int:
        """How often something was computed of weights alone."""
        return self.arguments.weights.preparations

    def forget_weights(self) -> None:
        """Free what was computed of weights; the next call computes it again."""
        self.arguments.weights.forget()

    def input_of(self, argument: int) -> int | None:
        """The input of the graph that an argument of the code is; None: none alone."""
        return self.arguments.others.get(argument)

    def __call__(self, *inputs: Any) -> Any:
        """The outputs of the graph, as PyTorch would return them."""
        if self._call is None:
            return self._tail.outputs(inputs, ())
        taken = in_order(inputs, self._orders)
        results = _as_tuple(self._call(*self.arguments.of(taken)))
        for size in self._open_sizes:
            size.check(taken, results)
        return self._tail.outputs(inputs, [*map(tensor_of, results, self._tail.dtypes)])


@without_garbage_collection()
def compile_graph(
    program: TensorProgram,
    *,
    weights: Collection[int] = (),
    optimize: bool = True,
    is_verified: bool = False,
    profiler: Profiler | None = None,
    **options: Unpack[CompileOptions],
) -> TensorFunction:
    """Compile a program that was made of a graph.

    `weights` are inputs that seldom change: what depends on them alone is computed
    once. `optimize` is that of `jit`, and `is_verified` is its `verified`. A `profiler`
    times the parts of the code. Raises what the passes and `compile` raise.
    """
    if program.module is None:
        nothing = CachedWeights((), (), tuple)
        return TensorFunction(program, None, CodeArguments(nothing, {}))
    is_checked = options.get("checked", False)
    lowered = lower_graph(
        program,
        weights=weights,
        optimize=optimize,
        is_checked=is_checked,
        is_verified=is_verified,
        one_thread=options.get("threads", 1) == 1,
    )
    sources = argument_sources(lowered.entry)
    compile_ = compile_module if profiler is None else profiler.compile
    code = compile_(lowered.module, **options)
    return TensorFunction(
        program, code, _arguments(lowered, code, program, sources, weights)
    )


@dataclass(frozen=True)
class LoweredGraph:
    """The program of a graph on buffers."""

    module: ModuleOp
    """What is to be compiled."""

    weights: FuncOp | None
    """What computes all that depends on weights alone, on tensors or on buffers."""

    is_compiled: bool
    """Whether `weights` is a function of `module`; else NumPy evaluates it."""

    @property
    def entry(self) -> FuncOp:
        """The function that a call runs."""
        return _function(self.module, ENTRY)


def lower_graph(
    program: TensorProgram,
    *,
    weights: Collection[int] = (),
    optimize: bool = True,
    is_checked: bool = False,
    is_verified: bool = False,
    one_thread: bool = False,
) -> LoweredGraph:
    """The program of a graph on buffers; the options are those of `compile_graph`.

    For `one_thread`, no tiles are made to be shared. The program must have something to
    compute. Raises what the passes raise.
    """
    assert program.module is not None
    return lower_with_weights(
        program.module.clone(),
        {n for n, input_ in enumerate(program.inputs) if input_ in weights},
        optimize=optimize,
        is_checked=is_checked,
        is_verified=is_verified,
        one_thread=one_thread,
    )


@without_garbage_collection()
def lower_with_weights(
    module: ModuleOp,
    weights: Set[int],
    *,
    optimize: bool = True,
    is_checked: bool = False,
    is_verified: bool = False,
    one_thread: bool = False,
) -> LoweredGraph:
    """Lower a program on tensors; `weights` are arguments of `ENTRY` by position.

    The options are those of `lower_graph`. Raises what the passes raise.
    """
    mark_value_arguments(module, finds_results_in_arguments=True)
    mark_weights(_function(module, ENTRY), weights)
    before, after = passes_by_weights(optimize=optimize, one_thread=one_thread)
    if is_checked:
        before = with_checks(before)
    if is_verified:
        before, after = with_proofs(before), with_proofs(after)
    with doubts_as_warnings():
        split, is_compiled = _run_passes(before, after, module)
    return LoweredGraph(module, split, is_compiled)


def _run_passes(
    before: Sequence[ModulePass], after: Sequence[ModulePass], module: ModuleOp
) -> tuple[FuncOp | None, bool]:
    """Lower a program; what prepares its weights, and whether that is compiled."""
    _apply(before, module)
    split = _find_function(module, ENTRY + PREPARE_SUFFIX)
    is_compiled = split is not None and not can_evaluate(split)
    if split is not None and not is_compiled:
        split.detach()
    _apply(after, module)
    if is_compiled:
        split = _function(module, ENTRY + PREPARE_SUFFIX)
    return split, is_compiled


def _apply(passes: Sequence[ModulePass], module: ModuleOp) -> None:
    for each in passes:
        run_pass(each, get_context(), module)
        collect_what_is_much()


@dataclass(frozen=True)
class CodeArguments:
    """How the arguments of the compiled function are made of the inputs."""

    weights: CachedWeights
    others: Mapping[int, int]
    """For each argument that is no cached weight, the number of an input."""

    def of(self, inputs: Sequence[Any]) -> list[object]:
        """The arguments of one call."""
        passed = list(self.weights.arguments(inputs))
        for number, input_ in self.others.items():
            passed[number] = _argument(inputs[input_])
        return passed


def _arguments(
    lowered: LoweredGraph,
    code: CompiledModule,
    program: TensorProgram,
    sources: Sequence[tuple[int, bool]],
    weights: Collection[int],
) -> CodeArguments:
    cached: list[Source | None] = []
    others: dict[int, int] = {}
    for number, source in enumerate(_from_inputs(sources, program)):
        is_cached = source.is_prepared or source.number in weights
        cached.append(source if is_cached else None)
        if not is_cached:
            others[number] = source.number
    wanted: Sequence[int] = ()
    prepare: Prepare = tuple
    if lowered.weights is not None and any(
        each and each.is_prepared for each in cached
    ):
        inputs = _from_inputs(argument_sources(lowered.weights), program)
        wanted = [source.number for source in inputs]
        prepare = preparation(lowered, code)
    return CodeArguments(
        CachedWeights(cached, wanted, prepare, code[ENTRY].packed), others
    )


def preparation(lowered: LoweredGraph, code: CompiledModule) -> Prepare:
    """What makes of weights what the code takes in their place, if that is anything."""
    assert lowered.weights is not None
    name = lowered.weights.sym_name.data
    if not lowered.is_compiled:
        return evaluated(ModuleOp([lowered.weights]), name)
    function = code[name]

    def prepare(weights: Sequence[Array]) -> Sequence[Array]:
        return _as_tuple(function(*weights))

    return prepare


def _as_tuple(results: Any) -> tuple[Any, ...]:
    if isinstance(results, tuple):
        return cast(tuple[Any, ...], results)
    return (results,)


def _from_inputs(
    sources: Sequence[tuple[int, bool]], program: TensorProgram
) -> list[Source]:
    """Where arguments come from, by inputs of the graph."""
    return [
        Source(number if is_prepared else program.inputs[number], is_prepared)
        for number, is_prepared in sources
    ]


def _function(module: ModuleOp, name: str) -> FuncOp:
    function = _find_function(module, name)
    if function is None:
        raise LookupError(f"the program has no function @{name}")
    return function


def _find_function(module: ModuleOp, name: str) -> FuncOp | None:
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == name:
            return op
    return None


def _argument(value: Any) -> object:
    return array_of(value) if hasattr(value, "detach") else value
