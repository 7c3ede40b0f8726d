"""index in NumPy: as arith on 64 bits, which is the width of an index here.

%2 = index.ceildivu %0, %1   ->   as arith.ceildivui of two i64
"""

from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from .elementwise import (
    ARITH,
    ceiling_division,
    compared,
    divisions,
    integers,
    remainder,
    shifts,
    truncated_division,
)
from .machine import HandlerTable, Machine
from .values import Value, as_unsigned, constant

_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""The comparisons in the order of arith's numbers."""


def _compare(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    predicate = cast("Any", op.properties["pred"]).data
    return compared(_PREDICATES.index(str(predicate)), op, operands)


def _constant(op: Operation, _: list[Value], __: Machine) -> list[Value]:
    attribute = op.properties["value"]
    assert isinstance(attribute, IntegerAttr)
    return [constant(cast("IntegerAttr[Any]", attribute), op)]


def _size_of(_: Operation, __: list[Value], ___: Machine) -> list[Value]:
    return [np.asarray(64, np.int64)]


INDEX: HandlerTable = {
    "index.add": integers(np.add),
    "index.sub": integers(np.subtract),
    "index.mul": integers(np.multiply),
    "index.divs": divisions(truncated_division),
    "index.divu": divisions(np.floor_divide, as_unsigned),
    "index.ceildivs": divisions(ceiling_division),
    "index.ceildivu": divisions(ceiling_division, as_unsigned),
    "index.floordivs": divisions(np.floor_divide),
    "index.rems": divisions(remainder),
    "index.remu": divisions(remainder, as_unsigned),
    "index.maxs": integers(np.maximum),
    "index.maxu": integers(np.maximum, as_unsigned),
    "index.mins": integers(np.minimum),
    "index.minu": integers(np.minimum, as_unsigned),
    "index.shl": shifts(np.left_shift),
    "index.shrs": shifts(np.right_shift),
    "index.shru": shifts(np.right_shift, as_unsigned),
    "index.and": integers(np.bitwise_and),
    "index.or": integers(np.bitwise_or),
    "index.xor": integers(np.bitwise_xor),
    "index.casts": ARITH["arith.index_cast"],
    "index.castu": ARITH["arith.index_castui"],
    "index.cmp": _compare,
    "index.constant": _constant,
    "index.bool.constant": _constant,
    "index.sizeof": _size_of,
}
