"""one-shot-bufferize: from tensors to buffers, with copies only where necessary.

    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
    %2 = tensor.extract %1[%j] : tensor<4xf32>

    memref.store %f, %m[%i] : memref<4xf32>
    %2 = memref.load %m[%j] : memref<4xf32>

Runs after all transformations of tensors, in three steps:

1. An analysis decides which operands can use their buffer in place.
2. Copies are inserted for the other operands.
3. The ops are rewritten.

Options and their meaning are MLIR's:
https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize.
"""

from collections.abc import Callable
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects.remarks import Report, ignore_remark, write_remark
from xdsl_bufferization.support.algorithms.covering import has_solver
from xdsl_bufferization.support.garbage import without_garbage_collection

from ..analyses.one_shot.one_shot import Heuristics, OneShotAnalysis
from ..interfaces.blamed_models import blaming_models
from ..interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
    LayoutMapOption,
)
from ..interfaces.state import AnalysisState
from ..mlir_pass import TensorPass, choose_option
from ..models import attach_all
from .annotate import (
    annotate_alias_sets,
    annotate_conflicts,
    annotate_decisions,
    annotate_functions,
)
from .bufferize_ops import bufferize_ops
from .copy_before_write import CopyBeforeWrite
from .explain import explain_copies, say_decisions
from .ops_with_tensors import OpsWithTensors
from .outputs_that_others_write import read_what_loops_start_with
from .partial_analysis import PartialAnalysis
from .rewrite_notes import RewriteNotes
from .tensor_copy_insertion import insert_tensor_copies
from .verified_analysis import analyze_and_verify, refuse_unknown_ops

NO_SOLVER = (
    "remark: analysis-heuristic=optimal has no solver, and only improves an order; "
    "pip install 'xdsl-bufferization[optimal]' to search for better decisions"
)


