"""When a write spoils a read: MLIR's rules, for one pair at a time.

    %1 = tensor.insert %f into %0[%i]    // the write
    %2 = tensor.extract %0[%j]           // the read, whose definition is that of %0

A read expects the data of its definitions: the last writes on its reverse use-def
chain. The read sees wrong data under three conditions:

- The write and the read use the same buffer.
- The write can run after a definition.
- The write can run before the read.

The rules here are exact. `conflict_ranges` and `alias_sets` only choose the pairs to
ask about.

Source: `hasReadAfterWriteInterference` in MLIR's One-Shot Analysis, and
https://mlir.llvm.org/docs/Bufferization/#one-shot-bufferize.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.algorithms.block_paths import BlockPaths
from xdsl_bufferization.support.algorithms.program_points import (
    ProgramPoint,
    Repetition,
    happens_before,
)

from ...interfaces.operands import OpOperand
from ...interfaces.state import AnalysisState
from ..tensor_facts.subsets import Subsets
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import Definitions, TensorUse, is_equivalent
from ..tensor_facts.yielded_permutations import UsesOfPermuted


class RaWConflict(NamedTuple):
    """A read that would see a write instead of its definition."""

    read: OpOperand
    write: OpOperand
    definition: SSAValue


class NotWritable(NamedTuple):
    """A write into a buffer that must not be written."""

    value: SSAValue
    write: OpOperand


class ConflictRules:
    """Decides whether a read and a write of one buffer conflict."""

    state: AnalysisState
    """Who answers what hinges on decisions: the facts, as long as they are made."""

    def __init__(self, facts: TensorFacts, subsets: Subsets):
        self._facts = facts
        self.subsets = subsets
        self._paths = BlockPaths(facts.points)
        self._excusing = facts.models.excusing
        self._permutations = facts.permutations
        self._permuted = UsesOfPermuted(facts.permutations)
        self.state = facts

    def when_decided(self, decisions: AnalysisState) -> ConflictRules:
        """The same rules, with answers that hinge on decisions from `decisions`.

        Both share what is left of their budget.
        """
        rules = copy(self)
        rules.state = decisions
        return rules

    def start_anew(self) -> None:
        """Answer as at first: answers do not hinge on how many there were before."""
        self._paths.start_anew()
        self._permuted.start_anew()

    def find_conflict(self, read: TensorUse, write: TensorUse) -> RaWConflict | None:
        """The conflict that `read` and `write` would have if their buffers were one."""
        conflict = self._find_conflict_with_contents(read, write)
        return conflict or self._find_conflict_meanwhile(read, write)

    def _find_conflict_with_contents(
        self, read: TensorUse, write: TensorUse
    ) -> RaWConflict | None:
        """The conflict if the read finds other contents than those of its value."""
        definitions = read.definitions
        if definitions is None or not read.reads:
            return None  # undefined contents: any data will do
        if self.can_use_dominance(read, write, definitions) and (
            read is write or self._is_before_or_apart(read, write)
        ):
            return None
        if definitions.argument_block is None and not self._overwrites_result(
            write, definitions
        ):
            return None  # which is quicker to find out than what follows
        if self._is_excused_by_models(read, write):
            return None
        definition = self.find_overwritten_definition(read, write, definitions)
        if definition is None or self._permuted.are_apart(read, write):
            return None
        return RaWConflict(read.operand, write.operand, definition)

    def _find_conflict_meanwhile(
        self, read: TensorUse, write: TensorUse
    ) -> RaWConflict | None:
        """The conflict of an op that passes a buffer on with another write to it.

            %r:2 = scf.for ... iter_args(%a = %empty, %b = %empty)

        The body, or the called function, writes to the buffer, and may then read what
        it has written. Another operand of the op, or an op in the body that has the
        value from outside, may not write there meanwhile. MLIR asks only whether
        contents from before are read, and so gives both tensors of a loop one buffer.
        """
        first, second = read.point, write.point
        is_meanwhile = first.is_proper_ancestor_of(second) or (
            first is second and read is not write
        )
        if not is_meanwhile or not read.is_passed_on:
            return None
        if not (self._facts.changes(read) and self._facts.changes(write)):
            return None
        if self._permuted.are_apart(read, write):
            return None
        return RaWConflict(read.operand, write.operand, read.value)

    def _is_before_or_apart(self, read: TensorUse, write: TensorUse) -> bool:
        """Whether a write outside of loops is too late for a read, or cannot matter."""
        first, second = read.point, write.point
        if first.block is not second.block:
            return happens_before(first, second) or self.are_mutually_exclusive(
                first, second
            )
        return first.end < second.start or (
            first is second and self.is_elementwise(read, write)
        )

    def can_use_dominance(
        self, read: TensorUse, write: TensorUse, definitions: Definitions
    ) -> bool:
        """Whether a read that comes before a write also runs before it.

        It does not if both may run again and again while the definition is older than
        that. MLIR overlooks loops of blocks around regions that the two are in.
        """
        # Positions tell before from after within one iteration. If the definition is
        # inside of all repetitions around the read, each iteration defines anew what it
        # reads, so that one iteration is enough to look at. Otherwise what the write
        # does in one iteration is seen by the read in the next one, if both are in the
        # repetition. Source: `canUseOpDominance` in MLIR's OneShotAnalysis.cpp.
        if read.point.block.repetition is definitions.block.repetition:
            return True  # Most often, so that it is asked first.
        repetition = self.get_repetition(read, definitions)
        return repetition is None or not repetition.covers(write.point.start)

    def get_repetition(
        self, read: TensorUse, definitions: Definitions
    ) -> Repetition | None:
        """The outermost repetition around a read that its definitions are not in."""
        defined_in = definitions.block
        around = read.point.block.repetition
        inner: Repetition | None = None
        if around is defined_in.repetition:
            return None
        while around is not None and not around.contains(defined_in):
            inner, around = around, around.outer
        return inner

    def are_mutually_exclusive(self, first: ProgramPoint, second: ProgramPoint) -> bool:
        """Whether two ops are in regions of one op of which only one runs.

        As in MLIR only the innermost op with region control flow around both counts.
        """
        block = first.block
        if block is second.block:
            return False
        while block.parent is not None:
            parent = block.parent
            region_branch = self._facts.get_region_branch(parent.op)
            if region_branch is not None and parent.is_proper_ancestor_of(second):
                other = _region_number_within(parent, second)
                return (
                    block.region_number != other
                    and region_branch.regions_are_mutually_exclusive(
                        parent.op, block.region_number, other
                    )
                )
            block = parent.block
        return False

    def is_elementwise(self, read: TensorUse, write: TensorUse) -> bool:
        """Whether one op reads each element before it writes that element.

        That helps only if the two operands are one buffer, element by element.
        """
        op = read.point.op
        model = self._facts.get_model(op)
        return (
            model is not None
            and model.bufferizes_to_elementwise_access(
                op, (read.operand, write.operand), self.state
            )
            and (
                self._derives_equivalently(read.value, write.value)
                or self._derives_equivalently(write.value, read.value)
            )
        )

    def _derives_equivalently(self, value: SSAValue, origin: SSAValue) -> bool:
        """Whether `value` is `origin`, forwarded by equivalent aliases of one type."""
        seen = {value}
        todo = [value]
        while todo:
            current = todo.pop()
            if current is origin:
                return True
            for alias in self.state.get_aliasing_op_operands(current):
                source = alias.operand.value
                if source not in seen and (
                    is_equivalent(alias)
                    and (source.type == current.type or _is_cast(current.owner))
                ):
                    seen.add(source)
                    todo.append(source)
        return False

    def _is_excused_by_models(self, read: TensorUse, write: TensorUse) -> bool:
        for op in (read.point.op, write.point.op):
            model = self._excusing[type(op)]
            if model is not None and model.is_not_conflicting(
                op, read.operand, write.operand, self.state
            ):
                return True
        return self.subsets.are_non_conflicting(read, write)

    def find_overwritten_definition(
        self, read: TensorUse, write: TensorUse, definitions: Definitions
    ) -> SSAValue | None:
        """A definition that does not come after `write`, or None if all do.

        MLIR looks for a write after a block argument in its own block only, and
        overlooks those in later blocks.
        """
        # All definitions of a value dominate it, and so form a chain. A write after any
        # of them is a write after the outermost one of its kind, result or argument. So
        # two questions answer for the whole chain.
        if self._overwrites_result(write, definitions):
            return definitions.result
        block = definitions.argument_block
        if block is not None and self._paths.runs_between(
            write.point, block, read.point
        ):
            return definitions.argument
        return None

    def _overwrites_result(self, write: TensorUse, definitions: Definitions) -> bool:
        point = definitions.point
        if (
            point is None
            or happens_before(write.point, point)
            or (
                point.is_proper_ancestor_of(write.point)
                and self._makes_in_regions(point, definitions)
            )
        ):
            return False
        if not definitions.is_only_result_of_op:
            return True
        aliases = write.aliases
        return not (
            (len(aliases) == 1 and aliases[0].value is definitions.result)
            or (
                self._permutations
                and self._permutations.makes(write, definitions.result)
            )
        )

    def _makes_in_regions(self, point: ProgramPoint, definitions: Definitions) -> bool:
        """Whether a write, inside of the op of a result, is part of making the result.

        It is not if the result is in the buffer of an operand of the op. Such an op is
        a loop: its body reaches the buffer by arguments, and a write to the outer value
        comes on top. MLIR overlooks such a write.
        """
        result = definitions.result
        return result is not None and not any(
            alias.operand.owner is point.op
            for alias in self.state.get_aliasing_op_operands(result)
        )


def _region_number_within(parent: ProgramPoint, inner: ProgramPoint) -> int:
    """The number of the region of `parent` that `inner` is in."""
    block = inner.block
    while block.parent is not parent:
        assert block.parent is not None, "inner is inside parent"
        block = block.parent.block
    return block.region_number


def _is_cast(op: object) -> bool:
    return isinstance(op, Operation) and op.name == "tensor.cast"
