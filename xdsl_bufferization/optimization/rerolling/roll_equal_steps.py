"""roll-equal-steps: equal steps, one after the other, become a loop.

    %h1 = ... %x0, %h0, %w         %h1 = ... %x0, %h0, %w
    %h2 = ... %x1, %h1, %w    ->   %h = scf.for %i = 1 to 32 iter_args(%h = %h1) {
    ...                              %n = ... %x[%i], %h, %w
    %h32 = ... %x31, %h31, %w        scf.yield %n
                                   }

PyTorch writes the steps of a recurrent network one by one. With the loop, all passes,
and LLVM, see one step instead of all of them. LLVM's name for this is loop rerolling.
Runs early, on tensors.

- A step has a sum in it, such as a product: chains of element-wise ops become one loop
  elsewhere.
- The loop may write to the memory of the tensors that it starts with. So the first step
  stays in front of the loop, unless it reads what an equal op made, or what nothing but
  the steps reads.
- What each step makes may be collected by a concatenation. Then each iteration inserts
  its part. If the next step reads the part, it reads it there, as it is copied
  otherwise.
- Steps that pass on anything else, or that read what an earlier step than the last one
  made, stay as they are.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.support.algorithms.repeats import find_repeats

from .equal_steps import equal_steps
from .loop_of_steps import replace_by_loop
from .steps import Steps
from .straight_line import StraightLine, is_view, ops_aside

LEAST_STEPS = 8
"""So many equal steps become a loop."""


def roll_equal_steps(module: ModuleOp, least: int = LEAST_STEPS) -> None:
    """Make loops of equal steps in the functions of `module`."""
    for function in module.ops:
        if isinstance(function, FuncOp):
            for block in function.body.blocks:
                reroll_in_block(block, least)


def reroll_in_block(
    block: Block,
    least: int,
    weights: Container[SSAValue] = (),
    stay: Callable[[Steps], bool] = lambda _: False,
) -> None:
    """Make loops of equal steps of a block, which may differ in their weights.

    Steps for which `stay` holds are no loop.
    """
    kinds = _Kinds()
    aside = ops_aside(block, weights)
    ops = [op for op in block.ops if not is_view(op) and op not in aside]
    # Most programs have no equal steps, whatever views there are.
    if not any(find_repeats([kinds.of(op) for op in ops], least)):
        return
    line = StraightLine(block, weights, aside)
    repeats = find_repeats([kinds.of(op) for op in line.ops], least)
    found = [steps for each in repeats for steps in equal_steps(line, each, least)]
    if found:
        line.sort()
    concats: set[Operation] = set()
    # The last first: what is read behind steps is then still made by them.
    for steps in reversed(found):
        collecting = {each.concat for each in steps.collected.values()}
        if concats.isdisjoint(collecting) and not stay(steps):
            replace_by_loop(steps)
            concats |= collecting


class _Kinds:
    """Numbers of ops: equal ones for the same name and types."""

    def __init__(self) -> None:
        self._types: dict[Attribute, int] = {}
        self._by_identity: dict[int, tuple[Attribute, int]] = {}
        self._kinds: dict[object, int] = {}

    def of(self, op: Operation) -> int:
        """The number of an op."""
        name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
        types = (self._of_type(result.type) for result in op.results)
        kind = (name, len(op.operands), *types)
        return self._kinds.setdefault(kind, len(self._kinds))

    def _of_type(self, type_: Attribute) -> int:
        # Hashing a type takes longer than all else here. The type is kept, as another
        # one may have its identity later.
        entry = self._by_identity.get(id(type_))
        if entry is None:
            number = self._types.setdefault(type_, len(self._types))
            entry = self._by_identity[id(type_)] = type_, number
        return entry[1]


@dataclass(frozen=True)
class RollEqualStepsPass(TensorPass):
    """Make loops of equal steps, such as those of a recurrent network."""

    name = "roll-equal-steps"

    least_steps: int = LEAST_STEPS
    """So many equal steps become a loop, or more."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on the functions of a module."""
        roll_equal_steps(op, self.least_steps)
