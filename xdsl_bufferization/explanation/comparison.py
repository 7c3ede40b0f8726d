"""What functions cost with each heuristic of the analysis, and with other options.

    @f                      copies  bytes copied  over all iterations  peak
    bottom-up                    2           128                 1280    64
    optimal                      1            64                   64    64
    optimal: decided with 1 copy of 64 bytes; no decisions copy fewer bytes

Each variant is a pipeline, run on a copy of the program; `auto` chooses for itself, and
`optimal` searches.
"""

import dataclasses
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.analyses.cost.function_costs import (
    FunctionCost,
    estimate_bytes_copied,
    measure_costs,
)
from xdsl_bufferization.bufferization.analyses.one_shot.cached_analysis import Snapshot
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import Heuristics
from xdsl_bufferization.bufferization.analyses.one_shot.optimum import Optimum
from xdsl_bufferization.bufferization.bufferize.choose_heuristics import (
    CANDIDATES,
    choose_heuristics,
)
from xdsl_bufferization.bufferization.bufferize.choose_optimum import choose_optimum
from xdsl_bufferization.bufferization.bufferize.drop_equivalent_buffer_results import (
    DropEquivalentBufferResultsPass,
)
from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    EliminateEmptyTensorsPass,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.bufferize.trials import Price, Trials
from xdsl_bufferization.bufferization.bufferize.value_arguments import (
    mark_value_arguments,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    MoveReadsBeforeWritesPass,
)
from xdsl_bufferization.bufferization.fewer_copies.rematerialize_cheap_tensors import (
    RematerializeCheapTensorsPass,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.bufferization.mlir_pass import apply_checked
from xdsl_bufferization.codegen.tm_tensor_to_loops import (
    with_tm_tensor_as_loops,
)
from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.pass_bundle import spell_pass
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.support.garbage import without_garbage_collection

from .caller_copies import find_caller_copies
from .report import CallerCopy


@dataclass(frozen=True)
class FunctionFigures:
    """What a function costs: each op counts once, unknown sizes as 0 bytes.

    But for `estimated_bytes_copied`.
    """

    name: str
    copies: int
    dynamic_copies: int
    """Those among them of unknown size."""

    bytes_copied: int
    caller_copies: int
    """What a call copies beside that: tensors that the function overwrites."""

    estimated_bytes_copied: int
    """Over all iterations of loops and for the caller; what is unknown is guessed."""

    peak: int
    """The most bytes that are allocated at one time."""

    allocations: int
    dynamic_allocations: int
    lower_bound: int
    """The most bytes that are in use at one time."""

    is_cheapest: bool = False
    """Whether no variant of the same program has cheaper decisions."""

    bound: str | None = None
    """What a search says of its decisions: how many bytes any others copy at least."""


@dataclass(frozen=True)
class Variant:
    """The program with one set of options."""

    name: str
    pipeline: str
    functions: tuple[FunctionFigures, ...]
    error: str | None = None
    """Why the program cannot be bufferized so; there are no figures then."""

    place: str | None = None
    """Where that is, as `file:line:column`."""


@dataclass(frozen=True)
class Comparison:
    """The variants of a program."""

    file: str | None
    variants: tuple[Variant, ...]

    def as_json(self) -> str:
        """One JSON object in one line."""
        return json.dumps(dataclasses.asdict(self))


_Price = tuple[int, Price]
"""Estimated bytes copied, for the caller too, and then what `auto` compares."""

_BEHIND: Final = DropEquivalentBufferResultsPass(), BufferDeallocationPipelinePass()
"""What runs behind the pass that decides, in each variant."""


@without_garbage_collection()
def compare_options(
    module: ModuleOp, file: str | None, donated: Collection[str] = ()
) -> Comparison:
    """Bufferize copies of `module`, each with other options.

    Whoever calls its functions keeps the tensors, as the callers of `jit` do, but for
    arguments that are `donated`.
    """
    module = module.clone()
    mark_value_arguments(module, finds_results_in_arguments=True)
    program = _Program(module, donated)
    prices: dict[tuple[str, str], _Price] = {}
    variants = [
        _try(program, name, passes, prices) for name, passes in _list_variants()
    ]
    best: dict[str, _Price] = {}
    for (_, function), price in prices.items():
        best[function] = min(best.get(function, price), price)
    return Comparison(
        file,
        tuple(
            replace(
                variant,
                functions=tuple(
                    replace(
                        each,
                        is_cheapest=prices[variant.name, each.name] == best[each.name],
                    )
                    for each in variant.functions
                ),
            )
            for variant in variants
        ),
    )


def _list_variants() -> Iterator[tuple[str, Sequence[ModulePass]]]:
    automatic = AnalysisHeuristic.AUTO, AnalysisHeuristic.OPTIMAL
    for heuristic in (*CANDIDATES, *automatic):
        name = heuristic.value
        yield name, (one_shot_of_programs(analysis_heuristic=name),)
    yield "disjoint-subsets=false", (one_shot_of_programs(disjoint_subsets=False),)
    yield "copy-before-write", (one_shot_of_programs(copy_before_write=True),)
    yield (
        "eliminate-empty-tensors",
        (EliminateEmptyTensorsPass(), one_shot_of_programs()),
    )
    fewer = RematerializeCheapTensorsPass(), MoveReadsBeforeWritesPass()
    for each in fewer:
        yield each.name, (each, one_shot_of_programs())
    optimal = one_shot_of_programs(analysis_heuristic=AnalysisHeuristic.OPTIMAL.value)
    yield "both, then optimal", (*fewer, optimal)


def _try(
    program: "_Program",
    name: str,
    passes: Sequence[ModulePass],
    prices: dict[tuple[str, str], _Price],
) -> Variant:
    pipeline = ",".join(map(spell_pass, (*passes, *_BEHIND)))
    *before, one_shot = passes
    assert isinstance(one_shot, OneShotBufferizePass)
    try:
        for each in before:
            program = program.after(each)
        costs, bounds = program.measure(one_shot)
    except OperationError as error:
        return Variant(name, pipeline, (), error.message, locate(error.op))
    prices |= {(name, function): price for function, price in costs.prices.items()}
    functions = (
        replace(each, bound=bounds[each.name].in_words())
        if each.name in bounds
        else each
        for each in costs.functions
    )
    return Variant(name, pipeline, tuple(functions))


class _Costs(NamedTuple):
    """What functions cost with some decisions."""

    functions: tuple[FunctionFigures, ...]
    prices: dict[str, _Price]


_Measured = tuple[_Costs, Mapping[str, Optimum]]
"""What functions cost, and what a search found for them if there was one."""


class _Program:
    """A program that several variants are about, bufferized once for each decisions."""

    def __init__(self, module: ModuleOp, donated: Collection[str]) -> None:
        self.module = module
        self.donated = donated
        self._trials = Trials(module, one_shot_bufferize)
        self._auto: Heuristics | None = None
        self._costs: dict[ModuleOp, _Costs] = {}
        self._measured: dict[OneShotBufferizePass, _Measured] = {}
        self._after: dict[ModulePass, _Program] = {}
        self._unchanged: ModuleOp | None = None
        """A clone that passes have left as it was."""

    def after(self, each: ModulePass) -> "_Program":
        """The program after a pass; this one, if the pass changes nothing."""
        if each not in self._after:
            self._after[each] = self._run(each)
        return self._after[each]

    def _run(self, each: ModulePass) -> "_Program":
        clone, self._unchanged = self._unchanged or self.module.clone(), None
        snapshot = Snapshot(clone)
        each.apply(get_context(), clone)
        if snapshot.is_current(clone):
            self._unchanged = clone
            return self
        return _Program(clone, self.donated)

    def measure(self, one_shot: OneShotBufferizePass) -> _Measured:
        """What functions cost if a pass bufferizes the program.

        Raises an `OperationError` where that cannot be.
        """
        if one_shot not in self._measured:

            def measure() -> None:
                self._measured[one_shot] = self._measure(one_shot.get_options())

            apply_checked(one_shot, self.module, measure)
        return self._measured[one_shot]

    def _measure(self, options: BufferizationOptions) -> _Measured:
        heuristics = self._choose(options)
        bufferized = self._trials.bufferize(options, heuristics)
        costs = self._costs.get(bufferized)
        if costs is None:
            costs = _measure_costs(bufferized.clone(), self.donated)
            self._costs[bufferized] = costs
        bounds = {
            name: each
            for name, each in (heuristics or {}).items()
            if isinstance(each, Optimum)
        }
        return costs, bounds

    def _choose(self, options: BufferizationOptions) -> Heuristics | None:
        heuristic, trials = options.analysis_heuristic, self._trials
        if heuristic not in (AnalysisHeuristic.AUTO, AnalysisHeuristic.OPTIMAL):
            return None
        if self._auto is None:
            as_auto = replace(options, analysis_heuristic=AnalysisHeuristic.AUTO)
            self._auto = choose_heuristics(trials, as_auto)
        if heuristic is AnalysisHeuristic.AUTO:
            return self._auto
        return choose_optimum(trials, options, auto=self._auto)


def _measure_costs(module: ModuleOp, donated: Collection[str]) -> _Costs:
    """What functions on buffers cost; the module is rewritten."""
    for each in _BEHIND:
        each.apply(get_context(), module)
    for_callers = find_caller_copies(module, donated)
    with_copies = with_tm_tensor_as_loops(module)
    estimates = {
        op.sym_name.data: estimate_bytes_copied(op)
        for op in with_copies.ops
        if isinstance(op, FuncOp) and not op.is_declaration
    }
    functions: list[FunctionFigures] = []
    prices: dict[str, _Price] = {}
    for function, cost in measure_costs(with_copies).items():
        for_caller = for_callers.get(function, ())
        estimate = estimates.get(function, 0)
        estimate += sum(copy.estimated_bytes for copy in for_caller)
        prices[function] = estimate, _price(cost, for_caller)
        memory, copies = cost.memory, cost.copies
        functions.append(
            FunctionFigures(
                function,
                copies.count,
                copies.dynamic,
                copies.bytes,
                len(for_caller),
                estimate,
                memory.peak_bytes,
                memory.allocations,
                memory.dynamic_allocations,
                memory.lower_bound_bytes,
            )
        )
    return _Costs(tuple(functions), prices)


def _price(cost: FunctionCost, for_caller: Sequence[CallerCopy]) -> Price:
    """That of a function, with the copies that a call makes and has until its end."""
    own = Price.of(cost)
    size = sum(copy.bytes or 0 for copy in for_caller)
    unknown = sum(copy.bytes is None for copy in for_caller)
    return Price(
        own.dynamic_copies + unknown,
        own.bytes_copied + size,
        own.peak_bytes + size,
        own.dynamic_allocations + unknown,
        own.allocations + len(for_caller),
    )
