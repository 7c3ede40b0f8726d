"""The pass `math-polynomial-approximation`: exp, tanh and others as sums and products.

LLVM calls a function of the C library for each number. The formulas here have no
branches and no calls, so that a loop over them works on vectors.

    %y = math.exp %x : f32   ->   %0 = arith.mulf %x, %c0 ...   about 40 ops of arith

- It takes f32, f16 and bf16, as numbers and vectors. The two short types are computed
  in f32 and rounded once.
- f64 and other functions stay as they are.
- `math.powf` and `math.fpowi` are replaced where the exponent is a constant such as 2
  or 0.5.

Source: the pass of this name in MLIR. `docs/lowering.md` says how exact results are.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.support.traversal import ops_inside

from .approximations.arithmetic import FormulaBuilder
from .approximations.choice import SHORT, formula_of, is_allowed
from .approximations.formulas import Formula


def approximate_math(module: ModuleOp, *, where_allowed: bool = False) -> None:
    """Replace all ops of `module` that there is a formula for.

    `where_allowed`: only ops with the flag `afn`.
    """
    for op in ops_inside(module):
        formula = formula_of(op)
        if formula is not None and (not where_allowed or is_allowed(op)):
            _replace(op, formula)


def _replace(op: Operation, formula: Formula) -> None:
    n = FormulaBuilder(op.results[0].type)
    x = op.operands[0]
    is_short = isinstance(get_element_type_or_self(x.type), SHORT)
    if is_short:
        x = n.convert(arith.ExtFOp, x, n.floats)
    result = formula(n, x)
    if is_short:
        result = n.convert(arith.TruncFOp, result, op.results[0].type)
    for each in n.ops:
        each.location = op.location
    Rewriter.replace_op(op, n.ops, [result])


class MathPolynomialApproximationPass(LoweringPass):
    """Replace functions of the C library by formulas that work on vectors."""

    name = "math-polynomial-approximation"
    rewrite = staticmethod(approximate_math)
