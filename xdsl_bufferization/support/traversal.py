"""The ops of a program in order, quickly and however deeply they are nested.

a {
b { c }     ops_inside(a): a, b, c, d
d
}
"""

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

OrderOfBlocks = Callable[[Region], Sequence[Block]]
"""In which order to go through the blocks of a region."""


def ops_inside(
    root: Operation,
    blocks_in: OrderOfBlocks | None = None,
    is_entered: Callable[[Operation], bool] | None = None,
) -> list[Operation]:
    """`root` and all ops inside it, each before its body, in program order.

    As `root.walk()`, which passes every op through three generators a level. Blocks
    come as they are written, or as `blocks_in` says. What is inside an op other than
    `root` counts if `is_entered` says so.
    """
    ops = [root]
    append = ops.append
    todo = _first_ops(root, blocks_in)
    while todo:
        op: Operation | None = todo.pop()
        while op is not None:
            append(op)
            next_op = op.next_op
            if op.regions and (is_entered is None or is_entered(op)):
                if next_op is not None:
                    todo.append(next_op)
                todo += _first_ops(op, blocks_in)
                break
            op = next_op
    return ops


def _first_ops(op: Operation, blocks_in: OrderOfBlocks | None) -> list[Operation]:
    """The ops that start the blocks of `op`, the last block first."""
    if len(op.regions) == 1:
        block = op.regions[0].first_block
        if block is None or block.next_block is None:
            first = None if block is None else block.first_op
            return [] if first is None else [first]
    return [
        block.first_op
        for region in reversed(op.regions)
        for block in reversed(region.blocks if blocks_in is None else blocks_in(region))
        if block.first_op is not None
    ]


def op_beside(value: SSAValue, op: Operation) -> Operation:
    """The op around `op`, or `op` itself, in the region that defines `value`.

    `op` is where `value` can be used. The block that defines `value` may be another
    one of that region.
    """
    region, around = value.owner.parent_region(), op
    while around.parent_region() is not region:
        parent = around.parent_op()
        assert parent is not None, "the value dominates its uses"
        around = parent
    return around


def used_from_outside(op: Operation) -> dict[SSAValue, None]:
    """What `op` and the ops inside use and do not define."""
    return {**dict.fromkeys(op.operands), **used_in_regions(op)}


def used_in_regions(op: Operation) -> dict[SSAValue, None]:
    """What the ops inside `op` use and do not define."""
    inside = ops_inside(op)
    defined: set[SSAValue] = {result for each in inside for result in each.results}
    for each in inside:
        for region in each.regions:
            for block in region.blocks:
                defined.update(block.args)
    return {
        operand: None
        for each in inside
        if each is not op
        for operand in each.operands
        if operand not in defined
    }
