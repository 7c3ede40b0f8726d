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
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import MemoryEffectKind, get_effects

from xdsl_bufferization.bufferization.analyses.buffers.buffer_aliases import (
    BufferAliases,
    analyze_buffer_aliases,
    is_no_allocation,
)
from xdsl_bufferization.bufferization.analyses.buffers.memory_accesses import (
    ANYTHING,
    Access,
    access_of,
)
from xdsl_bufferization.bufferization.analyses.buffers.value_arguments import (
    is_value_argument,
)
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside

_NAMES_NO_BUFFERS = (memref.LoadOp, memref.StoreOp, memref.CopyOp)
"""Ops whose effects, as xDSL knows them, do not say which operand they are on."""


class Memory:
    """The buffers of one function; analysed when the first question is asked."""

    def __init__(self, function: func.FuncOp, constants: frozenset[str]):
        self._function = function
        self._constants = constants

    @cached_property
    def _aliases(self) -> BufferAliases:
        return analyze_buffer_aliases(self._function, is_no_allocation)

    def may_overlap(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether two operands may share memory. When unsure: True."""
        if not _is_buffer(first) or not _is_buffer(second):
            return False
        roots = [self._aliases.root(value) for value in (first, second)]
        return self._aliases.may_alias(*roots) and not self._are_values(*roots)

    def _are_values(self, *roots: SSAValue) -> bool:
        """Whether they are two arguments, one of which shares memory with no other.

        Such an argument is a value, which Python passes. If the function writes to it,
        Python passes a copy. If not, no array that is written may overlap with it.
        """
        entry = self._function.body.first_block
        numbers = {
            root.index
            for root in roots
            if isinstance(root, BlockArgument) and root.block is entry
        }
        return len(numbers) == len(roots) and any(
            is_value_argument(self._function, number) for number in numbers
        )

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
        accesses = _accesses(op)
        if accesses is None:
            return True
        return any(
            any(self.may_overlap(value, buffer) for value in written)
            or (
                access.writes
                and any(self.may_be_written_with(value, buffer) for value in read)
            )
            for buffer, access in accesses
        )


def _accesses(op: Operation) -> list[tuple[SSAValue, Access]] | None:
    """The buffers that `op` reads, writes or frees; None if they are not known."""
    if isinstance(op, memref.DeallocOp):
        return [(op.memref, ANYTHING)]
    if isinstance(op, _NAMES_NO_BUFFERS):
        uses = [OpOperand(op, number) for number in range(len(op.operands))]
        return [
            (use.value, access_of(use, lambda _: ANYTHING))
            for use in uses
            if _is_buffer(use.value)
        ]
    effects = get_effects(op)
    if effects is None:
        return None
    accesses: list[tuple[SSAValue, Access]] = []
    for effect in effects:
        if effect.kind is MemoryEffectKind.ALLOC:
            continue
        if not isinstance(effect.value, SSAValue):
            return None
        reads = effect.kind is MemoryEffectKind.READ
        accesses.append((effect.value, Access(reads, not reads)))
    return accesses


def _is_buffer(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType)


_is_symbol = of_classes(memref.GlobalOp, func.FuncOp)


def functions_with_memory(
    module: ModuleOp,
) -> Iterator[tuple[func.FuncOp, Memory]]:
    """The functions that have a body, and questions about their buffers."""
    ops = list(filter(_is_symbol, ops_inside(module)))
    constants = frozenset(
        op.sym_name.data
        for op in ops
        if _is_symbol(op)
        and isinstance(op, memref.GlobalOp)
        and op.constant is not None
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
