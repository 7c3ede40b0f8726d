"""What a function copies as it is, to compare with what it copies after a change.

    %1 = tensor.insert %f into %0[%i]    // copies %0, which a change is to mend
    ...
    is_no_worse(after, before)           // True: keep the change; else take it back

Decisions are greedy. So a change that removes one copy could cost another one. A pass
changes a function, decides once more, and takes the change back unless every copy of
the function after it is one of the copies before.

Cost: that of One-Shot Analysis, for the functions that were changed.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.support.garbage import without_garbage_collection

from ..analyses.one_shot.cached_analysis import take_cached_analysis
from ..analyses.one_shot.copy_cost import (
    can_omit_tensor_copy,
    count_copies_of_gaps,
    note_copies,
)
from ..analyses.one_shot.function_summaries import summarize
from ..analyses.one_shot.one_shot import OneShotAnalysis
from ..analyses.one_shot.root_analysis import RootAnalysis
from ..analyses.one_shot.root_decisions import analyze_root
from ..interfaces.known_models import KnownModels
from ..interfaces.operands import OpOperand, is_tensor, tensor_operands
from ..interfaces.options import BufferizationOptions, LayoutMapOption
from ..interfaces.state import FunctionSummary
from ..models import attach_all

WHOLE_PROGRAMS = BufferizationOptions(
    bufferize_function_boundaries=True,
    function_boundary_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
    allow_return_allocs_from_loops=True,
    only_reasons_to_move=True,
    reason_steps=24,
)
"""The options with which our pipelines bufferize. Operands that have many reasons to be
copied, or one that no move removes, stay as they are: the search for all reasons would
take too long."""


class Decided(NamedTuple):
    """A function as decided about, and what the decisions make it copy."""

    function: FuncOp
    analysis: RootAnalysis
    buffers: Mapping[OpOperand, int]
    """The operands that get a new buffer, and how many each gets."""

    copied: frozenset[OpOperand]
    """Those of them whose old contents are copied."""

    moved: frozenset[Operation]
    """The insertions of slices that copy, as the slice was computed elsewhere."""

    not_owned: frozenset[OpOperand]
    """What is returned and may be in the buffer of an argument, or be a constant: the
    caller gets a copy."""

    with_gaps: int
    """How many buffers are copied because of their layout."""

    promise: FunctionSummary | None
    """What callers rely on; None if nobody calls the function."""


def is_no_worse(after: Decided, before: Decided) -> bool:
    """Whether all that is copied or allocated after a change was so before it."""
    return (
        all(
            count <= before.buffers.get(operand, 0)
            for operand, count in after.buffers.items()
        )
        and after.copied <= before.copied
        and after.moved <= before.moved
        and after.not_owned <= before.not_owned
        and after.with_gaps <= before.with_gaps
        and after.promise == before.promise
    )


class Decider:
    """Decides about the functions of a module, and again about those that changed."""

    analysis: OneShotAnalysis
    """The decisions about the module as it was at first."""

    def __init__(
        self,
        module: ModuleOp,
        analysis: OneShotAnalysis | None = None,
        *,
        wants_all_reasons: bool = False,
    ):
        """`analysis` is that of the module, if there is one.

        Raises an `OperationError` where the module cannot be decided about.
        """
        attach_all()
        self._wants_all_reasons = wants_all_reasons
        self.analysis = analysis or OneShotAnalysis(
            module, WHOLE_PROGRAMS, wants_all_reasons=wants_all_reasons
        )
        self._models = KnownModels(WHOLE_PROGRAMS)

    def functions(self) -> Iterator[Decided]:
        """The functions that have a body, callees before callers."""
        for function in self.analysis.functions:
            analysis = self.analysis.get_root_analysis(function)
            if analysis is not None and analysis.root is function:
                yield self._note(function, analysis)

    @without_garbage_collection()
    def again(self, function: FuncOp) -> Decided | None:
        """The decisions about a function that has changed; None if there are none."""
        try:
            analysis = analyze_root(
                function,
                WHOLE_PROGRAMS,
                self.analysis.get_function_summary,
                models=self._models,
                wants_all_reasons=self._wants_all_reasons,
                is_called=self._is_called(function),
            )
        except OperationError:
            return None
        return self._note(function, analysis)

    def _is_called(self, function: FuncOp) -> bool:
        return function.sym_name.data in self.analysis.called

    def _note(self, function: FuncOp, analysis: RootAnalysis) -> Decided:
        facts = analysis.facts
        buffers = note_copies(analysis.decisions)
        return Decided(
            function,
            analysis,
            buffers,
            frozenset(
                operand
                for operand in buffers
                if not can_omit_tensor_copy(operand, facts)
            ),
            frozenset(
                op
                for op, model in facts.models.insertions.of(facts.ops)
                if is_tensor(model.get_source(op).value)
                and not analysis.insertions.is_written_in_place(op)
            ),
            frozenset(_returned_but_not_owned(function, analysis)),
            count_copies_of_gaps(analysis.decisions),
            summarize(function, analysis) if self._is_called(function) else None,
        )


def _returned_but_not_owned(
    function: FuncOp, analysis: RootAnalysis
) -> Iterator[OpOperand]:
    sets = analysis.alias_sets
    arguments = {
        sets.find(value) for value in function.body.blocks[0].args if is_tensor(value)
    }
    for block in function.body.blocks:
        if block.last_op is None:
            continue
        for operand in tensor_operands(block.last_op):
            alias_set = sets.find(operand.value)
            if alias_set in arguments or alias_set.not_writable is not None:
                yield operand


def decide(module: ModuleOp, *, wants_all_reasons: bool = False) -> Decider | None:
    """The decisions about a module; None where `one-shot-bufferize` will stop.

    Decisions that were kept serve once, if nothing has changed. If reasons are asked
    for, there may be more than `WHOLE_PROGRAMS` asks for.
    """
    kept = take_cached_analysis(
        module, WHOLE_PROGRAMS, wants_all_reasons=wants_all_reasons
    )
    try:
        with without_garbage_collection():
            return Decider(module, kept, wants_all_reasons=wants_all_reasons)
    except OperationError:
        return None
