"""Whether an op may touch the memory that a combination of calls relies on.

Passes that merge a call with a later one go through a block once, and ask of every op
in between what it does to a handful of buffers.

    xsmm.brgemm(%0, %a, %b, %c)
    memref.store %x, %a[%i]        // writes memory of %a: the call cannot move past it
    xsmm.binary add(%1, %d, %c, %c)
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import MemoryEffectKind, get_effects

from xdsl_bufferization.analyses.buffer_aliases import (
    BufferAliases,
    analyze_buffer_aliases,
)
from xdsl_bufferization.traversal import ops_inside


class Memory:
    """The buffers of one function; analysed when the first question is asked."""

    def __init__(self, function: func.FuncOp, constants: frozenset[str]):
        self._function = function
        self._constants = constants

    @cached_property
    def _aliases(self) -> BufferAliases:
        return analyze_buffer_aliases(self._function, _may_return_arguments)

    def may_overlap(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether two operands may share memory. When unsure: True."""
        if not _is_buffer(first) or not _is_buffer(second):
            return False
        roots = [self._aliases.root(value) for value in (first, second)]
        return self._aliases.may_alias(*roots)

    def may_be_written_with(self, value: SSAValue, written: SSAValue) -> bool:
        """Whether writing to `written` may change `value`. When unsure: True."""
        if not self.may_overlap(value, written):
            return False
        return not self._is_constant(self._aliases.root(value))

    def _is_constant(self, root: SSAValue) -> bool:
        """Whether nobody may write to `root`."""
        op = root.owner
        return (
            isinstance(op, memref.GetGlobalOp)
            and op.name_.string_value() in self._constants
        )

    def disturbs(
        self, op: Operation, read: Sequence[SSAValue], written: Sequence[SSAValue]
    ) -> bool:
        """Whether reads of `read` and writes of `written` cannot move past `op`.

        When unsure: True.
        """
        effects = get_effects(op)
        if effects is None:
            return True
        for effect in effects:
            if effect.kind is MemoryEffectKind.ALLOC:
                continue
            changed = effect.value
            if not isinstance(changed, SSAValue):
                return True
            if any(self.may_overlap(value, changed) for value in written):
                return True
            if effect.kind is MemoryEffectKind.READ:
                continue
            if any(self.may_be_written_with(value, changed) for value in read):
                return True
        return False


def _may_return_arguments(op: Operation) -> bool:
    """Whether what `op` allocates may be an operand of it. When unsure: True."""
    return not isinstance(op, memref.AllocOp | memref.AllocaOp)


def _is_buffer(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType)


def functions_with_memory(
    module: ModuleOp,
) -> Iterator[tuple[func.FuncOp, Memory]]:
    """The functions that have a body, and questions about their buffers."""
    ops = ops_inside(module)
    constants = frozenset(
        op.sym_name.data
        for op in ops
        if isinstance(op, memref.GlobalOp) and op.constant is not None
    )
    for op in ops:
        if isinstance(op, func.FuncOp) and not op.is_declaration:
            yield op, Memory(op, constants)


def blocks_of(function: func.FuncOp) -> list[Block]:
    """All blocks in a function, in order."""
    return [
        block
        for op in ops_inside(function)
        for region in op.regions
        for block in region.blocks
    ]
