"""The operands of an op, without an object that shows them.

operand_values(op)[0]     # op._operands[0]
"""

# pyright: reportPrivateUsage=false

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from .private_name import PrivateName

OPERANDS = PrivateName(
    "xdsl.ir.core",
    "Operation",
    "_operands",
    reason="Operands are looked up so often that xDSL's view of them, a new object for "
    "every access, would be what bufferization spends most of its time on.",
    without="A tuple of the operands is made each time.",
    wish="A property of `Operation` that returns the tuple of its operands.",
)


def _stored(op: Operation) -> tuple[SSAValue, ...]:
    """The operands of `op`, which must not be changed meanwhile."""
    return op._operands


def _listed(op: Operation) -> tuple[SSAValue, ...]:
    """The operands of `op`."""
    return tuple(op.operands)


operand_values: Callable[[Operation], tuple[SSAValue, ...]]
operand_values = _stored if OPERANDS.is_there() else _listed
