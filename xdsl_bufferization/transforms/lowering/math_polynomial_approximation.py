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

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.transforms.lowering.approximations.arithmetic import Numbers
from xdsl_bufferization.transforms.lowering.approximations.formulas import (
    FORMULAS,
    POWERS,
    Formula,
)
from xdsl_bufferization.transforms.mlir_pass import LoweringPass
from xdsl_bufferization.traversal import ops_inside

_SHORT = (Float16Type, BFloat16Type)


def approximate_math(module: ModuleOp) -> None:
    """Replace all ops of `module` that there is a formula for."""
    for op in ops_inside(module):
        formula = _formula(op)
        if formula is not None and _is_known(op.results[0].type):
            _replace(op, formula)


def _formula(op: Operation) -> Formula | None:
    if not isinstance(op, math.PowFOp | math.FPowIOp):
        return FORMULAS.get(type(op))
    exponent = _constant(op.rhs)
    return None if exponent is None else POWERS.get(exponent)


def _constant(value: SSAValue) -> float | None:
    """The number that a value has in each element, if it is written in the program."""
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    attribute = value.owner.value
    if isa(attribute, FloatAttr | IntegerAttr):
        return attribute.value.data
    if isa(attribute, DenseIntOrFPElementsAttr) and attribute.is_splat():
        first = next(iter(attribute.get_values()))
        return None if isinstance(first, tuple) else first
    return None


def _is_known(type_: Attribute) -> bool:
    """Whether numbers of a type, or its elements, are computed in f32."""
    element = get_element_type_or_self(type_)
    is_shape = type_ == element or isa(type_, VectorType)
    return is_shape and isinstance(element, (Float32Type, *_SHORT))


def _replace(op: Operation, formula: Formula) -> None:
    n = Numbers(op.results[0].type)
    x = op.operands[0]
    is_short = isinstance(get_element_type_or_self(x.type), _SHORT)
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
