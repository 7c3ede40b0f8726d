"""Loops whose iterations may run at once: `scf.parallel`, and its `scf.reduce`.

xDSL 0.74 has no assembly format for `scf.parallel`, and stops at a wrong one with an
assertion.

    %0 = scf.parallel (%i) = (%lb) to (%ub) step (%s) init (%x) -> f32 {
      scf.reduce(%y : f32) { ^bb0(%a: f32, %b: f32): ... scf.reduce.return %c : f32 }
    }

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfparallel-scfparallelop
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Region, SSAValue
from xdsl.irdl import traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import ReturnLike
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.field_checks import verify_as
from ..common.making import make
from .regions import (
    COUNTS_DIFFER,
    parse_arrow_types,
    parse_body,
    print_arrow_types,
    print_body,
)


class ParallelOp(scf.ParallelOp):
    """What `scf.parallel` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def print(self, printer: Printer) -> None:
        _print_values(printer, "", self.body.block.args)
        _print_values(printer, " =", self.lowerBound)
        _print_values(printer, " to", self.upperBound)
        _print_values(printer, " step", self.step)
        if self.initVals:
            _print_values(printer, " init", self.initVals)
        print_arrow_types(printer, self.res.types, always_in_parentheses=False)
        print_body(printer, self.body, show_terminator=True)
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        arguments = [
            argument.resolve(IndexType())
            for argument in parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
            )
        ]
        bounds: list[Sequence[SSAValue]] = []
        for word in ("=", "to", "step"):
            parser.parse_characters(word)
            bounds.append(_parse_indices(parser, len(arguments)))
        inits = _parse_unresolved(parser, "init")
        position = parser.pos
        types = parse_arrow_types(parser)
        if len(inits) != len(types):
            parser.raise_error(
                COUNTS_DIFFER.format(len(inits), len(types)),
                position,
            )
        init_values = [
            parser.resolve_operand(init, type_)
            for init, type_ in zip(inits, types, strict=True)
        ]
        body = parse_body(parser, scf.ReduceOp, arguments)
        attributes = parser.parse_optional_attr_dict()
        return make(
            cls,
            operands=[*bounds, init_values],
            result_types=[types],
            attributes=attributes,
            regions=[body],
        )

    @override
    def verify_(self) -> None:
        """Bounds, steps and arguments are as many, and so are inits and results."""
        verify_as(self, self.get_irdl_definition())
        self.verify_dimensions()
        reduce = self.body.block.last_op
        if not isinstance(reduce, scf.ReduceOp):
            raise VerifyException("expects body to terminate with 'scf.reduce'")
        count = len(self.res)
        if count != len(reduce.reductions):
            raise VerifyException(
                f"expects number of results: {count} to be the same as number of "
                f"reductions: {len(reduce.reductions)}"
            )
        if count != len(self.initVals):
            raise VerifyException(
                f"expects number of results: {count} to be the same as number of "
                f"initial values: {len(self.initVals)}"
            )
        for init, result in zip(self.initVals, self.res, strict=True):
            if init.type != result.type:
                raise VerifyException(
                    f"expects initial value of type '{init.type}' to have the type of "
                    f"its result, '{result.type}'"
                )

    def verify_dimensions(self) -> None:
        """Each dimension has bounds, a positive step and an argument."""
        count = len(self.step)
        if not count:
            raise VerifyException(
                "needs at least one tuple element for lowerBound, upperBound and step"
            )
        if not count == len(self.lowerBound) == len(self.upperBound):
            raise VerifyException(
                "expects as many lower and upper bounds as steps: "
                f"{len(self.lowerBound)}, {len(self.upperBound)} and {count}"
            )
        for step in self.step:
            constant = const_evaluate_operand(step)
            if constant is not None and constant <= 0:
                raise VerifyException("constant step operand must be positive")
        arguments = self.body.block.args
        if len(arguments) != count:
            raise VerifyException(
                f"expects the same number of induction variables: {len(arguments)} as "
                f"bound and step values: {count}"
            )
        if not all(isinstance(argument.type, IndexType) for argument in arguments):
            raise VerifyException(
                "expects arguments for the induction variable to be of index type"
            )


def _print_values(printer: Printer, word: str, values: Sequence[SSAValue]) -> None:
    printer.print_string(f"{word} ")
    with printer.in_parens():
        printer.print_list(values, printer.print_ssa_value)


def _parse_indices(parser: Parser, count: int) -> Sequence[SSAValue]:
    """Parse `(%a, ...)`, `count` operands of type index."""
    position = parser.pos
    values = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType())
    )
    if len(values) != count:
        parser.raise_error(f"expected {count} operands", position)
    return values


def _parse_unresolved(parser: Parser, word: str) -> Sequence[UnresolvedOperand]:
    """Parse `word (%a, ...)`, or nothing."""
    if parser.parse_optional_keyword(word) is None:
        return []
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )


def _parse_typed_operands(parser: Parser) -> Sequence[SSAValue]:
    """Parse `%a, ... : type, ...`."""
    position = parser.pos
    operands = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return parser.resolve_operands(operands, types, position)


class ReduceOp(scf.ReduceOp):
    """What `scf.reduce` should do differently."""

    @override
    def print(self, printer: Printer) -> None:
        if self.args:
            with printer.in_parens():
                printer.print_list(self.args, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list(self.args.types, printer.print_attribute)
        if self.reductions:
            printer.print_string(" ")
            printer.print_list(self.reductions, printer.print_region)
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands: Sequence[SSAValue] = []
        if parser.parse_optional_punctuation("(") is not None:
            operands = _parse_typed_operands(parser)
            parser.parse_punctuation(")")
        regions: list[Region] = []
        # Without operands a brace starts the attributes, not a region.
        if operands:
            regions = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, parser.parse_region
            )
        attributes = parser.parse_optional_attr_dict()
        return make(cls, operands=[operands], attributes=attributes, regions=[regions])

    @override
    def verify_(self) -> None:
        """Each operand has a region that combines two values of its type.

        It is also what can be wrong if the loop has results of other types.
        """
        verify_as(self, self.get_irdl_definition())
        if len(self.args) != len(self.reductions):
            raise VerifyException(
                f"expects as many operands as regions: {len(self.args)} and "
                f"{len(self.reductions)}"
            )
        pairs = zip(self.args, self.reductions, strict=True)
        for index, (value, region) in enumerate(pairs):
            types = [argument.type for argument in region.block.args]
            if types != [value.type, value.type]:
                raise VerifyException(
                    f"expected two block arguments with type '{value.type}' in the "
                    f"{index}-th reduction region"
                )
        loop = self.parent_op()
        results = () if loop is None else tuple(loop.results)
        for index, (value, result) in enumerate(zip(self.args, results, strict=False)):
            if value.type != result.type:
                raise VerifyException(
                    f"expects type of {index}-th reduction operand: '{value.type}' to "
                    f"be the same as the {index}-th result type: '{result.type}'"
                )


class ReduceReturnOp(scf.ReduceReturnOp):
    """What `scf.reduce.return` should do differently."""

    traits = traits_def(ReturnLike())

    @override
    def verify_(self) -> None:
        """The combined value has the type of what it combines."""
        verify_as(self, self.get_irdl_definition())
        block = self.parent_block()
        if block is not None and block.args and block.args[0].type != self.result.type:
            raise VerifyException(
                f"must have type '{block.args[0].type}' (the type of the reduction "
                "inputs)"
            )
