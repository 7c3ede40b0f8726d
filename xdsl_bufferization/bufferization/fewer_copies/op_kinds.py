"""Which ops may run at another place, and which of them also across side effects.

    %1 = tensor.extract %t[%i]     // may move; but %i may be out of bounds, so that the
                                   // op does not move in front of a `cf.assert`
    %2 = arith.addf %a, %b         // may move across anything
    call @print(%2)                // does not move

Each op is looked at once, with all ops inside it.
"""

from typing import Any

from xdsl.dialects import tensor
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.traversal import ops_inside

from ..bufferize.movable_definitions import is_movable, may_stop
from ..interfaces.operands import is_tensor
from ..interfaces.state import is_buffer_type
from ..models.slices import STATIC_NUMBERS, constant_value, static_numbers

_NEVER_FAIL = frozenset({"arith", "complex", "math"})
"""Dialects whose ops always give a result, if they may move at all."""

_NEVER_FAIL_ON_KNOWN_SHAPES = frozenset({
    "linalg", "tensor.empty", "tensor.splat", "tensor.from_elements", "tensor.dim",
    "tensor.yield", "tensor.generate", "tensor.expand_shape", "tensor.collapse_shape",
    "scf.if", "scf.yield",
})  # fmt: skip
"""Dialects and ops that always give a result if no size is dynamic."""

_ALIKE = ("arith.add", "arith.mul", "arith.sub", "arith.cmp", "math.", "tensor.")
"""How the names of ops without regions begin of which all or none may move."""


class OpKinds:
    """What is known about the ops of a function; each answer is kept."""

    def __init__(self) -> None:
        self._movable: dict[Operation, bool] = {}
        self._movable_types: dict[type[Operation], bool] = {}
        self._total: dict[Operation, bool] = {}
        self._stopping: dict[Operation | type[Operation], bool] = {}

    def is_movable(self, op: Operation) -> bool:
        """Whether `op` has no effect but its results."""
        answers: dict[Any, bool] = self._movable
        key: Operation | type[Operation] = op
        if not op.regions and op.name.startswith(_ALIKE):
            answers, key = self._movable_types, type(op)
        answer = answers.get(key)
        if answer is None:
            answer = answers[key] = (
                not op.has_trait(IsTerminator)
                and is_movable(op)
                and not any(map(_has_buffer, ops_inside(op)))
            )
        return answer

    def never_fails(self, op: Operation) -> bool:
        """Whether an op that is movable gives a result whatever its operands are."""
        answer = self._total.get(op)
        if answer is None:
            answer = self._total[op] = all(map(_never_fails, ops_inside(op)))
        return answer

    def may_stop(self, op: Operation) -> bool:
        """Whether `op` may end the program, or not come to an end itself."""
        key = op if op.regions else type(op)
        answer = self._stopping.get(key)
        if answer is None:
            answer = self._stopping[key] = may_stop(op)
        return answer


def _has_buffer(op: Operation) -> bool:
    return any(is_buffer_type(value.type) for value in (*op.operands, *op.results))


def _never_fails(op: Operation) -> bool:
    dialect = op.name.partition(".")[0]
    if dialect in _NEVER_FAIL:
        return True
    if not all(map(_has_known_shape, (*op.operands, *op.results))):
        return False
    if isinstance(op, tensor.ExtractOp | tensor.InsertOp):
        return _is_in_bounds(op)
    if isinstance(op, tensor.ExtractSliceOp | tensor.InsertSliceOp):
        return _is_slice_in_bounds(op)
    return not _NEVER_FAIL_ON_KNOWN_SHAPES.isdisjoint((dialect, op.name))


def _has_known_shape(value: object) -> bool:
    type_ = getattr(value, "type", None)
    return not isinstance(type_, ShapedType) or type_.has_static_shape()


def _is_in_bounds(op: tensor.ExtractOp | tensor.InsertOp) -> bool:
    container = op.tensor if isinstance(op, tensor.ExtractOp) else op.dest
    assert is_tensor(container)
    shape = container.type
    assert isinstance(shape, ShapedType)
    numbers = map(constant_value, op.indices)
    return all(
        number is not None and 0 <= number < size
        for number, size in zip(numbers, shape.get_shape(), strict=True)
    )


def _is_slice_in_bounds(op: tensor.ExtractSliceOp | tensor.InsertSliceOp) -> bool:
    container = op.source if isinstance(op, tensor.ExtractSliceOp) else op.dest
    shape = container.type
    assert isinstance(shape, ShapedType)
    numbers = (static_numbers(op, name) for name in STATIC_NUMBERS)
    return all(
        offset >= 0 and count >= 0 and offset + (count - 1) * stride < size
        for offset, count, stride, size in zip(*numbers, shape.get_shape(), strict=True)
    )
