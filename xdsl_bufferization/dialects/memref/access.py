"""Ops that read and write the elements of a buffer.

%0 = memref.load %m[%i, %j] : memref<4x8xf32>
memref.store %0, %m[%i, %j] {alignment = 16 : i64} : memref<4x8xf32>
memref.copy %m, %n : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import (
    I32,
    I64,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
)
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
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
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.types import have_compatible_shapes, have_same_element_type
from .constraints import (
    BUFFER,
    RANKED_BUFFER,
    ranked,
    verify_alignment,
    verify_index_count,
)

_FALSE = BoolAttr.from_bool(False)


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Read one element."""

    name = "memref.load"

    _T: ClassVar = VarConstraint("T", AnyAttr())

    memref = operand_def(MemRefType.constr(_T))
    indices = var_operand_def(IndexType())
    nontemporal = opt_prop_def(BoolAttr, default_value=_FALSE)
    alignment = opt_prop_def(IntegerAttr[I64])
    res = result_def(_T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Canonicalized())
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    @override
    def verify_(self) -> None:
        """One index for each dimension; an alignment is a power of two."""
        verify_index_count(ranked(self.memref), len(self.indices), "load")
        verify_alignment(self.alignment)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Write one element."""

    name = "memref.store"

    _T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(_T)
    memref = operand_def(MemRefType.constr(_T))
    indices = var_operand_def(IndexType())
    nontemporal = opt_prop_def(BoolAttr, default_value=_FALSE)
    alignment = opt_prop_def(IntegerAttr[I64])

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Canonicalized())
    assembly_format = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"

    @override
    def verify_(self) -> None:
        """One index for each dimension; an alignment is a power of two."""
        verify_index_count(ranked(self.memref), len(self.indices), "store")
        verify_alignment(self.alignment)


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy the elements of `source` to `destination`, whatever their layouts."""

    name = "memref.copy"

    source = operand_def(BUFFER)
    destination = operand_def(BUFFER)

    traits = traits_def(Canonicalized())
    assembly_format = (
        "$source `,` $destination attr-dict `:` type($source) `to` type($destination)"
    )

    @override
    def verify_(self) -> None:
        """Source and destination have the same shape and element type."""
        source, destination = self.source.type, self.destination.type
        if not have_same_element_type(source, destination):
            raise VerifyException(
                "requires the same element type for all operands, but got "
                f"{source} and {destination}"
            )
        if not have_compatible_shapes(source, destination):
            raise VerifyException(
                "requires the same shape for all operands, but got "
                f"{source} and {destination}"
            )


_WORDS = {"isWrite": ("read", "write"), "isDataCache": ("instr", "data")}
"""What `memref.prefetch` writes for its flags: for false, and for true."""


@irdl_custom_directive
class FlagAsWord(CustomDirective):
    """A flag of `memref.prefetch`, as one of two words."""

    flag: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        no, yes = _WORDS[self.flag.name]
        start = parser.pos
        word = parser.parse_identifier()
        if word not in (no, yes):
            what = "rw specifier" if self.flag.name == "isWrite" else "cache type"
            parser.raise_error(f"{what} has to be '{no}' or '{yes}'", start)
        self.flag.set(state, BoolAttr.from_bool(word == yes))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        flag = self.flag.get(op)
        is_set = isinstance(flag, IntegerAttr) and flag.value.data != 0
        printer.print_string(_WORDS[self.flag.name][is_set])


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """A hint that an element will be needed; it has no effect on what is computed."""

    name = "memref.prefetch"

    memref = operand_def(RANKED_BUFFER)
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr[I32], prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect(), Canonicalized())
    custom_directives = (FlagAsWord,)
    assembly_format = (
        "$memref `[` $indices `]` `,` custom<FlagAsWord>($isWrite) `,` `locality` "
        "`<` $localityHint `>` `,` custom<FlagAsWord>($isDataCache) attr-dict "
        "`:` type($memref)"
    )

    @override
    def verify_(self) -> None:
        """One index for each dimension; the locality is from 0 (none) to 3 (all)."""
        verify_index_count(ranked(self.memref), len(self.indices), "prefetch")
        hint = self.locality_hint.value.data
        if not 0 <= hint <= 3:
            raise VerifyException(
                "attribute 'localityHint' failed to satisfy constraint: 32-bit "
                "signless integer attribute whose minimum value is 0 whose maximum "
                f"value is 3, but got {hint}"
            )
