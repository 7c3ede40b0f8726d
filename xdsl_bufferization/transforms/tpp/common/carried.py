"""What a loop carries from one iteration to the next, in the place of something else.

    scf.for ... iter_args(%t = %a)    ->    scf.for ... iter_args(%u = %b)

The caller lets the body read %u instead of %t, and yield what is carried then.
"""

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter


def argument_beside(old: BlockArgument, type_: Attribute) -> BlockArgument:
    """A new argument behind `old`, which is to be erased."""
    new = old.block.insert_arg(type_, old.index + 1)
    new.name_hint = old.name_hint
    return new


def loop_with_starts(loop: scf.ForOp, starts: Sequence[SSAValue]) -> scf.ForOp:
    """A loop with the body of `loop` in front of it, which starts from other values.

    `loop` has no body then, and is to be replaced.
    """
    body = loop.detach_region(loop.body)
    new = scf.ForOp(loop.lb, loop.ub, loop.step, starts, body)
    new.attributes.update(loop.attributes)
    new.location = loop.location
    Rewriter.insert_op(new, InsertPoint.before(loop))
    return new
