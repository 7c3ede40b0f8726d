"""Letting a value that selects among buffers take ownership before a branch.

`%s` below is one of two buffers, and would keep both allocated as long as `%s` is used.
So its block is split, and `%s` is passed to the second part. The argument `%t` owns the
buffer that was selected. The other buffer is freed before the branch. When
deallocation is done, the two parts become one block again.

    ^a: %s = arith.select %c, %x, %y     ^a:  %s = arith.select %c, %x, %y
        cf.br ^b                              cf.br ^a2(%s)
                                         ^a2(%t):
                                              cf.br ^b
    ^b: "use"(%s)                        ^b:  "use"(%t)

Part of ownership-based deallocation, before the analysis and after the rewriting.
"""

from collections.abc import Iterator

from xdsl.dialects import cf
from xdsl.ir import Block, Operation, Region, SSAValue

from ..analyses.buffers.buffer_aliases import BufferAliases
from ..analyses.buffers.buffer_flow import FlowKind, block_of


def forward_selections(aliases: BufferAliases) -> list[Block]:
    """Split blocks after a choice among buffers; returns the second parts."""
    if aliases.flow.pointer_moves:
        return []  # Their pointers cannot be compared.
    passed: dict[Block, list[SSAValue]] = {}
    for root in dict.fromkeys(_selections(aliases)):
        block = block_of(root)
        leaving = [
            value
            for value in (root, *aliases.views.get(root, ()))
            if block_of(value) is block
            and any(b is not block for b in _use_blocks(aliases, value, block.parent))
        ]
        if leaving:
            passed.setdefault(block, []).extend(leaving)
    return [_split(aliases, block, values) for block, values in passed.items()]


def _selections(aliases: BufferAliases) -> Iterator[SSAValue]:
    """Results that select among buffers which are not used after their block."""
    flow = aliases.flow
    last_blocks: dict[SSAValue, set[Block]] = {}
    for entry in flow.flows:
        target = entry.target
        region = block_of(target).parent
        if (
            entry.kind not in (FlowKind.SELECT, FlowKind.END)
            or isinstance(target.owner, Block)
            or aliases.root(target) is not target
            or flow.graphs.of(region) is None
        ):
            continue
        source = aliases.root(entry.source)
        if block_of(source).parent is not region:
            continue
        if source not in last_blocks:
            last_blocks[source] = {
                block
                for value in (source, *aliases.views.get(source, ()))
                for block in _use_blocks(aliases, value, region)
            }
        if last_blocks[source] <= {block_of(source), block_of(target)}:
            yield target


def _use_blocks(
    aliases: BufferAliases, value: SSAValue, region: Region | None
) -> Iterator[Block]:
    """The blocks of `region` that use a value, themselves or in an op of theirs."""
    for use in value.uses:
        block = use.operation.parent
        assert block is not None
        ancestor = aliases.flow.ancestor_in(region, block)
        if ancestor is not None:
            yield ancestor


def _split(aliases: BufferAliases, block: Block, values: list[SSAValue]) -> Block:
    """Move the terminator of `block` to a block of its own, with `values` passed."""
    last, region = block.last_op, block.parent
    assert last is not None
    assert region is not None
    rest = Block(arg_types=[value.type for value in values])
    for value, argument in zip(values, rest.args, strict=True):
        for use in tuple(value.uses):
            user = use.operation.parent
            assert user is not None
            is_inside = aliases.flow.ancestor_in(region, user) is block
            if not is_inside or use.operation is last:
                use.operation.operands[use.index] = argument
    last.detach()
    rest.add_op(last)
    block.add_op(cf.BranchOp(rest, *values))
    region.insert_block_after(rest, block)
    return rest


def join_blocks(rests: list[Block]) -> None:
    """Put the blocks that were split together again."""
    for rest in rests:
        branch = _branch_to(rest)
        block = branch.parent
        assert block is not None
        for argument, value in zip(rest.args, branch.operands, strict=True):
            argument.replace_all_uses_with(value)
        branch.detach()
        branch.erase()
        for op in tuple(rest.ops):
            op.detach()
            block.add_op(op)
        region = rest.parent
        assert region is not None
        region.erase_block(rest)


def _branch_to(block: Block) -> Operation:
    """The one op that leads to `block`."""
    use = block.get_unique_use()
    assert use is not None, "nothing else leads to the rest of a block"
    return use.operation
