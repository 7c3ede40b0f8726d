"""bufferize-function-signatures: functions that take and give buffers.

    func.func @f(%t: tensor<5xf32>) -> tensor<5xf32> {
      return %t : tensor<5xf32>
    }

    func.func @f(%m: memref<5xf32>, %out: memref<5xf32>) {
      linalg.copy ins(%m : memref<5xf32>) outs(%out : memref<5xf32>)
      return
    }

The options of the example are `result-conversion=append copy=linalg`. Bodies stay on
tensors: the passes for single dialects bufferize them, before or after this pass.

Source: "Bufferization on MLIR", 2020, "Preparation Phase".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from typing_extensions import override
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    MemRefType,
    ModuleOp,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, SSAValue

from ..interfaces.conservative_state import ConservativeState
from ..interfaces.layouts import identity_layout_type
from ..interfaces.operands import OpOperand, tensor_results
from ..mlir_pass import TensorPass, choose_option
from ..models import attach_all
from .conversion import apply_conversion
from .core_bufferization import copy_changing_tensors
from .result_sizes import FunctionResultSizes
from .signature_patterns import (
    CopyBuilder,
    linalg_copy,
    populate_with_bufferize_op_conversion_patterns,
)
from .type_converter import BufferizeTypeConverter, ResultConversionKind


class CopyOption(Enum):
    """The op that copies results to where the caller wants them."""

    LINALG = "linalg"
    MEMREF = "memref"

    @property
    def builder(self) -> CopyBuilder:
        """What makes the op."""
        return linalg_copy if self is CopyOption.LINALG else memref.CopyOp


def bufferize_function_signatures(
    module: ModuleOp,
    result_conversion: ResultConversionKind = (
        ResultConversionKind.KEEP_AS_FUNCTION_RESULT
    ),
    copy: CopyBuilder = memref.CopyOp,
    *,
    flatten_tuples: bool = False,
) -> None:
    """Convert the functions of `module`, their returns and their calls to buffers.

    Raises an `OperationError` at a call that cannot know the size of an appended
    result.
    """
    attach_all()
    if result_conversion is ResultConversionKind.KEEP_AS_FUNCTION_RESULT:
        copy_changing_tensors(module, ConservativeState(), _may_return)
    converter = get_signature_converter(result_conversion)
    if flatten_tuples:
        add_tuple_conversions(converter)
    patterns = populate_with_bufferize_op_conversion_patterns(
        converter, copy=copy, sizes=FunctionResultSizes(module)
    )
    apply_conversion(module, converter, patterns)


def _may_return(operand: OpOperand) -> bool:
    """Whether a call may return what it is passed, which then is one buffer."""
    return isinstance(operand.owner, CallOp) and bool(tensor_results(operand.owner))


def get_signature_converter(kind: ResultConversionKind) -> BufferizeTypeConverter:
    """A converter from tensors to dense buffers, with one kind for all results."""
    converter = BufferizeTypeConverter()
    converter.add_conversion(TensorType, identity_layout_type)
    converter.add_conversion(UnrankedTensorType, identity_layout_type)
    converter.set_result_conversion_kind(TensorType, MemRefType, kind)
    converter.set_result_conversion_kind(UnrankedTensorType, UnrankedMemRefType, kind)
    return converter


def add_tuple_conversions(converter: BufferizeTypeConverter) -> None:
    """Flatten tuples, with casts where they are packed and unpacked.

    MLIR has no ops for that: a dialect that has some adds callbacks that make them.
    """
    converter.add_decompose_type_conversion(TupleType, _constituents)
    converter.add_argument_materialization(TupleType, _leave_to_casts)
    converter.add_decompose_value_conversion(TupleType, _leave_to_casts)


def _constituents(type_: TupleType) -> Sequence[Attribute]:
    return type_.types.data


def _leave_to_casts(
    builder: Builder, type_: TupleType, values: SSAValue | Sequence[SSAValue]
) -> None:
    del builder, type_, values


@dataclass(frozen=True)
class BufferizeFunctionSignaturesPass(TensorPass):
    """Convert functions, returns and calls to buffers; bodies stay on tensors."""

    name = "bufferize-function-signatures"

    result_conversion: str = "keep"
    """`keep` results, or `append` them to the arguments, for the caller to allocate."""

    copy: str = "memref"
    """What copies into an appended result: `memref.copy`, or `linalg.copy`."""

    flatten_tuples: bool = False
    """Whether a tuple becomes its elements."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        bufferize_function_signatures(
            op,
            choose_option(self, "result_conversion", ResultConversionKind),
            choose_option(self, "copy", CopyOption).builder,
            flatten_tuples=self.flatten_tuples,
        )
