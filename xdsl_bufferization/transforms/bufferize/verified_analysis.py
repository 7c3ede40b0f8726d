"""One-Shot Analysis of a module, and whether its ops can live with the decisions.

scf.yield %1    // error: Yield operand #0 is not equivalent to the iter bbArg

The first step of one-shot-bufferize, and of all passes that want the decisions alone.
"""

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp

from xdsl_bufferization.analyses.one_shot import OneShotAnalysis, analyze
from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.interfaces.bufferizable import AllowedModels
from xdsl_bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.models import attach_all
from xdsl_bufferization.traversal import ops_inside

MADE_BY_CORE_BUFFERIZATION = "bufferization.core"
"""Marks a `to_buffer` whose buffer other ops read when they come, not where it is."""


def refuse_unknown_ops(module: ModuleOp, options: BufferizationOptions) -> None:
    """Stop at the first op that has tensors but no model, unless such ops may stay."""
    if options.allow_unknown_ops:
        return
    models = AllowedModels(options)
    for op in ops_inside(module):
        if models.get(op) is not None or not options.is_op_allowed(op):
            continue
        if any(map(is_tensor, op.operands)) or any(map(is_tensor, op.results)):
            name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
            fail_at(
                op,
                f"op was not bufferized: no model says how to bufferize '{name}'; "
                "attach one, or set allow-unknown-ops to leave it on tensors",
            )


def _refuse_core_bufferization(module: ModuleOp) -> None:
    """Stop where ops on buffers read what the analysis would take for read before."""
    for op in ops_inside(module):
        if MADE_BY_CORE_BUFFERIZATION in op.attributes:
            fail_at(
                op,
                "was left by a pass that bufferizes one dialect, after which One-Shot "
                "Analysis cannot see who reads the buffer; run one-shot-bufferize "
                "before such passes",
            )


def analyze_and_verify(
    module: ModuleOp, options: BufferizationOptions, *, wants_all_reasons: bool = False
) -> OneShotAnalysis:
    """Decide what is in place, and let every op check that it can live with that."""
    attach_all()
    _refuse_core_bufferization(module)
    analysis = analyze(module, options, wants_all_reasons=wants_all_reasons)
    models = AllowedModels(options)
    for op in ops_inside(module):
        if options.no_analysis_func_filter and not analysis.is_analyzed(op):
            continue
        model = models.get(op)
        if model is not None and model.has_tensor_semantics(op):
            model.verify_analysis(op, analysis)
    return analysis
