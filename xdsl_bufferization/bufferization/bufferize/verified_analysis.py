"""One-Shot Analysis of a module, and whether its ops can live with the decisions.

scf.yield %1    // error: Yield operand #0 is not equivalent to the iter bbArg

The first step of one-shot-bufferize, and of all passes that want the decisions alone.
"""

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.errors import fail_at, op_name

from ..analyses.one_shot.cached_analysis import take_cached_analysis
from ..analyses.one_shot.one_shot import Heuristics, OneShotAnalysis, analyze
from ..interfaces.operands import is_elementwise_on_tensors
from ..interfaces.options import BufferizationOptions
from ..models import attach_all
from .ops_with_tensors import OpsWithTensors
from .outputs_that_others_write import read_what_loops_start_with


def refuse_unknown_ops(ops: OpsWithTensors, options: BufferizationOptions) -> None:
    """Stop at the first op that has tensors but no model, unless such ops may stay."""
    if options.allow_unknown_ops or not ops.unknown:
        return
    op = ops.unknown[0]
    remedy = "attach one"
    if is_elementwise_on_tensors(op):
        remedy = "run convert-elementwise-to-linalg before"
    fail_at(
        op,
        f"op was not bufferized: no model says how to bufferize '{op_name(op)}'; "
        f"{remedy}, or set allow-unknown-ops to leave it on tensors",
    )


def analyze_and_verify(
    module: ModuleOp,
    options: BufferizationOptions,
    ops: OpsWithTensors | None = None,
    *,
    heuristics: Heuristics | None = None,
    wants_all_reasons: bool = False,
) -> OneShotAnalysis:
    """Decide what is in place, and let every op check that it can live with that.

    `ops` are those of `module`, if they are known already. What a pass before has
    decided serves if nothing has changed since.
    """
    attach_all()
    ops = ops or OpsWithTensors(module, options)
    if ops.made_by_core is not None:
        fail_at(
            ops.made_by_core,
            "was left by a pass that bufferizes one dialect, after which One-Shot "
            "Analysis cannot see who reads the buffer; run one-shot-bufferize "
            "before such passes",
        )
    read_what_loops_start_with(ops, options)
    analysis = None
    if not heuristics:
        analysis = take_cached_analysis(
            module, options, wants_all_reasons=wants_all_reasons
        )
    analysis = analysis or analyze(
        module, options, heuristics=heuristics, wants_all_reasons=wants_all_reasons
    )
    for op, model in ops.bufferizable:
        if not options.no_analysis_func_filter or analysis.is_analyzed(op):
            model.verify_analysis(op, analysis)
    return analysis
