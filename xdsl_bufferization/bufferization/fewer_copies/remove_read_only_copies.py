"""remove-read-only-copies: the source is read instead of a copy that is only read.

    %m = memref.alloc() : memref<4xf32>
    memref.copy %block, %m                     // a block of an argument
    linalg.exp ins(%m) outs(%new)              linalg.exp ins(%block) outs(%new)
    memref.copy %new, %a                       memref.copy %new, %a

Runs after one-shot-bufferize, before or after deallocation, and in the pipelines for
whole programs. Kernels of Triton copy each block that they load. The arguments of a
function may be one buffer. So from the copy to the last read, ops may write to other
new buffers only: not to arguments, globals or anything of unknown origin.
(`copy-removal` takes arguments to be different buffers.)

Ops that read have to take the layout of the source, of which elements have to be next
to each other in the last dimension. Cost: for a copy, at most `_MAX_OPS` ops are looked
at, as what belongs together is close.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.rewriter import Rewriter
from xdsl.traits import MemoryEffectKind, get_effects
from xdsl.utils.hints import isa

from xdsl_bufferization.support.traversal import ops_inside

from ..interfaces.destination_style import DestinationStyleOpInterface
from ..interfaces.operands import OpOperand
from ..mlir_pass import MLIRPass, has_tensor

_MAX_OPS = 256

_VIEWS = (
    memref.CastOp
    | memref.CollapseShapeOp
    | memref.ExpandShapeOp
    | memref.ReinterpretCastOp
    | memref.SubviewOp
)

_New = memref.AllocOp | memref.AllocaOp


class _ReadOnly(NamedTuple):
    """A new buffer that is a copy, and whose other uses only read or free it."""

    alloc: memref.AllocOp
    source: SSAValue
    reads: int
    """How many uses read it or its sizes."""

    dealloc: memref.DeallocOp | None


def remove_read_only_copies(module: ModuleOp, *, known_strides: bool = False) -> None:
    """Remove copies in `module` that are only read while their source stays.

    With `known_strides`, a copy stays if its source has strides of run time.
    """
    for op in ops_inside(module):
        if isinstance(op, memref.CopyOp):
            found = _find_read_only(op, known_strides)
            if found is not None and _stays_until_read(op, found):
                _read_source(op, found)


def _read_source(copy: memref.CopyOp, found: _ReadOnly) -> None:
    Rewriter.erase_op(copy)
    if found.dealloc is not None:
        Rewriter.erase_op(found.dealloc)
    found.alloc.memref.replace_all_uses_with(found.source)
    Rewriter.erase_op(found.alloc)


def _find_read_only(copy: memref.CopyOp, known_strides: bool) -> _ReadOnly | None:
    """What is known of the target of a copy, if its uses fit."""
    alloc = copy.destination.owner
    if not isinstance(alloc, memref.AllocOp) or alloc.parent is not copy.parent:
        return None
    if not _may_stand_for(copy.source.type, alloc.memref.type, known_strides):
        return None
    reads, dealloc = 0, None
    for use in alloc.memref.uses:
        op = use.operation
        if isinstance(op, memref.DeallocOp) and op.parent is copy.parent:
            dealloc = op
        elif op is not copy:
            if reads == _MAX_OPS or not _only_reads(use):
                return None
            reads += 1
    return _ReadOnly(alloc, copy.source, reads, dealloc)


def _may_stand_for(source: object, target: object, known_strides: bool) -> bool:
    if source == target:
        return True
    if not (isa(source, MemRefType) and isa(target, MemRefType)):
        return False
    strides = source.get_strides()
    return (
        source.get_shape() == target.get_shape()
        and source.element_type == target.element_type
        and source.memory_space == target.memory_space
        and strides is not None
        and (not strides or strides[-1] == 1)
        and not (known_strides and None in strides)
    )


def _only_reads(use: Use) -> bool:
    """Whether an op reads a buffer, whatever its layout is, and keeps nothing of it."""
    op = use.operation
    if isinstance(op, memref.LoadOp | memref.DimOp):
        return True
    if isinstance(op, memref.CopyOp):
        return use.index == 0
    outputs = _outputs(op)
    return outputs is not None and OpOperand(op, use.index) not in outputs


def _outputs(op: Operation) -> Sequence[OpOperand] | None:
    """What an op of linalg on buffers writes; None for any other op."""
    model = op.get_trait(DestinationStyleOpInterface)
    if model is None or op.dialect_name() != "linalg" or op.results:
        return None
    return model.get_dps_inits(op)


def _stays_until_read(copy: memref.CopyOp, found: _ReadOnly) -> bool:
    """Whether nothing can change the source from the copy to the last read."""
    origin = _origin(found.source)
    if not _is_known(origin):
        return False
    left = found.reads
    for seen, op in enumerate(_ops_after(copy)):
        # What runs after a read in a loop runs before the next read.
        if left == 0 and op.parent is copy.parent:
            return True
        if seen == _MAX_OPS or op is found.dealloc or not _leaves(op, origin):
            return False
        left -= sum(operand is found.alloc.memref for operand in op.operands)
    return False


def _ops_after(op: Operation) -> Iterator[Operation]:
    """The ops that follow `op` in its block, each before its body, found one by one."""
    todo = [op.next_op]
    while todo:
        if (following := todo.pop()) is None:
            continue
        yield following
        todo.append(following.next_op)
        todo += (block.first_op for r in following.regions for block in r.blocks)


def _leaves(op: Operation, origin: SSAValue) -> bool:
    """Whether an op, without those inside it, leaves the buffer of `origin` alone."""
    if op.regions and op.dialect_name() in ("affine", "scf"):
        return True  # All that it does, the ops inside it do.
    return all(
        isinstance(changed.owner, _New) and changed is not origin
        for changed in map(_origin, _changed_by(op, origin))
    )


def _changed_by(op: Operation, anything: SSAValue) -> Iterator[SSAValue]:
    """The buffers that an op writes or frees; `anything` if that is not known.

    An op on tensors may write to buffers once it is bufferized.
    """
    match op:
        case memref.StoreOp():
            yield op.memref
        case memref.CopyOp():
            yield op.destination
        case memref.DeallocOp():
            yield op.memref
        case _ if (outputs := _outputs(op)) is not None:
            yield from (output.value for output in outputs)
        case _ if has_tensor(op) or not _keeps_memory(op):
            yield anything
        case _:
            pass


def _keeps_memory(op: Operation) -> bool:
    """Whether an op without a body writes and frees nothing. When unsure: False."""
    effects = None if op.regions else get_effects(op)
    return effects is not None and not any(
        effect.kind in (MemoryEffectKind.WRITE, MemoryEffectKind.FREE)
        for effect in effects
    )


def _origin(buffer: SSAValue) -> SSAValue:
    """The buffer that one is a view of; a view, if there are very many of them."""
    for _ in range(_MAX_OPS):
        if not isinstance(owner := buffer.owner, _VIEWS):
            break
        buffer = owner.operands[0]
    return buffer


def _is_known(buffer: SSAValue) -> bool:
    """Whether a buffer is certainly none of those that the function allocates later."""
    owner = buffer.owner
    if isinstance(owner, Block):
        return isinstance(owner.parent_op(), FuncOp) and owner.prev_block is None
    return isinstance(owner, memref.GetGlobalOp | _New)


@dataclass(frozen=True)
class RemoveReadOnlyCopiesPass(MLIRPass):
    """Read the source of a copy that is only read."""

    name = "remove-read-only-copies"

    known_strides: bool = False
    """Keep a copy if the strides of its source are known at run time only.

    Kernels demand strides that are known before."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        remove_read_only_copies(op, known_strides=self.known_strides)
