"""Ops of StableHLO that decide what runs: loops, branches, calls, and ends of regions.

    %0:2 = stablehlo.while(%i = %c0, %x = %arg0) : tensor<i32>, tensor<4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %c5, SIGNED : (tensor<i32>, ...) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      ...
      stablehlo.return %2, %3 : tensor<i32>, tensor<4xf32>
    }

Source: https://openxla.org/stablehlo/spec#ops
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    StringAttr,
    TensorType,
    i1,
    i32,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..common.making import make
from ..text.quick_printer import QuickPrinter
from .attributes import Algorithm, AlgorithmAttr
from .syntax import (
    PrettyOp,
    StableHLOOp,
    Types,
    finish,
    parse_operands,
    print_end,
    print_operands,
    print_types,
    tensor_type,
)

_CONDITION = TensorType(i1, [])


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The end of a region, with what it gives."""

    name = "stablehlo.return"

    values = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        operands = parse_operands(parser)
        attributes = parser.parse_optional_attr_dict()
        types: Sequence[Attribute] = ()
        if operands:
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, parser.parse_type
            )
        values = parser.resolve_operands(operands, types, start)
        return make(cls, operands=[values], attributes=attributes)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        printer.print_op_attributes(self.attributes)
        if self.values:
            printer.print_string(" : ")
            printer.print_list(self.values.types, printer.print_attribute)


@irdl_op_definition
class WhileOp(StableHLOOp):
    """Iterations as long as a condition holds, which hand on tensors."""

    name = "stablehlo.while"

    cond = region_def("single_block")
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        names: list[Parser.UnresolvedArgument] = []
        operands: list[UnresolvedOperand] = []

        def parse_pair() -> None:
            names.append(parser.parse_argument(expect_type=False))
            parser.parse_punctuation("=")
            operands.append(parser.parse_unresolved_operand())

        parser.parse_punctuation("(")
        if parser.parse_optional_punctuation(")") is None:
            parse_pair()
            while parser.parse_optional_punctuation(",") is not None:
                parse_pair()
            parser.parse_punctuation(")")
        types: Sequence[Attribute] = ()
        if operands:
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, parser.parse_type
            )
        attributes = parser.parse_optional_attr_dict_with_keyword()
        values = parser.resolve_operands(operands, types, start)
        arguments = [n.resolve(t) for n, t in zip(names, types, strict=True)]
        parser.parse_keyword("cond")
        condition = parser.parse_region(arguments)
        parser.parse_keyword("do")
        body = parser.parse_region(arguments)
        return make(
            cls,
            operands=[values],
            result_types=[types],
            attributes={} if attributes is None else attributes.data,
            regions=[condition, body],
        )

    @override
    def print(self, printer: Printer) -> None:
        arguments = self.cond.block.args
        printer.print_string("(")
        names: list[str] = []
        for number, (argument, value) in enumerate(
            zip(arguments, self.values, strict=True)
        ):
            printer.print_string(", " if number else "")
            names.append(printer.print_ssa_value(argument))
            printer.print_string(" = ")
            printer.print_ssa_value(value)
        printer.print_string(")")
        if self.values:
            printer.print_string(" : ")
            printer.print_list(self.values.types, printer.print_attribute)
        if self.attributes:
            printer.print_string(" attributes")
            printer.print_op_attributes(self.attributes)
        printer.print_string(" cond ")
        printer.print_region(self.cond, print_entry_block_args=False)
        printer.print_string(" do ")
        self._print_body(printer, names)

    def _print_body(self, printer: Printer, names: Sequence[str]) -> None:
        """Print the body, whose arguments have the names of the condition's."""
        if isinstance(printer, QuickPrinter):
            shown = (f"%{name}" for name in names)
            printer.names.update(zip(self.body.block.args, shown, strict=True))
            printer.print_region(self.body, print_entry_block_args=False)
            return
        # xDSL's printer has no public way to give a value a name.
        body = self.body.clone()
        arguments = zip(body.block.args, self.cond.block.args, strict=True)
        for argument, of_condition in arguments:
            argument.replace_all_uses_with(of_condition)
        printer.print_region(body, print_entry_block_args=False)
        body.drop_all_references()

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """What the op takes."""
        return [tensor_type(each).get_shape() for each in self.values]

    @override
    def verify_types(self) -> None:
        """Both regions take what the op takes, and the second gives it again."""
        types = list(self.values.types)
        blocks = self.cond.block, self.body.block
        if list(self.outputs.types) != types or any(
            list(block.arg_types) != types for block in blocks
        ):
            raise VerifyException("expected results and regions of the operands' types")
        for block, returned in zip(blocks, ([_CONDITION], types), strict=True):
            end = block.last_op
            if not isinstance(end, ReturnOp) or list(end.operand_types) != returned:
                raise VerifyException("expected regions that return what they hand on")


