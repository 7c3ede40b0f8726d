"""Which operands an op really writes to, where it passes them on to a body.

    %0:2 = scf.for ... iter_args(%a = %t, %b = %u) {   // writes %t, and not %u
      %1 = linalg.fill ins(%x) outs(%a)
      scf.yield %1, %b
    }

As in MLIR, a loop counts as one that writes to all its inits. Whoever asks whether two
inits may have one buffer has to know it better.
"""

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.func import CallOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.region_branch import RegionBranchOpInterface
from ...interfaces.region_flow import passed_on
from .tensor_uses import TensorUse


def is_passed_on(op: Operation) -> bool:
    """Whether a body or a function may get the buffers of the operands of `op`."""
    if not op.regions:
        return isinstance(op, CallOp)
    blocks = (region.first_block for region in op.regions)
    return any(
        block is not None and any(map(is_tensor, block.args)) for block in blocks
    )


class Changes:
    """Answers for one operand after the other; each body is looked through once."""

    def __init__(
        self,
        uses_of: Callable[[SSAValue], Sequence[TensorUse]],
        get_region_branch: Callable[[Operation], RegionBranchOpInterface | None],
    ):
        self._uses_of = uses_of
        self._get_region_branch = get_region_branch
        self._known: dict[SSAValue, bool] = {}
        self._becomes: dict[Operation, Mapping[OpOperand, Sequence[SSAValue]]] = {}

    def changes(self, use: TensorUse) -> bool:
        """Whether the op writes; of a loop, whether its body writes to what it gets."""
        op = use.point.op
        if not use.writes or not use.is_passed_on or not op.regions:
            return use.writes
        interface = self._get_region_branch(op)
        if interface is None:
            return True
        becomes = self._becomes.get(op)
        if becomes is None:
            becomes = self._becomes[op] = _arguments(op, interface)
        return any(
            self._is_changed(argument, op) for argument in becomes.get(use.operand, ())
        )

    def _is_changed(self, argument: SSAValue, around: Operation) -> bool:
        """Whether an op inside of `around` writes to the buffer of its argument."""
        known = self._known.get(argument)
        if known is not None:
            return known
        seen = {argument: None}
        todo = [argument]
        while todo:
            for use in self._uses_of(todo.pop()):
                if self.changes(use):
                    self._known[argument] = True
                    return True
                for alias in use.aliases:
                    value = alias.value
                    # What comes of the op itself comes after it.
                    if value.owner is not around and value not in seen:
                        seen[value] = None
                        todo.append(value)
        self._known |= dict.fromkeys(seen, False)
        return False


def _arguments(
    op: Operation, interface: RegionBranchOpInterface
) -> Mapping[OpOperand, Sequence[SSAValue]]:
    """The arguments of blocks that each operand may be."""
    becomes: dict[OpOperand, list[SSAValue]] = {}
    for value, sources in passed_on(op, interface).items():
        if isinstance(value, BlockArgument):
            for operand in sources:
                becomes.setdefault(operand, []).append(value)
    return becomes
