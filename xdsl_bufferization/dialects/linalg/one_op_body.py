"""Bodies that are a single op, which `linalg.map` and `linalg.reduce` abbreviate.

    { arith.addf }       (%in: f32, %init: f32) {
                    =      %0 = arith.addf %init, %in : f32
                           linalg.yield %0 : f32
                         }

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgreduce-linalgreduceop
"""

from collections.abc import Sequence

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from .structure import element_type_of
from .syntax import split_properties

_DEFAULTS: dict[str, Attribute] = {
    "fastmath": FastMathFlagsAttr("none"),
    "overflowFlags": IntegerOverflowAttr("none"),
}
"""Properties that need not be written; MLIR prints the overflow flags all the same."""


class OneOpBody:
    """The text `name attributes }` before the operands of an op are known."""

    def __init__(self, parser: Parser):
        self._start = parser.pos
        self._name = parser.parse_identifier(
            context_msg=" for the name of an operation"
        )
        self._end = parser.pos
        self._attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation("}")

    def build(
        self,
        parser: Parser,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        *,
        takes_output: bool,
    ) -> Region:
        """The body, for elements of `inputs` and `outputs`.

        With `takes_output` the op is applied to the output's element, then the others.
        """
        op_type = parser.ctx.get_optional_op(self._name)
        if op_type is None or not issubclass(op_type, IRDLOperation):
            parser.raise_error(
                f"'{self._name}' is no known operation", self._start, self._end
            )
        types = [element_type_of(value.type) for value in (*inputs, *outputs)]
        block = Block(arg_types=types)
        properties, attributes = split_properties(op_type, self._attributes)
        for name, value in _DEFAULTS.items():
            if name in op_type.get_irdl_definition().properties:
                properties.setdefault(name, value)
        payload = op_type.create(
            operands=_payload_operands(block, takes_output=takes_output),
            result_types=[element_type_of(outputs[-1].type)] if outputs else [],
            properties=properties,
            attributes=attributes,
        )
        block.add_ops([payload, YieldOp(*payload.results)])
        return Region(block)


def parse_one_op(parser: Parser) -> OneOpBody | None:
    """`{ name attributes }`, or nothing."""
    if parser.parse_optional_punctuation("{") is None:
        return None
    return OneOpBody(parser)


def _payload_operands(block: Block, *, takes_output: bool) -> Sequence[SSAValue]:
    *elements, output = block.args
    return [output, *elements] if takes_output else elements


def find_one_op(body: Region, *, takes_output: bool) -> Operation | None:
    """The op that `body` is an abbreviation for, if it is one."""
    block = body.blocks.first
    if block is None or block.first_op is None:
        return None
    payload, terminator = block.first_op, block.last_op
    if payload.next_op is not terminator or not isinstance(terminator, YieldOp):
        return None
    if not block.args or payload.regions or len(payload.results) != 1:
        return None
    expected = _payload_operands(block, takes_output=takes_output)
    if not expected or tuple(payload.operands) != tuple(expected):
        return None
    if tuple(terminator.operands) != tuple(payload.results):
        return None
    if payload.results[0].type != block.args[-1].type:
        return None
    return payload


def print_one_op(printer: Printer, payload: Operation) -> None:
    """` { name attributes }`."""
    printer.print_string(f" {{ {payload.name}")
    printer.print_op_attributes(
        {
            name: value
            for name, value in {**payload.attributes, **payload.properties}.items()
            if name != "fastmath" or value != _DEFAULTS[name]
        }
    )
    printer.print_string(" }")


def parse_body(parser: Parser) -> Region:
    """`(%in: f32, %init: f32) { ... }`."""
    arguments = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_argument
    )
    return parser.parse_region(arguments)


def print_body(printer: Printer, body: Region) -> None:
    """`(%in: f32, %init: f32) { ... }`, on a new line."""
    printer.print_string("\n")
    with printer.in_parens():
        printer.print_list(body.block.args, printer.print_block_argument)
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False)
