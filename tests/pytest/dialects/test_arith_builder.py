"""What writes arithmetic writes no op for what is known."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IndexType,
    IntAttr,
    StringAttr,
    f32,
    i1,
)
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.arith.builder import ArithBuilder

PLACE = FileLineColLoc(StringAttr("a.mlir"), IntAttr(4), IntAttr(3))


def builder() -> ArithBuilder:
    """What writes into a new block with two indices, two numbers and a condition."""
    block = Block(arg_types=[IndexType(), IndexType(), f32, f32, i1])
    return ArithBuilder(InsertPoint.at_end(block), PLACE)


def test_known_numbers_need_no_op() -> None:
    b = builder()
    i = b.block.args[0]
    assert b.add(b.multiply(2, 4), 1) == 9
    assert b.add(i, 0) is i
    assert b.subtract(i, 0) is i
    assert b.multiply(1, i) is i
    assert b.multiply(i, 0) == 0
    assert not b.block.ops


def test_what_is_not_known_is_an_op_with_a_location() -> None:
    b = builder()
    i, j, x, y, _ = b.block.args
    b.add(i, j)
    b.add(x, y)
    b.multiply(i, 4)
    names = [type(op) for op in b.block.ops]
    assert names == [arith.AddiOp, arith.AddfOp, arith.ConstantOp, arith.MuliOp]
    assert all(op.location == PLACE for op in b.block.ops)


def test_known_conditions_decide() -> None:
    b = builder()
    bit = b.block.args[-1]
    assert b.both(True, bit) is bit
    assert b.both(bit, False) is False
    assert b.either(False, bit) is bit
    assert b.either(bit, True) is True
    assert not b.block.ops


def test_a_new_block_is_written_apart() -> None:
    b = builder()
    inner = b.inside([IndexType()])
    inner.add(inner.block.args[0], 1)
    assert not b.block.ops
    assert len(inner.block.ops) == 2
