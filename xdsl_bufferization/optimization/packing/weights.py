"""What a function computes of its weights alone, which is the same in all calls.

    func.func @f(%x: tensor<...>, %w: tensor<...> {xbuf.weight}) {
      %p = linalg.pack %w ...       %p depends on weights alone,
      %y = ... %x, %p               %y does not.

What counts is what makes the weights no larger: transposes, packs, sums over weights,
and weights one behind the other. A bias that is repeated for each row does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final

from xdsl.dialects import tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects.linalg.pack import PackOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.equivalence import are_same_programs
from xdsl_bufferization.support.traversal import used_from_outside

WEIGHT: Final = "xbuf.weight"
"""The attribute of an argument that seldom changes from call to call."""

_DIALECTS: Final = ("linalg", "tensor", "arith")


def weight_values(function: FuncOp) -> "WeightValues | None":
    """What depends on weights alone; None if no argument is one, or with branches.

    Equal ops on weights become one.
    """
    if function.is_declaration or len(function.body.blocks) != 1:
        return None
    weights = [
        argument
        for argument, attributes in zip(
            function.args, argument_attributes(function), strict=True
        )
        if WEIGHT in attributes
    ]
    if not weights:
        return None
    values = WeightValues(dict.fromkeys(weights))
    for op in list(function.body.block.ops):
        values.look_at(op)
    return values


def argument_attributes(function: FuncOp) -> list[dict[str, Attribute]]:
    """The attributes of each argument of a function."""
    if function.arg_attrs is None:
        return [{} for _ in function.args]
    return [dict(each.data) for each in function.arg_attrs.data]


@dataclass
class WeightValues:
    """What depends on weights, and what depends on nothing."""

    derived: dict[SSAValue, None]
    """The weights, and what is computed of weights."""

    fixed: set[SSAValue] = field(default_factory=set[SSAValue])
    """What is the same in all calls."""

    _made: dict[object, list[Operation]] = field(
        default_factory=dict[object, list[Operation]]
    )
    """The ops that compute derived values, by all but their regions."""

    def look_at(self, op: Operation) -> None:
        """Sort in the results of an op, whose operands have been sorted in."""
        read = used_from_outside(op)
        weights = [value for value in read if value in self.derived]
        if weights:
            _take_constants(op)
        if not _is_computation(op):
            return
        if all(value in self.fixed for value in read):
            self.fixed.update(op.results)
        elif all(
            value in self.fixed or value in self.derived for value in read
        ) and _does_not_grow(op, weights):
            self._add(op)

    def _add(self, op: Operation) -> None:
        """Add the results of an op, or replace it by an equal one."""
        equals = self._made.setdefault(_description(op), [])
        for equal in equals:
            if all(
                are_same_programs(mine, its, {})
                for mine, its in zip(op.regions, equal.regions, strict=True)
            ):
                Rewriter.replace_op(op, [], equal.results)
                return
        equals.append(op)
        self.derived.update(dict.fromkeys(op.results))


def _description(op: Operation) -> object:
    """What equal ops have in common; which memory an op writes to does not count."""
    return (
        op.name,
        tuple(
            each.type if isinstance(each.owner, tensor.EmptyOp) else each
            for each in op.operands
        ),
        tuple(op.result_types),
        frozenset(op.attributes.items()),
        frozenset(op.properties.items()),
    )


def _is_computation(op: Operation) -> bool:
    """Whether an op does nothing but compute its results of its operands."""
    if op.dialect_name() not in _DIALECTS or not op.results:
        return False
    if not all(isinstance(value.type, TensorType) for value in op.results):
        return isinstance(op, ConstantOp)
    return all(
        is_side_effect_free(inner) or inner.name in ("linalg.yield", "cf.assert")
        for region in op.regions
        for inner in region.walk()
    )


def _take_constants(op: Operation) -> None:
    """Let the region of a structured op have the constants that it uses."""
    if not isinstance(op, GenericOp):
        return
    block = op.body.block
    for inner in list(block.ops):
        for number, operand in enumerate(inner.operands):
            owner = operand.owner
            if isinstance(owner, ConstantOp) and owner.parent is op.parent:
                constant = owner.clone()
                Rewriter.insert_op(constant, InsertPoint.at_start(block))
                inner.operands[number] = constant.result


def _does_not_grow(op: Operation, weights: Sequence[SSAValue]) -> bool:
    """Whether the results of an op are no larger than the weights that it reads."""
    sizes = [_elements(value) for value in op.results]
    if not all(sizes) or not weights:
        return False
    return isinstance(op, PackOp | tensor.ConcatOp) or max(sizes) <= max(
        map(_elements, weights)
    )


def _elements(value: SSAValue) -> int:
    """How many elements a tensor has; 0 if that is not known."""
    if not isinstance(value.type, TensorType):
        return 0
    shape = ranked_type(value).get_shape()
    return 0 if DYNAMIC_INDEX in shape else prod(shape)
