"""The perf dialect: a program that measures how long its own parts take.

    %seconds = perf.bench (%n : i64) -> f64 {
      %d = linalg.matmul ins(%a, %b) outs(%c)
      perf.sink(%d) : tensor<4x4xf32>
    }

    %timer = perf.start_timer : !perf.timer
    %delta = perf.stop_timer(%timer : !perf.timer) : f64

    %mean = perf.mean(%deltas : memref<?xf64>) : f64
    %deviation = perf.stdev(%deltas : memref<?xf64>, %mean : f64) : f64

`perf.bench` repeats its body, and its first result is the time of all iterations in
seconds. The other results are what the iterations hand on, as by `scf.for`.

Source: the `perf` dialect of tpp-mlir, https://github.com/plaidml/tpp-mlir; `perf.mean`
and `perf.stdev` are of its earlier versions.
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects.builtin import MemRefType, f64, i64
from xdsl.dialects.utils import parse_assignment
from xdsl.ir import (
    Attribute,
    Operation,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .common.looks_only import LooksOnly
from .scf.regions import (
    add_terminator,
    parse_arrow_types,
    parse_body,
    print_arrow_types,
    print_body,
    resolve_assignments,
)


@irdl_attr_definition
class TimerType(ParametrizedAttribute, TypeAttribute):
    """A running timer."""

    name = "perf.timer"


@irdl_op_definition
class StartTimerOp(IRDLOperation):
    """Reads the clock."""

    name = "perf.start_timer"

    timer = result_def(TimerType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict `:` type($timer)"

    def __init__(self) -> None:
        super().__init__(result_types=[TimerType()])


@irdl_op_definition
class StopTimerOp(IRDLOperation):
    """The seconds since a timer was started."""

    name = "perf.stop_timer"

    timer = operand_def(TimerType)
    delta = result_def(f64)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "`(` $timer `:` type($timer) `)` attr-dict `:` type($delta)"

    def __init__(self, timer: SSAValue | Operation):
        super().__init__(operands=[timer], result_types=[f64])

    @override
    def verify_(self) -> None:
        """The timer is started by an op, and stopped by this one alone."""
        if not isinstance(self.timer.owner, StartTimerOp):
            raise VerifyException(
                "invalid timer input: expected the result of a perf.start_timer"
            )
        stops = [u for u in self.timer.uses if isinstance(u.operation, StopTimerOp)]
        if len(stops) > 1:
            raise VerifyException("timer stopped multiple times")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """What an iteration of a `perf.bench` hands on."""

    name = "perf.yield"

    arguments = var_operand_def(AnyAttr())

    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(BenchOp), Pure()))
    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *arguments: SSAValue | Operation):
        super().__init__(operands=[arguments])


@irdl_op_definition
class BenchOp(IRDLOperation):
    """Repeats its body, and says how long that took."""

    name = "perf.bench"

    iterations = operand_def(i64)
    inits = var_operand_def(AnyAttr())
    outcomes = var_result_def(AnyAttr())
    body = region_def("single_block")

    traits = lazy_traits_def(
        lambda: (SingleBlockImplicitTerminator(YieldOp), RecursiveMemoryEffect())
    )

    def __init__(
        self,
        iterations: SSAValue | Operation,
        inits: Sequence[SSAValue | Operation],
        body: Region,
    ):
        types = [SSAValue.get(init).type for init in inits]
        add_terminator(body, YieldOp)
        super().__init__(
            operands=[iterations, inits], result_types=[[f64, *types]], regions=[body]
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        with parser.in_parens():
            number = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            iterations = parser.resolve_operand(number, parser.parse_type())
        pairs: list[tuple[Parser.UnresolvedArgument, UnresolvedOperand]] = []
        position = parser.pos
        if parser.parse_optional_keyword("iter_args") is not None:
            pairs = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parse_assignment(parser)
            )
        types = parse_arrow_types(parser)
        if not types:
            parser.raise_error("expected '->' and the types of the results")
        if len(types) != len(pairs) + 1:
            parser.raise_error(
                f"expected {len(pairs) + 1} results, the time and one for each of "
                f"iter_args, but got {len(types)} types",
                position,
            )
        arguments, inits = resolve_assignments(parser, pairs, types[1:])
        body = parse_body(parser, YieldOp, arguments)
        return cls.create(
            operands=[iterations, *inits],
            result_types=types,
            attributes=parser.parse_optional_attr_dict(),
            regions=[body],
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        printer.print_ssa_value(self.iterations)
        printer.print_string(" : ")
        printer.print_attribute(self.iterations.type)
        printer.print_string(")")
        if self.inits:
            pairs = zip(self.body.block.args, self.inits, strict=True)
            printer.print_string(" iter_args(")
            printer.print_list(pairs, lambda pair: _print_pair(printer, *pair))
            printer.print_string(")")
        types = [result.type for result in self.results]
        print_arrow_types(printer, types, always_in_parentheses=False)
        print_body(printer, self.body, show_terminator=bool(self.inits))
        printer.print_op_attributes(self.attributes)

    @override
    def verify_(self) -> None:
        """The time is an f64; the rest has one type before, in and after the loop."""
        types = [init.type for init in self.inits]
        if [result.type for result in self.outcomes] != [f64, *types]:
            raise VerifyException(
                "expected the results to be an f64 and one for each of iter_args"
            )
        if [argument.type for argument in self.body.block.args] != types:
            raise VerifyException(
                "expected the arguments of the region to have the types of iter_args"
            )
        last = self.body.block.last_op
        if not isinstance(last, YieldOp):
            raise VerifyException("expected the region to end in a 'perf.yield'")
        if [value.type for value in last.arguments] != types:
            raise VerifyException(
                "failed to verify that iter_args types match types of yield"
            )


def _print_pair(printer: Printer, argument: SSAValue, init: SSAValue) -> None:
    printer.print_ssa_value(argument)
    printer.print_string(" = ")
    printer.print_ssa_value(init)


@irdl_op_definition
class SinkOp(IRDLOperation):
    """Uses a value, so that what computes the value is not removed."""

    name = "perf.sink"

    input = operand_def(AnyAttr())

    traits = traits_def(LooksOnly())
    assembly_format = "`(` $input `)` attr-dict `:` type($input)"

    def __init__(self, value: SSAValue | Operation):
        super().__init__(operands=[value])


@irdl_op_definition
class MeanOp(IRDLOperation):
    """The mean of times."""

    name = "perf.mean"

    deltas = operand_def(MemRefType)
    mean = result_def(f64)

    traits = traits_def(MemoryReadEffect())
    assembly_format = "`(` $deltas `:` type($deltas) `)` attr-dict `:` type($mean)"

    def __init__(self, deltas: SSAValue | Operation):
        super().__init__(operands=[deltas], result_types=[f64])

    @override
    def verify_(self) -> None:
        """The times are numbers of type f64, in a row."""
        _verify_times(self.deltas)


@irdl_op_definition
class StdevOp(IRDLOperation):
    """The standard deviation of times from their mean."""

    name = "perf.stdev"

    deltas = operand_def(MemRefType)
    mean = operand_def(f64)
    deviation = result_def(f64)

    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "`(` $deltas `:` type($deltas) `,` $mean `:` type($mean) `)` attr-dict "
        "`:` type($deviation)"
    )

    def __init__(self, deltas: SSAValue | Operation, mean: SSAValue | Operation):
        super().__init__(operands=[deltas, mean], result_types=[f64])

    @override
    def verify_(self) -> None:
        """The times are numbers of type f64, in a row."""
        _verify_times(self.deltas)


def _verify_times(deltas: SSAValue) -> None:
    type_: Attribute = deltas.type
    if (
        not isa(type_, MemRefType)
        or type_.element_type != f64
        or type_.get_num_dims() != 1
    ):
        raise VerifyException(f"expected the times to be a memref<?xf64>, not {type_}")
