"""Which operands an op really writes to, where it passes them on to a body.

    %0:2 = scf.for ... iter_args(%a = %t, %b = %u) {   // writes %t, and not %u
      %1 = linalg.fill ins(%x) outs(%a)
      scf.yield %1, %b
    }

As in MLIR, a loop counts as one that writes to all its inits. Whoever asks whether two
inits may have one buffer has to know it better.
"""

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.func import CallOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.region_branch import RegionBranchOpInterface
from ...interfaces.region_flow import passed_on
from .tensor_uses import TensorUse


class Changes:
    """What is known of the values inside of the ops that were looked at.

    The ops have to come after those in their regions.
    """

    def __init__(self, uses_of: Callable[[SSAValue], Sequence[TensorUse]]):
        self._uses_of = uses_of
        self._known: dict[SSAValue, bool] = {}

    def add(
        self,
        op: Operation,
        uses: Sequence[TensorUse],
        interface: RegionBranchOpInterface | None,
    ) -> None:
        """Find out what `op` does to its operands."""
        arguments = _tensor_arguments(op)
        is_passed_on = bool(arguments) or isinstance(op, CallOp)
        becomes: dict[OpOperand, list[SSAValue]] = {}
        if arguments and interface is not None:
            for value, sources in passed_on(op, interface).items():
                if isinstance(value, BlockArgument):
                    for operand in sources:
                        becomes.setdefault(operand, []).append(value)
        for use in uses:
            use.is_passed_on = is_passed_on
            use.changes = use.writes and (
                not becomes
                or any(self._is_changed(v, op) for v in becomes.get(use.operand, ()))
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
                if use.changes:
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


def _tensor_arguments(op: Operation) -> list[SSAValue]:
    return [*_arguments(op)]


def _arguments(op: Operation) -> Iterator[SSAValue]:
    for region in op.regions:
        block = region.first_block
        if block is not None:
            yield from filter(is_tensor, block.args)
