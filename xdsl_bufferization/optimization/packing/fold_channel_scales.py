"""fold-channel-scales: batch normalisation as part of the convolution before it.

    %1 = linalg.conv_2d_nchw_fchw ins(%x, %w) outs(%zeros)
    %2 = linalg.generic { (out - mean) * gamma + beta } outs(%1)

    %s, %t = ... a scale and a shift for each channel
    %v = linalg.generic { w * s } ins(%w, %s)
    %1 = linalg.conv_2d_nchw_fchw ins(%x, %v) outs(%zeros)
    %2 = linalg.generic { out + t } ins(%t) outs(%1)

Runs behind `conv-init-simplify`, in front of the passes that pack. The ops that follow
a convolution may be one or several. They add, subtract, multiply with or divide by a
number for each channel. The new scale is part of the weights. So `prepare-weights`
computes it once if weights are arguments. If they are constants, each call scales them.
Sums are rounded in another order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp, ShapedType, TensorType
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    element_type_of,
    structure_of,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of
from ..common.relayout import erase_dead, reassociation
from ..common.zero_fills import is_zeros
from .packed_loops import loop_of


def fold_channel_scales(module: ModuleOp) -> None:
    """Let the weights of convolutions in `module` contain the scales behind them."""
    attach_all()
    for op in ops_inside(module):
        contraction = contraction_of(op)
        if contraction is not None and contraction.is_convolution and op.results:
            _fold(op, contraction.structure)


@dataclass(frozen=True)
class _Linear:
    """`scale * x + shift`, where x is a sum of the convolution."""

    scale: SSAValue | None = None
    """A number for each channel; None is 1."""
    shift: SSAValue | None = None
    """None is 0."""


@dataclass(frozen=True)
class _Channels:
    """A number for each channel, or one for all."""

    value: SSAValue


_Value = _Linear | _Channels


def _fold(op: Operation, structure: Structure) -> None:
    channel = _channel(structure)
    if channel is None or not is_zeros(structure.outputs[0]):
        return
    if element_type_of(structure.inputs[1].type) != element_type_of(op.results[0].type):
        return
    dimension, loop = channel
    folder = _Folder(dimension, ranked_type(op.results[0]))
    linear, chain = _Linear(), [op]
    while (user := _only_user(chain[-1])) is not None:
        following = folder.after(user, chain[-1].results[0], linear)
        if following is None:
            break
        linear = following
        chain.append(user)
    if linear.scale is None:
        folder.erase()
        return
    last = chain.pop()
    folder.insert_before(last)
    weights = _scaled(op, structure, linear.scale, loop, last)
    new = op.clone()
    new.operands[1] = weights
    Rewriter.insert_op(new, InsertPoint.before(last))
    result = new.results[0]
    if linear.shift is not None:
        result = _added(result, linear.shift, dimension, last)
    Rewriter.replace_op(last, [], [result])
    erase_dead(chain)


def _channel(structure: Structure) -> tuple[int, int] | None:
    """The dimension of channels in the output, and their loop."""
    weights = {loop_of(expr) for expr in structure.maps[1].results}
    found = [
        (dimension, loop)
        for dimension, expr in enumerate(structure.maps[2].results)
        if (loop := loop_of(expr)) is not None and loop in weights
    ]
    return found[0] if len(found) == 1 else None


def _only_user(op: Operation) -> Operation | None:
    """The op behind `op` in its block that alone uses its result, once."""
    uses = list(op.results[0].uses)
    if len(uses) != 1 or uses[0].operation.parent is not op.parent:
        return None
    return uses[0].operation


class _Folder:
    """Numbers for each channel that are computed of others."""

    def __init__(self, dimension: int, type_: TensorType):
        self._dimension = dimension
        self._shape = type_.get_shape()
        self._sizes = [self._shape[dimension]]
        self._new_ops: list[Operation] = []

    def insert_before(self, op: Operation) -> None:
        """Insert all that computes the numbers."""
        builder = ArithBuilder.before(op)
        for new in self._new_ops:
            builder.insert(new)

    def erase(self) -> None:
        """Drop it."""
        for new in reversed(self._new_ops):
            new.erase()

    def after(self, op: Operation, value: SSAValue, before: _Linear) -> _Linear | None:
        """What `op` makes of `value`, which is `before`; None if that is not linear."""
        structure = structure_of(op)
        if structure is None or not isinstance(op, GenericOp) or len(op.results) != 1:
            return None
        operands = (*structure.inputs, *structure.outputs)
        output = structure.maps[-1]
        if not all(structure.parallel) or output != AffineMap.identity(output.num_dims):
            return None
        if op.results[0].type != value.type:
            return None
        known: dict[SSAValue, _Value] = {}
        for argument, operand, map_ in zip(
            structure.body.block.args, operands, structure.maps, strict=True
        ):
            if operand is value:
                if map_ != output:
                    return None
                known[argument] = before
            elif argument.first_use is not None:
                channels = self._channels(operand, map_)
                if channels is None:
                    return None
                known[argument] = channels
        return self._result(structure.body.block, known)

    def _channels(self, operand: SSAValue, map_: AffineMap) -> _Channels | None:
        """An operand with a number for each channel, as a tensor of one dimension."""
        if not isinstance(operand.type, TensorType):
            return _Channels(operand)
        shape = ranked_type(operand).get_shape()
        size = self._shape[self._dimension]
        loops = [loop_of(expr) for expr in map_.results]
        is_of_channels = loops.count(self._dimension) == 1 and all(
            loop == self._dimension or expr == AffineConstantExpr(0)
            for loop, expr in zip(loops, map_.results, strict=True)
        )
        if not is_of_channels or sorted(shape) != [*[1] * (len(shape) - 1), size]:
            return None
        if len(shape) == 1:
            return _Channels(operand)
        type_ = TensorType(ranked_type(operand).element_type, [size])
        if isinstance(operand.owner, tensor.ExpandShapeOp):
            source = operand.owner.src
            if source.type == type_:
                return _Channels(source)
        collapse = tensor.CollapseShapeOp.build(
            operands=[operand],
            result_types=[type_],
            properties={"reassociation": reassociation([range(len(shape))])},
        )
        self._new_ops.append(collapse)
        return _Channels(collapse.result)

    def _result(self, block: Block, known: dict[SSAValue, _Value]) -> _Linear | None:
        for op in block.ops:
            if isinstance(op, YieldOp):
                result = known.get(op.operands[0])
                return result if isinstance(result, _Linear) else None
            if len(op.results) != 1 or op.regions or not is_side_effect_free(op):
                return None
            values = [self._known(each, known, block) for each in op.operands]
            kept = [value for value in values if value is not None]
            if len(kept) < len(values):
                return None
            result = self._computed(op, kept)
            if result is None:
                return None
            known[op.results[0]] = result
        return None

    def _known(
        self, value: SSAValue, known: dict[SSAValue, _Value], block: Block
    ) -> _Value | None:
        if value in known:
            return known[value]
        is_inside = isinstance(value, BlockArgument) and value.block is block
        # A tensor that the body captures is no number for each channel.
        is_number = not isinstance(value.type, ShapedType)
        return None if is_inside or not is_number else _Channels(value)

    def _computed(self, op: Operation, values: Sequence[_Value]) -> _Value | None:
        numbers = [value.value for value in values if isinstance(value, _Channels)]
        if len(numbers) == len(values):
            if not any(isinstance(each.type, TensorType) for each in numbers):
                is_constant = isinstance(op, arith.ConstantOp)
                return _Channels(self._cloned(op)) if is_constant else None
            return _Channels(self._apply(op, numbers))
        if len(values) != 2 or len(numbers) != 1:
            return None
        linear = values[0] if isinstance(values[0], _Linear) else values[1]
        assert isinstance(linear, _Linear)
        return self._moved(op, linear, numbers[0], comes_first=values[0] is linear)

    def _cloned(self, op: Operation) -> SSAValue:
        new = op.clone()
        self._new_ops.append(new)
        return new.results[0]

    def _moved(
        self, op: Operation, linear: _Linear, number: SSAValue, *, comes_first: bool
    ) -> _Linear | None:
        """The sum, difference, product or quotient of a linear value and a number."""
        scale, shift = linear.scale, linear.shift
        match op:
            case arith.AddfOp() | arith.SubfOp() if comes_first or isinstance(
                op, arith.AddfOp
            ):
                if shift is not None:
                    return _Linear(scale, self._apply(op, [shift, number]))
                if isinstance(op, arith.AddfOp):
                    return _Linear(scale, self._apply(None, [number]))
                return _Linear(scale, self._apply(arith.NegfOp, [number]))
            case arith.MulfOp() | arith.DivfOp() if comes_first or isinstance(
                op, arith.MulfOp
            ):
                if shift is not None:
                    shift = self._apply(op, [shift, number])
                if scale is not None:
                    return _Linear(self._apply(op, [scale, number]), shift)
                if isinstance(op, arith.MulfOp):
                    return _Linear(self._apply(None, [number]), shift)
                return None
            case _:
                return None

    def _apply(
        self, op: Operation | type[arith.NegfOp] | None, numbers: Sequence[SSAValue]
    ) -> SSAValue:
        """An op on numbers for each channel; without an op the numbers themselves."""
        if op is None and isinstance(numbers[0].type, TensorType):
            return numbers[0]
        inputs = [each for each in numbers if isinstance(each.type, TensorType)]
        is_op = isinstance(op, Operation)
        element = op.results[0].type if is_op else element_type_of(numbers[0].type)
        type_ = TensorType(element, self._sizes)
        block = Block(
            arg_types=[*(element_type_of(each.type) for each in inputs), element]
        )
        arguments = iter(block.args)
        operands: list[SSAValue] = []
        for number in numbers:
            if isinstance(number.type, TensorType):
                operands.append(next(arguments))
            elif isinstance(number.owner, arith.ConstantOp):
                constant = number.owner.clone()
                block.add_op(constant)
                operands.append(constant.result)
            else:
                operands.append(number)
        result = operands[0]
        if op is not None:
            new: Any = op(operands[0]) if isinstance(op, type) else _like(op, operands)
            block.add_op(new)
            result = new.results[0]
        block.add_op(YieldOp(result))
        empty = tensor.EmptyOp([], type_)
        maps = [AffineMapAttr(AffineMap.identity(1))] * (len(inputs) + 1)
        kinds = [IteratorTypeAttr.parallel()]
        generic = GenericOp(inputs, [empty.tensor], Region(block), maps, kinds, [type_])
        self._new_ops += [empty, generic]
        return generic.results[0]


def _like(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    return type(op).create(
        operands=operands,
        result_types=[result.type for result in op.results],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
    )


def _scaled(
    op: Operation, structure: Structure, scale: SSAValue, loop: int, before: Operation
) -> SSAValue:
    """The weights of `op`, times a number for each channel of the output."""
    weights = structure.inputs[1]
    places = [loop_of(expr) for expr in structure.maps[1].results]
    return _combined(arith.MulfOp, weights, scale, places.index(loop), before)


def _added(
    value: SSAValue, shift: SSAValue, dimension: int, before: Operation
) -> SSAValue:
    return _combined(arith.AddfOp, value, shift, dimension, before, in_place=True)


def _combined(
    op: type[arith.MulfOp] | type[arith.AddfOp],
    value: SSAValue,
    numbers: SSAValue,
    dimension: int,
    before: Operation,
    *,
    in_place: bool = False,
) -> SSAValue:
    """`value` combined with a number for each index of a dimension."""
    type_ = ranked_type(value)
    rank, element = type_.get_num_dims(), type_.element_type
    builder = ArithBuilder.before(before)
    along = AffineMap(rank, 0, (AffineMap.identity(rank).results[dimension],))
    whole = AffineMap.identity(rank)
    if in_place:
        inputs, maps, output = [numbers], [along, whole], value
    else:
        empty = builder.insert(tensor.EmptyOp([], type_))
        inputs, maps, output = [value, numbers], [whole, along, whole], empty.tensor
    block = Block(arg_types=[element] * len(maps))
    first, second = (block.args[1], block.args[0]) if in_place else block.args[:2]
    combine = op(first, second)
    block.add_ops([combine, YieldOp(combine.result)])
    generic = GenericOp(
        inputs,
        [output],
        Region(block),
        [AffineMapAttr(map_) for map_ in maps],
        [IteratorTypeAttr.parallel()] * rank,
        [type_],
    )
    return builder.insert(generic).results[0]


class FoldChannelScalesPass(TensorPass):
    """Multiply the weights of a convolution by the scales of its result."""

    name = "fold-channel-scales"
    rewrite = staticmethod(fold_channel_scales)
