"""How cf ops become branches of the llvm dialect.

xDSL's llvm dialect has no switch; a chain of comparisons is the same program, and LLVM
turns it back into a switch.

    cf.cond_br %c, ^bb1(%m : memref<4xf32>), ^bb2
        -> llvm.cond_br %c, ^bb1(%allocated, %aligned : !llvm.ptr, !llvm.ptr), ^bb2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import cf
from xdsl.ir import Block, Operation, Region, SSAValue

from ..emission.function import FunctionLowering, Rules


def reverse_post_order(region: Region) -> list[Block]:
    """Return the reachable blocks, each after all blocks that dominate it."""
    entry = region.first_block
    if entry is None:
        return []
    finished: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, successors = stack[-1]
        following = next((b for b in successors if b not in seen), None)
        if following is None:
            finished.append(block)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(_successors(following))))
    finished.reverse()
    return finished


def _successors(block: Block) -> Sequence[Block]:
    terminator = block.last_op
    return () if terminator is None else terminator.successors


def lower_blocks(
    region: Region,
    f: FunctionLowering,
    leave: Callable[[Operation], None] | None = None,
) -> None:
    """Lower the blocks of `region`; those of its entry go to the current block.

    `leave` lowers the terminators that leave the region, if they have no rule.
    """
    owner = region.parent
    assert owner is not None
    entry, *others = reverse_post_order(region)
    for block in others:
        types = f.carried_types([arg.type for arg in block.args], owner)
        target = Block(arg_types=types)
        f.blocks[block] = target
        f.bind_carried(block.args, target.args, owner)
    for block in (entry, *others):
        if block is not entry:
            f.start(f.blocks[block])
        terminator = f.lower_ops(block)
        if leave is None or terminator.successors:
            f.lower(terminator)
        else:
            leave(terminator)


def _carry(
    op: Operation, target: Block, values: Sequence[SSAValue], f: FunctionLowering
) -> list[SSAValue]:
    return f.carry(values, [arg.type for arg in target.args], op)


def _lower_br(op: cf.BranchOp, f: FunctionLowering) -> None:
    values = _carry(op, op.successor, op.arguments, f)
    f.branch(f.blocks[op.successor], values)


def _lower_cond_br(op: cf.ConditionalBranchOp, f: FunctionLowering) -> None:
    then_values = _carry(op, op.then_block, op.then_arguments, f)
    else_values = _carry(op, op.else_block, op.else_arguments, f)
    f.cond_branch(
        f.scalar(op.cond),
        f.blocks[op.then_block],
        then_values,
        f.blocks[op.else_block],
        else_values,
    )


def _lower_switch(op: cf.SwitchOp, f: FunctionLowering) -> None:
    flag = f.scalar(op.flag)
    values = () if op.case_values is None else op.case_values.get_values()
    cases = zip(values, op.case_blocks, op.case_operand, strict=True)
    for value, target, operands in cases:
        hit = f.compare("eq", flag, f.integer(value, flag.type))
        following = Block()
        carried = _carry(op, target, operands, f)
        f.cond_branch(hit, f.blocks[target], carried, following, ())
        f.start(following)
    carried = _carry(op, op.default_block, op.default_operands, f)
    f.branch(f.blocks[op.default_block], carried)


RULES: Rules = {
    cf.BranchOp: _lower_br,
    cf.ConditionalBranchOp: _lower_cond_br,
    cf.SwitchOp: _lower_switch,
}
