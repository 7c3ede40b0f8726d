"""Ops of MLIR's ml_program dialect on globals that change.

xDSL 0.74 has globals and constant loads only, and calls the property of a load
`global_attr` where MLIR calls it `global`.

    %0 = ml_program.global_load @g : tensor<4xf32>
    ml_program.global_store @g = %0 : tensor<4xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MLProgramOps/
"""

from typing_extensions import override
from xdsl.dialects import ml_program
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from .common.symbols import find_symbol, find_symbol_table


class _GlobalUser(SymbolUserOpInterface):
    @override
    def verify(self, op: Operation) -> None:
        """The global exists, has the type of the value, and may be accessed so."""
        symbol = op.properties["global"]
        table = find_symbol_table(op)
        if not isinstance(symbol, SymbolRefAttr) or table is None:
            return
        name = symbol.root_reference.data
        global_ = find_symbol(table, name)
        if not isinstance(global_, ml_program.GlobalOp):
            raise VerifyException(f"undefined global: @{name}")
        value: SSAValue = (*op.results, *op.operands)[0]
        if value.type != global_.type:
            access = "store to" if op.operands else "load from"
            raise VerifyException(
                f"cannot {access} global typed '{global_.type}' as '{value.type}'"
            )
        is_mutable = global_.is_mutable is not None
        if isinstance(op, GlobalStoreOp) and not is_mutable:
            raise VerifyException(f"cannot store to an immutable global @{name}")
        if op.name == GlobalLoadConstantOp.name and is_mutable:
            raise VerifyException(f"cannot load as const from mutable global @{name}")


@irdl_op_definition
class GlobalLoadOp(IRDLOperation):
    """The value that a global has now."""

    name = "ml_program.global_load"

    global_ = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def()

    traits = traits_def(MemoryReadEffect(), _GlobalUser())
    assembly_format = "$global `:` type($result) attr-dict"

    def __init__(self, global_: SymbolRefAttr, result_type: Attribute):
        super().__init__(properties={"global": global_}, result_types=[result_type])


@irdl_op_definition
class GlobalLoadConstantOp(IRDLOperation):
    """The value of a global that never changes."""

    name = "ml_program.global_load_const"

    global_ = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def()

    traits = traits_def(Pure(), _GlobalUser())
    assembly_format = "$global `:` type($result) attr-dict"

    @staticmethod
    def xdsl_property_names() -> dict[str, str]:
        """XDSL's name of the property, by MLIR's."""
        return {"global": "global_attr"}


@irdl_op_definition
class GlobalStoreOp(IRDLOperation):
    """Give a global another value."""

    name = "ml_program.global_store"

    global_ = prop_def(SymbolRefAttr, prop_name="global")
    value = operand_def()

    traits = traits_def(MemoryWriteEffect(), _GlobalUser())
    assembly_format = "$global `=` $value `:` type($value) attr-dict"

    def __init__(self, global_: SymbolRefAttr, value: SSAValue | Operation):
        super().__init__(operands=[value], properties={"global": global_})
