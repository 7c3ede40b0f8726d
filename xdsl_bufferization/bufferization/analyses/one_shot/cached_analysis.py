"""A cache of the decisions about a module, for the next pass that asks for them.

    cache_analysis(module, analysis)         // by a pass that has changed nothing
    take_cached_analysis(module, options)    // the same, if nothing has changed since

Several passes in a row ask for the decisions about the same module. The cache is an
attribute of the object of that module. It goes with the module.
"""

from dataclasses import replace
from operator import is_
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.traversal import ops_inside
from xdsl_bufferization.support.xdsl_releases.notes import note, take_note

from ...interfaces.operands import operand_values
from ...interfaces.options import BufferizationOptions
from .one_shot import OneShotAnalysis


class Snapshot:
    """What a module consists of at one time."""

    def __init__(self, module: ModuleOp) -> None:
        self._state = _state_of(module)

    def is_current(self, module: ModuleOp) -> bool:
        """Whether nothing has changed since in the module."""
        state = _state_of(module)
        return len(self._state) == len(state) and all(map(is_, self._state, state))


class _Cached(NamedTuple):
    """Decisions, and what they are about."""

    snapshot: Snapshot
    analysis: OneShotAnalysis


_CACHED = "decided"
"""The attribute of the object of a module with decisions about it."""


def cache_analysis(module: ModuleOp, analysis: OneShotAnalysis) -> None:
    """Let `take_cached_analysis` give these decisions about a module as it is."""
    note(module, _CACHED, _Cached(Snapshot(module), analysis))


def take_cached_analysis(
    module: ModuleOp,
    options: BufferizationOptions,
    *,
    wants_all_reasons: bool = False,
) -> OneShotAnalysis | None:
    """The decisions in the cache, if there are any, and if they would be the same now.

    They are taken out of the cache. If all reasons are wanted, all have to be known
    that the options ask for; there may be more.
    """
    cached: object = take_note(module, _CACHED)
    if (
        isinstance(cached, _Cached)
        and decide_alike(cached.analysis.options, options)
        and (not wants_all_reasons or cached.analysis.has_all_reasons(options))
        and cached.snapshot.is_current(module)
    ):
        return cached.analysis
    return None


def decide_alike(first: BufferizationOptions, second: BufferizationOptions) -> bool:
    """Whether options differ in no more than the reasons that are looked for."""
    return first == replace(
        second,
        only_reasons_to_move=first.only_reasons_to_move,
        reason_steps=first.reason_steps,
    )


def _state_of(module: ModuleOp) -> list[object]:
    """All objects that a module consists of: others are there after any change."""
    state: list[object] = []
    for op in ops_inside(module):
        # A tuple that is replaced with each change, which the public sequence is not.
        state += (op, op.parent, operand_values(op))
        if op.properties:
            state += op.properties
            state += op.properties.values()
        if op.attributes:
            state += op.attributes
            state += op.attributes.values()
        for result in op.results:
            state.append(result.type)
        if op.next_op is None:
            state += op.successors  # Only what ends a block has any.
        for region in op.regions:
            for block in region.blocks:
                arguments = block.args
                state += (block, *arguments)
                state += [argument.type for argument in arguments]
    return state
