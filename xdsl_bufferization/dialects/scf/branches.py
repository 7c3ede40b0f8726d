"""Ops that run a region once: `scf.if`, `scf.index_switch`, `scf.execute_region`.

xDSL 0.74 keeps attributes of `scf.execute_region` neither when it reads nor when it
prints one, knows no `no_inline`, and does not verify what the regions yield.

    %0 = scf.if %c -> (f32) { scf.yield %a : f32 } else { scf.yield %b : f32 } {hint}
    %1 = scf.index_switch %i {hint} -> f32 case 1 { ... } default { ... }
    %2 = scf.execute_region -> f32 no_inline { ... } {hint}

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfif-scfifop
"""

from typing import Self

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, UnitAttr, i1, i64
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect, ReturnLike
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.making import make
from .regions import (
    parse_arrow_types,
    parse_body,
    print_arrow_types,
    print_body,
    verify_edge,
    verify_no_arguments,
)


class YieldOp(scf.YieldOp):
    """What `scf.yield` should do differently."""

    traits = traits_def(ReturnLike())


def _verify_yields(op: Operation, region: Region) -> None:
    """Every `scf.yield` of `region` yields the results of `op`."""
    for block in region.blocks:
        last = block.last_op
        if isinstance(last, scf.YieldOp):
            verify_edge("Operation scf.yield", last.operands, "parent", op.results)


class IfOpCanonicalization(Canonicalized, scf.IfOpHasCanonicalizationPatternsTrait):
    """Takes the place of xDSL's patterns; the table has these, and more."""


@irdl_op_definition
class IfOp(IRDLOperation):
    """Runs `true_region` if `cond` holds, else `false_region`, if there is one."""

    name = "scf.if"

    output = var_result_def()
    cond = operand_def(i1)
    true_region = region_def("single_block")
    false_region = region_def()

    traits = traits_def(IfOpCanonicalization())

    @override
    def print(self, printer: Printer) -> None:
        show = bool(self.output)
        printer.print_string(" ")
        printer.print_operand(self.cond)
        print_arrow_types(printer, self.output.types)
        print_body(printer, self.true_region, show_terminator=show)
        if self.false_region.blocks:
            printer.print_string(" else")
            print_body(printer, self.false_region, show_terminator=show)
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parser.parse_operand(i1)
        types = parse_arrow_types(parser)
        true_region = parse_body(parser, scf.YieldOp)
        false_region = Region()
        if parser.parse_optional_keyword("else") is not None:
            false_region = parse_body(parser, scf.YieldOp)
        attributes = parser.parse_optional_attr_dict()
        return make(
            cls,
            operands=[condition],
            result_types=[types],
            attributes=attributes,
            regions=[true_region, false_region],
        )

    @override
    def verify_(self) -> None:
        """Both regions yield the results, and without results the else may lack."""
        if self.output and not self.false_region.blocks:
            raise VerifyException("must have an else block if defining values")
        for index, region in enumerate((self.true_region, self.false_region)):
            verify_no_arguments(region, index)
            _verify_yields(self, region)


@irdl_op_definition
class IndexSwitchOp(IRDLOperation):
    """Runs the region whose number among `cases` is `arg`, or the default region."""

    name = "scf.index_switch"

    arg = operand_def(IndexType)
    cases = prop_def(DenseArrayBase.constr(i64))
    output = var_result_def()
    default_region = region_def("single_block")
    case_regions = var_region_def("single_block")

    traits = traits_def(Canonicalized())

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.arg)
        printer.print_op_attributes(self.attributes)
        if self.output:
            printer.print_string(" -> ")
            printer.print_list(self.output.types, printer.print_attribute)
        cases = zip(self.cases.iter_values(), self.case_regions, strict=True)
        for value, region in cases:
            printer.print_string(f"\ncase {value} ")
            printer.print_region(region, print_empty_block=False)
        printer.print_string("\ndefault")
        print_body(printer, self.default_region, show_terminator=False)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        argument = parser.parse_operand(IndexType())
        attributes = parser.parse_optional_attr_dict()
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            types = [
                *parser.parse_comma_separated_list(
                    parser.Delimiter.NONE, parser.parse_type
                )
            ]
        values: list[int] = []
        regions: list[Region] = []
        while parser.parse_optional_keyword("case") is not None:
            values.append(parser.parse_integer(allow_boolean=False))
            regions.append(parser.parse_region())
        parser.parse_keyword("default")
        default_region = parse_body(parser, scf.YieldOp)
        return make(
            cls,
            operands=[argument],
            result_types=[types],
            properties={"cases": DenseArrayBase.from_list(i64, values)},
            attributes=attributes,
            regions=[default_region, regions],
        )

    @override
    def verify_(self) -> None:
        """There is a region for each case, cases differ, and regions yield results."""
        values = self.cases.get_values()
        if len(values) != len(self.case_regions):
            raise VerifyException(
                f"has {len(self.case_regions)} case regions but {len(values)} case "
                "values"
            )
        seen: set[int] = set()
        for value in values:
            if value in seen:
                raise VerifyException(f"has duplicate case value: {value}")
            seen.add(value)
        self.verify_yielded(self.default_region, "default region")
        for index, region in enumerate(self.case_regions):
            self.verify_yielded(region, f"case region #{index}")

    def verify_yielded(self, region: Region, name: str) -> None:
        """Region `name` takes nothing and yields the results of the op."""
        block = region.block
        if block.args:
            raise VerifyException(f"{name} should have no arguments")
        last = block.last_op
        if not isinstance(last, scf.YieldOp):
            raise VerifyException(f"expected {name} to end with scf.yield")
        if len(last.operands) != len(self.output):
            raise VerifyException(
                f"expected each region to return {len(self.output)} values, but {name} "
                f"returns {len(last.operands)}"
            )
        pairs = zip(last.operands, self.output, strict=True)
        for index, (value, result) in enumerate(pairs):
            if value.type != result.type:
                raise VerifyException(
                    f"expected result #{index} of each region to be '{result.type}', "
                    f"but {name} returns '{value.type}'"
                )


class ExecuteRegionOpCanonicalization(
    Canonicalized, scf.ExecuteRegionOpHasCanonicalizationPatternsTrait
):
    """Takes the place of xDSL's pattern, which knows no `no_inline`."""


@irdl_op_definition
class ExecuteRegionOp(IRDLOperation):
    """Runs its region once, which may have several blocks."""

    name = "scf.execute_region"

    outs = var_result_def()
    region = region_def()
    no_inline = opt_prop_def(UnitAttr)

    traits = traits_def(ExecuteRegionOpCanonicalization(), RecursiveMemoryEffect())

    @override
    def print(self, printer: Printer) -> None:
        print_arrow_types(printer, self.outs.types, always_in_parentheses=False)
        if self.no_inline is not None:
            printer.print_string(" no_inline")
        print_body(printer, self.region, show_terminator=True)
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        types = parse_arrow_types(parser)
        no_inline = parser.parse_optional_keyword("no_inline") is not None
        region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        return make(
            cls,
            result_types=[types],
            properties={"no_inline": UnitAttr()} if no_inline else {},
            attributes=attributes,
            regions=[region],
        )

    @override
    def verify_(self) -> None:
        """The region is entered without values, and left with the results."""
        entry = self.region.blocks.first
        if entry is None:
            raise VerifyException("region needs to have at least one block")
        if entry.args:
            raise VerifyException("region cannot have any arguments")
        _verify_yields(self, self.region)
