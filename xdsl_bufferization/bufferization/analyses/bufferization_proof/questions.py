"""What one op does to its tensors: the answers of its models, asked once.

    %1 = tensor.insert %x into %0[%i]     operand 1 is written at a box; %1 is there

A model sees a state that knows the decisions and nothing else: what hinges on more is
answered in the safe way.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from typing_extensions import override
from xdsl.dialects.bufferization import AllocTensorOp
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import CallOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from ...interfaces.boxes import Box
from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.conservative_state import ConservativeState
from ...interfaces.known_models import models_of
from ...interfaces.operands import OpOperand, is_tensor, operand_values, tensor_operands
from ...interfaces.options import BufferizationOptions
from ...interfaces.state import AliasingOpOperand, FunctionSummary
from ...interfaces.subset import (
    WHOLE,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)

IN_PLACE = "__inplace_operands_attr__"
"""The attribute with a word for each operand: "true", "false" or "none"."""


def is_in_place(operand: OpOperand) -> bool:
    """Whether an operand uses its buffer; so does one about which nothing is said."""
    words = operand.owner.attributes.get(IN_PLACE)
    if words is None or not isa(words, ArrayAttr[StringAttr]):
        return True
    return operand.number >= len(words) or words.data[operand.number].data != "false"


class Decisions(ConservativeState):
    """What a model may ask: decisions, and what functions were found to do."""

    def __init__(self, find_summary: Callable[[Operation], FunctionSummary | None]):
        super().__init__(BufferizationOptions(bufferize_function_boundaries=True))
        self._find_summary = find_summary

    @override
    def is_in_place(self, operand: OpOperand) -> bool:
        return is_in_place(operand)

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return self._find_summary(call) if isinstance(call, CallOp) else None


class _NothingIsRead(Decisions):
    """Decisions about a program in which no op reads what it gets."""

    @override
    def is_value_read(self, value: SSAValue) -> bool:
        return False


class Use(NamedTuple):
    """One tensor operand of an op, and what is done to its buffer."""

    operand: OpOperand
    value: SSAValue
    reads: bool
    """Whether the op computes with what it reads."""

    passes_on: bool
    """Whether a result has elements of this, and the op does nothing else to them."""

    writes: bool
    is_in_place: bool


class Part(NamedTuple):
    """The part of one operand that an op works on."""

    number: int
    """The operand that has the part."""

    box: Box | None
    key: object

    source: int | None = None
    """The operand that is put there, if it is a tensor."""

    is_overwritten: bool = False
    """Whether every element of the part is written."""

    is_inserted: bool = False
    """Whether all elements that are not in the part stay as they are."""


class Answers(NamedTuple):
    """Everything that is asked of an op."""

    model: BufferizableOpInterface
    uses: tuple[Use, ...]
    part: Part | None
    links: tuple[tuple[OpResult, Sequence[AliasingOpOperand]], ...]
    """For each tensor result the operands whose buffer it may have."""


class Questions:
    """The answers of ops; each op is asked once."""

    def __init__(self, decisions: Decisions):
        self.decisions = decisions
        self._without_reads = _NothingIsRead(decisions.get_function_summary)
        self.models = models_of(BufferizableOpInterface)
        self._subsets = models_of(SubsetOpInterface)
        self._answers: dict[Operation, Answers | None] = {}

    def ask(self, op: Operation) -> Answers | None:
        """The answers of an op; None if it has no model or no tensors."""
        if op not in self._answers:
            self._answers[op] = self._ask(op)
        return self._answers[op]

    def may_be_skipped(self, operand: OpOperand) -> bool:
        """Whether what a loop starts with may be its result: no iteration runs.

        A loop that surely runs reads this operand only if its body does.
        """
        model = self.models[type(operand.owner)]
        return model is None or model.bufferizes_to_memory_read(
            operand, self._without_reads
        )

    def _ask(self, op: Operation) -> Answers | None:
        operands, results = tensor_operands(op), [r for r in op.results if is_tensor(r)]
        model = self.models[type(op)]
        if model is None or not (operands or results):
            return None
        part = self._part_of(op)
        return Answers(
            model,
            tuple(self._use(operand, model, part) for operand in operands),
            part,
            tuple(
                (r, model.get_aliasing_op_operands(r, self.decisions)) for r in results
            ),
        )

    def _use(
        self, operand: OpOperand, model: BufferizableOpInterface, part: Part | None
    ) -> Use:
        op, number = operand
        reads = model.bufferizes_to_memory_read(operand, self.decisions)
        copies = isinstance(op, AllocTensorOp) or (
            part is not None
            and part.is_inserted
            and number in (part.number, part.source)
        )
        return Use(
            operand,
            operand.value,
            reads and not copies,
            copies and reads,
            model.bufferizes_to_memory_write(operand, self.decisions),
            is_in_place(operand),
        )

    def _part_of(self, op: Operation) -> Part | None:
        subset = self._subsets[type(op)]
        if subset is None:
            return None
        number = subset.get_container(op).number
        if not is_tensor(operand_values(op)[number]):
            return None
        source = None
        is_insertion = isinstance(subset, SubsetInsertionOpInterface)
        if is_insertion and is_tensor(subset.get_source(op).value):
            source = subset.get_source(op).number
        key = subset.get_subset(op)
        overwrites = subset.overwrites_box(op)
        is_part = not isinstance(subset, SubsetExtractionOpInterface)
        return Part(
            number,
            subset.get_box(op),
            key,
            source,
            overwrites or (key == WHOLE and source is not None),
            is_part and (overwrites or is_insertion),
        )
