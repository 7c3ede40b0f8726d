"""linalg-convert-compare-select-to-maximumf-pass: one op for a ReLU written as two.

    %0 = arith.cmpf ugt, %x, %zero : f32
    %1 = arith.select %0, %x, %zero : f32        %1 = arith.maximumf %x, %zero : f32

In the payloads of linalg's ops, before they are matched with kernels. `arith.maximumf`
is NaN if `x` is, and takes 0.0 for larger than -0.0. So the comparison must be true for
NaN (`ugt`, `uge`), and the other value a constant that is no NaN. If that is a zero, it
must be 0.0 and what is taken of two equal values, as with `ugt`. With the fast-math
flags `nnan` and `nsz` on the comparison this does not matter.
"""

import math

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.support.traversal import ops_inside

_PREDICATES = {
    2: "gt",
    3: "ge",
    4: "lt",
    5: "le",
    9: "gt",
    10: "ge",
    11: "lt",
    12: "le",
}
"""What `arith.cmpf` asks, by number; those from 8 on are true for NaN."""

_FIRST_UNORDERED = 8


def convert_compare_select(module: ModuleOp) -> None:
    """Convert all pairs of comparison and selection in payloads of `module`."""
    for op in ops_inside(module):
        if isinstance(op, arith.SelectOp) and _is_in_payload(op):
            _convert(op)


def _is_in_payload(op: Operation) -> bool:
    parent = op.parent_op()
    return parent is not None and structure_of(parent) is not None


def _convert(op: arith.SelectOp) -> None:
    compare = op.cond.owner
    if not isinstance(compare, arith.CmpfOp):
        return
    pair = _larger_of(compare, op)
    if pair is None or not _is_maximum(compare, *pair):
        return
    Rewriter.replace_op(op, arith.MaximumfOp(*pair))
    if compare.result.first_use is None:
        Rewriter.erase_op(compare)


def _larger_of(
    compare: arith.CmpfOp, select: arith.SelectOp
) -> tuple[SSAValue, SSAValue] | None:
    """Two values of which the one is taken that compares larger; the second if neither.

    None if it is another comparison, or selects something else.
    """
    kind = _PREDICATES.get(compare.predicate.value.data)
    if kind is None:
        return None
    pair = (compare.lhs, compare.rhs)
    if kind in ("lt", "le"):
        pair = (compare.rhs, compare.lhs)
    return pair if (select.lhs, select.rhs) == pair else None


def _is_maximum(compare: arith.CmpfOp, first: SSAValue, second: SSAValue) -> bool:
    """Whether `first` if it is larger than `second`, else `second` is the maximum."""
    flags = compare.fastmath.data
    predicate = compare.predicate.value.data
    constant = second.owner
    known = (
        constant.value.value.data
        if isinstance(constant, arith.ConstantOp)
        and isinstance(constant.value, FloatAttr)
        else None
    )
    keeps_nan = FastMathFlag.NO_NANS in flags or (
        predicate >= _FIRST_UNORDERED and known is not None and not math.isnan(known)
    )
    if FastMathFlag.NO_SIGNED_ZEROS in flags:
        return keeps_nan
    # Of two zeros the second is taken if equal values compare false, else the first.
    is_strict = _PREDICATES[predicate] in ("gt", "lt")
    keeps_zero = known is not None and (
        known != 0 or (is_strict and math.copysign(1, known) > 0)
    )
    return keeps_nan and keeps_zero


class LinalgConvertCompareSelectToMaximumfPass(TensorPass):
    """Turn comparisons and selections in payloads into maxima."""

    name = "linalg-convert-compare-select-to-maximumf-pass"
    rewrite = staticmethod(convert_compare_select)
