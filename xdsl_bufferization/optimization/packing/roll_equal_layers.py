"""roll-equal-layers: layers that differ in nothing but their weights become a loop.

    %1 = ... %0, %w1               %w = concat %w1, ..., %w12       one behind the other
    %2 = ... %1, %w2               %y = scf.for %i = 1 to 12 iter_args(%x = %1) {
    ...                    ->        %n = ... %x, extract_slice %w[%i]
    %12 = ... %11, %w12              scf.yield %n
                                   }

All passes behind this one, and LLVM, see one layer instead of all of them. The weights
are put together by `prepare-weights`, once for many calls. So functions without marked
weights stay as they are. Runs where weights are packed, in front of `prepare-weights`.

The rules are those of `roll-equal-steps`. A layer is a step, and may have a weight of
its own where the others have theirs. Layers that would be copied in a loop stay.
Two layers are a loop if they are large: then a loop saves more than
it costs.
"""

from dataclasses import dataclass
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.linalg.structure import structure_of

from ..common.contractions import reduces_several
from ..rerolling.roll_equal_steps import reroll_in_block
from ..rerolling.steps import Steps
from .pack_convolutions import WINDOW_ATTRIBUTE
from .weights import weight_values

LEAST_LAYERS = 3
"""So many equal layers become a loop."""

_LARGE: Final = 3
"""Of layers that compute so many sums of products, two become a loop."""


def roll_equal_layers(module: ModuleOp, least: int = LEAST_LAYERS) -> None:
    """Make loops of equal layers in the functions of `module`."""

    def stay(steps: Steps) -> bool:
        few = steps.count < least
        return adds_what_it_pads(steps) or (few and not _is_worth_a_loop(steps))

    for function in module.ops:
        if isinstance(function, FuncOp):
            weights = weight_values(function)
            if weights is not None:
                block, derived = function.body.block, weights.derived
                reroll_in_block(block, min(least, 2), derived, stay)


def _is_worth_a_loop(steps: Steps) -> bool:
    """Whether layers are large, and no layer behind the loop makes a copy of them."""
    products = sum(map(reduces_several, steps.ops_of(0)))
    return products >= _LARGE and not pads_what_it_is_given(steps)


# Steps that a loop would make copies for: what they pad is added to a convolution.
#
#     %p1 = tensor.pad %h1
#     %c1 = convolution of %p1
#     %h2 = %c1 + %h1
#     %p2 = tensor.pad %h2
#     ...
#
# A loop would carry %h2 with its border, and compute %h3 inside of the same border. But
# the sum is computed tile by tile with the convolution. So a tile is written before the
# old one is read there. Such are the blocks of a ResNet whose windows are all 3x3.


def adds_what_it_pads(steps: Steps) -> bool:
    """Whether a step adds a tensor to a convolution, and puts a border around it."""
    return any(
        _is_padded_and_added(result) for op in steps.ops_of(1) for result in op.results
    )


def pads_what_it_is_given(steps: Steps) -> bool:
    """Whether a step puts a border around what the step before has made.

    A layer like these behind the loop does so, too, with a copy of the loop's result.
    """
    return any(
        isinstance(use.operation, tensor.PadOp)
        for made in steps.carried
        for use in steps.result(made, 0).uses
    )


def _is_padded_and_added(value: SSAValue) -> bool:
    users = {use.operation for use in value.uses}
    return any(isinstance(user, tensor.PadOp) for user in users) and any(
        _works_on_convolution(user, value) for user in users
    )


def _works_on_convolution(op: Operation, value: SSAValue) -> bool:
    """Whether an element-wise op, or one before it, reads what a convolution makes.

    What `value` was made of does not count.
    """
    seen: set[Operation] = set()
    pending = [op]
    while pending:
        each = pending.pop()
        if each in seen or not _is_elementwise(each):
            continue
        seen.add(each)
        for operand in each.operands:
            owner = operand.owner
            if operand is not value and isinstance(owner, Operation):
                if WINDOW_ATTRIBUTE in owner.attributes:
                    return True
                pending.append(owner)
    return False


def _is_elementwise(op: Operation) -> bool:
    structure = structure_of(op)
    return structure is not None and all(structure.parallel)


@dataclass(frozen=True)
class RollEqualLayersPass(TensorPass):
    """Make loops of layers that differ in their weights alone."""

    name = "roll-equal-layers"

    least_layers: int = LEAST_LAYERS
    """So many equal layers become a loop, or more; of large layers, two do."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on the functions of a module."""
        roll_equal_layers(op, self.least_layers)
