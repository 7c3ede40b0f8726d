"""Ops that bufferization creates by the thousand, made without checks.

load(buffer, [index])        %1 = memref.load %0[%i]
store(scalar, buffer, [i])   memref.store %f, %0[%i]
copy(source, target)         memref.copy %0, %1

The constructors of xDSL's ops look up how operands fall into groups and check their
types, which takes two to four times as long as the op itself. Here both are known.
"""

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects import bufferization, memref
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    i32,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrSizedOperandSegments

from ..interfaces.state import is_buffer_type

_INDEX = IndexType()
_SEGMENTS = AttrSizedOperandSegments.attribute_name


@lru_cache(maxsize=1024)
def segments(*sizes: int) -> dict[str, Attribute]:
    """The property that says how many operands each group of an op has."""
    return {_SEGMENTS: DenseArrayBase.from_list(i32, sizes)}


def dim(buffer: SSAValue, dimension: SSAValue) -> memref.DimOp:
    """`memref.dim`."""
    return memref.DimOp.create(operands=[buffer, dimension], result_types=[_INDEX])


def load(buffer: SSAValue, indices: Sequence[SSAValue]) -> memref.LoadOp:
    """`memref.load`."""
    type_ = buffer.type
    assert is_buffer_type(type_)
    return memref.LoadOp.create(
        operands=[buffer, *indices], result_types=[type_.element_type]
    )


def store(
    scalar: SSAValue, buffer: SSAValue, indices: Sequence[SSAValue]
) -> memref.StoreOp:
    """`memref.store`."""
    return memref.StoreOp.create(operands=[scalar, buffer, *indices])


def copy(source: SSAValue, target: SSAValue) -> memref.CopyOp:
    """`memref.copy`."""
    return memref.CopyOp.create(operands=[source, target])


def alloc(
    type_: MemRefType,
    dynamic_sizes: Sequence[SSAValue],
    alignment: IntegerAttr | None,
) -> memref.AllocOp:
    """`memref.alloc`."""
    properties = segments(len(dynamic_sizes), 0)
    if alignment is not None:
        properties = {"alignment": alignment, **properties}
    return memref.AllocOp.create(
        operands=dynamic_sizes, result_types=[type_], properties=properties
    )


def alloc_tensor(
    type_: Attribute,
    dynamic_sizes: Sequence[SSAValue] = (),
    copied: SSAValue | None = None,
) -> bufferization.AllocTensorOp:
    """`bufferization.alloc_tensor`, with sizes or the tensor to copy."""
    operands = [*dynamic_sizes] if copied is None else [*dynamic_sizes, copied]
    return bufferization.AllocTensorOp.create(
        operands=operands,
        result_types=[type_],
        properties=segments(len(dynamic_sizes), int(copied is not None), 0),
    )
