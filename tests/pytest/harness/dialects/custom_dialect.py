"""A dialect of somebody else's, whose ops deallocation knows by their interfaces.

    %r = custom.region_if %a, %b : memref<4xf32>, i1 -> (memref<4xf32>) then(%x : ..) {
      custom.region_if_yield %x : memref<4xf32>
    } else(%x : ..) {
      custom.region_if_yield %x : memref<4xf32>
    } join(%x : ..) {
      custom.region_if_yield %x : memref<4xf32>
    }

One of the first two regions runs, then the third, whose values are the results. Run as
a program, this file is `xdsl-opt` with the dialect, and with that of tuples.
"""

from collections.abc import Iterable

from typing_extensions import override
from xdsl.ir import Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.xdsl_opt_main import xDSLOptMain

from harness.dialects.tuple_dialect import ConvertTupleSignaturesPass, Tuples
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    RegionSuccessor,
)


class RegionIfRegionBranch(RegionBranchOpInterface):
    """`then` or `else`, then `join`, then on."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        then, otherwise, join = op.regions
        if region is None:
            return tuple(
                RegionSuccessor(each, tuple(each.blocks[0].args))
                for each in (then, otherwise)
            )
        if region is join:
            return (RegionSuccessor(None, tuple(op.results)),)
        return (RegionSuccessor(join, tuple(join.blocks[0].args)),)

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return tuple(OpOperand(op, index) for index in range(len(op.operands)))


@irdl_op_definition
class RegionIfYieldOp(IRDLOperation):
    """Ends a region of `custom.region_if`."""

    name = "custom.region_if_yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"


@irdl_op_definition
class RegionIfOp(IRDLOperation):
    """Runs one of two regions, nobody knows which, and a third one."""

    name = "custom.region_if"

    inputs = var_operand_def()
    outputs = var_result_def()
    then_region = region_def()
    else_region = region_def()
    join_region = region_def()

    traits = traits_def(RegionIfRegionBranch())

    @classmethod
    @override
    def parse(cls, parser: Parser) -> "RegionIfOp":
        unresolved = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
        inputs = parser.resolve_operands(unresolved, types, parser.pos)
        parser.parse_punctuation("->")
        results = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_type
        )
        regions: list[Region] = []
        for keyword in ("then", "else", "join"):
            parser.parse_keyword(keyword)
            arguments = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_argument
            )
            regions.append(parser.parse_region(arguments))
        return cls.create(operands=inputs, result_types=results, regions=regions)

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.inputs, printer.print_ssa_value)
        printer.print_string(" : ")
        _print_types(printer, self.inputs)
        printer.print_string(" -> (")
        _print_types(printer, self.outputs)
        printer.print_string(")")
        for keyword, region in zip(("then", "else", "join"), self.regions, strict=True):
            printer.print_string(f" {keyword}(")
            printer.print_list(region.blocks[0].args, printer.print_block_argument)
            printer.print_string(") ")
            printer.print_region(region, print_entry_block_args=False)


def _print_types(printer: Printer, values: Iterable[SSAValue]) -> None:
    types = [value.type for value in values]
    printer.print_list(types, printer.print_attribute)


Custom = Dialect("custom", [RegionIfOp, RegionIfYieldOp])


class CustomOptMain(xDSLOptMain):
    """`xdsl-opt`, which knows two more dialects."""

    @override
    def register_all_dialects(self) -> None:
        super().register_all_dialects()
        self.ctx.register_dialect(Custom.name, lambda: Custom)
        self.ctx.register_dialect(Tuples.name, lambda: Tuples)

    @override
    def register_all_passes(self) -> None:
        super().register_all_passes()
        name = ConvertTupleSignaturesPass.name
        self.register_pass(name, lambda: ConvertTupleSignaturesPass)


if __name__ == "__main__":
    CustomOptMain().run()
