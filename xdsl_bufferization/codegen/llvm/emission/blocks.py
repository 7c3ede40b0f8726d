"""The blocks of a function under construction, and the constants that they share.

Ops are appended to the current block. Constants, and stack memory of a size that is
known, go to the start of the function, each constant once.

    f.start(header)                 ^header:
    f.branch(exit, [value])           llvm.br ^exit(%value)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.arrays import array_of
from xdsl_bufferization.dialects.common.making import create
from xdsl_bufferization.support.classes import of_classes

from .types import TypeConverter


def dense_row(values: Sequence[Any], type: VectorType) -> Attribute:
    """Return the constant with `values`, which the elements of `type` can be."""
    # The overloads of `from_list` want to know which of them it is.
    return DenseIntOrFPElementsAttr.from_list(cast(Any, type), values)


_is_vector = of_classes(VectorType)


def _integer_attribute(value: int, type: Attribute) -> Attribute:
    """Return the constant `value`, in each element if `type` is a vector."""
    if _is_vector(type) and isa(type, VectorType[IntegerType]):
        # The constructor brings a number into the range of its type.
        number = IntegerAttr(value, type.element_type).value.data
        return dense_row([number] * type.get_shape()[0], type)
    assert isa(type, IntegerType)
    return IntegerAttr(value, type)


def _is_wide(type: IntegerType) -> bool:
    return type.width.data > 64


@dataclass
class BlockBuilder:
    """A function body of the llvm dialect under construction.

    Blocks are appended in the order in which they are started, which must follow
    dominance: xDSL's LLVM back end needs every value printed before its uses.
    """

    types: TypeConverter
    """What types of the source become; that of an index is `types.index`."""

    region: Region = field(default_factory=Region)
    block: Block = field(default_factory=Block)
    """Where ops are appended."""

    _entry_ops: list[Operation] = field(default_factory=list[Operation])
    _may_be_unused: list[Operation] = field(default_factory=list[Operation])
    _integers: dict[tuple[int, Attribute], SSAValue] = field(
        default_factory=dict[tuple[int, Attribute], SSAValue]
    )
    _numbers: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    _in_block: dict[tuple[object, ...], SSAValue] = field(
        default_factory=dict[tuple[object, ...], SSAValue]
    )

    # Blocks.

    def start(self, block: Block) -> None:
        """Append `block` to the function and go on there."""
        self.region.add_block(block)
        self.block = block
        self._in_block.clear()

    def branch(self, target: Block, values: Sequence[SSAValue] = ()) -> None:
        """End the current block with a jump."""
        self.block.add_op(create(llvm.BrOp, operands=values, successors=(target,)))

    def cond_branch(
        self,
        condition: SSAValue,
        then_block: Block,
        then_values: Sequence[SSAValue],
        else_block: Block,
        else_values: Sequence[SSAValue],
    ) -> None:
        """End the current block with a conditional jump.

        A PHI has one entry per predecessor block, so two edges to one block that
        brings values become edges from two blocks.
        """
        if then_block is else_block and else_values:
            edge = Block()
            self._cond_branch(condition, then_block, then_values, edge, ())
            self.start(edge)
            self.branch(else_block, else_values)
        else:
            self._cond_branch(
                condition, then_block, then_values, else_block, else_values
            )

    def _cond_branch(
        self,
        condition: SSAValue,
        then_block: Block,
        then_values: Sequence[SSAValue],
        else_block: Block,
        else_values: Sequence[SSAValue],
    ) -> None:
        segments = [1, len(then_values), len(else_values)]
        self.block.add_op(
            create(
                llvm.CondBrOp,
                operands=(condition, *then_values, *else_values),
                successors=(then_block, else_block),
                properties={"operandSegmentSizes": array_of(i32, segments)},
            )
        )

    def finish(self) -> Region:
        """Put constants and static allocas in front and return the body."""
        for op in self._may_be_unused:
            if op.results[0].first_use is None:
                Rewriter.erase_op(op)
        entry = self.region.first_block
        assert entry is not None
        first = entry.first_op
        assert first is not None
        entry.insert_ops_before(self._entry_ops, first)
        return self.region

    # Ops.

    def emit(self, op: Operation) -> SSAValue:
        """Append an op with one result and return the result."""
        self.block.add_op(op)
        return op.results[0]

    def create(
        self,
        op: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """Append an op with one result, given its parts, and return the result."""
        new = create(
            op, operands=operands, result_types=(type,), properties=properties or {}
        )
        self.block.add_op(new)
        return new.results[0]

    def once(
        self,
        op: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute],
    ) -> SSAValue:
        """The same for an op that only computes; equal ones in a block are one op."""
        key = (op, *operands, type, *properties.items())
        known = self._in_block.get(key)
        if known is None:
            known = self.create(op, operands, type, properties)
            self._in_block[key] = known
        return known

    def run(self, op: Operation) -> None:
        """Append an op without results."""
        self.block.add_op(op)

    def drop_if_unused(self, value: SSAValue) -> SSAValue:
        """Leave out the op of `value` if nothing uses it in the end."""
        assert isinstance(value.owner, Operation)
        self._may_be_unused.append(value.owner)
        return value

    def at_entry(self, op: Operation) -> SSAValue:
        """Put an op with one result at the start of the function."""
        self._entry_ops.append(op)
        return op.results[0]

    def integer(self, value: int, type: Attribute | None = None) -> SSAValue:
        """Return an integer constant, by default an index."""
        if type is None:
            type = self.types.index
        key = (value, type)
        known = self._integers.get(key)
        if known is None:
            if type == self.types.index:
                value = self.types.wrapped(value)
            if (
                _is_vector(type)
                and isa(type, VectorType[IntegerType])
                and _is_wide(type.element_type)
            ):
                known = self._wide_row(value, type)
            else:
                known = self.constant(_integer_attribute(value, type), type)
            self._integers[key] = known
            if type in (i32, i64):
                self._numbers[known] = value
        return known

    def _wide_row(self, value: int, type: VectorType[IntegerType]) -> SSAValue:
        """Return a row of an integer for which xDSL has no dense constants."""
        element = self.integer(value, type.element_type)
        row = self.at_entry(llvm.UndefOp(type))
        for lane in range(type.get_shape()[0]):
            row = self.at_entry(llvm.InsertElementOp(row, element, self.integer(lane)))
        return row

    def constant(self, value: Attribute, type: Attribute) -> SSAValue:
        """Return the constant `value`."""
        properties = {"value": value}
        op = create(llvm.ConstantOp, result_types=(type,), properties=properties)
        return self.at_entry(op)
