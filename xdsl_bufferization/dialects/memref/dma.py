"""Ops that copy between memory spaces while the program goes on.

memref.dma_start %a[%i], %b[%j], %n, %tag[%k] : memref<4xf32>, memref<4xf32, 1>,
    memref<1xi32>
memref.dma_wait %tag[%k], %n : memref<1xi32>

MLIR keeps the operands of `dma_start` in one list, told apart by the ranks of the
buffers among them; xDSL 0.74 keeps seven lists, whose lengths MLIR does not read.
Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from collections.abc import Sequence
from typing import NamedTuple, NoReturn, Self

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from .constraints import RANKED_BUFFER, ranked, verify_index_count

_SEGMENTS = "operandSegmentSizes"
"""The attribute in which xDSL keeps how long its seven lists are."""


class Element(NamedTuple):
    """Where a transfer starts: an element of a buffer."""

    buffer: SSAValue
    indices: Sequence[SSAValue]


class Transfer(NamedTuple):
    """The operands of `memref.dma_start` by what they mean."""

    source: Element
    destination: Element
    num_elements: SSAValue
    tag: Element
    strides: Sequence[SSAValue]
    """Nothing, or the stride and the elements per stride."""


def get_transfer(operands: Sequence[SSAValue]) -> Transfer:
    """Take the operands apart; a `VerifyException` if they cannot be."""
    source, rest = _split_element(operands, "source")
    destination, rest = _split_element(rest, "destination")
    if not rest:
        raise VerifyException("expected the number of elements after the destination")
    tag, strides = _split_element(rest[1:], "tag")
    if len(strides) not in (0, 2):
        raise VerifyException(
            "incorrect number of operands: expected two stride related operands or "
            f"none after the tag, but got {len(strides)}"
        )
    return Transfer(source, destination, rest[0], tag, strides)


def _split_element(
    operands: Sequence[SSAValue], what: str
) -> tuple[Element, Sequence[SSAValue]]:
    type_ = operands[0].type if operands else None
    if not isa(type_, MemRefType):
        raise VerifyException(
            f"expected {what} to be of memref type, after as many indices as the "
            "buffer before it has dimensions"
        )
    end = 1 + type_.get_num_dims()
    if len(operands) < end:
        raise VerifyException(
            f"expected {end - 1} indices for the {what}, but got {len(operands) - 1}"
        )
    return Element(operands[0], operands[1:end]), operands[end:]


@irdl_op_definition
class DmaStartOp(IRDLOperation):
    """Start to copy `num_elements` elements; `tag` is for `memref.dma_wait`."""

    name = "memref.dma_start"

    transfer_operands = var_operand_def(AnyAttr())

    irdl_options = ()
    traits = traits_def(Canonicalized())

    def finish_as_xdsl(self, _op_type: type[memref.DmaStartOp]) -> None:
        """Say where xDSL's operands begin, unless there are strides, which it lacks."""
        transfer = get_transfer(self.operands)
        if transfer.strides:
            return
        sizes = (
            *(1, len(transfer.source.indices)),
            *(1, len(transfer.destination.indices)),
            *(1, 1, len(transfer.tag.indices)),
        )
        self.attributes[_SEGMENTS] = DenseArrayBase.from_list(i32, sizes)

    @property
    def src(self) -> SSAValue:
        """The buffer that is read."""
        return get_transfer(self.operands).source.buffer

    @property
    def src_indices(self) -> Sequence[SSAValue]:
        """The first element that is read."""
        return get_transfer(self.operands).source.indices

    @property
    def dest(self) -> SSAValue:
        """The buffer that is written."""
        return get_transfer(self.operands).destination.buffer

    @property
    def dest_indices(self) -> Sequence[SSAValue]:
        """The first element that is written."""
        return get_transfer(self.operands).destination.indices

    @property
    def num_elements(self) -> SSAValue:
        """How many elements are copied."""
        return get_transfer(self.operands).num_elements

    @property
    def tag(self) -> SSAValue:
        """The buffer of the tag."""
        return get_transfer(self.operands).tag.buffer

    @property
    def tag_indices(self) -> Sequence[SSAValue]:
        """The element that is the tag."""
        return get_transfer(self.operands).tag.indices

    @override
    def verify_(self) -> None:
        """The operands are three elements, a size, and perhaps strides."""
        transfer = get_transfer(self.operands)
        for what, indices in (
            ("source indices", transfer.source.indices),
            ("destination indices", transfer.destination.indices),
            ("the number of elements", (transfer.num_elements,)),
            ("tag indices", transfer.tag.indices),
            ("strides", transfer.strides),
        ):
            for index in indices:
                if not isinstance(index.type, IndexType):
                    raise VerifyException(
                        f"expected {what} to be of index type, but got {index.type}"
                    )

    @override
    def print(self, printer: Printer) -> None:
        transfer = get_transfer(self.operands)
        printer.print_string(" ")
        _print_element(printer, transfer.source)
        printer.print_string(", ")
        _print_element(printer, transfer.destination)
        printer.print_string(", ")
        printer.print_ssa_value(transfer.num_elements)
        printer.print_string(", ")
        _print_element(printer, transfer.tag)
        for stride in transfer.strides:
            printer.print_string(", ")
            printer.print_ssa_value(stride)
        printer.print_op_attributes(self.attributes, reserved_attr_names=(_SEGMENTS,))
        printer.print_string(" : ")
        buffers = (transfer.source, transfer.destination, transfer.tag)
        printer.print_list(
            buffers, lambda element: printer.print_attribute(element.buffer.type)
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        elements = [_parse_element(parser), _parse_element(parser)]
        num_elements = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        elements.append(_parse_element(parser, last=True))
        strides: list[UnresolvedOperand] = []
        while parser.parse_optional_punctuation(",") is not None:
            strides.append(parser.parse_unresolved_operand())
        if len(strides) not in (0, 2):
            parser.raise_error("expected two stride related operands", start)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
        if len(types) != len(elements):
            _fail_at_types(parser, types)
        operands: list[SSAValue] = []
        for position, ((buffer, indices), type_) in enumerate(
            zip(elements, types, strict=True)
        ):
            operands.append(parser.resolve_operand(buffer, type_))
            operands += _resolve_indices(parser, indices)
            if position == 1:
                operands += _resolve_indices(parser, [num_elements])
        operands += _resolve_indices(parser, strides)
        return cls.create(operands=operands, attributes=attributes)


def _fail_at_types(parser: Parser, types: Sequence[Attribute]) -> NoReturn:
    parser.raise_error(
        "expected the types of the source, the destination and the tag, but got "
        f"{len(types)} types"
    )


def _print_element(printer: Printer, element: Element) -> None:
    printer.print_ssa_value(element.buffer)
    with printer.in_square_brackets():
        printer.print_list(element.indices, printer.print_ssa_value)


def _parse_element(
    parser: Parser, *, last: bool = False
) -> tuple[UnresolvedOperand, Sequence[UnresolvedOperand]]:
    buffer = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    if not last:
        parser.parse_punctuation(",")
    return buffer, indices


def _resolve_indices(
    parser: Parser, indices: Sequence[UnresolvedOperand]
) -> list[SSAValue]:
    return [parser.resolve_operand(index, IndexType()) for index in indices]


@irdl_op_definition
class DmaWaitOp(IRDLOperation):
    """Wait until the copy with this tag has ended."""

    name = "memref.dma_wait"

    tag = operand_def(RANKED_BUFFER)
    tag_indices = var_operand_def(IndexType())
    num_elements = operand_def(IndexType())

    traits = traits_def(Canonicalized())
    assembly_format = (
        "$tag `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag)"
    )

    @override
    def verify_(self) -> None:
        """One index for each dimension of the tag."""
        verify_index_count(ranked(self.tag), len(self.tag_indices), "dma_wait")