@dataclass(frozen=True)
class OneShotBufferizePass(TensorPass):
    """Bufferize everything in one pass, in place where the analysis allows it."""

    name = "one-shot-bufferize"

    allow_return_allocs_from_loops: bool = False
    allow_unknown_ops: bool = False
    analysis_fuzzer_seed: int = 0
    analysis_heuristic: str = "bottom-up"
    bufferize_function_boundaries: bool = False
    buffer_alignment: int = 64
    check_parallel_regions: bool = True
    copy_before_write: bool = False
    dialect_filter: tuple[str, ...] = ()
    disjoint_subsets: bool = True
    exchange_buffers: bool = True
    function_boundary_type_conversion: str = "infer-layout-map"
    must_infer_memory_space: bool = False
    no_analysis_func_filter: tuple[str, ...] = ()
    unknown_type_conversion: str = "fully-dynamic-layout-map"
    use_encoding_for_memory_space: bool = False
    optimal_limit: int | float = 10
    """How many seconds `analysis-heuristic=optimal` may search in each function."""

    test_analysis_only: bool = False
    """Whether to show the decisions as attributes, and to rewrite nothing."""

    dump_alias_sets: bool = False
    """Whether to show alias sets as attributes too, with `test-analysis-only`."""

    explain: bool = False
    """Whether each copy is explained on stderr. MLIR does not have this option."""

    print_conflicts: bool = False
    """Whether to show conflicts as attributes too, with `test-analysis-only`."""

    verify: bool = False
    """Whether to prove that the program keeps its meaning. MLIR does not have this."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        self._check_combinations()
        options = self.get_options()
        report = write_remark if self.explain else ignore_remark
        if self.analysis_heuristic == "optimal" and not has_solver():
            write_remark(NO_SOLVER)
        if self.test_analysis_only:
            self._annotate(op, options, report)
        else:
            one_shot_bufferize(op, options, report, verify=self.verify, is_pass=True)

    def _annotate(
        self, op: ModuleOp, options: BufferizationOptions, report: Report[str]
    ) -> None:
        """Show the decisions, and leave the program as it is otherwise."""
        analysis = decide(op, options)
        say_decisions(op, analysis)
        if report is not ignore_remark:
            _explain(op, analysis, report)
        if self.dump_alias_sets:
            annotate_alias_sets(op, analysis)
        annotate_decisions(op, analysis)
        if self.print_conflicts:
            annotate_conflicts(op, analysis)
        if options.bufferize_function_boundaries:
            annotate_functions(analysis)

    def _check_combinations(self) -> None:
        if self.test_analysis_only and self.verify:
            raise PassFailedException(
                "verify is about the rewrite, which test-analysis-only leaves out: run "
                "verify-bufferization after that"
            )
        if self.test_analysis_only and self.copy_before_write:
            raise PassFailedException(
                "copy-before-write does without the analysis that test-analysis-only "
                "shows: set one of them"
            )
        for option in ("dump_alias_sets", "print_conflicts"):
            if getattr(self, option) and not self.test_analysis_only:
                name = option.replace("_", "-")
                raise PassFailedException(f"{name} needs test-analysis-only: set both")
        if self.must_infer_memory_space and self.use_encoding_for_memory_space:
            raise PassFailedException(
                "must-infer-memory-space and use-encoding-for-memory-space contradict "
                "each other: set one of them"
            )

    def get_options(self) -> BufferizationOptions:
        """The options as models and analyses see them.

        Raises a `PassFailedException` that names the choices for a bad one.
        """
        unknown = choose_option(self, "unknown_type_conversion", LayoutMapOption)
        if unknown is LayoutMapOption.INFER_LAYOUT_MAP:
            raise PassFailedException(
                "unknown-type-conversion cannot be 'infer-layout-map': choose "
                "'identity-layout-map' or 'fully-dynamic-layout-map'"
            )
        alignment = self.buffer_alignment
        if alignment < 0 or alignment & (alignment - 1):
            raise PassFailedException(
                f"buffer-alignment is {alignment}: choose a power of two, or 0 for none"
            )
        return BufferizationOptions(
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            allow_unknown_ops=self.allow_unknown_ops,
            analysis_fuzzer_seed=self.analysis_fuzzer_seed,
            analysis_heuristic=choose_option(
                self, "analysis_heuristic", AnalysisHeuristic
            ),
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            buffer_alignment=alignment,
            check_parallel_regions=self.check_parallel_regions,
            copy_before_write=self.copy_before_write,
            dialect_filter=frozenset(self.dialect_filter),
            disjoint_subsets=self.disjoint_subsets,
            exchange_buffers=self.exchange_buffers,
            function_boundary_type_conversion=choose_option(
                self, "function_boundary_type_conversion", LayoutMapOption
            ),
            must_infer_memory_space=self.must_infer_memory_space,
            no_analysis_func_filter=frozenset(self.no_analysis_func_filter),
            optimal_limit=self.optimal_limit,
            unknown_type_conversion=unknown,
            use_encoding_for_memory_space=self.use_encoding_for_memory_space,
        )


@without_garbage_collection()
def one_shot_bufferize(
    module: ModuleOp,
    options: BufferizationOptions | None = None,
    report: Report[str] = ignore_remark,
    *,
    heuristics: Heuristics | None = None,
    decided: OneShotAnalysis | None = None,
    goes_on: Callable[[AnalysisState], bool] | None = None,
    verify: bool = False,
    is_pass: bool = False,
) -> RewriteNotes:
    """Bufferize `module`, in place where the analysis allows it.

    `report` gets a line for each copy that says why it is made. `heuristics` are those
    of the functions, if they have been chosen before, and `decided` are the decisions
    about the module as it is, if they have been made. `goes_on` is asked once all is
    decided: if it says no, nothing is rewritten. Returns what is copied only for the
    sake of its layout.

    Raises an `OperationError` at an op that cannot be bufferized; the module is then
    partly rewritten. With `verify`, also at an op that would find other elements than
    before: that is an internal fault. With `is_pass`, whoever asks for decisions with
    `XBUF_DEBUG` is told of these; those of a trial are nobody's.
    """
    attach_all()
    options = options or BufferizationOptions()
    with blaming_models(module):
        ops = OpsWithTensors(module, options)
        refuse_unknown_ops(ops, options)
        analysis = decide_copies(
            module, options, ops, report, heuristics, decided, is_pass=is_pass
        )
        if goes_on is not None and not goes_on(analysis):
            return RewriteNotes()
        insert_tensor_copies(module, analysis, ops)
        if not verify:
            return bufferize_ops(module, analysis)
        # Imported by those who ask for a proof: others need nothing of it.
        from .proven_rewrite import ProvenRewrite

        proven = ProvenRewrite(module, options)
        notes = bufferize_ops(module, analysis)
        proven.check(notes)
        return notes


def decide(
    module: ModuleOp,
    options: BufferizationOptions,
    ops: OpsWithTensors | None = None,
    *,
    heuristics: Heuristics | None = None,
    wants_all_reasons: bool = False,
) -> OneShotAnalysis:
    """The decisions about `module`, by the heuristic that the options ask for.

    `ops` are those of `module`, and `heuristics` those of its functions, if they are
    known already.
    """
    if heuristics is None:
        heuristics = _choose(module, options)
    return analyze_and_verify(
        module,
        options,
        ops,
        heuristics=heuristics,
        wants_all_reasons=wants_all_reasons,
    )


def _choose(module: ModuleOp, options: BufferizationOptions) -> Heuristics | None:
    # Imported here: what measures the cost of decisions takes long to load.
    if options.analysis_heuristic is AnalysisHeuristic.OPTIMAL:
        from .choose_optimum import choose_optimum
        from .trials import Trials

        return choose_optimum(Trials(module, one_shot_bufferize), options)
    if options.analysis_heuristic is AnalysisHeuristic.AUTO:
        from .choose_heuristics import choose_heuristics
        from .trials import Trials

        return choose_heuristics(Trials(module, one_shot_bufferize), options)
    return None


def decide_copies(
    module: ModuleOp,
    options: BufferizationOptions,
    ops: OpsWithTensors,
    report: Report[str] = ignore_remark,
    heuristics: Heuristics | None = None,
    decided: OneShotAnalysis | None = None,
    *,
    is_pass: bool = False,
) -> AnalysisState:
    """What `insert_tensor_copies` asks for the operands that are copied.

    The answers are those of `decide`, unless an option says that every write copies, or
    leaves functions out of the analysis.
    """
    if options.copy_before_write:
        read_what_loops_start_with(ops, options)
        return CopyBeforeWrite(options)
    analysis = decided or decide(module, options, ops, heuristics=heuristics)
    if is_pass:
        say_decisions(module, analysis)
    if report is not ignore_remark:
        _explain(module, analysis, report)
    if options.no_analysis_func_filter:
        return PartialAnalysis(module, analysis)
    return analysis


def _explain(module: ModuleOp, analysis: OneShotAnalysis, report: Report[str]) -> None:
    for remark in explain_copies(module, analysis):
        report(remark)
