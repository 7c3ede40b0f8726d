"""The body of a structured op on vectors in place of elements.

    %0 = arith.mulf %in, %c : f32
        -> %v = vector.broadcast %c : f32 to vector<16xf32>
           %0 = arith.mulf %in, %v : vector<16xf32>

What is the same in all elements of a vector stays a number until an op combines it with
a vector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.dialects.linalg.ops import IndexOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.common.making import create
from xdsl_bufferization.dialects.text.splats import has_constants
from xdsl_bufferization.support.identity_cache import cached_by_identity

from ..approximations.choice import is_allowed

ELEMENTWISE: Final[frozenset[type[Operation]]] = frozenset(
    {
        arith.AddfOp,
        arith.SubfOp,
        arith.MulfOp,
        arith.DivfOp,
        arith.NegfOp,
        arith.MaximumfOp,
        arith.MinimumfOp,
        arith.MaxnumfOp,
        arith.MinnumfOp,
        arith.CmpfOp,
        arith.SelectOp,
        arith.AddiOp,
        arith.SubiOp,
        arith.MuliOp,
        arith.AndIOp,
        arith.OrIOp,
        arith.XOrIOp,
        arith.ShLIOp,
        arith.ShRSIOp,
        arith.ShRUIOp,
        arith.MaxSIOp,
        arith.MinSIOp,
        arith.MaxUIOp,
        arith.MinUIOp,
        arith.CmpiOp,
        arith.ExtFOp,
        arith.TruncFOp,
        arith.ExtSIOp,
        arith.ExtUIOp,
        arith.TruncIOp,
        arith.SIToFPOp,
        arith.UIToFPOp,
        arith.FPToSIOp,
        arith.FPToUIOp,
        arith.IndexCastOp,
        arith.BitcastOp,
        math.AbsFOp,
        math.AbsIOp,
        math.CeilOp,
        math.CopySignOp,
        math.FloorOp,
        math.FmaOp,
        math.RoundEvenOp,
        math.RsqrtOp,
        math.SqrtOp,
        math.TruncOp,
    }
)
"""Ops that processors have for vectors, and that fail for no element."""

_ELEMENTS = AnyFloat | IndexType | IntegerType


def _is_element(type_: Attribute) -> bool:
    """Whether a vector may have elements of a type, and be a constant."""
    return has_constants(type_) and isinstance(type_, _ELEMENTS)


def is_vectorizable(body: Block) -> bool:
    """Whether a body only has ops that take vectors as well."""
    return all(map(_is_known, body.ops)) and all(map(_is_element, body.arg_types))


def _is_known(op: Operation) -> bool:
    return (
        type(op) in ELEMENTWISE
        or isinstance(op, YieldOp | IndexOp)
        or is_allowed(op)
        or (isinstance(op, arith.ConstantOp) and _is_element(op.result.type))
    )


class VectorBody:
    """Writes a body for vectors of one width where a builder stands."""

    def __init__(
        self, builder: ArithBuilder, width: int, indices: Mapping[int, SSAValue]
    ):
        self.builder = builder
        self.width = width
        self.indices = indices
        """What `linalg.index` is for each loop: a number, or a vector."""
        self.values: dict[SSAValue, SSAValue] = {}
        self._vectors: dict[SSAValue, SSAValue] = {}
        """Numbers as vectors."""

    def write(self, ops: Sequence[Operation]) -> None:
        """Write what the ops become; results are found in `values`."""
        for op in ops:
            if isinstance(op, IndexOp):
                self.values[op.result] = self.indices[op.dim.value.data]
            elif not isinstance(op, YieldOp):
                self._write(op)

    def vector_of(self, value: SSAValue) -> SSAValue:
        """What a value of the body is in each element, as a vector."""
        return self.broadcast(self.values.get(value, value))

    def broadcast(self, value: SSAValue) -> SSAValue:
        """A vector with a number in each element; a vector is itself."""
        if isa(value.type, VectorType):
            return value
        known = self._vectors.get(value)
        if known is None:
            known = self._vectors[value] = self._repeated(value)
        return known

    def _repeated(self, value: SSAValue) -> SSAValue:
        if isinstance(value.owner, arith.ConstantOp):
            return self.builder.insert(splat(value.owner.value, self.width)).result
        type_ = _vector_type(value.type, self.width)
        new = create(vector.BroadcastOp, operands=(value,), result_types=(type_,))
        return self.builder.insert(new).vector

    def _write(self, op: Operation) -> None:
        operands = [self.values.get(each, each) for each in op.operands]
        is_vector = any(isa(each.type, VectorType) for each in operands)
        types: list[Attribute] = [result.type for result in op.results]
        if is_vector:
            operands = [self.broadcast(each) for each in operands]
            types = [_vector_type(each, self.width) for each in types]
        new = create(
            type(op),
            operands=operands,
            result_types=types,
            properties=op.properties,
            attributes=op.attributes,
        )
        new.location = op.location
        self.builder.insert(new)
        self.values.update(zip(op.results, new.results, strict=True))


def splat(value: Any, width: int) -> arith.ConstantOp:
    """A constant vector of equal numbers; `value` is a `FloatAttr` or `IntegerAttr`."""
    return arith.ConstantOp(_dense(value, width))


@cached_by_identity
def _dense(value: Any, width: int) -> Any:
    type_: Any = _vector_type(value.type, width)
    return DenseIntOrFPElementsAttr.from_list(type_, [value.value.data])


@cached_by_identity
def _vector_type(element: Attribute, width: int) -> VectorType:
    return VectorType(element, [width])
