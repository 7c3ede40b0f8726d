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
its own where the others have theirs. Layers that would be copied in a loop stay: see
`padded_steps.py`. Two layers are a loop if they are large: then a loop saves more than
it costs.
"""

from dataclasses import dataclass
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.bufferization.mlir_pass import TensorPass

from ..common.contractions import reduces_several
from ..rerolling.roll_equal_steps import reroll_in_block
from ..rerolling.steps import Steps
from .padded_steps import adds_what_it_pads, pads_what_it_is_given
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
