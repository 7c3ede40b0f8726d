"""What was decided about the tensors of one root op, once all is decided.

    decisions.is_in_place(operand)               // was it put in place?
    decisions.are_equivalent_buffers(%0, %1)     // are these one buffer now?

While decisions are being made, models see `TensorFacts`, for which nothing is in place.
Afterwards they see this state. It has the same answers as the facts, except for those
that hinge on decisions. A loop, say, results in the buffer of its init only if it
yields the buffer that it was given. Neither object changes the other.

Cost: linear in the tensors; then a dictionary look-up for each question.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence, Set
from copy import copy

from typing_extensions import override
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets

from ...interfaces.operands import OpOperand, tensor_results
from ...interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    CarriedOperand,
    FunctionSummary,
)
from ..tensor_facts.known_aliases import AliasState
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import TensorUse, is_equivalent

FindNewBuffers = Callable[[Sequence[CarriedOperand]], Set[OpOperand]]
"""Which operands that a terminator forwards are new buffers; see `new_buffers.py`."""


class Decisions(AliasState):
    """The decisions about one root op, and what follows for equivalence.

    Complete as soon as it is made, and not changed any more.
    """

    facts: TensorFacts
    """What holds whatever is decided."""

    in_place: Set[TensorUse]
    """The operands in place. Their order means nothing: nobody may iterate."""

    classes: DisjointSets[int]
    """Which values are equivalent, by number."""

    maybe_moved: Sequence[OpResult]
    """Results that are perhaps not in the buffer which they are equivalent to."""

    permuted: Set[OpOperand] = frozenset()
    """What loops forward in place of another argument."""

    new_among: FindNewBuffers | None = None
    """Who is asked for new buffers, each time that a model asks."""

    def __init__(self, facts: TensorFacts, in_place: Iterable[TensorUse]):
        self.facts = facts
        self.options = facts.options
        self.models = facts.models
        self.permutations = facts.permutations
        self.in_place = frozenset(in_place)
        self.classes = DisjointSets()
        self._hinging_aliases: dict[OpOperand, Sequence[AliasingValue]] = {}
        self._hinging_operands: dict[SSAValue, Sequence[AliasingOpOperand]] = {}
        self._find_equivalent_values()
        self.maybe_moved = [
            result
            for op, model in self.models.copying.of(facts.ops)
            if model.may_copy_in_place(op, self)
            for result in tensor_results(op)
        ]

    def with_loops(
        self, permuted: Set[OpOperand], new_among: FindNewBuffers | None = None
    ) -> Decisions:
        """The same decisions, with answers about what loops forward."""
        decisions = copy(self)
        decisions.permuted = permuted
        decisions.new_among = new_among
        return decisions

    # Equivalence.

    def _find_equivalent_values(self) -> None:
        """Unite a result with what it may alias where that is one buffer in place.

        Bodies come before the results of their op, so that a loop knows by then
        whether it yields the buffer that it was given.
        """
        bufferizable = self.models.bufferizable
        for op in self.facts.ops:
            if op.results and bufferizable[type(op)] is not None:
                for result in tensor_results(op):
                    self._unite_with_operands(result)

    def _unite_with_operands(self, result: OpResult) -> None:
        facts, aliases = self.facts, self.get_aliasing_op_operands(result)
        if not aliases:
            return
        for alias in aliases:
            if alias.is_definite and is_equivalent(alias):
                # Whatever else there may be in the set, this is the buffer.
                use = facts.get_use(alias.operand)
                if use in self.in_place:
                    self.classes.unite(use.number, facts.get_number(result))
                    return
                break
        first = aliases[0].operand.value
        if all(
            is_equivalent(alias)
            and self.is_in_place(alias.operand)
            and self.are_equivalent_buffers(alias.operand.value, first)
            for alias in aliases
        ):
            self.classes.unite(facts.get_number(first), facts.get_number(result))

    def class_of(self, value: SSAValue) -> Hashable:
        """What stands for all values that are known to be equivalent to `value`."""
        facts = self.facts
        if not facts.is_known(value):
            return value
        return self.classes.find(facts.get_number(value))

    # AnalysisState: what hinges on decisions.

    @override
    def is_in_place(self, operand: OpOperand) -> bool:
        return self.facts.get_use(operand) in self.in_place

    @override
    def are_equivalent_buffers(self, first: SSAValue, second: SSAValue) -> bool:
        return first is second or self.class_of(first) == self.class_of(second)

    @override
    def find_new_buffers(self, carried: Sequence[CarriedOperand]) -> Set[OpOperand]:
        return frozenset() if self.new_among is None else self.new_among(carried)

    @override
    def is_permuted(self, operand: OpOperand) -> bool:
        return operand in self.permuted

    @override
    def get_aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        use = self.facts.find_use(operand)
        if use is None or not use.hinges:
            return self.facts.get_aliasing_values(operand)
        if operand in self.permutations.of_init:
            return use.aliases
        aliases = self._hinging_aliases.get(operand)
        if aliases is None:
            model = self.models.bufferizable[type(operand.owner)]
            assert model is not None, "without a model nothing hinges on decisions"
            aliases = model.get_aliasing_values(operand, self)
            self._hinging_aliases[operand] = aliases
        return aliases

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        operands = self.facts.fixed_operands.get(value)
        if operands is None:
            operands = self._hinging_operands.get(value)
        if operands is None:
            self._hinging_operands |= self.ask_aliasing_op_operands(value)
            operands = self._hinging_operands[value]
        return operands

    # AnalysisState: what holds whatever is decided.

    @override
    def get_uses(self, op: Operation) -> Iterable[TensorUse]:
        return self.facts.get_uses(op)

    @override
    def bufferizes_to_memory_read(self, operand: OpOperand) -> bool:
        return self.facts.bufferizes_to_memory_read(operand)

    @override
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        return self.facts.bufferizes_to_memory_write(operand)

    @override
    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        return self.facts.value_bufferizes_to_memory_write(value)

    @override
    def is_value_read(self, value: SSAValue) -> bool:
        return self.facts.is_value_read(value)

    @override
    def is_defined_inside(self, value: SSAValue, op: Operation) -> bool:
        return self.facts.is_defined_inside(value, op)

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return self.facts.get_function_summary(call)
