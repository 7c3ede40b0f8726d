"""Ops that give a buffer its memory, and take it away.

%0 = memref.alloc(%n)[%s] {alignment = 64 : i64}
    : memref<4x?xf32, affine_map<(i, j)[s] -> (i + s, j)>>
%1 = memref.realloc %0(%n) : memref<?xf32> to memref<?xf32>
%2 = memref.alloca_scope -> (f32) { ... memref.alloca_scope.return %x : f32 }

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Self

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    Pure,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
    ensure_terminator,
)
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..scf.regions import parse_arrow_types, print_arrow_types
from .constraints import (
    BUFFER,
    RANKED_BUFFER,
    ranked,
    verify_alignment,
    verify_dynamic_sizes,
    verify_layout_symbols,
)
from .layouts import has_identity_layout


class AllocationOp(IRDLOperation):
    """New memory."""

    dynamic_sizes = var_operand_def(IndexType())
    symbol_operands = var_operand_def(IndexType())
    alignment = opt_prop_def(IntegerAttr[I64])
    memref = result_def(RANKED_BUFFER)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(Canonicalized())
    assembly_format = (
        "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict "
        "`:` type($memref)"
    )

    @override
    def verify_(self) -> None:
        """One operand for each dynamic dimension and each symbol of the layout."""
        type_ = ranked(self.memref)
        verify_dynamic_sizes(type_, len(self.dynamic_sizes))
        verify_layout_symbols(type_, len(self.symbol_operands))
        verify_alignment(self.alignment)


@irdl_op_definition
class AllocOp(AllocationOp):
    """New memory on the heap."""

    name = "memref.alloc"


@irdl_op_definition
class AllocaOp(AllocationOp):
    """New memory on the stack, gone at the end of the scope around the op."""

    name = "memref.alloca"

    @override
    def verify_(self) -> None:
        """As for `memref.alloc`; and some op around this one ends, to free it."""
        super().verify_()
        # Which ops of other dialects are a scope is for these to say; a module is none.
        parent = self.parent_op()
        while isinstance(parent, ModuleOp):
            parent = parent.parent_op()
            if parent is None:
                raise VerifyException(
                    "requires an ancestor op with AutomaticAllocationScope trait"
                )


class FreesSourceAndAllocates(MemoryEffect):
    """Frees operand 0 and allocates result 0."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """The effects, each at its value."""
        return {
            EffectInstance(MemoryEffectKind.FREE, op.operands[0]),
            EffectInstance(MemoryEffectKind.ALLOC, op.results[0]),
        }


@irdl_op_definition
class ReallocOp(IRDLOperation):
    """A buffer of another size with the elements of `source`, which is gone."""

    name = "memref.realloc"

    source = operand_def(RANKED_BUFFER)
    dynamic_result_size = opt_operand_def(IndexType())
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(RANKED_BUFFER)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(FreesSourceAndAllocates(), Canonicalized())
    assembly_format = (
        "$source (`(` $dynamic_result_size^ `)`)? attr-dict "
        "`:` type($source) `to` type($result)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        dynamic_result_size: SSAValue | Operation | None,
        result_type: Attribute,
        alignment: IntegerAttr | None = None,
    ):
        super().__init__(
            operands=[source, dynamic_result_size],
            result_types=[result_type],
            properties={"alignment": alignment},
        )

    @override
    def verify_(self) -> None:
        """Both are dense vectors of one element type in one memory space."""
        source, result = ranked(self.source), ranked(self.result)
        for what, type_ in (("source", source), ("result", result)):
            if type_.get_num_dims() != 1:
                raise VerifyException(f"{what} must be 1D memref, but got {type_}")
            if not has_identity_layout(type_):
                raise VerifyException(
                    f"unsupported layout for {what} memref type {type_}"
                )
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"different memory spaces specified for source memref type {source} "
                f"and result memref type {result}"
            )
        if source.element_type != result.element_type:
            raise VerifyException(
                f"different element types specified for source memref type {source} "
                f"and result memref type {result}"
            )
        if result.has_static_shape() != (self.dynamic_result_size is None):
            state = "unnecessary" if result.has_static_shape() else "missing"
            raise VerifyException(f"{state} dimension operand for result type {result}")
        verify_alignment(self.alignment)


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """Free the memory of a buffer that was allocated as a whole."""

    name = "memref.dealloc"

    memref = operand_def(BUFFER)

    traits = traits_def(Canonicalized())
    assembly_format = "$memref attr-dict `:` type($memref)"


@irdl_op_definition
class AllocaScopeOp(IRDLOperation):
    """A scope for `memref.alloca`."""

    name = "memref.alloca_scope"

    res = var_result_def()
    scope = region_def("single_block")

    traits = traits_def(
        RecursiveMemoryEffect(),
        SingleBlockImplicitTerminator(memref.AllocaScopeReturnOp),
        Canonicalized(),
    )

    @override
    def print(self, printer: Printer) -> None:
        print_arrow_types(printer, self.result_types)
        printer.print_string(" ")
        printer.print_region(self.scope, print_block_terminators=bool(self.res))
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        types = parse_arrow_types(parser)
        scope = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        op = cls.create(result_types=types, regions=[scope], attributes=attributes)
        trait = cls.get_trait(SingleBlockImplicitTerminator)
        if trait is not None:
            ensure_terminator(op, trait)
        return op

    @override
    def verify_(self) -> None:
        """The scope has no arguments."""
        if self.scope.block.args:
            raise VerifyException("region should have no arguments")


@irdl_op_definition
class AllocaScopeReturnOp(IRDLOperation):
    """What a scope computed."""

    name = "memref.alloca_scope.return"

    ops = var_operand_def()

    traits = traits_def(Pure())
    assembly_format = "attr-dict ($ops^ `:` type($ops))?"

    @override
    def verify_(self) -> None:
        """The operands have the types of the results of the scope."""
        parent = self.parent_op()
        if isinstance(parent, memref.AllocaScopeOp):
            given, expected = tuple(self.ops.types), tuple(parent.result_types)
            if given != expected:
                raise VerifyException(
                    f"returns {_list(given)}, but its scope has results of types "
                    f"{_list(expected)}"
                )


def _list(types: Sequence[Attribute]) -> str:
    return f"({', '.join(str(type_) for type_ in types)})"