class _BranchingOp(StableHLOOp, ABC):
    """An op that runs one of its regions."""

    branches = var_region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """What the first branch gives."""
        end = self.branches[0].block.last_op
        assert end is not None
        return [tensor_type(each).get_shape() for each in end.operands]

    def verify_branches(self) -> None:
        """All regions give values of the types of the results."""
        types = list(self.outputs.types)
        for region in self.branches:
            end = region.block.last_op
            if not isinstance(end, ReturnOp) or list(end.operand_types) != types:
                raise VerifyException("expected branches that return the results")


@irdl_op_definition
class IfOp(_BranchingOp):
    """One of two branches."""

    name = "stablehlo.if"

    @override
    def verify_types(self) -> None:
        """The condition is one, and both branches give the results."""
        self.verify_counts(1, len(self.outputs))
        if self.values[0].type != _CONDITION or len(self.branches) != 2:
            raise VerifyException("expected a condition and two branches")
        self.verify_branches()


@irdl_op_definition
class CaseOp(_BranchingOp):
    """The branch of a number; the last one where there is no such branch."""

    name = "stablehlo.case"

    @override
    def verify_types(self) -> None:
        """The number is one, and all branches give the results."""
        self.verify_counts(1, len(self.outputs))
        if self.values[0].type != TensorType(i32, []) or not self.branches:
            raise VerifyException("expected a number of type tensor<i32> and branches")
        self.verify_branches()


@irdl_op_definition
class OptimizationBarrierOp(PrettyOp):
    """The operands, behind all that computes them."""

    name = "stablehlo.optimization_barrier"

    ARITY: ClassVar[int | None] = None
    TYPES: ClassVar[Types] = Types.LISTED

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        if parser.parse_optional_punctuation("(") is not None:
            parser.parse_punctuation(")")
            return cls.build(operands=[[]], result_types=[[]], attributes=attributes)
        return finish(cls, parser, parse_operands(parser), attributes, cls.TYPES)

    @override
    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        if not self.values:
            printer.print_string(" ()")
            return
        print_operands(printer, self.values)
        printer.print_string(" : ")
        print_types(printer, self, self.TYPES)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operands."""
        return [tensor_type(each).get_shape() for each in self.values]

    @override
    def verify_types(self) -> None:
        """The results have the types of the operands."""
        if list(self.values.types) != list(self.outputs.types):
            raise VerifyException("expected results of the operands' types")


@irdl_op_definition
class CustomCallOp(StableHLOOp):
    """A call of a function of somebody else, by name."""

    name = "stablehlo.custom_call"

    call_target_name = prop_def(StringAttr)
    has_side_effect = opt_prop_def()
    backend_config = opt_prop_def()
    api_version = opt_prop_def()
    called_computations = opt_prop_def()
    operand_layouts = opt_prop_def()
    result_layouts = opt_prop_def()
    output_operand_aliases = opt_prop_def()

    traits = traits_def()

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        target = parser.parse_symbol_name()
        with parser.in_parens():
            operands = parse_operands(parser)
        attributes: dict[str, Attribute] = {"call_target_name": target}
        return finish(cls, parser, operands, attributes, Types.FUNCTION)

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.call_target_name.data)
        with printer.in_parens():
            printer.print_list(self.values, printer.print_ssa_value)
        print_end(printer, self, Types.FUNCTION, "call_target_name")


@irdl_op_definition
class CompositeOp(StableHLOOp):
    """An op of somebody else, and the function that computes the same."""

    name = "stablehlo.composite"

    name_ = prop_def(StringAttr, prop_name="name")
    decomposition = prop_def(FlatSymbolRefAttrConstr)
    composite_attributes = opt_prop_def(DictionaryAttr)
    version = opt_prop_def(IntegerAttr)

    traits = traits_def()

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        attributes: dict[str, Attribute] = {
            "name": StringAttr(parser.parse_str_literal())
        }
        operands = parse_operands(parser)
        return finish(cls, parser, operands, attributes, Types.FUNCTION)

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.name_.data)
        print_operands(printer, self.values)
        print_end(printer, self, Types.FUNCTION, "name")

    @property
    def callee(self) -> str:
        """The function that computes the same."""
        return self.decomposition.root_reference.data


@irdl_op_definition
class RngBitGeneratorOp(StableHLOOp):
    """Random bits, and the state of the generator behind them."""

    name = "stablehlo.rng_bit_generator"

    rng_algorithm = prop_def(AlgorithmAttr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        operands = parse_operands(parser)
        parser.parse_punctuation(",")
        parser.parse_keyword("algorithm")
        parser.parse_punctuation("=")
        algorithm = AlgorithmAttr(parser.parse_str_enum(Algorithm))
        attributes: dict[str, Attribute] = {"rng_algorithm": algorithm}
        return finish(cls, parser, operands, attributes, Types.FUNCTION)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        printer.print_string(f", algorithm = {self.rng_algorithm.data}")
        print_end(printer, self, Types.FUNCTION, "rng_algorithm")

    @override
    def verify_types(self) -> None:
        """The first result has the type of the state."""
        self.verify_counts(1, 2)
        self.verify_result(self.shape(), self.element())
