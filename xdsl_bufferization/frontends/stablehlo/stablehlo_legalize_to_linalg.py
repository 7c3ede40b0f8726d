"""The pass `stablehlo-legalize-to-linalg`: programs of JAX on linalg, arith and scf.

First of all passes: what comes behind knows neither StableHLO nor integers with signs.

    %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %x, %0 : tensor<4x8xf32>
        ->
    %1 = linalg.generic {indexing_maps = [(d0, d1) -> (d0, d1), (d0, d1) -> (d1), ...]}
        ins(%x, %b) outs(%empty) { ... arith.addf ... }

A module without ops of StableHLO, CHLO or Shardy stays as it is, unless an attribute
says that JAX wrote the module. Sizes must be known.

StableHLO's pass of this name lowers neither loops, sorts, scatters nor CHLO.
"""

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.bufferization.mlir_pass import MLIRPass
from xdsl_bufferization.dialects.common.symbols import is_private
from xdsl_bufferization.support.traversal import ops_inside

from .recognition import has_open_sizes, is_of_stablehlo, is_stablehlo


def stablehlo_legalize_to_linalg(module: ModuleOp) -> None:
    """Replace all ops of StableHLO and CHLO, and integers that have a sign.

    Raises an `OperationError` at an op that is not lowered.
    """
    if not is_stablehlo(module):
        return
    # Most programs have no such ops, and need no rules for them.
    from .library import write_library
    from .other_words import say_in_other_words
    from .payload_calls import inline_payload_calls
    from .rules import RULES
    from .translation import translate

    _refine(module)
    say_in_other_words(module)
    inline_payload_calls(module)
    write_library(module)
    translate(module, RULES)


def _refine(module: ModuleOp) -> None:
    """Replace ops whose operands say sizes, where all arguments have theirs."""
    from xdsl_bufferization.dialects.stablehlo.open_sizes import OPS_WITH_SIZES

    if not any(isinstance(op, OPS_WITH_SIZES) for op in ops_inside(module)):
        return
    functions = [
        op
        for op in module.ops
        if isinstance(op, FuncOp) and not is_private(op) and not has_open_sizes(op)
    ]
    if not functions:
        return
    from .stablehlo_refine_shapes import stablehlo_refine_shapes

    for function in functions:
        stablehlo_refine_shapes(module, function)


class StablehloLegalizeToLinalgPass(MLIRPass):
    """Turn ops of StableHLO and CHLO into linalg, tensor, arith, math and scf."""

    name = "stablehlo-legalize-to-linalg"
    rewrite = staticmethod(stablehlo_legalize_to_linalg)
    is_about = staticmethod(is_of_stablehlo)
