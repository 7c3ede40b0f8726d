"""Where the memory of buffers comes from and goes to, as the ops say it.

Deallocation has to know which ops allocate, which results are views of a buffer that
exists already, and where a buffer leaves the world of memrefs. An op with memref
results answers here, or is refused. Buffers that pass through the regions of an op
follow its `RegionBranchOpInterface` instead.

    %a = memref.alloc() : memref<4xf32>                     // Allocated()
    %v = memref.subview %a[0] [2] [1] : ...                 // ViewOf(%a)
    %s = arith.select %c, %a, %b : memref<4xf32>            // OneOf((%a, %b))
    %t = bufferization.to_tensor %a : ...                   // captures operand 0
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.traits import IsolatedFromAbove, NoTerminator, OpTrait, SymbolTable

from xdsl_bufferization.support.classes import of_classes

from .operands import OpOperand

MANUAL_DEALLOCATION = "bufferization.manual_deallocation"
"""The attribute of allocations and deallocations that the program pairs by itself."""


@dataclass(frozen=True)
class Allocated:
    """New memory, owned by the block of the op: it is freed there or handed on.

    The memory is that of no other live buffer. It was obtained as a whole: what is to
    be freed is the result's base buffer.
    """

    is_base_buffer: bool = True
    """Whether the result is the allocation itself, not a possible view of it."""


@dataclass(frozen=True)
class Borrowed:
    """Memory that somebody else frees, if anybody: a global, the stack, a tensor."""

    is_distinct: bool = False
    """Whether it is the memory of no other buffer than those derived from it."""


@dataclass(frozen=True)
class ViewOf:
    """The memory of `source`, all of it or a part: both have one base buffer."""

    source: SSAValue
    moves_aligned_pointer: bool = False
    """Whether the aligned pointers of both may differ, as those of `memref.view`."""


@dataclass(frozen=True)
class OneOf:
    """The memory of one of `sources`; which one, only the running program knows."""

    sources: tuple[SSAValue, ...]


BufferOrigin = Allocated | Borrowed | ViewOf | OneOf


class BufferDeallocationOpInterface(OpTrait):
    """What deallocation asks of an op (in the place of MLIR's interface of that name).

    MLIR spreads these questions over `AllocationOpInterface`, `ViewLikeOpInterface`,
    `BufferViewFlowOpInterface` and memory effects, and lets an op rewrite itself
    (`process`); here an op only describes itself.
    """

    @abstractmethod
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        """Where the memory of a memref `result` comes from.

        There is no safe answer when unsure: too few sources lead to memory that is
        freed while it is used.
        """

    def get_captured_operands(self, op: Operation) -> Sequence[OpOperand]:
        """Memref operands whose memory is reachable from here on by other means.

        Nothing frees such memory. When unsure: all memref operands.
        """
        del op
        return ()

    def captures_contents(self, op: Operation) -> bool:
        """Whether clones of the captured operands would do, as nobody writes to them.

        When unsure: False.
        """
        del op
        return False

    def get_freed_operands(self, op: Operation) -> Sequence[OpOperand]:
        """Memref operands whose memory the op frees, under any condition."""
        del op
        return ()


def is_memref_type(type_: Attribute) -> bool:
    """Whether a value of this type is a buffer."""
    return _is_buffer(type_)


def is_memref(value: SSAValue) -> bool:
    """Whether `value` is a buffer."""
    return _is_buffer(value.type)


_is_buffer = of_classes(MemRefType, UnrankedMemRefType)


def get_deallocation_model(op: Operation) -> BufferDeallocationOpInterface | None:
    """What `op` says about its buffers, or None if it says nothing."""
    return op.get_trait(BufferDeallocationOpInterface)


def is_manual(op: Operation) -> bool:
    """Whether the program itself frees what `op` allocates, or is it that frees it."""
    return MANUAL_DEALLOCATION in op.attributes


def is_isolated(op: Operation) -> bool:
    """Whether ops inside `op` use no values from outside. When unsure: False."""
    return op.has_trait(IsolatedFromAbove, value_if_unregistered=False)


def is_buffer_scope(op: Operation) -> bool:
    """Whether buffers stay inside `op`: a function, or what is isolated as one.

    Not a module: the buffers in one are there for all of its functions, as long as the
    program runs. Some modules of xDSL have no symbol table, but none has a terminator.
    """
    return (
        bool(op.regions)
        and is_isolated(op)
        and not op.has_trait(SymbolTable)
        and not op.has_trait(NoTerminator)
        and any(region.blocks for region in op.regions)
    )
