"""What would remove the reason of a copy, where that can be told.

    %1 = tensor.insert %f into %0[%i]   // copy of %0:
    %2 = tensor.extract %0[%i]          // move the read before the write

A remedy removes one reason; the copy goes with the last of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import bufferization
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike, is_side_effect_free

from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import RaWConflict
from xdsl_bufferization.bufferization.analyses.one_shot.parallel_regions import (
    SharedWrite,
)
from xdsl_bufferization.bufferization.analyses.one_shot.parts import Parts
from xdsl_bufferization.bufferization.analyses.one_shot.root_analysis import (
    RootAnalysis,
)
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_uses import TensorUse
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    is_tensor,
    owner_op,
)
from xdsl_bufferization.bufferization.interfaces.subset import SubsetOpInterface
from xdsl_bufferization.support.algorithms.program_points import happens_before
from xdsl_bufferization.support.traversal import ops_inside

from .report import Action, ActionKind, Position
from .source import Source

_MOVE_THE_READ = "move the read before the write"

_PATIENCE = 16
"""So many ops that a read needs are looked at to see whether it can be moved."""

_WITHOUT_SIDE_EFFECTS = ("linalg", "tensor", "tm_tensor", "vector")
"""Dialects whose ops do nothing but compute, so that they can be moved."""


class Remedy(NamedTuple):
    """What would remove a reason."""

    sentence: str
    action: Action | None = None
    """The same as data, if a program can do it."""


class Remedies:
    """Knows what would help against the reasons of the copies inside one root."""

    def __init__(self, source: Source, analysis: RootAnalysis):
        self._source = source
        self._facts = analysis.facts
        self._rules = analysis.alias_sets.rules
        self._parts = Parts(self._facts, self._rules, analysis.decisions)

    # Read after write.

    def of_conflict(self, cause: RaWConflict) -> Remedy | None:
        """What would keep a read from seeing a write."""
        read, write = (self._facts.get_use(each) for each in (cause.read, cause.write))
        lines = (self._source.line_of(use.point.op) for use in (read, write))
        if _is_unused(write.point.op):
            line = self._source.line_of(write.point.op)
            return Remedy(f"remove line {line}, as nobody uses its result")
        moved = self.find_ops_to_move(read, write)
        if moved is not None:
            return Remedy(
                f"{_MOVE_THE_READ}: line {{}} before line {{}}".format(*lines),
                Action(
                    ActionKind.MOVE,
                    tuple(map(self._at, moved)),
                    self._at(write.point.op),
                ),
            )
        if not self._facts.options.disjoint_subsets and self._parts.are_disjoint(
            read, write
        ):
            return _set_option("disjoint-subsets")
        if self._may_be_disjoint(read, write):
            return Remedy(
                "if lines {} and {} work on parts that do not meet, give these offsets "
                "that are constants or differ by constants".format(*lines)
            )
        return self._of_loop(cause, read, write)

    def find_ops_to_move(
        self, read: TensorUse, write: TensorUse
    ) -> Sequence[Operation] | None:
        """The ops to put before the op that writes, so that the read comes first.

        The last is the op that reads. None if it cannot stand there, or if that would
        not help, as both run again for the same definition.
        """
        op, before = read.point.op, write.point.op
        definitions = read.definitions
        if (
            # Moved up, a write would spoil what the other expects.
            read.writes
            or op is before
            or op.parent is not before.parent
            or op.dialect_name() not in _WITHOUT_SIDE_EFFECTS
            or definitions is None
            or not self._rules.can_use_dominance(read, write, definitions)
        ):
            return None
        return self._collect_needed(op, before)

    def _collect_needed(
        self, op: Operation, before: Operation
    ) -> Sequence[Operation] | None:
        """`op` after all that it needs and that is not there at `before` yet."""
        points = self._facts.points
        end = points.of_op(before)
        seen = {op}
        todo = [op]
        while todo:
            for needed in _needs(todo.pop()):
                if needed in seen or happens_before(points.of_op(needed), end):
                    continue
                is_simple = needed.parent is op.parent and (
                    is_side_effect_free(needed)
                    and not any(map(is_tensor, needed.operands))
                )
                if needed is before or not is_simple or len(seen) > _PATIENCE:
                    return None
                seen.add(needed)
                todo.append(needed)
        return sorted(seen, key=lambda each: points.of_op(each).start)

    def _may_be_disjoint(self, read: TensorUse, write: TensorUse) -> bool:
        """Whether two parts are used of which the place is not known."""
        ops = (read.point.op, write.point.op)
        models = [op.get_trait(SubsetOpInterface) for op in ops]
        boxes = [
            model.get_box(op)
            for model, op in zip(models, ops, strict=True)
            if model is not None
        ]
        return (
            read is not write
            and len(boxes) == 2
            and any(
                box is None or any(offset.terms for offset in box.offsets)
                for box in boxes
            )
        )

    def _of_loop(
        self, cause: RaWConflict, read: TensorUse, write: TensorUse
    ) -> Remedy | None:
        definitions = read.definitions
        definition = cause.definition
        if (
            definitions is None
            or not isinstance(definition, OpResult)
            or self._rules.can_use_dominance(read, write, definitions)
        ):
            return None
        repetition = self._rules.get_repetition(read, definitions)
        if repetition is None:
            return None
        loop = self._source.line_of(repetition.op.op)
        return Remedy(
            f"define {self._source.name_of(definition)} in each iteration of the loop "
            f"at line {loop}, if that is cheaper than a copy",
            Action(
                ActionKind.DEFINE_IN_LOOP,
                (self._at(definition.op),),
                self._at(repetition.op.op),
            ),
        )

    # What must not be written.

    def of_not_writable(self, value: SSAValue, use: OpOperand) -> Remedy | None:
        """What would make `value` writable, which `use` would write."""
        op = owner_op(value)
        name = self._source.name_of(value)
        if isinstance(value, BlockArgument) and isinstance(op, FuncOp):
            if not self._facts.options.is_op_allowed(type(op)):
                return _set_option("bufferize-function-boundaries")
            at = self._source.position_of(value)
            return Remedy(
                f"remove `bufferization.writable = false` from {name}",
                Action(ActionKind.ALLOW_WRITES, (at,)),
            )
        if isinstance(op, bufferization.ToTensorOp):
            return Remedy(
                f"mark {name} `writable`",
                Action(ActionKind.MARK_WRITABLE, (self._at(op),)),
            )
        if op is not None and op.has_trait(ConstantLike, value_if_unregistered=False):
            target = self._source.position_of_use(use)
            return Remedy(
                f"compute {name} by an op, such as linalg.fill, where it is used",
                Action(ActionKind.FILL, (self._at(op),), target),
            )
        return None

    # Parallel loops.

    def of_shared_write(self, cause: SharedWrite) -> Remedy | None:
        """What would give each iteration its own buffer, or show that it has one."""
        name = self._source.name_of(cause.write.value)
        return Remedy(
            f"pass {name} to the loop in shared_outs and take the part of the "
            "iteration, or set check-parallel-regions=false if the iterations write "
            "different parts"
        )

    def _at(self, op: Operation) -> Position:
        name = self._source.name_of(op.results[0]) if op.results else op.name
        return self._source.position_of_op(op, name)


def _set_option(name: str) -> Remedy:
    return Remedy(f"set {name}", Action(ActionKind.SET_OPTION, option=name))


def _is_unused(op: Operation) -> bool:
    """Whether an op computes what nobody uses, and does nothing else."""
    return (
        bool(op.results)
        and not any(result.first_use is not None for result in op.results)
        and op.dialect_name() in _WITHOUT_SIDE_EFFECTS
        and not op.regions
    )


def _needs(op: Operation) -> list[Operation]:
    """The ops of the same block or further out that `op` and its body use."""
    found: list[Operation] = []
    for inner in ops_inside(op):
        for value in inner.operands:
            owner = value.owner
            if not isinstance(owner, Block) and not op.is_ancestor(owner):
                found.append(owner)
    return found
