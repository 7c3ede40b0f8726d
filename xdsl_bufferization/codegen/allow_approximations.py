"""The pass `allow-approximations`: functions of the C library may become formulas.

    %y = math.exp %x : f32   ->   %y = math.exp %x fastmath<afn> : f32

The flag is MLIR's. `jit`, `xbuf run` and `xbuf build` write the formulas after
`outline-loop-nests`: a formula has some 40 ops, and is written once for equal nests.
`math-polynomial-approximation` has the functions and types that get the flag.
"""

from __future__ import annotations

from typing import Final

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.support.traversal import ops_inside

from .approximations.choice import formula_of

_ONLY_THIS: Final = arith.FastMathFlagsAttr([FastMathFlag.APPROX_FUNC])


def allow_approximations(module: ModuleOp) -> None:
    """Flag all ops of `module` that there is a formula for."""
    for op in ops_inside(module):
        if formula_of(op) is not None:
            op.properties["fastmath"] = _flags_of(op)


def _flags_of(op: Operation) -> arith.FastMathFlagsAttr:
    old = op.properties.get("fastmath")
    if not isinstance(old, arith.FastMathFlagsAttr) or not old.data:
        return _ONLY_THIS
    return arith.FastMathFlagsAttr([*{*old.data, FastMathFlag.APPROX_FUNC}])


class AllowApproximationsPass(LoweringPass):
    """Let functions such as exp and tanh become formulas that work on vectors."""

    name = "allow-approximations"
    rewrite = staticmethod(allow_approximations)
