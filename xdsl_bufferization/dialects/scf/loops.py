"""Loops: `scf.for`, and `scf.while` with its `scf.condition`.

xDSL 0.74 cannot parse `scf.for unsigned`, prints a loop's type where it cannot parse
it, and refuses a wrong `scf.while` with a bare exception, if at all.

    %r = scf.for unsigned %i = %lb to %ub step %s iter_args(%x = %f) -> (f32) : i32 {
    %w = scf.while (%x = %f) : (f32) -> f32 { ... } do { ... } attributes {...}

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/#scffor-scfforop
"""

from collections.abc import Sequence
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    IndexType,
    SignlessIntegerConstraint,
    UnitAttr,
)
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.making import make
from .regions import (
    parse_body,
    parse_carried,
    print_arrow_types,
    print_body,
    resolve_assignments,
    verify_edge,
)

_FOR_IN_FORMAT = ("unsignedCmp",)
"""What the format of `scf.for` shows outside its attribute dictionary."""


_MISMATCH = "mismatch in number of loop-carried values and defined values: {} and {}"


class ForOpCanonicalization(Canonicalized, scf.ForOpHasCanonicalizationPatternsTrait):
    """Takes the place of xDSL's patterns, which know no unsigned comparison."""


@irdl_op_definition
class ForOp(IRDLOperation):
    """A loop from `lb` to below `ub`, which carries values between iterations."""

    name = "scf.for"

    T: ClassVar = VarConstraint("T", base(IndexType) | SignlessIntegerConstraint)

    lb = operand_def(T)
    ub = operand_def(T)
    step = operand_def(T)
    iter_args = var_operand_def()
    res = var_result_def()
    body = region_def("single_block")
    unsigned_cmp = opt_prop_def(UnitAttr, prop_name="unsignedCmp")

    traits = traits_def(ForOpCanonicalization())

    @override
    def print(self, printer: Printer) -> None:
        induction, *arguments = self.body.block.args
        if self.unsigned_cmp is not None:
            printer.print_string(" unsigned")
        for word, value in (
            ("", induction),
            ("= ", self.lb),
            ("to ", self.ub),
            ("step ", self.step),
        ):
            printer.print_string(f" {word}")
            printer.print_ssa_value(value)
        if arguments:
            printer.print_string(" iter_args(")
            printer.print_list(
                zip(arguments, self.iter_args, strict=True),
                lambda pair: print_assignment(printer, *pair),
            )
            printer.print_string(")")
            print_arrow_types(printer, self.iter_args.types)
        if not isinstance(induction.type, IndexType):
            printer.print_string(" : ")
            printer.print_attribute(induction.type)
        print_body(printer, self.body, show_terminator=bool(arguments))
        printer.print_op_attributes(
            {**self.attributes, **self.properties}, reserved_attr_names=_FOR_IN_FORMAT
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        unsigned = parser.parse_optional_keyword("unsigned") is not None
        induction = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        lower = parser.parse_unresolved_operand()
        parser.parse_keyword("to")
        upper = parser.parse_unresolved_operand()
        parser.parse_keyword("step")
        step = parser.parse_unresolved_operand()
        arguments, operands = parse_carried(parser, "iter_args", _MISMATCH)
        type_: Attribute = IndexType()
        if parser.parse_optional_punctuation(":") is not None:
            type_ = parser.parse_type()
        bounds = [parser.resolve_operand(each, type_) for each in (lower, upper, step)]
        body = parse_body(parser, scf.YieldOp, [induction.resolve(type_), *arguments])
        attributes = parser.parse_optional_attr_dict()
        return make(
            cls,
            operands=[*bounds, operands],
            result_types=[[operand.type for operand in operands]],
            properties={"unsignedCmp": UnitAttr()} if unsigned else {},
            attributes=attributes,
            regions=[body],
        )

    @override
    def verify_(self) -> None:
        """Inits, arguments, yielded values and results agree, in number and type."""
        inits, results = self.iter_args, self.res
        if len(inits) != len(results):
            raise VerifyException(
                "mismatch in number of loop-carried values and defined values: "
                f"{len(inits)} and {len(results)}"
            )
        arguments = self.body.block.args
        if not arguments or arguments[0].type != self.lb.type:
            raise VerifyException(
                "expected induction variable to be same type as bounds and step: "
                f"'{self.lb.type}'"
            )
        carried = arguments[1:]
        if len(inits) != len(carried):
            raise VerifyException(
                "different number of inits and region iter_args: "
                f"{len(inits)} != {len(carried)}"
            )
        _verify_types("init", inits, "region iter_arg", carried)
        _verify_types("region iter_arg", carried, "loop result", results)
        yielded = self.body.block.last_op
        if yielded is not None:
            verify_edge("Operation scf.yield", yielded.operands, "Region #0", carried)


def _verify_types(
    kind: str, values: Sequence[SSAValue], other_kind: str, others: Sequence[SSAValue]
) -> None:
    for index, (value, other) in enumerate(zip(values, others, strict=True)):
        if value.type != other.type:
            raise VerifyException(
                f"{index}-th {kind} and {index}-th {other_kind} have different type: "
                f"'{value.type}' != '{other.type}'"
            )


@irdl_op_definition
class WhileOp(IRDLOperation):
    """A loop that goes on while `scf.condition` says so.

    The `before` region computes the condition and the values that `after`, or whoever
    follows the loop, gets; `after` yields the arguments of the next `before`.
    """

    name = "scf.while"

    arguments = var_operand_def()
    res = var_result_def()
    before_region = region_def("single_block")
    after_region = region_def("single_block")

    traits = traits_def(Canonicalized())

    @override
    def print(self, printer: Printer) -> None:
        if self.arguments:
            printer.print_string(" (")
            printer.print_list(
                zip(self.before_region.block.args, self.arguments, strict=True),
                lambda pair: print_assignment(printer, *pair),
            )
            printer.print_string(")")
        printer.print_string(" : ")
        printer.print_operation_type(self)
        printer.print_string(" ")
        printer.print_region(
            self.before_region, print_entry_block_args=False, print_empty_block=False
        )
        printer.print_string(" do ")
        printer.print_region(self.after_region)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        pairs = parser.parse_optional_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_assignment(parser)
        )
        pairs = [] if pairs is None else pairs
        parser.parse_punctuation(":")
        type_ = parser.parse_function_type()
        if len(pairs) != len(type_.inputs):
            parser.raise_error(
                "expected as many input types as operands (expected "
                f"{len(pairs)} got {len(type_.inputs)})",
                position,
            )
        arguments, operands = resolve_assignments(parser, pairs, type_.inputs.data)
        before = parser.parse_region(arguments)
        parser.parse_keyword("do")
        after = parser.parse_region()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return make(
            cls,
            operands=[operands],
            result_types=[type_.outputs.data],
            attributes={} if attributes is None else attributes.data,
            regions=[before, after],
        )

    @override
    def verify_(self) -> None:
        """What is passed on is what the next region, or who uses the results, takes."""
        condition = self.before_region.block.last_op
        if not isinstance(condition, scf.ConditionOp):
            raise VerifyException(
                "expects the 'before' region to terminate with 'scf.condition'"
            )
        next_round = self.after_region.block.last_op
        if not isinstance(next_round, scf.YieldOp):
            raise VerifyException(
                "expects the 'after' region to terminate with 'scf.yield'"
            )
        before, after = self.before_region.block.args, self.after_region.block.args
        verify_edge("parent", self.arguments, "Region #0", before)
        passed = condition.args
        verify_edge("Operation scf.condition", passed, "Region #1", after)
        verify_edge("Operation scf.condition", passed, "parent", self.res)
        verify_edge("Operation scf.yield", next_round.operands, "Region #0", before)
