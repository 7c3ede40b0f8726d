"""Ops of MLIR's transform dialect that bufferize, and formats that xDSL lacks.

    %1 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %0
        {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    transform.bufferization.eliminate_empty_tensors %0 : !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %0 : !transform.any_op

What they do is in `pipelines/transform_dialect/`. Source of all definitions:
https://mlir.llvm.org/docs/Dialects/Transform/
"""

from typing_extensions import override
from xdsl.dialects.builtin import (
    I32,
    BoolAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i1,
    i32,
)
from xdsl.dialects.transform import (
    AnyOpType,
    AnyValueType,
    TransformHandleType,
    TransformOpHandleType,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

LAYOUTS = ("InferLayoutMap", "IdentityLayoutMap", "FullyDynamicLayoutMap")
"""MLIR's names of layouts at function boundaries, by number."""

_YES, _NO = BoolAttr.from_bool(True), BoolAttr.from_bool(False)


@irdl_custom_directive
class Layout(CustomDirective):
    """The name of a layout."""

    layout: AttributeVariable

    @override
    def is_anchorable(self) -> bool:
        return True

    @override
    def is_present(self, op: IRDLOperation) -> bool:
        return self.layout.get(op) is not None

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        name = parser.parse_identifier()
        if name not in LAYOUTS:
            parser.raise_error(f"expected one of {', '.join(LAYOUTS)}")
        self.layout.set(state, IntegerAttr(LAYOUTS.index(name), i32))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        layout = self.layout.get(op)
        assert isa(layout, IntegerAttr[I32])
        printer.print_string(LAYOUTS[layout.value.data])


@irdl_op_definition
class OneShotBufferizeOp(IRDLOperation):
    """Runs One-Shot Bufferize on functions or modules."""

    name = "transform.bufferization.one_shot_bufferize"

    target = operand_def(TransformOpHandleType)
    function_boundary_type_conversion = opt_prop_def(IntegerAttr[I32])
    allow_return_allocs_from_loops = prop_def(IntegerAttr.constr(i1), default_value=_NO)
    allow_unknown_ops = prop_def(IntegerAttr.constr(i1), default_value=_NO)
    bufferize_function_boundaries = prop_def(IntegerAttr.constr(i1), default_value=_NO)
    dump_alias_sets = prop_def(IntegerAttr.constr(i1), default_value=_NO)
    test_analysis_only = prop_def(IntegerAttr.constr(i1), default_value=_NO)
    print_conflicts = prop_def(IntegerAttr.constr(i1), default_value=_NO)
    check_parallel_regions = prop_def(IntegerAttr.constr(i1), default_value=_YES)
    memcpy_op = prop_def(StringAttr, default_value=StringAttr("memref.copy"))
    transformed = result_def(TransformOpHandleType)

    custom_directives = (Layout,)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "(`layout` `{` custom<Layout>($function_boundary_type_conversion)^ `}`)? "
        "$target attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class EliminateEmptyTensorsOp(IRDLOperation):
    """Computes tensors where they are inserted."""

    name = "transform.bufferization.eliminate_empty_tensors"
    target = operand_def(TransformOpHandleType)
    assembly_format = "$target attr-dict `:` type($target)"


@irdl_op_definition
class EliminateAnchoredEmptyTensorsOp(IRDLOperation):
    """Computes results of linalg ops where they are inserted."""

    name = "transform.structured.eliminate_empty_tensors"
    target = operand_def(TransformOpHandleType)
    assembly_format = "$target attr-dict `:` type($target)"


@irdl_op_definition
class EmptyTensorToAllocTensorOp(IRDLOperation):
    """Turns `tensor.empty` into `bufferization.alloc_tensor`."""

    name = "transform.bufferization.empty_tensor_to_alloc_tensor"
    target = operand_def(TransformOpHandleType)
    transformed = result_def(TransformOpHandleType)
    assembly_format = "$target attr-dict `:` functional-type(operands, results)"


@irdl_op_definition
class BufferLoopHoistingOp(IRDLOperation):
    """Moves allocations out of loops."""

    name = "transform.bufferization.buffer_loop_hoisting"
    target = operand_def(TransformOpHandleType)
    assembly_format = "$target attr-dict `:` type($target)"


@irdl_op_definition
class BufferizeToAllocationOp(IRDLOperation):
    """Gives the result of an op an allocation of its own."""

    name = "transform.structured.bufferize_to_allocation"

    target = operand_def(TransformOpHandleType)
    memory_space = opt_prop_def(Attribute)
    memcpy_op = prop_def(
        StringAttr,
        default_value=StringAttr("bufferization.materialize_in_destination"),
    )
    alloc_op = prop_def(StringAttr, default_value=StringAttr("memref.alloc"))
    bufferize_destination_only = opt_prop_def(UnitAttr)
    emit_dealloc = opt_prop_def(UnitAttr)
    allocated_buffer = result_def(AnyValueType())
    new_ops = result_def(AnyOpType())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target attr-dict `:` type($target)"


@irdl_op_definition
class CastOp(IRDLOperation):
    """The same handle, of another type."""

    name = "transform.cast"
    input = operand_def(TransformHandleType)
    output = result_def(TransformHandleType)
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"
