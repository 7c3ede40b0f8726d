"""Moving the ops that only find out what `memref.dealloc` frees.

The allocation that a view belongs to is the base of its metadata. Read right before the
deallocation, the metadata would look like a late use of the view. So it is read right
after the view is defined.

    %r = scf.if ...                     %r = scf.if ...
    "use"(%r)                           %b, ... = memref.extract_strided_metadata %r
    %b, ... =                           "use"(%r)
      memref.extract_strided_metadata %r
    memref.dealloc %b                   memref.dealloc %b
"""

from collections.abc import Iterable

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from ..analyses.liveness.live_ranges import is_conditional_release


def raise_base_buffers(function: Operation) -> list[memref.ExtractStridedMetaDataOp]:
    """Move these ops to the definitions of their operands, one op for each operand."""
    found: dict[SSAValue, memref.ExtractStridedMetaDataOp] = {}
    for op in tuple(function.walk()):
        if not isinstance(op, memref.DeallocOp):
            continue
        base = op.memref.owner
        if not isinstance(base, memref.ExtractStridedMetaDataOp):
            continue
        if found.get(base.source) is base or not _is_only_freed(base):
            continue
        if (first := found.setdefault(base.source, base)) is base:
            _move_up(base)
        else:
            base.base_buffer.replace_all_uses_with(first.base_buffer)
            base.detach()
            base.erase()
    return list(found.values())


def _is_only_freed(op: memref.ExtractStridedMetaDataOp) -> bool:
    """Whether `op` is only there for a deallocation."""
    return not any(result.first_use for result in op.results[1:]) and all(
        isinstance(use.operation, memref.DeallocOp) for use in op.base_buffer.uses
    )


def _move_up(op: memref.ExtractStridedMetaDataOp) -> None:
    owner = op.source.owner
    op.detach()
    if not isinstance(owner, Block):
        assert owner.parent is not None
        owner.parent.insert_op_after(op, owner)
    elif (first := owner.first_op) is not None:
        owner.insert_op_before(op, first)
    else:
        owner.add_op(op)


def sink_base_buffers(ops: Iterable[memref.ExtractStridedMetaDataOp]) -> None:
    """Move a copy of each of these ops to each deallocation that uses the op."""
    for op in ops:
        for use in tuple(op.base_buffer.uses):
            place = use.operation
            parent = place.parent_op()
            if parent is not None and is_conditional_release(parent):
                place = parent
            assert place.parent is not None
            copy = op.clone()
            place.parent.insert_op_before(copy, place)
            use.operation.operands[use.index] = copy.base_buffer
        op.detach()
        op.erase()
