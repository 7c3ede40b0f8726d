"""What holds of a program's tensors, whatever is decided about copies.

    %1 = tensor.insert %f into %0[%i]    // reads and writes %0; %1 aliases %0
    %2 = tensor.extract %1[%j]           // the definition of this read is %1

Each model is asked once about each operand and each value of its op, and the answers
are kept. A value is visited after the values that dominate it, and a body before the
results of its op. So no question about a definition looks further than one op back.

Cost: linear in the operands and values; then a dictionary look-up for each question.
Source of the questions: MLIR's `AnalysisState`.
"""

from collections.abc import Callable, Iterator, Sequence, Set

from typing_extensions import override
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.support.algorithms.program_points import (
    BlockPoint,
    ProgramPoint,
    ProgramPoints,
)

from ...interfaces.bufferizable import BufferizableOpInterface, has_own_answer
from ...interfaces.known_models import KnownModels
from ...interfaces.operands import (
    OpOperand,
    is_tensor,
    operand_values,
    owner_op,
    tensor_results,
)
from ...interfaces.options import BufferizationOptions
from ...interfaces.region_branch import RegionBranchOpInterface
from ...interfaces.state import FunctionSummary
from ...interfaces.value_reads import ValueReads
from .block_checks import check_blocks
from .changes import Changes, is_passed_on
from .known_aliases import UNKNOWN_OP, KnownAliases
from .tensor_uses import Definitions, TensorUse, join
from .yielded_permutations import NO_DOUBTS, Doubts, PermutationFinder

GetSummary = Callable[[Operation], FunctionSummary | None]
"""What is known of the function that a call calls."""


