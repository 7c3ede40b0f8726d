"""Where all operands are certainly in place once reads were moved before writes.

    %b = tensor.insert %f into %a[%i]       %c = tensor.extract %a[%j]
    %c = tensor.extract %a[%j]              %b = tensor.insert %f into %a[%i]
    ...                                     ...

To analyse a function once more takes longer than to move its ops. In straight-line code
the outcome may be known. Suppose that every operand is in place. All values that may
then be in one buffer are a group. The ops are visited in order, and the value that was
last written in each group is kept in mind. A read is right in two cases:

- It reads the value that was written last.
- The last write came before the op that made the value.

If all reads are right, no two operands conflict. Then each operand is put in place,
whatever the order of decisions.

Cost: linear in the ops.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets

from ..analyses.one_shot.alias_sets import AliasSet
from ..analyses.one_shot.root_analysis import RootAnalysis
from ..analyses.tensor_facts.tensor_uses import Definitions, TensorUse
from ..interfaces.operands import OpOperand, is_tensor
from .decided import Decided
from .straight_line import is_straight_line


def are_all_in_place(
    operands: Collection[OpOperand],
    before: Decided,
    sort: Callable[[Sequence[Operation]], Sequence[Operation]],
) -> bool:
    """Whether no buffer is needed for `operands` now that ops have moved, nor others.

    `before` is what was decided in the order before, and `sort` gives the ops of a
    block in their order now. False when unsure: then the function is to be analysed.
    """
    analysis = before.analysis
    facts = analysis.facts
    return (
        before.promise is None
        and before.buffers.keys() == analysis.reasons.keys() == set(operands)
        and is_straight_line(before)
        and not analysis.decisions.maybe_moved
        and not any(
            is_tensor(model.get_source(op).value)
            for op, model in facts.models.insertions.of(facts.ops)
        )
        and _Walk(operands, before).finds_all_in_order(sort(facts.ops))
    )


class _Walk:
    """Goes through the ops of a block as if every operand were in place."""

    def __init__(self, operands: Iterable[OpOperand], before: Decided):
        self._before = before
        self._analysis: RootAnalysis = before.analysis
        self._facts = before.analysis.facts
        self._united = DisjointSets[AliasSet]()
        self._positions: dict[Operation, int] = {}
        self._written: dict[AliasSet, tuple[int, SSAValue | None]] = {}
        """Where a group was last written, and the value that this made."""

        sets = self._analysis.alias_sets
        for operand in operands:
            first, *others = sets.sets_of(self._facts.get_use(operand))
            for other in others:
                self._united.unite(first, other)
        self._fixed = {
            self._find(value)
            for value in self._facts.values
            if sets.find(value).not_writable is not None
        }

    def _find(self, value: SSAValue) -> AliasSet:
        return self._united.find(self._analysis.alias_sets.find(value))

    def finds_all_in_order(self, ops: Iterable[Operation]) -> bool:
        """Whether each read finds what it expects, and the caller gets no copy more."""
        uses_of = self._facts.get_uses
        for position, op in enumerate(ops):
            self._positions[op] = position
            if not self._are_in_order(uses_of(op), position):
                return False
        return self._returns_no_other_argument()

    def _are_in_order(self, uses: Iterable[TensorUse], position: int) -> bool:
        """Whether one op reads what it expects; what it writes is kept in mind."""
        read: list[AliasSet] = []
        for use in uses:
            if use.reads and use.definitions is not None:
                group = self._find(use.value)
                if not self._sees(use.definitions, group):
                    return False
                if not use.writes:
                    read.append(group)
        written: set[AliasSet] = set()
        for use in uses:
            if use.writes:
                group = self._find(use.value)
                if group in read or group in written or group in self._fixed:
                    return False
                written.add(group)
                made = use.aliases[0].value if len(use.aliases) == 1 else None
                self._written[group] = position, made
        return True

    def _sees(self, definitions: Definitions, group: AliasSet) -> bool:
        """Whether the last write to a buffer made the value, or came before that."""
        if group not in self._written:
            return True
        point = definitions.point
        if (
            point is None
            or definitions.argument_block is not None
            # Of several definitions, another one may come first by now.
            or definitions.latest != point.start
            or not definitions.is_only_result_of_op
        ):
            return False
        position, made = self._written[group]
        return made is definitions.result or position < self._positions[point.op]

    def _returns_no_other_argument(self) -> bool:
        """Whether what is returned is no new buffer of the caller's."""
        block = self._before.function.body.blocks[0]
        groups = self._fixed | {self._find(arg) for arg in block.args if is_tensor(arg)}
        last = block.last_op
        return last is not None and all(
            use.operand in self._before.not_owned or self._find(use.value) not in groups
            for use in self._facts.get_uses(last)
        )
