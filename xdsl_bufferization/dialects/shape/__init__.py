"""MLIR's shape dialect, which xDSL does not have: its constraints, not its arithmetic.

A witness stands for a condition on shapes that holds. What mlir-opt's passes
`convert-shape-constraints` and `convert-shape-to-std` leave of the dialect is here, and
`shape.cstr_require`.

    %w = shape.cstr_require %same, "shapes differ"
    %1 = shape.assuming %w -> (tensor<4xf32>) { ... shape.assuming_yield %0 : ... }

Source of all definitions: https://mlir.llvm.org/docs/Dialects/ShapeDialect/
"""

from __future__ import annotations

from typing import Self

from typing_extensions import override
from xdsl.dialects.builtin import BoolAttr, StringAttr, i1
from xdsl.ir import ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    ConstantLike,
    HasParent,
    IsTerminator,
    Pure,
    RecursiveMemoryEffect,
    ReturnLike,
)
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.making import make
from ..scf.regions import (
    parse_arrow_types,
    parse_body,
    print_arrow_types,
    print_body,
    verify_edge,
    verify_no_arguments,
)


@irdl_attr_definition
class WitnessType(ParametrizedAttribute, TypeAttribute):
    """A condition that has been checked, or will be."""

    name = "shape.witness"


class WitnessOp(IRDLOperation):
    """An op that makes a witness."""

    result = result_def(WitnessType())


@irdl_op_definition
class ConstWitnessOp(WitnessOp):
    """A condition that is known to hold, or known not to."""

    name = "shape.const_witness"

    passing = prop_def(BoolAttr)

    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "$passing attr-dict"

    def __init__(self, *, passing: bool):
        super().__init__(
            result_types=[WitnessType()],
            properties={"passing": BoolAttr.from_bool(passing)},
        )


@irdl_op_definition
class CstrRequireOp(WitnessOp):
    """The condition `pred`; where it fails, the program ends with a message."""

    name = "shape.cstr_require"

    pred = operand_def(i1)
    msg = prop_def(StringAttr)

    traits = traits_def(Pure(), Canonicalized())
    assembly_format = "$pred `,` $msg attr-dict"


@irdl_op_definition
class AssumingAllOp(WitnessOp):
    """All of some conditions, at least one."""

    name = "shape.assuming_all"

    inputs = var_operand_def(WitnessType())

    traits = traits_def(Pure(), Canonicalized())
    assembly_format = "$inputs attr-dict"

    def __init__(self, *inputs: SSAValue):
        super().__init__(operands=[inputs], result_types=[WitnessType()])

    @override
    def verify_(self) -> None:
        """There is a condition."""
        if not self.inputs:
            raise VerifyException("no operands specified")


@irdl_op_definition
class AssumingYieldOp(IRDLOperation):
    """Ends the region of `shape.assuming` and gives it its results."""

    name = "shape.assuming_yield"

    arguments = var_operand_def(AnyAttr())

    traits = lazy_traits_def(
        lambda: (Pure(), IsTerminator(), ReturnLike(), HasParent(AssumingOp))
    )
    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *arguments: SSAValue):
        super().__init__(operands=[arguments])


@irdl_op_definition
class AssumingOp(IRDLOperation):
    """Runs its region once, which may rely on the condition."""

    name = "shape.assuming"

    witness = operand_def(WitnessType())
    do_region = region_def("single_block")
    outs = var_result_def()

    traits = traits_def(RecursiveMemoryEffect(), Canonicalized())

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.witness)
        print_arrow_types(printer, self.outs.types)
        print_body(printer, self.do_region, show_terminator=bool(self.outs))
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        witness = parser.parse_operand(WitnessType())
        types = parse_arrow_types(parser)
        region = parse_body(parser, AssumingYieldOp)
        attributes = parser.parse_optional_attr_dict()
        return make(
            cls,
            operands=[witness],
            result_types=[types],
            attributes=attributes,
            regions=[region],
        )

    @override
    def verify_(self) -> None:
        """The region takes nothing and yields the results."""
        verify_no_arguments(self.do_region, 0)
        last = self.do_region.block.last_op
        if not isinstance(last, AssumingYieldOp):
            raise VerifyException("expected the region to end with assuming_yield")
        source = f"Operation {last.name}"
        verify_edge(source, last.operands, "parent", self.results)
