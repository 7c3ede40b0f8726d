"""Putting a block on an edge between two blocks.

cf.cond_br %c, ^a(%x : T), ^b        cf.cond_br %c, ^n(%x : T), ^b
                                   ^n(%y: T):
                                     cf.br ^a(%y : T)
"""

from xdsl.dialects import cf
from xdsl.ir import Block, Operation


def split_edge(terminator: Operation, number: int) -> Block:
    """Put a block between a terminator and its successor of that number."""
    source, target = terminator.parent, terminator.successors[number]
    assert source is not None
    assert source.parent is not None
    between = Block(arg_types=[argument.type for argument in target.args])
    between.add_op(cf.BranchOp(target, *between.args))
    source.parent.insert_block_after(between, source)
    successors = list(terminator.successors)
    successors[number] = between
    terminator.successors = successors
    return between
