"""Programs explained: what tests of explanations have in common."""

from harness.oracles.decisions import parse
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.report import Decision, Explanation, Verdict
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.tools.common.program import parse_passes

AS_WRITTEN = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline"
)
"""Bufferizes a program in the order in which its ops are written."""


def explain_text(text: str, pipeline: str = PLAIN_PIPELINE) -> Explanation:
    """The explanation of a program that is written down."""
    parse(text).verify()
    return explain_source(read_source(text, None), parse_passes(pipeline))


def copies_of(explanation: Explanation) -> list[Decision]:
    """The decisions that cost a new buffer."""
    return [
        decision
        for function in explanation.functions
        for decision in function.decisions
        if decision.verdict in (Verdict.COPIED, Verdict.ALLOCATED)
    ]


def sentences_of(decision: Decision) -> list[str]:
    """All reasons of a decision in words."""
    return [reason.sentence for reason in decision.reasons]
