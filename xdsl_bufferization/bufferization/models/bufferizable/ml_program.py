"""Bufferization of the ml_program dialect: its globals become those of memref.

ml_program.global private mutable @g(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
%0 = ml_program.global_load @g : tensor<4xf32>

memref.global "private" @g : memref<4xf32> = dense<0.0>
%0 = memref.get_global @g : memref<4xf32>         // and a copy of it
"""

from typing_extensions import override
from xdsl.dialects import memref, ml_program, tensor
from xdsl.dialects.builtin import (
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.traits import NoMemoryEffect

from xdsl_bufferization.dialects.common.definitions import defined
from xdsl_bufferization.dialects.common.symbols import find_symbol, find_symbol_table
from xdsl_bufferization.dialects.ml_program import GlobalLoadOp, GlobalStoreOp
from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.layouts import identity_layout_type
from ...interfaces.operands import is_tensor_type
from ...interfaces.state import (
    AnalysisState,
    BufferizationState,
    BufferType,
    BufferTypes,
)
from .. import new_ops
from .read_only import ReadOnlyBufferization


class GlobalOpBufferization(BufferizableOpInterface):
    """`ml_program.global` of a tensor."""

    @override
    def has_tensor_semantics(self, op: Operation) -> bool:
        return is_tensor_type(op.properties["type"])

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, ml_program.GlobalOp)
        if op.value is None:
            fail_at(op, "a global without an initial value cannot be bufferized")
        tensor = op.properties["type"]
        type_ = _global_type(op, tensor)
        if not type_.has_static_shape():
            fail_at(
                op,
                f"a global of type {tensor} cannot be bufferized; its sizes must be "
                "static",
            )
        properties: dict[str, Attribute] = {
            "sym_name": op.sym_name,
            "type": type_,
            "initial_value": op.value,
        }
        if op.properties.get("sym_visibility") != StringAttr("public"):
            properties["sym_visibility"] = StringAttr("private")
        if op.is_mutable is None:
            properties["constant"] = UnitAttr()
        state.insert(memref.GlobalOp.create(properties=properties))
        state.replace_op(op, [])


class GlobalLoadOpBufferization(BufferizableOpInterface):
    """Loads of a global: its buffer if it never changes, and otherwise a copy.

    MLIR 22 does not copy, and so loads what a later store to the global leaves there.
    """

    @override
    def bufferizes_to_allocation(self, value: OpResult) -> bool:
        return _needs_copy(value.op)

    @override
    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        assert isinstance(value, OpResult)
        return _needs_copy(value.op)

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType:
        return identity_layout_type(value.type)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        type_ = _global_type(op, op.results[0].type)
        buffer = _get_global(op, type_, state)
        if _needs_copy(op):
            buffer = state.allocate_copy(buffer, type_)
        state.replace_op(op, [buffer])


class GlobalStoreOpBufferization(ReadOnlyBufferization):
    """`ml_program.global_store`: a copy into the global.

    MLIR 22 says that this writes its tensor, not that it reads it, and stores tensors
    as later writes have left them.
    """

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        (value,) = op.operands
        buffer = _get_global(op, _global_type(op, value.type), state)
        state.insert(new_ops.copy(state.get_buffer(value), buffer))
        state.replace_op(op, [])


def _needs_copy(load: Operation) -> bool:
    """Whether a store may change the global before all uses of what was loaded."""
    return _may_change(load) and not _is_read_before_stores(load)


def _is_read_before_stores(load: Operation) -> bool:
    """Whether only elements are read, and nothing between can store to the global."""
    users = [use.operation for use in load.results[0].uses]
    if not all(isinstance(user, tensor.ExtractOp | tensor.DimOp) for user in users):
        return False
    left = len(users)
    after = load.next_op
    while left and after is not None and _leaves_globals(after):
        left -= sum(operand is load.results[0] for operand in after.operands)
        after = after.next_op
    return left == 0


def _leaves_globals(op: Operation) -> bool:
    """Whether an op stores to no global: it has no region, and is no call."""
    return isinstance(op, tensor.InsertOp | tensor.ExtractOp) or (
        not op.regions and op.has_trait(NoMemoryEffect)
    )


def _may_change(load: Operation) -> bool:
    """Whether stores may change the global that `load` loads."""
    table = find_symbol_table(load)
    assert table is not None
    match find_symbol(table, _global_name(load)):
        case ml_program.GlobalOp() as global_:
            return global_.is_mutable is not None
        case memref.GlobalOp() as global_:
            return global_.constant is None
        case _:
            return True


def _global_name(op: Operation) -> str:
    name = defined(op).properties["global"]
    assert isinstance(name, SymbolRefAttr)
    return name.root_reference.data


def _global_type(op: Operation, tensor: Attribute) -> MemRefType:
    type_ = identity_layout_type(tensor)
    if not isinstance(type_, MemRefType):
        fail_at(op, f"a global of type {tensor} cannot be bufferized; give it a rank")
    return type_


def _get_global(
    op: Operation, type_: MemRefType, state: BufferizationState
) -> SSAValue:
    get_global = memref.GetGlobalOp(_global_name(op), type_)
    state.insert(get_global)
    return get_global.memref


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    GlobalLoadOp: GlobalLoadOpBufferization(),
    GlobalStoreOp: GlobalStoreOpBufferization(),
    ml_program.GlobalLoadConstantOp: GlobalLoadOpBufferization(),
    ml_program.GlobalOp: GlobalOpBufferization(),
}
