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

from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.mlir_pass import MLIRPass
from xdsl_bufferization.support.traversal import ops_inside

_DIALECTS: Final = ("stablehlo", "chlo", "sdy")

_PREFIXES: Final = ("jax.", "mhlo.")
"""How attributes of modules begin that JAX writes."""


def is_stablehlo(module: ModuleOp) -> bool:
    """Whether a module has ops of StableHLO or CHLO, or says that JAX wrote it."""
    if any(name.startswith(_PREFIXES) for name in module.attributes):
        return True
    return any(map(_is_about, ops_inside(module)))


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

    say_in_other_words(module)
    inline_payload_calls(module)
    write_library(module)
    translate(module, RULES)


def _is_about(op: Operation) -> bool:
    return op.dialect_name() in _DIALECTS


class StablehloLegalizeToLinalgPass(MLIRPass):
    """Turn ops of StableHLO and CHLO into linalg, tensor, arith, math and scf."""

    name = "stablehlo-legalize-to-linalg"
    rewrite = staticmethod(stablehlo_legalize_to_linalg)
    is_about = staticmethod(_is_about)
