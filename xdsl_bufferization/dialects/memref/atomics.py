"""Ops that change an element in one step that no other thread can see half of.

%0 = memref.atomic_rmw addf %value, %m[%i] : (f32, memref<4xf32>) -> f32
%1 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
^bb0(%current: f32):
  memref.atomic_yield %current : f32
}

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import (
    I64,
    AnyFloat,
    AnyFloatConstr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    SignlessIntegerConstraint,
)
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
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
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    get_effects,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from .constraints import ranked, verify_index_count

ATOMIC_RMW_KINDS = (
    "addf",
    "addi",
    "andi",
    "assign",
    "maximumf",
    "maxnumf",
    "maxs",
    "maxu",
    "minimumf",
    "minnumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "xori",
)
"""What `memref.atomic_rmw` can do, in the order of MLIR's numbers."""

_OF_FLOATS = {"addf", "maximumf", "maxnumf", "minimumf", "minnumf", "mulf"}
_OF_ANYTHING = {"assign"}

_NUMBER = AnyFloatConstr | SignlessIntegerConstraint


@irdl_custom_directive
class AtomicRMWKind(CustomDirective):
    """What is done, by name; also as a string, as MLIR reads it."""

    kind: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        start = parser.pos
        name = parser.parse_optional_str_literal() or parser.parse_optional_identifier()
        if name not in ATOMIC_RMW_KINDS:
            parser.raise_error(
                "expected string or keyword containing one of the following enum "
                f"values for attribute 'kind' [{', '.join(ATOMIC_RMW_KINDS)}]",
                start,
            )
        self.kind.set(state, IntegerAttr(ATOMIC_RMW_KINDS.index(name), 64))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        printer.print_string(_name_of_kind(op))


def _name_of_kind(op: IRDLOperation) -> str:
    kind = op.properties.get("kind")
    number = kind.value.data if isinstance(kind, IntegerAttr) else -1
    if not 0 <= number < len(ATOMIC_RMW_KINDS):
        raise VerifyException(
            "attribute 'kind' failed to satisfy constraint: allowed 64-bit signless "
            f"integer cases: 0 to {len(ATOMIC_RMW_KINDS) - 1}, but got {number}"
        )
    return ATOMIC_RMW_KINDS[number]


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """Combine an element with `value`; the result is what it was before."""

    name = "memref.atomic_rmw"

    _T: ClassVar = VarConstraint("T", _NUMBER)

    kind = prop_def(IntegerAttr[I64])
    value = operand_def(_T)
    memref = operand_def(MemRefType.constr(_T))
    indices = var_operand_def(IndexType())
    result = result_def(_T)

    traits = traits_def(Canonicalized())
    custom_directives = (AtomicRMWKind,)
    assembly_format = (
        "custom<AtomicRMWKind>($kind) $value `,` $memref `[` $indices `]` attr-dict "
        "`:` `(` type($value) `,` type($memref) `)` `->` type($result)"
    )

    @override
    def verify_(self) -> None:
        """One index for each dimension; what is done suits the type of the elements."""
        verify_index_count(ranked(self.memref), len(self.indices), "atomic_rmw")
        kind = _name_of_kind(self)
        if kind in _OF_ANYTHING:
            return
        if kind in _OF_FLOATS:
            if not isa(self.value.type, AnyFloat):
                raise VerifyException(
                    f"with kind '{kind}' expects a floating-point type, but got "
                    f"{self.value.type}"
                )
        elif not isinstance(self.value.type, IntegerType):
            raise VerifyException(
                f"with kind '{kind}' expects an integer type, but got {self.value.type}"
            )


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """Replace an element by what the body makes of it; the result is the new value."""

    name = "memref.generic_atomic_rmw"

    _T: ClassVar = VarConstraint("T", _NUMBER)

    memref = operand_def(MemRefType.constr(_T))
    indices = var_operand_def(IndexType())
    result = result_def(_T)
    atomic_body = region_def("single_block")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect(), Canonicalized())
    assembly_format = (
        "$memref `[` $indices `]` `:` type($memref) $atomic_body attr-dict"
    )

    @override
    def verify_(self) -> None:
        """The body turns the element into another one, and does nothing else."""
        verify_index_count(ranked(self.memref), len(self.indices), self.name[7:])
        arguments = self.atomic_body.block.args
        if len(arguments) != 1:
            raise VerifyException("expected single number of entry block arguments")
        if arguments[0].type != self.result.type:
            raise VerifyException(
                "expected block argument of the same type result type, but got "
                f"{arguments[0].type} instead of {self.result.type}"
            )
        if not isinstance(self.atomic_body.block.last_op, AtomicYieldOp):
            raise VerifyException(
                f"expects the body to end in '{AtomicYieldOp.name}', which says what "
                "the element is to become"
            )
        for op in self.atomic_body.walk():
            # Of ops that do not tell their effects we know nothing.
            if get_effects(op):
                raise VerifyException(
                    "body should contain only operations with no side effects, but "
                    f"contains '{op.name}'"
                )


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """What an element becomes."""

    name = "memref.atomic_yield"

    result = operand_def(AnyAttr())

    traits = traits_def(IsTerminator(), Pure(), HasParent(GenericAtomicRMWOp))
    assembly_format = "$result attr-dict `:` type($result)"

    @override
    def verify_(self) -> None:
        """The new value has the type of the elements."""
        parent = self.parent_op()
        if not isinstance(parent, GenericAtomicRMWOp):
            return
        if self.result.type != parent.result.type:
            raise VerifyException(
                f"types mismatch between yield op: {self.result.type} and its parent: "
                f"{parent.result.type}"
            )
