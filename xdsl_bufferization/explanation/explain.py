"""Explain the copies that a pipeline makes of a program, for `xbuf explain`.

    a Source  ->  passes before  ->  decisions, reasons  ->  Explanation
                                 ->  passes behind       ->  figures

The decisions are those of the first `one-shot-bufferize` in the pipeline. If passes
before it change the program, it is what they leave that is explained, in its own lines.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.analyses.cost.function_costs import (
    FunctionCost,
    count_copies,
    measure_costs,
)
from xdsl_bufferization.bufferization.analyses.cost.memory_profile import (
    profile_module,
)
from xdsl_bufferization.bufferization.analyses.one_shot.cached_analysis import (
    Snapshot,
    cache_analysis,
    decide_alike,
)
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import (
    OneShotAnalysis,
    analyze,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
    decide,
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_options import OneShotOptions
from xdsl_bufferization.bufferization.bufferize.ops_with_tensors import OpsWithTensors
from xdsl_bufferization.bufferization.bufferize.partial_analysis import PartialAnalysis
from xdsl_bufferization.bufferization.bufferize.rewrite_notes import LayoutCopy
from xdsl_bufferization.bufferization.bufferize.value_arguments import (
    mark_value_arguments,
)
from xdsl_bufferization.bufferization.bufferize.verified_analysis import (
    refuse_unknown_ops,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.fewer_copies.decided import WHOLE_PROGRAMS
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    MoveReadsBeforeWritesPass,
)
from xdsl_bufferization.bufferization.fewer_copies.notes import Note
from xdsl_bufferization.bufferization.fewer_copies.rematerialize_cheap_tensors import (
    RematerializeCheapTensorsPass,
)
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.interfaces.state import AnalysisState
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.codegen.tm_tensor_to_loops import (
    with_tm_tensor_as_loops,
)
from xdsl_bufferization.dialects.short_errors import short_errors
from xdsl_bufferization.optimization.packing.prepare_weights import forget_weights
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.pass_bundle import spell_pass, unbundle
from xdsl_bufferization.support.errors import (
    OperationError,
    expect_module,
    fail_at,
)
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from .buffers import list_buffers
from .caller_copies import find_caller_copies
from .decisions import FunctionDecisions
from .layouts import with_layout_copies
from .memory import MemoryStage
from .memory_stages import trace_stages
from .page import ShownExplanation
from .proofs import FunctionProofs
from .report import Buffer, Explanation, FunctionReport
from .source import Source, print_source

_SAVING = (MoveReadsBeforeWritesPass, RematerializeCheapTensorsPass)
"""Passes that say what they change in order to copy less."""


@dataclass(frozen=True)
class Stages:
    """A pipeline around the pass that decides."""

    before: Sequence[ModulePass]
    one_shot: OneShotBufferizePass
    behind: Sequence[ModulePass]

    @property
    def spelling(self) -> str:
        """All passes as xdsl-opt takes them."""
        return _spell((*self.before, self.one_shot, *self.behind))


def split_pipeline(passes: Sequence[ModulePass], module: ModuleOp) -> Stages:
    """The passes before and behind the first `one-shot-bufferize`.

    Raises an `OperationError` at `module` if there is none, or if it does not decide.
    """
    all_passes = list(unbundle(passes))
    kinds = [isinstance(each, OneShotBufferizePass) for each in all_passes]
    if True not in kinds:
        fail_at(module, "the pipeline has no one-shot-bufferize to explain; add it")
    number = kinds.index(True)
    one_shot = all_passes[number]
    assert isinstance(one_shot, OneShotBufferizePass)
    # What it would say itself, or do instead of bufferizing, is of no use here.
    one_shot = replace(
        one_shot,
        explain=False,
        test_analysis_only=False,
        dump_alias_sets=False,
        print_conflicts=False,
    )
    if one_shot.copy_before_write:
        fail_at(
            module,
            "with copy-before-write nothing is decided that could be explained; "
            "leave it out",
        )
    return Stages(all_passes[:number], one_shot, all_passes[number + 1 :])


@without_garbage_collection()
def explain_source(
    source: Source,
    passes: Sequence[ModulePass],
    *,
    donated: Collection[str | int] | None = None,
    wants_memory: bool = False,
    wants_proofs: bool = False,
    wants_buffers: bool = False,
    hear_decided: Callable[[Sequence[FunctionReport]], None] | None = None,
) -> Explanation:
    """Explain the copies that `passes` make; the module of `source` is rewritten.

    With `donated`, the program is one that Python calls, as by `jit`: callers keep the
    tensors that they pass, but for these, which are given by name or position. Without
    it, whoever calls passes buffers.

    What happens to memory over time is told only if asked for, as it takes longer. So
    are the buffers with who frees them, and proofs of the decisions and deallocations,
    in which a fault is an error. If passes before the decisions change nothing,
    `hear_decided` is told of these as soon as they are made, without figures.
    Raises an `OperationError` where the program cannot be bufferized.
    """
    stages = split_pipeline(passes, source.module)
    text = source.text
    notes: list[Note] = []
    obstacles: _Obstacles = {}
    if donated is not None:
        forget_weights(source.module)
    if stages.before:
        source, obstacles = _run_before(source, stages, notes)
    analysis = _decide(source.module, stages.one_shot.get_options())
    if donated is not None:
        # Now, so that the text that is shown has no marks. No decision asks for them.
        mark_value_arguments(source.module, finds_results_in_arguments=True)
    functions = list(_report_all(source, analysis, obstacles))
    if hear_decided is not None and source.text == text:
        hear_decided(functions)
    operands = [
        [each for op in ops_inside(function) for each in tensor_operands(op)]
        for function in _functions_with_bodies(source.module)
    ]
    memory: tuple[MemoryStage, ...] = ()
    if wants_memory:
        passes = stages.one_shot, *stages.behind
        memory = trace_stages(source.clone_module(), passes, get_context())
    copied: dict[OpOperand, LayoutCopy] = {}
    proofs = FunctionProofs(wants_proofs)
    proofs.prove_decisions(source.module, stages.one_shot.get_options())
    fill_in = _measure(
        source.module, stages, analysis, copied, donated or (), wants_buffers
    )
    proofs.prove_deallocations(source.module, stages.behind)
    functions = [
        with_layout_copies(report, of_function, copied)
        for report, of_function in zip(functions, operands, strict=True)
    ]
    return ShownExplanation(
        source.file,
        source.text,
        _spell(stages.before) if source.text != text else "",
        stages.spelling,
        tuple(proofs.add_to(fill_in(each)) for each in functions),
        memory,
        tuple(str(note) for note in notes if note.why_not is None),
        tuple(proofs.costs),
    )


_Obstacles = Mapping[OpOperand, str]
"""Why copies are left that another order of ops would save, if a pass tries that."""


def _run_before(
    source: Source, stages: Stages, notes: list[Note]
) -> tuple[Source, _Obstacles]:
    """The program after the passes before: as it was, or as it is printed now.

    What they say about the copies that they save is added to `notes`.
    """
    module = source.module
    snapshot, before = Snapshot(module), _names_of_ops(module)
    of_moves: list[Note] | None = None
    for each in stages.before:
        if isinstance(each, _SAVING):
            if of_moves is None:
                _decide_ahead(module, stages.one_shot.get_options())
            said: list[Note] = []
            each.run(module, said.append)
            notes += said
            if of_moves is None and isinstance(each, MoveReadsBeforeWritesPass):
                of_moves = said
        else:
            each.apply(get_context(), module)
    has_changed = not snapshot.is_current(module)
    if has_changed:
        after = print_source(module, source.file)
        # A pass may have made an op again, or moved one there and back.
        is_as_before = (
            before == _names_of_ops(module) and after.text == source.print_again()
        )
        source = source if is_as_before else after
    if of_moves is None:
        return source, {}
    is_refused = any(note.why_not is not None for note in of_moves)
    if has_changed or (is_refused and not source.has_places_as_locations):
        of_moves = _move_again(source)
    return source, {
        note.operand: note.why_not for note in of_moves if note.why_not is not None
    }


def _decide_ahead(module: ModuleOp, options: BufferizationOptions) -> None:
    """Decide once for the passes and for the explanation, which wants all reasons."""
    if not decide_alike(options, WHOLE_PROGRAMS):
        return
    attach_all()
    try:
        analysis = analyze(module, options, wants_all_reasons=True)
    except OperationError:
        return  # The passes leave such a program as it is.
    cache_analysis(module, analysis)


def _names_of_ops(module: ModuleOp) -> list[str]:
    return [op.name for op in ops_inside(module)]


def _move_again(source: Source) -> list[Note]:
    """What the pass that moves reads says of the program, with the places of `source`.

    The pass has done what it could. It tells of the rest on a copy of the program.
    """
    clone, notes = source.clone_module(), list[Note]()
    ops = dict(zip(ops_inside(clone), ops_inside(source.module), strict=True))
    MoveReadsBeforeWritesPass().run(clone, notes.append)
    return [
        note._replace(operand=note.operand._replace(owner=ops[note.operand.owner]))
        for note in notes
        if note.why_not is not None
    ]


def _decide(module: ModuleOp, options: BufferizationOptions) -> OneShotAnalysis:
    ops = OpsWithTensors(module, options)
    refuse_unknown_ops(ops, options)
    return decide(module, options, ops, wants_all_reasons=True)


def _report_all(
    source: Source, analysis: OneShotAnalysis, obstacles: _Obstacles
) -> Iterator[FunctionReport]:
    state: AnalysisState = analysis
    if analysis.options.no_analysis_func_filter:
        state = PartialAnalysis(source.module, analysis)
    for op in _functions_with_bodies(source.module):
        yield _report(op, source, analysis, state, obstacles)


def _functions_with_bodies(module: ModuleOp) -> list[FuncOp]:
    # Figures go by name, and a module inside has its own functions of any name.
    return [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]


def _report(
    function: FuncOp,
    source: Source,
    analysis: OneShotAnalysis,
    state: AnalysisState,
    why_not_moved: Mapping[OpOperand, str],
) -> FunctionReport:
    decisions = FunctionDecisions(function, source, analysis, state, why_not_moved)
    name = function.sym_name.data
    root = analysis.get_root_analysis(function)
    optimum = None if root is None else root.optimum
    return FunctionReport(
        name=name,
        position=source.position_of_op(function, f"@{name}"),
        last_line=source.last_line_of(function),
        values=tuple(decisions.list_values()),
        decisions=tuple(decisions.list_decisions()),
        optimum=None if optimum is None else optimum.in_words(),
    )


def spell_pipeline(passes: Sequence[ModulePass]) -> str:
    """What an explanation says that its figures are about."""
    return split_pipeline(passes, ModuleOp([])).spelling


def trace_source(
    source: Source, passes: Sequence[ModulePass]
) -> tuple[MemoryStage, ...]:
    """What a program does with memory over time, if no pass before changes it.

    `explain_source` says the same of programs that Python calls.
    """
    stages = split_pipeline(passes, source.module)
    mark_value_arguments(source.module, finds_results_in_arguments=True)
    behind = stages.one_shot, *stages.behind
    return trace_stages(source.clone_module(), behind, get_context())


def _measure(
    module: ModuleOp,
    stages: Stages,
    analysis: OneShotAnalysis,
    copied: dict[OpOperand, LayoutCopy],
    donated: Collection[str | int],
    wants_buffers: bool,
) -> Callable[[FunctionReport], FunctionReport]:
    """What fills in the figures of a report, once all passes have run.

    The decisions are those of `analysis`. `copied` gets what one-shot-bufferize copies
    for the sake of layouts.
    """
    notes = one_shot_bufferize(module, analysis.options, decided=analysis)
    copied |= {copy.operand: copy for copy in notes.layout_copies}
    copies = {
        op.sym_name.data: count_copies(op).count
        for op in module.ops
        if isinstance(op, FuncOp)
    }
    for each in stages.behind:
        each.apply(get_context(), module)
    for_callers = find_caller_copies(module, donated)
    as_loops = with_tm_tensor_as_loops(module)
    profiles = profile_module(as_loops)
    costs = measure_costs(as_loops, profiles)
    buffers: Mapping[str, tuple[Buffer, ...]] = {}
    if wants_buffers:
        is_other = as_loops is not module
        buffers = list_buffers(module, profile_module(module) if is_other else profiles)

    def fill_in(report: FunctionReport) -> FunctionReport:
        cost = costs.get(report.name)
        if cost is None:
            return report
        report = replace(
            report,
            caller_copies=for_callers.get(report.name, ()),
            buffers=buffers.get(report.name),
        )
        return _with_figures(report, cost, copies.get(report.name, 0))

    return fill_in


def _with_figures(
    report: FunctionReport, cost: FunctionCost, copies_before: int
) -> FunctionReport:
    memory, copies = cost.memory, cost.copies
    return replace(
        report,
        allocations=memory.allocations,
        dynamic_allocations=memory.dynamic_allocations,
        copies=copies.count,
        dynamic_copies=copies.dynamic,
        later_copies=max(0, copies.count - copies_before),
        bytes_allocated=memory.total_bytes,
        bytes_copied=copies.bytes,
        peak=memory.peak_bytes,
        lower_bound=memory.lower_bound_bytes,
    )


def _spell(passes: Sequence[ModulePass]) -> str:
    return ",".join(map(spell_pass, passes))


@short_errors()
def explain_module(
    module: ModuleOp,
    passes: Sequence[ModulePass] = (),
    **options: Unpack[OneShotOptions],
) -> Explanation:
    """Explain the copies that bufferizing a module makes; it is left as it is.

    `passes` is a pipeline with one-shot-bufferize. Without it that pass runs with
    `options`, for whole programs unless they say otherwise, and then
    buffer-deallocation-pipeline. Lines are those of the text that `xbuf opt` prints.
    """
    expect_module(module, "explain")
    attach_all()  # Nobody need have parsed a module.
    if not passes:
        passes = one_shot_of_programs(**options), BufferDeallocationPipelinePass()
    elif options:
        raise TypeError("options are for the pass of `passes`: give one of both")
    return explain_source(print_source(module.clone()), passes, wants_memory=True)