class TensorFacts(KnownAliases):
    """Answers about one root op, most often a function, whatever is decided.

    They are not about what is inside the ops `apart`. Deciding changes none of them:
    what is decided is kept by `one_shot/alias_sets.py`, and by `one_shot/decisions.py`
    once all is decided. A model that asks about decisions is told that nothing is in
    place.
    """

    points: ProgramPoints
    ops: list[Operation]
    """The ops with tensor operands or results, bodies before their op."""

    values: list[SSAValue]
    """The tensors, each after what dominates it; numbers count these."""

    def __init__(
        self,
        root: Operation,
        options: BufferizationOptions,
        get_summary: GetSummary,
        models: KnownModels | None = None,
        doubts: Doubts = NO_DOUBTS,
        apart: Set[Operation] = frozenset(),
    ):
        super().__init__(options, models)
        self.root = root
        self._get_summary = get_summary
        self._numbers: dict[SSAValue, int] = {}
        self._definitions: list[Definitions | None] = []
        self._uses_of: list[list[TensorUse]] = []
        self._value_reads = ValueReads(self, self._has_reading_use)
        self._operand_reads: dict[OpOperand, bool] = {}
        self._operand_writes: dict[OpOperand, bool] = {}
        self._is_complete = False
        self.values = []
        self.points = ProgramPoints(root, self.is_repetitive_region, apart)
        check_blocks(
            self.points.regions_of_blocks, self.points.unreachable, self.get_model
        )
        self._collect()
        self.ops = list(self._uses)
        if self.points.has_blocks_out_of_order:
            self.ops = [op for op in _bodies_first(root) if op in self._uses]
        if options.exchange_buffers:
            self._find_permutations(doubts)
        self._find_reads()
        self._changes = Changes(self.get_uses_of, self.get_region_branch)
        for value in self.values:
            self.get_aliasing_op_operands(value)

    # What the places need before anything else is known.

    def get_model(self, op: Operation) -> BufferizableOpInterface | None:
        """The model of `op`, or None if it has none or is not to be bufferized."""
        return self._models[type(op)]

    def is_repetitive_region(self, op: Operation, number: int) -> bool:
        """Whether a region may run several times each time `op` runs."""
        model = self._models[type(op)]
        if model is not None and (
            self.get_region_branch(op) is not None
            or has_own_answer(model, "is_repetitive_region")
        ):
            return model.is_repetitive_region(op, number)
        region_branch = self.get_region_branch(op)
        if region_branch is not None:
            return region_branch.is_repetitive_region(op, number)
        return not op.has_trait(IsolatedFromAbove)

    def get_region_branch(self, op: Operation) -> RegionBranchOpInterface | None:
        """The answers about the regions of `op`, or None if it gives none."""
        return self.models.region_branches[type(op)]

    # Collecting: what dominates comes first, so that it is known when it is asked for.

    def _collect(self) -> None:
        for visit in self.points.visits:
            if isinstance(visit, ProgramPoint):
                self._add_op(visit.op, visit)
            elif visit.block is not None:
                self._add_arguments(visit.block, visit)

    def _find_permutations(self, doubts: Doubts) -> None:
        """Find which loops may permute buffers, and let their results alias more."""
        permutations = PermutationFinder(self, self.models).find(self.ops, doubts)
        if not permutations:
            return
        self.permutations = permutations
        for value in permutations.of_value:
            self.fixed_operands.pop(value, None)
            self._hinging_operands.pop(value, None)
        for operand in permutations.of_init:
            self._aliases.pop(operand, None)
            use = self.get_use(operand)
            use.hinges = True
            use.aliases = permutations.get_aliasing_values(operand)
            self._hinging_aliases[operand] = use.aliases

    def _find_reads(self) -> None:
        # Backwards, so that what a value becomes later has been answered before.
        self._is_complete = True
        numbers = self._numbers
        for op, uses in reversed(self._uses.items()):
            model = self._models[type(op)] or UNKNOWN_OP
            passes_on = is_passed_on(op)
            for use in uses.values():
                use.is_passed_on = passes_on
                if use.is_itself_read is None:
                    use.is_itself_read = model.bufferizes_to_memory_read(
                        use.operand, self
                    )
                # As in MLIR also what becomes, unwritten, a value that is read.
                use.reads = use.is_itself_read or (
                    not use.writes
                    and any(self.is_value_read(alias.value) for alias in use.aliases)
                )
                use.alias_numbers = [numbers[alias.value] for alias in use.aliases]

    def _add_arguments(self, block: Block, point: BlockPoint) -> None:
        for argument in block.args:
            if is_tensor(argument):
                self._add_value(
                    argument,
                    Definitions(None, None, True, argument, point, point, point.start),
                )

    def _add_value(self, value: SSAValue, definitions: Definitions | None) -> None:
        self._numbers[value] = len(self.values)
        self.values.append(value)
        self._definitions.append(definitions)
        self._uses_of.append([])

    def _add_op(self, op: Operation, point: ProgramPoint) -> None:
        operands = [
            (number, value)
            for number, value in enumerate(operand_values(op))
            if is_tensor(value)
        ]
        results = tensor_results(op)
        if not operands and not results:
            return
        model = self._models[type(op)] or UNKNOWN_OP
        uses: dict[int, TensorUse] = {}
        self._uses[op] = uses
        for number, value in operands:
            uses[number] = self._create_use(OpOperand(op, number), value, point, model)
        for result in results:
            self._add_value(result, self._define(result, point, model))

    def _create_use(
        self,
        operand: OpOperand,
        value: SSAValue,
        point: ProgramPoint,
        model: BufferizableOpInterface,
    ) -> TensorUse:
        aliases, hinges = self._ask_aliases(operand, model)
        if hinges:
            self._hinging_aliases[operand] = aliases
        writes = model.bufferizes_to_memory_write(operand, self)
        number = self._numbers[value]
        definitions = self._definitions[number]
        use = TensorUse(
            operand, point, value, number, definitions, aliases, writes, hinges
        )
        self._uses_of[number].append(use)
        return use

    def _define(
        self, result: OpResult, point: ProgramPoint, model: BufferizableOpInterface
    ) -> Definitions | None:
        is_known = model is not UNKNOWN_OP
        if not is_known or model.result_bufferizes_to_memory_write(result, self):
            return Definitions(
                result, point, True, None, None, point.block, point.start
            )
        definitions: Definitions | None = None
        for alias in self.get_aliasing_op_operands(result):
            other = self._definitions[self._numbers[alias.operand.value]]
            definitions = join(definitions, other)
        return definitions

    def _is_definition(self, result: OpResult) -> bool:
        model = self._models[type(result.op)]
        return model is None or model.result_bufferizes_to_memory_write(result, self)

    # Uses and definitions.

    def get_uses_of(self, value: SSAValue) -> Sequence[TensorUse]:
        """The operands that carry `value`."""
        number = self._numbers.get(value)
        return () if number is None else self._uses_of[number]

    def values_with_uses(self) -> Iterator[tuple[SSAValue, Sequence[TensorUse]]]:
        """The tensors, each with the operands that carry it."""
        return zip(self.values, self._uses_of, strict=True)

    def is_known(self, value: SSAValue) -> bool:
        """Whether `value` is among `values`."""
        return value in self._numbers

    def get_number(self, value: SSAValue) -> int:
        """The place of `value` among `values`."""
        return self._numbers[value]

    def get_definitions(self, value: SSAValue) -> Definitions | None:
        """The definitions of `value`, or None if its contents are undefined."""
        return self._definitions[self._numbers[value]]

    def is_writable(self, value: SSAValue) -> bool:
        """Whether the buffer of `value` may be written."""
        owner = owner_op(value)
        model = None if owner is None else self._models[type(owner)]
        return model is not None and model.is_writable(value, self)

    def changes(self, use: TensorUse) -> bool:
        """Whether an op writes by `use`; of a loop, whether its body does."""
        return self._changes.changes(use)

    def _is_itself_read(self, use: TensorUse) -> bool:
        if use.is_itself_read is None:
            model = self._models[type(use.point.op)] or UNKNOWN_OP
            use.is_itself_read = model.bufferizes_to_memory_read(use.operand, self)
        return use.is_itself_read

    # AnalysisState.

    @override
    def bufferizes_to_memory_read(self, operand: OpOperand) -> bool:
        use = self.find_use(operand)
        if use is not None:
            return self._is_itself_read(use)
        answer = self._operand_reads.get(operand)
        if answer is None:
            model = self._models[type(operand.owner)] or UNKNOWN_OP
            answer = model.bufferizes_to_memory_read(operand, self)
            self._operand_reads[operand] = answer
        return answer

    @override
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        use = self.find_use(operand)
        if use is not None:
            return use.writes
        answer = self._operand_writes.get(operand)
        if answer is None:
            model = self._models[type(operand.owner)] or UNKNOWN_OP
            answer = model.bufferizes_to_memory_write(operand, self)
            self._operand_writes[operand] = answer
        return answer

    @override
    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        return not isinstance(value, OpResult) or self._is_definition(value)

    @override
    def is_value_read(self, value: SSAValue) -> bool:
        return self._value_reads.is_read(value)

    def _has_reading_use(self, value: SSAValue) -> bool:
        if self._is_complete:
            return any(map(self._is_itself_read, self.get_uses_of(value)))
        return self._value_reads.has_reading_use(value)

    @override
    def is_defined_inside(self, value: SSAValue, op: Operation) -> bool:
        definitions = self.get_definitions(value)
        return definitions is not None and (
            definitions.latest > self.points.of_op(op).start
        )

    # What hinges on decisions: nothing is in place, and no buffer is another value's.

    @override
    def is_in_place(self, operand: OpOperand) -> bool:
        self._hinges = True
        return False

    @override
    def are_equivalent_buffers(self, first: SSAValue, second: SSAValue) -> bool:
        self._hinges = True
        return first is second

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return self._get_summary(call)


def _bodies_first(op: Operation) -> Iterator[Operation]:
    """The ops in `op`, and `op`, as they are written but bodies before their op."""
    for region in op.regions:
        for block in region.blocks:
            for child in block.ops:
                if child.regions:
                    yield from _bodies_first(child)
                else:
                    yield child
    yield op
