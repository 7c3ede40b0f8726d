"""How two values are combined, by the names that reductions and atomics use.

memref.atomic_rmw maxs, affine.parallel reduce ("maxs"), vector.reduction <maxsi>
-> what arith.maxsi becomes
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from ..emission.function import FunctionLowering
from ..emission.types import integer_width

OPS: dict[str, type[Operation]] = {
    "addf": arith.AddfOp,
    "addi": arith.AddiOp,
    "andi": arith.AndIOp,
    "maximumf": arith.MaximumfOp,
    "maxnumf": arith.MaxnumfOp,
    "maxs": arith.MaxSIOp,
    "maxu": arith.MaxUIOp,
    "minimumf": arith.MinimumfOp,
    "minnumf": arith.MinnumfOp,
    "mins": arith.MinSIOp,
    "minu": arith.MinUIOp,
    "mulf": arith.MulfOp,
    "muli": arith.MuliOp,
    "ori": arith.OrIOp,
    "xori": arith.XOrIOp,
}
"""The op of arith for each of MLIR's `AtomicRMWKind`s that combines."""

_NEUTRAL_FLOATS = {
    "addf": 0.0,
    "mulf": 1.0,
    "maximumf": float("-inf"),
    "minimumf": float("inf"),
    "maxnumf": float("nan"),
    "minnumf": float("nan"),
}


def neutral_value(kind: str, type: Attribute, f: FunctionLowering) -> SSAValue:
    """Return what changes nothing when it is combined with a value of `type`."""
    constant = arith.ConstantOp(_neutral(kind, type, f))
    f.lower(constant)
    return f.scalar(constant.result)


def _neutral(
    kind: str, type: Attribute, f: FunctionLowering
) -> IntegerAttr | FloatAttr:
    """Return the neutral element as a constant.

    Floats are added to 0.0, as MLIR's lowering of `affine.parallel` does.
    """
    if isa(type, AnyFloat):
        return FloatAttr(_NEUTRAL_FLOATS[kind], type)
    assert isa(type, IntegerType | IndexType)
    bits = integer_width(f.types.scalar(type) or type)
    smallest = -(1 << (bits - 1))
    values = {"muli": 1, "andi": -1, "minu": -1, "maxs": smallest, "mins": ~smallest}
    return IntegerAttr(values.get(kind, 0), type)
