"""Which tensors alias, and which of these answers hinge on decisions.

    %1 = scf.for ... iter_args(%t = %0)    // %1 is %0's buffer, element by element,
      ...                                  // only if the loop yields that of %t,
      scf.yield %2                         // which is known once all is decided

Each model is asked once, and the answer is kept. A model may ask about decisions before
it answers. Then its answer *hinges* on decisions: the answer kept here is the one with
nothing in place, and `one_shot/decisions.py` asks once more when all is decided. An
answer that is found by means of such an answer hinges on decisions as well.
`tensor_facts` is built on this part.

Cost: a dictionary look-up for each question after the first.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Set

from typing_extensions import override
from xdsl.ir import Operation, OpResult, SSAValue

from ...interfaces.bufferizable import BufferizableOpInterface, has_own_answer
from ...interfaces.known_models import KnownModels
from ...interfaces.operands import OpOperand, owner_op
from ...interfaces.options import BufferizationOptions
from ...interfaces.state import AliasingOpOperand, AliasingValue, AnalysisState
from .tensor_uses import TensorUse
from .yielded_permutations import YieldedPermutations

UNKNOWN_OP = BufferizableOpInterface()
"""Answers for an op without a model: what is safe when nothing is known."""


class AliasState(AnalysisState):
    """A state that asks models which tensors of one root op alias."""

    models: KnownModels

    permutations: YieldedPermutations
    """Which loops may permute buffers."""

    @abstractmethod
    def get_uses(self, op: Operation) -> Iterable[TensorUse]:
        """The tensor operands of `op`, in order."""

    def ask_aliasing_op_operands(
        self, value: SSAValue
    ) -> dict[SSAValue, Sequence[AliasingOpOperand]]:
        """What may have the buffer of `value`, and of what is answered along with it.

        Models that answer for operands only are asked once for all results of an op.
        """
        op = owner_op(value)
        model = (self.models.bufferizable[type(op)] if op else None) or UNKNOWN_OP
        answers: dict[SSAValue, Sequence[AliasingOpOperand]] = {}
        if op is None or has_own_answer(model, "get_aliasing_op_operands"):
            found = model.get_aliasing_op_operands(value, self)
        elif len(op.results) == 1 and isinstance(value, OpResult):
            found = self._find_operands_of(value, self.get_uses(op))
        else:
            answers |= self._find_operands_of_results(op)
            found = answers.get(value, ())
        if self.permutations and value in self.permutations.of_value:
            found = self.permutations.get_aliasing_op_operands(value, found)
        return {**answers, value: found}

    def _find_operands_of_results(
        self, op: Operation
    ) -> Mapping[SSAValue, Sequence[AliasingOpOperand]]:
        """The answers for all results of an op whose model has no own answer."""
        tied: dict[SSAValue, list[AliasingOpOperand]] = {r: [] for r in op.results}
        for use in self.get_uses(op):
            for alias in self.get_aliasing_values(use.operand):
                if isinstance(alias.value, OpResult):
                    tied[alias.value].append(
                        AliasingOpOperand(
                            use.operand, alias.relation, alias.is_definite
                        )
                    )
        return tied

    def _find_operands_of(
        self, value: SSAValue, uses: Iterable[TensorUse]
    ) -> list[AliasingOpOperand]:
        return [
            AliasingOpOperand(use.operand, alias.relation, alias.is_definite)
            for use in uses
            for alias in (
                self.get_aliasing_values(use.operand) if use.hinges else use.aliases
            )
            if alias.value is value
        ]


class KnownAliases(AliasState):
    """Aliases of the tensors of one root op, as far as no decision changes them."""

    fixed_operands: dict[SSAValue, Sequence[AliasingOpOperand]]
    """The operands whose buffers a value may have, where that does not hinge."""

    def __init__(self, options: BufferizationOptions, models: KnownModels | None):
        self.options = options
        self.models = models or KnownModels(options)
        self._models = self.models.bufferizable
        self._uses: dict[Operation, dict[int, TensorUse]] = {}
        self._aliases: dict[OpOperand, Sequence[AliasingValue]] = {}
        self.fixed_operands = {}
        self._hinging_aliases: dict[OpOperand, Sequence[AliasingValue]] = {}
        self._hinging_operands: dict[SSAValue, Sequence[AliasingOpOperand]] = {}
        self._of_one_buffer: dict[tuple[Operation, frozenset[int]], Set[int]] = {}
        self._hinges = False
        self.permutations = YieldedPermutations()

    def get_use(self, operand: OpOperand) -> TensorUse:
        """What is known of a tensor operand."""
        return self._uses[operand.owner][operand.number]

    def find_use(self, operand: OpOperand) -> TensorUse | None:
        """The same, or None as long as the operand is not known."""
        uses = self._uses.get(operand.owner)
        return None if uses is None else uses.get(operand.number)

    def has_tensors(self, op: Operation) -> bool:
        """Whether an operand or a result of `op` is a tensor."""
        return op in self._uses

    @override
    def get_uses(self, op: Operation) -> Iterable[TensorUse]:
        uses = self._uses.get(op)
        return () if uses is None else uses.values()

    @override
    def get_aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        use = self.find_use(operand)
        if use is not None and not use.hinges:
            return use.aliases
        aliases = self._aliases.get(operand)
        return self._find_aliases(operand) if aliases is None else aliases

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        operands = self.fixed_operands.get(value)
        return self._find_aliasing_operands(value) if operands is None else operands

    @override
    def operands_of_one_buffer(
        self, op: Operation, numbers: frozenset[int]
    ) -> Set[int]:
        question = (op, numbers)
        found = self._of_one_buffer.get(question)
        if found is None:
            found = super().operands_of_one_buffer(op, numbers)
            self._of_one_buffer[question] = found
        return found

    def _find_aliases(self, operand: OpOperand) -> Sequence[AliasingValue]:
        aliases = self._hinging_aliases.get(operand)
        if aliases is not None:
            self._hinges = True
            return aliases
        model = self._models[type(operand.owner)] or UNKNOWN_OP
        aliases, hinges = self._ask_aliases(operand, model)
        if operand in self.permutations.of_init:
            aliases = self.permutations.get_aliasing_values(operand)
        answers = self._hinging_aliases if hinges else self._aliases
        answers[operand] = aliases
        self._hinges |= hinges
        return aliases

    def _ask_aliases(
        self, operand: OpOperand, model: BufferizableOpInterface
    ) -> tuple[Sequence[AliasingValue], bool]:
        """What a model answers, and whether that hinges on decisions."""
        others_hinge, self._hinges = self._hinges, False
        aliases = model.get_aliasing_values(operand, self)
        hinges, self._hinges = self._hinges, others_hinge
        return aliases, hinges

    def _find_aliasing_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        hinging = self._hinging_operands
        operands = hinging.get(value) if hinging else None
        if operands is not None:
            self._hinges = True
            return operands
        others_hinge, self._hinges = self._hinges, False
        found = self.ask_aliasing_op_operands(value)
        answers = self._hinging_operands if self._hinges else self.fixed_operands
        answers |= found
        self._hinges |= others_hinge
        return answers[value]
