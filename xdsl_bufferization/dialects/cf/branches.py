"""Ops of MLIR's cf dialect that xDSL defines too narrowly.

xDSL 0.74 has no branch weights. It reads no case value of `cf.switch` as MLIR prints
them, without sign. It does not compare what a branch passes with what its target takes.

    cf.cond_br %c weights([1, 2]), ^bb1(%a : i32), ^bb2
    cf.switch %i : i32, [default: ^bb1, 4294967295: ^bb2(%a : i32)]

Source of all definitions: https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

from typing_extensions import override
from xdsl.dialects import cf
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntElementsAttr,
    IntegerType,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    successor_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from ..common.field_checks import verify_as
from ..common.making import make


class _Target(NamedTuple):
    """Where a branch may lead, and what it passes."""

    block: Block
    operands: Sequence[SSAValue]


def _parse_target(parser: Parser) -> _Target:
    """Parse `^bb1(%a, ... : type, ...)`, or `^bb1`."""
    block = parser.parse_successor()
    position = parser.pos
    if parser.parse_optional_punctuation("(") is None:
        return _Target(block, ())
    operands = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return _Target(block, parser.resolve_operands(operands, types, position))


def _print_target(printer: Printer, target: _Target) -> None:
    printer.print_block_name(target.block)
    if target.operands:
        with printer.in_parens():
            printer.print_list(target.operands, printer.print_ssa_value)
            printer.print_string(" : ")
            types = [operand.type for operand in target.operands]
            printer.print_list(types, printer.print_attribute)


def _verify_target(index: int, target: _Target) -> None:
    """What is passed to successor number `index` is what that block takes."""
    arguments = target.block.args
    if len(target.operands) != len(arguments):
        raise VerifyException(
            f"branch has {len(target.operands)} operands for successor #{index}, but "
            f"target block has {len(arguments)}"
        )
    pairs = zip(target.operands, arguments, strict=True)
    for number, (operand, argument) in enumerate(pairs):
        if operand.type != argument.type:
            raise VerifyException(
                f"type mismatch for bb argument #{number} of successor #{index}: "
                f"'{operand.type}' is passed as '{argument.type}'"
            )


class AssertOp(cf.AssertOp):
    """What `cf.assert` should do differently."""

    # It may end the program: to other ops that looks like a write.
    traits = traits_def(MemoryWriteEffect())


class BranchOp(cf.BranchOp):
    """What `cf.br` should do differently."""

    traits = traits_def(Pure())

    @override
    def verify_(self) -> None:
        """The operands are what the successor takes."""
        verify_as(self, self.get_irdl_definition())
        _verify_target(0, _Target(self.successor, self.arguments))


@irdl_op_definition
class ConditionalBranchOp(IRDLOperation):
    """Goes on at one of two blocks; weights say how often at which."""

    name = "cf.cond_br"

    cond = operand_def(i1)
    then_arguments = var_operand_def()
    else_arguments = var_operand_def()
    branch_weights = opt_prop_def(DenseArrayBase.constr(i32))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    then_block = successor_def()
    else_block = successor_def()

    traits = traits_def(Pure(), Canonicalized())

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        if self.branch_weights is not None:
            printer.print_string(" weights([")
            printer.print_list(self.branch_weights.get_values(), printer.print_int)
            printer.print_string("])")
        for block, operands in (
            (self.then_block, self.then_arguments),
            (self.else_block, self.else_arguments),
        ):
            printer.print_string(", ")
            _print_target(printer, _Target(block, operands))
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parser.parse_operand(i1)
        weights = _parse_weights(parser)
        parser.parse_punctuation(",")
        then = _parse_target(parser)
        parser.parse_punctuation(",")
        otherwise = _parse_target(parser)
        attributes = parser.parse_optional_attr_dict()
        return make(
            cls,
            operands=[condition, then.operands, otherwise.operands],
            successors=[then.block, otherwise.block],
            properties={"branch_weights": weights},
            attributes=attributes,
        )

    @override
    def verify_(self) -> None:
        """The operands are what the successors take, and each has a weight."""
        _verify_target(0, _Target(self.then_block, self.then_arguments))
        _verify_target(1, _Target(self.else_block, self.else_arguments))
        if self.branch_weights is None:
            return
        weights = self.branch_weights.get_values()
        if len(weights) != len(self.successors):
            raise VerifyException(
                "expects number of branch weights to match number of successors: "
                f"{len(weights)} vs {len(self.successors)}"
            )
        if not any(weights):
            raise VerifyException("branch weights cannot all be zero")


def _parse_weights(parser: Parser) -> DenseArrayBase | None:
    """Parse `weights([1, 2])`, or nothing."""
    if parser.parse_optional_keyword("weights") is None:
        return None
    with parser.in_parens():
        weights = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
        )
    return DenseArrayBase.from_list(i32, weights)


class _Case(NamedTuple):
    """A line of a `cf.switch`."""

    value: int | None
    """None for the default."""

    target: _Target


class SwitchOp(cf.SwitchOp):
    """What `cf.switch` should do differently."""

    @override
    def print(self, printer: Printer) -> None:
        """Print in MLIR's format, where case values have no sign."""
        printer.print_string(" ")
        printer.print_ssa_value(self.flag)
        printer.print_string(" : ")
        printer.print_attribute(self.flag.type)
        printer.print_string(", [")
        cases = [_Case(None, _Target(self.default_block, self.default_operands))]
        values = () if self.case_values is None else self.case_values.get_values()
        targets = zip(self.case_blocks, self.case_operand, strict=True)
        for value, target in zip(values, targets, strict=True):
            cases.append(_Case(_as_unsigned(value, self.flag.type), _Target(*target)))
        with printer.indented():
            printer.print_string("\n")
            printer.print_list(cases, lambda case: _print_case(printer, case), ",\n")
        printer.print_string("\n]")
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        flag = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        position = parser.pos
        type_ = parser.parse_type()
        if not isa(type_, IntegerType):
            parser.raise_error("expected an integer type", position)
        parser.parse_punctuation(",")
        parser.parse_punctuation("[")
        parser.parse_keyword("default")
        parser.parse_punctuation(":")
        default = _parse_target(parser)
        cases: list[tuple[int, _Target]] = []
        while parser.parse_optional_punctuation(",") is not None:
            cases.append(_parse_case(parser, type_))
        parser.parse_punctuation("]")
        attributes = parser.parse_optional_attr_dict()
        values = [value for value, _ in cases]
        targets = [target for _, target in cases]
        return make(
            cls,
            operands=[
                parser.resolve_operand(flag, type_),
                default.operands,
                [operand for target in targets for operand in target.operands],
            ],
            successors=[default.block, [target.block for target in targets]],
            properties={
                "case_operand_segments": DenseArrayBase.from_list(
                    i32, [len(target.operands) for target in targets]
                ),
                "case_values": _as_elements(values, type_),
            },
            attributes=attributes,
        )

    @override
    def verify_(self) -> None:
        """There is a value for each case, and operands are what successors take."""
        verify_as(self, self.get_irdl_definition())
        if not isinstance(self.flag.type, IntegerType):
            raise VerifyException(f"'flag' must be integer, but got '{self.flag.type}'")
        self.verify_values()
        segments = self.case_operand_segments.get_values()
        if len(segments) != len(self.case_blocks):
            raise VerifyException(
                f"number of 'case_operand_segments' ({len(segments)}) should match "
                f"number of case destinations ({len(self.case_blocks)})"
            )
        if sum(segments) != len(self.case_operands):
            raise VerifyException(
                f"caseOperands count ({len(self.case_operands)}) does not match with "
                f"the total size ({sum(segments)}) specified in attribute "
                "'case_operand_segments'"
            )
        _verify_target(0, _Target(self.default_block, self.default_operands))
        targets = zip(self.case_blocks, self.case_operand, strict=True)
        for index, target in enumerate(targets, start=1):
            _verify_target(index, _Target(*target))

    def verify_values(self) -> None:
        """There is a value of the flag's type for each case."""
        if self.case_values is None:
            if self.case_blocks:
                raise VerifyException(
                    "'case_values' must be specified when there are case blocks"
                )
            return
        type_ = self.case_values.get_element_type()
        if self.flag.type != type_:
            raise VerifyException(
                f"'flag' type ('{self.flag.type}') should match case value type "
                f"('{type_}')"
            )
        count = len(self.case_values)
        if count != len(self.case_blocks):
            raise VerifyException(
                f"number of case values ({count}) should match number of case "
                f"destinations ({len(self.case_blocks)})"
            )


def _as_unsigned(value: int, type_: Attribute) -> int:
    return value % (1 << type_.width.data) if isa(type_, IntegerType) else value


def _as_elements(values: Sequence[int], type_: IntegerType) -> Attribute | None:
    if not values:
        return None
    vector = VectorType(type_, [len(values)])
    return DenseIntElementsAttr.from_list(vector, values)


def _parse_case(parser: Parser, type_: IntegerType) -> tuple[int, _Target]:
    """Parse `value: ^bb1(...)`; a value may be written without its sign."""
    position = parser.pos
    value = parser.parse_integer(allow_boolean=False)
    width = type_.width.data
    if not -(1 << (width - 1)) <= value < 1 << width:
        parser.raise_error(f"case value {value} does not fit into {type_}", position)
    if value >= 1 << (width - 1) and width > 1:
        value -= 1 << width
    parser.parse_punctuation(":")
    return value, _parse_target(parser)


def _print_case(printer: Printer, case: _Case) -> None:
    printer.print_string("default" if case.value is None else str(case.value))
    printer.print_string(": ")
    _print_target(printer, case.target)
