"""Ops of MLIR's bufferization dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has `alloc_tensor` without `memory_space`, ties the buffers of `to_tensor`,
`to_buffer` and `materialize_in_destination` to the identity layout in the default
memory space, and has neither `dealloc` nor `dealloc_tensor`. The classes below that
carry the name of one of xDSL's are the definitions that xDSL's should have; `extend.py`
puts them into xDSL's class, which stays the one to construct and to match.

    %m = bufferization.to_buffer %t read_only
        : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>, 1>
    %owned = bufferization.dealloc (%a : memref<2xf32>) if (%c)
        retain (%r : memref<2xf32>)

Source of all definitions: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects import bufferization
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorTypeConstr,
    AnyUnrankedMemRefTypeConstr,
    AnyUnrankedTensorTypeConstr,
    IndexType,
    MemRefType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyInt,
    AttrSizedOperandSegments,
    IntVarConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    RangeOf,
    VarConstraint,
    eq,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    MemoryFreeEffect,
    MemoryReadEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.types import verify_same_contents

_BUFFER = MemRefType.constr() | AnyUnrankedMemRefTypeConstr
_TENSOR = AnyTensorTypeConstr | AnyUnrankedTensorTypeConstr

# --- ops that xDSL lacks -------------------------------------------------------------


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """Free the allocations of `memrefs` that nobody needs any more.

    The allocation of a memref is freed if its condition holds and if it is not the
    allocation of any of `retained`; at most once, also if several memrefs share it.
    Result `i` says whether the allocation of `retained[i]` was due, and is now owned
    by whoever holds `retained[i]`.
    """

    name = "bufferization.dealloc"

    _RETAINED: ClassVar = IntVarConstraint("retained memrefs", AnyInt())

    memrefs = var_operand_def(_BUFFER)
    conditions = var_operand_def(i1)
    retained = var_operand_def(RangeOf(_BUFFER).of_length(_RETAINED))
    updated_conditions = var_result_def(RangeOf(eq(i1)).of_length(_RETAINED))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryFreeEffect())

    assembly_format = (
        "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)?"
        "(`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict"
    )

    def __init__(
        self,
        memrefs: Sequence[SSAValue] = (),
        conditions: Sequence[SSAValue] = (),
        retained: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[memrefs, conditions, retained],
            result_types=[[i1] * len(retained)],
        )

    @override
    def verify_(self) -> None:
        """As many conditions as memrefs."""
        if len(self.memrefs) != len(self.conditions):
            raise VerifyException(
                f"has {len(self.memrefs)} memrefs to deallocate and "
                f"{len(self.conditions)} conditions; give one condition for each memref"
            )


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """Release what a tensor holds; its tensor must not be used afterwards."""

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(_TENSOR)

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=[tensor])


# --- what xDSL's ops should be -------------------------------------------------------


@irdl_op_definition
class AllocTensorOp(IRDLOperation):
    """A new tensor of undefined contents, or of those of `copy`."""

    name = "bufferization.alloc_tensor"

    _T: ClassVar = VarConstraint("T", _TENSOR)

    dynamic_sizes = var_operand_def(IndexType())
    copy = opt_operand_def(_T)
    size_hint = opt_operand_def(IndexType())
    memory_space = opt_prop_def(Attribute)
    tensor = result_def(_T)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

    assembly_format = (
        "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)?"
        "(`size_hint` `=` $size_hint^)? attr-dict `:` type($tensor)"
    )

    @override
    def verify_(self) -> None:
        """One size for each dynamic dimension, none if they come from `copy`."""
        if not isinstance(type_ := self.tensor.type, TensorType):
            return
        dynamic = (
            0 if self.copy else sum(size == DYNAMIC_INDEX for size in type_.get_shape())
        )
        if len(self.dynamic_sizes) != dynamic:
            raise VerifyException(
                f"expected {dynamic} dynamic sizes, got {len(self.dynamic_sizes)}"
            )


class ReadsAndAllocates(MemoryEffect):
    """Reads its operands and allocates its results; nobody sees it fill these."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """The effects, so that xDSL may drop the op where its results are unused."""
        return {
            EffectInstance(MemoryEffectKind.READ),
            *(EffectInstance(MemoryEffectKind.ALLOC, result) for result in op.results),
        }


@irdl_op_definition
class CloneOp(IRDLOperation):
    """A buffer with the contents of `input`, which neither is written to later."""

    name = "bufferization.clone"

    input = operand_def(_BUFFER)
    output = result_def(_BUFFER)

    traits = traits_def(ReadsAndAllocates())

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    @override
    def verify_(self) -> None:
        """The output has the shape and the element type of the input."""
        verify_same_contents(self.input.type, self.output.type)


@irdl_op_definition
class ToTensorOp(IRDLOperation):
    """The contents of a buffer as a tensor."""

    name = "bufferization.to_tensor"

    memref = operand_def(_BUFFER)
    tensor = result_def(_TENSOR)

    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict"
        "`:` type($memref) `to` type($tensor)"
    )

    @override
    def verify_(self) -> None:
        """The tensor has the shape and the element type of the buffer."""
        verify_same_contents(self.memref.type, self.tensor.type)


@irdl_op_definition
class ToBufferOp(IRDLOperation):
    """The buffer of a tensor, in any layout and memory space."""

    name = "bufferization.to_buffer"

    tensor = operand_def(_TENSOR)
    memref = result_def(_BUFFER)

    read_only = opt_prop_def(UnitAttr)

    traits = traits_def(Pure())

    assembly_format = (
        "$tensor (`read_only` $read_only^)? attr-dict"
        "`:` type($tensor) `to` type($memref)"
    )

    @override
    def verify_(self) -> None:
        """The buffer has the shape and the element type of the tensor."""
        verify_same_contents(self.tensor.type, self.memref.type)


@irdl_op_definition
class MaterializeInDestinationOp(IRDLOperation):
    """The contents of `source` in the buffer of `dest`, which may be a tensor."""

    name = "bufferization.materialize_in_destination"

    source = operand_def(_TENSOR)
    dest = operand_def(_TENSOR | _BUFFER)
    result = opt_result_def(_TENSOR)

    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    assembly_format = (
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest "
        "attr-dict `:` functional-type(operands, results)"
    )

    @override
    def verify_(self) -> None:
        """A tensor destination gives a result, and a buffer is said to be writable."""
        into_tensor = isinstance(self.dest.type, TensorType | UnrankedTensorType)
        if into_tensor != (self.result is not None):
            raise VerifyException(
                "has a result if and only if its destination is a tensor"
            )
        if into_tensor == (self.writable is not None):
            raise VerifyException(
                "is 'writable' if and only if its destination is a memref"
            )
        if into_tensor and self.restrict is not None:
            raise VerifyException(
                "can be 'restrict' only if its destination is a memref"
            )
        verify_same_contents(self.source.type, self.dest.type)


OPERATIONS: tuple[type[Operation], ...] = (DeallocOp, DeallocTensorOp)
"""Ops that xDSL's dialect lacks."""

AMENDMENTS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    bufferization.AllocTensorOp: AllocTensorOp,
    bufferization.CloneOp: CloneOp,
    bufferization.MaterializeInDestinationOp: MaterializeInDestinationOp,
    bufferization.ToBufferOp: ToBufferOp,
    bufferization.ToTensorOp: ToTensorOp,
}
"""Ops of xDSL's dialect, and what they should be."""
