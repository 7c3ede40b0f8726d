"""Ops that turn tensors into buffers and back.

    %m = bufferization.to_buffer %t read_only
        : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>, 1>
    %0 = bufferization.to_tensor %m restrict
        : memref<4xf32, strided<[?], offset: ?>, 1> to tensor<4xf32>

What MLIR wrote before it was `to_buffer` is read as well, and printed as today's ops:

    %m = bufferization.to_memref %t : memref<4xf32>
    %0 = bufferization.to_tensor %m : memref<4xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Self, cast

from typing_extensions import override
from xdsl.dialects import bufferization
from xdsl.dialects.builtin import (
    LocationAttr,
    MemRefType,
    ShapedType,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    MemoryReadEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from ..common.types import have_same_element_type, verify_same_contents
from .constraints import BUFFER, TENSOR


def _tensor_of(type_: Attribute) -> Attribute | None:
    """The tensor type with the contents of a buffer type, None for other types."""
    if isa(type_, MemRefType):
        return TensorType(type_.element_type, type_.shape)
    if isa(type_, UnrankedMemRefType):
        return UnrankedTensorType(type_.element_type)
    return None


def _verify_same_type(buffer: Attribute, tensor: Attribute) -> None:
    """A buffer and a tensor have the same shape, known or not, and element type."""
    if _shape(buffer) != _shape(tensor):
        raise VerifyException(f"shapes do not match: {buffer} and {tensor}")
    if not have_same_element_type(buffer, tensor):
        raise VerifyException(f"element types do not match: {buffer} and {tensor}")


def _shape(type_: Attribute) -> tuple[int, ...] | None:
    return type_.get_shape() if isinstance(type_, ShapedType) else None


@irdl_custom_directive
class BufferToTensor(CustomDirective):
    """`memref<4xf32> to tensor<4xf32>`; until 2024, only the memref was written."""

    buffer: TypeDirective
    tensor: TypeDirective

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        start = parser.pos
        buffer = parser.parse_type()
        self.buffer.set(state, (buffer,))
        if parser.parse_optional_keyword("to") is not None:
            self.tensor.set(state, (parser.parse_type(),))
        elif (contents := _tensor_of(buffer)) is not None:
            self.tensor.set(state, (contents,))
        else:
            parser.raise_error("expected a memref type", start, parser.pos)

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.buffer.print(printer, state, op)
        printer.print_string(" to")
        self.tensor.print(printer, state, op)


_NOTHING: Mapping[str, Attribute] = MappingProxyType({})


@irdl_op_definition
class ToTensorOp(IRDLOperation):
    """The contents of a buffer as a tensor."""

    name = "bufferization.to_tensor"

    memref = operand_def(BUFFER)
    tensor = result_def(TENSOR)

    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryReadEffect(), Canonicalized())

    assembly_format = (
        "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict"
        "`:` custom<BufferToTensor>(type($memref), type($tensor))"
    )
    custom_directives = (BufferToTensor,)

    @override
    def verify_(self) -> None:
        """The tensor has the shape and the element type of the buffer."""
        _verify_same_type(self.memref.type, self.tensor.type)


@irdl_op_definition
class ToBufferOp(IRDLOperation):
    """The buffer of a tensor, in any layout and memory space."""

    name = "bufferization.to_buffer"

    tensor = operand_def(TENSOR)
    memref = result_def(BUFFER)

    read_only = opt_prop_def(UnitAttr)

    traits = traits_def(Pure(), Canonicalized())

    assembly_format = (
        "$tensor (`read_only` $read_only^)? attr-dict"
        "`:` type($tensor) `to` type($memref)"
    )

    @override
    def verify_(self) -> None:
        """The buffer has the shape and the element type of the tensor."""
        _verify_same_type(self.memref.type, self.tensor.type)


@irdl_op_definition
class ToMemRefOp(IRDLOperation):
    """The name of `bufferization.to_buffer` until 2024; it becomes that when read."""

    name = "bufferization.to_memref"

    tensor = operand_def(TENSOR)
    memref = result_def(BUFFER)
    read_only = opt_prop_def(UnitAttr)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%t : memref<...>` or `%t : tensor<...> to memref<...>`."""
        tensor = parser.parse_unresolved_operand()
        read_only = parser.parse_optional_keyword("read_only") is not None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        start = parser.pos
        type_ = parser.parse_type()
        source = _tensor_of(type_)
        if parser.parse_optional_keyword("to") is not None:
            source, type_ = type_, parser.parse_type()
        if source is None:
            parser.raise_error("expected a memref type", start, parser.pos)
        return cls.create(
            operands=[parser.resolve_operand(tensor, source)],
            result_types=[type_],
            properties={"read_only": UnitAttr()} if read_only else {},
            attributes=attributes,
        )

    @override
    @classmethod
    def create(
        cls,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NOTHING,
        attributes: Mapping[str, Attribute] = _NOTHING,
        location: LocationAttr | None = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> Self:
        """Create the op of today."""
        op = bufferization.ToBufferOp.create(
            operands=operands,
            result_types=result_types,
            properties=properties,
            attributes=attributes,
            location=location,
            successors=successors,
            regions=regions,
        )
        # Parsers take any op for the one that they ask for.
        return cast(Self, op)


class WritesToBuffer(MemoryEffect):
    """Writes to its destination if that is a buffer; a tensor does not change."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """A write, unless the op has a tensor as its result."""
        if op.results:
            return set()
        return {EffectInstance(MemoryEffectKind.WRITE, op.operands[-1])}


@irdl_op_definition
class MaterializeInDestinationOp(IRDLOperation):
    """The contents of `source` in the buffer of `dest`, which may be a tensor."""

    name = "bufferization.materialize_in_destination"

    source = operand_def(TENSOR)
    dest = operand_def(TENSOR | BUFFER)
    result = opt_result_def(TENSOR)

    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    traits = traits_def(WritesToBuffer())

    assembly_format = (
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest "
        "attr-dict `:` functional-type(operands, results)"
    )

    @override
    def verify_(self) -> None:
        """A tensor destination gives a result, and a buffer is said to be writable."""
        into_tensor = isinstance(self.dest.type, TensorType | UnrankedTensorType)
        if not into_tensor and self.result is not None:
            raise VerifyException("memref 'dest' implies zero results")
        if into_tensor and self.result is None:
            raise VerifyException("tensor 'dest' implies exactly one tensor result")
        if into_tensor and self.restrict is not None:
            raise VerifyException("'restrict' is valid only for memref destinations")
        if into_tensor == (self.writable is not None):
            raise VerifyException(
                "'writable' must be specified if and only if the destination is of "
                "memref type"
            )
        if self.result is not None and self.result.type != self.dest.type:
            raise VerifyException("result and 'dest' types must match")
        verify_same_contents(self.source.type, self.dest.type)
