"""What an op does to the memory of one of its operands: whether it reads or writes it.

    memref.copy %a, %b        // reads operand 0, writes operand 1
    func.call @f(%a)          // what @f does to its argument 0

Other ops are asked for their memory effects. An op that does not say counts as doing
everything. Cost: constant, apart from the question about a call.
"""

from collections.abc import Callable
from typing import NamedTuple

from xdsl.dialects import func, memref
from xdsl.ir import Operation
from xdsl.traits import MemoryEffectKind, get_effects

from ...interfaces.operands import OpOperand


class Access(NamedTuple):
    """What may happen to memory."""

    reads: bool
    writes: bool


ANYTHING = Access(True, True)
_READ = Access(True, False)
_WRITE = Access(False, True)

CallAccess = Callable[[OpOperand], Access]
"""What a `func.call` does to the memory of an operand."""


def access_of(use: OpOperand, of_call: CallAccess) -> Access:
    """What `use.owner` does to the memory of a memref. When unsure: everything."""
    op = use.owner
    match op:
        case memref.StoreOp():
            return _WRITE if use.number == 1 else _READ
        case memref.CopyOp():
            return _WRITE if use.number == 1 else _READ
        case func.CallOp():
            return of_call(use)
        case func.ReturnOp():
            return _READ  # By the caller.
        case _:
            return _by_effects(op, use)


def _by_effects(op: Operation, use: OpOperand) -> Access:
    effects = get_effects(op)
    if effects is None:
        return ANYTHING
    kinds = {e.kind for e in effects if e.value is None or e.value is use.value}
    return Access(MemoryEffectKind.READ in kinds, MemoryEffectKind.WRITE in kinds)
