"""A dialect with ops for tuples, and how signatures are converted with them.

    %t = tuples.make %a, %b : tuple<tensor<5xf32>, i1>
    %a = tuples.get %t[0] : tuple<tensor<5xf32>, i1>

MLIR has the type but no ops. The callbacks are those of "Bufferization on MLIR", 2020.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, TupleType, i32
from xdsl.ir import Attribute, Dialect, Operation, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
)
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure

from xdsl_bufferization.bufferization.dialect_conversion import (
    BufferizeTypeConverter,
    FunctionResultSizes,
    ResultConversionKind,
    apply_conversion,
    get_signature_converter,
    linalg_copy,
    populate_with_bufferize_op_conversion_patterns,
)
from xdsl_bufferization.bufferization.mlir_pass import MLIRPass, choose_option
from xdsl_bufferization.bufferization.models import attach_all


@irdl_op_definition
class MakeTupleOp(IRDLOperation):
    """A tuple of values."""

    name = "tuples.make"

    elements = var_operand_def()
    tuple = result_def(TupleType)

    traits = traits_def(Pure())

    def __init__(self, elements: Sequence[SSAValue]):
        types: list[TypeAttribute] = []
        for element in elements:
            assert isinstance(element.type, TypeAttribute)
            types.append(element.type)
        super().__init__(
            operands=[elements], result_types=[TupleType(ArrayAttr(types))]
        )


class _ElementOfNewTuple(RewritePattern):
    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, GetTupleElementOp)
        make = op.tuple.owner
        if isinstance(make, MakeTupleOp):
            rewriter.replace(op, [], [make.elements[op.index.value.data]])


class _GetCanonicalization(HasCanonicalizationPatternsTrait):
    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (_ElementOfNewTuple(),)


@irdl_op_definition
class GetTupleElementOp(IRDLOperation):
    """One value of a tuple."""

    name = "tuples.get"

    tuple = operand_def(TupleType)
    index = prop_def(IntegerAttr)
    element = result_def()

    traits = traits_def(Pure(), _GetCanonicalization())

    def __init__(self, value: SSAValue, index: int):
        assert isinstance(value.type, TupleType)
        super().__init__(
            operands=[value],
            properties={"index": IntegerAttr(index, i32)},
            result_types=[value.type.types.data[index]],
        )


Tuples = Dialect("tuples", [MakeTupleOp, GetTupleElementOp])


def flattened(type_: TupleType) -> Sequence[Attribute]:
    types: list[Attribute] = []
    for element in type_.types:
        types += flattened(element) if isinstance(element, TupleType) else [element]
    return types


def make_tuple(
    builder: Builder, type_: TupleType, values: Sequence[SSAValue]
) -> SSAValue | None:
    """A tuple of `values`, shaped as `type_` is, whatever the types of the values."""
    rest = iter(values)

    def make(type_: TupleType) -> SSAValue:
        elements = [
            make(element) if isinstance(element, TupleType) else next(rest)
            for element in type_.types
        ]
        return builder.insert(MakeTupleOp(elements)).tuple

    return make(type_)


def get_elements(
    builder: Builder, type_: TupleType, value: SSAValue
) -> Sequence[SSAValue]:
    return [
        builder.insert(GetTupleElementOp(value, index)).element
        for index in range(len(type_.types))
    ]


def tuple_converter(kind: ResultConversionKind) -> BufferizeTypeConverter:
    """The converter of the document: tensors become buffers, tuples are flattened."""
    converter = get_signature_converter(kind)
    converter.add_decompose_type_conversion(TupleType, flattened)
    converter.add_argument_materialization(TupleType, make_tuple)
    converter.add_decompose_value_conversion(TupleType, get_elements)
    return converter


@dataclass(frozen=True)
class ConvertTupleSignaturesPass(MLIRPass):
    """What a user of the package would write for the dialect."""

    name = "convert-tuple-signatures"

    result_conversion: str = "append"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        attach_all()
        kind = choose_option(self, "result_conversion", ResultConversionKind)
        converter = tuple_converter(kind)
        patterns = populate_with_bufferize_op_conversion_patterns(
            converter, copy=linalg_copy, sizes=FunctionResultSizes(op)
        )
        apply_conversion(op, converter, patterns)
