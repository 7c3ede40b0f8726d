"""What the body of a structured op does besides computing elements.

    linalg.generic outs(%c : memref<16xf32>) {
      %x = memref.load %a[%j] : memref<16xf32>      // reads %a, which is no operand
      linalg.yield %x : f32
    }                                               ->   buffers_read: [%a]

Passes that move such an op, or run it for nothing, have to know.
"""

from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import (
    IsTerminator,
    RecursiveMemoryEffect,
    is_side_effect_free,
)

from xdsl_bufferization.dialects.linalg.structure import structure_of


def buffers_read(body: Region) -> Sequence[SSAValue] | None:
    """The buffers that a body loads elements of.

    None if it may do anything else to memory, or call a function.
    """
    loads = [op for op in body.walk() if isinstance(op, memref.LoadOp)]
    others = (op for op in body.walk() if not isinstance(op, memref.LoadOp))
    return [op.memref for op in loads] if all(map(_only_computes, others)) else None


def only_computes(body: Region) -> bool:
    """Whether a body does nothing but compute elements: it reads no memory."""
    return all(map(_only_computes, body.walk()))


def computes_elements(op: Operation) -> bool:
    """Whether an op is no structured op whose body does anything but compute."""
    structure = structure_of(op)
    return structure is None or only_computes(structure.body)


def _only_computes(op: Operation) -> bool:
    """Whether an op has no effects, but for those of ops inside of it."""
    if op.has_trait(RecursiveMemoryEffect):
        return not any(isinstance(value.type, MemRefType) for value in op.operands)
    return (
        op.has_trait(IsTerminator)
        or is_side_effect_free(op)
        # xDSL does not say of it that it is pure.
        or isinstance(op, arith.RemUIOp)
    )
