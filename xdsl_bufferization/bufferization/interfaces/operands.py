"""Operands and values as the interfaces speak of them."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, cast

from typing_extensions import TypeIs
from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from xdsl_bufferization.support.xdsl_releases.operands import operand_values


class OpOperand(NamedTuple):
    """One operand of one operation: MLIR's `OpOperand`.

    Reading and writing are properties of an operand, not of the value it carries.
    Equal operands compare and hash equal, so that they can be keys.
    """

    owner: Operation
    """The operation that has the operand."""

    number: int
    """Position in `owner.operands`."""

    @property
    def value(self) -> SSAValue:
        """The value that the operand carries."""
        return operand_value(self.owner, self.number)


def operand_value(op: Operation, number: int) -> SSAValue:
    """The value of one operand of `op`."""
    return _item(operand_values(op), number)


_item = cast(  # pyright: ignore[reportUnknownMemberType]
    Callable[[tuple[SSAValue, ...], int], SSAValue],
    tuple.__getitem__,  # pyright: ignore[reportUnknownMemberType]
)
"""As by an index, which xDSL's tuples of values look at in Python first."""


def is_tensor_type(type_: Attribute) -> bool:
    """Whether a value of this type is bufferized."""
    return _is_tensor_class(type(type_))


def is_ranked_tensor_type(type_: object) -> TypeIs[TensorType]:
    """Whether this is a tensor type with a rank, as `isa` would tell more slowly."""
    return isinstance(type_, TensorType)


def is_elementwise_on_tensors(op: Operation) -> bool:
    """Whether an op of arith or math computes tensors with a rank, by elements."""
    return (
        op.dialect_name() in ("arith", "math")
        and any(is_ranked_tensor_type(operand.type) for operand in op.operands)
        and all(is_ranked_tensor_type(result.type) for result in op.results)
    )


def is_tensor(value: SSAValue) -> bool:
    """Whether `value` is bufferized."""
    # As `is_tensor_type`, which is a call more: asked several times of every value.
    return _is_tensor_class(type(value.type))


@cache
def _is_tensor_class(type_: type[Attribute]) -> bool:
    # Asked many times of every value: `isinstance` takes several times as long here.
    return issubclass(type_, TensorType | UnrankedTensorType)


def tensor_operands(op: Operation) -> list[OpOperand]:
    """The operands of `op` that carry tensors, in order."""
    return [
        OpOperand(op, number)
        for number, value in enumerate(operand_values(op))
        if is_tensor(value)
    ]


def tensor_results(op: Operation) -> list[OpResult]:
    """The results of `op` that are tensors, in order."""
    return [result for result in op.results if is_tensor(result)]


def owner_op(value: SSAValue) -> Operation | None:
    """The op that answers for `value`: it defines it, or holds it as block argument."""
    # Asked about every value: `owner` and `isinstance` take several times as long here.
    if type(value) is OpResult:
        return value.op
    owner = value.owner
    return owner.parent_op() if isinstance(owner, Block) else owner
