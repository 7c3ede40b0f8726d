"""Ops of MLIR's func dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 drops the attributes of the arguments and results of a function without a
body, both when it reads and when it prints one. There, `bufferization.access` says how
the function treats its buffers. The class here keeps them; `extend.py` puts its methods
into xDSL's class.

    func.func private @read(tensor<4xf32> {bufferization.access = "read"})
        -> (tensor<4xf32> {bufferization.writable = false})

Source: https://mlir.llvm.org/docs/Dialects/Func/#funcfunc-funcfuncop
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from typing_extensions import override
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

_RESERVED = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")

_print_in_xdsl = func.FuncOp.print


class FuncOp(func.FuncOp):
    """What `func.func` should do differently."""

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse MLIR's format."""
        visibility = parser.parse_optional_visibility_keyword()
        name = parser.parse_symbol_name().data
        start = parser.pos
        arguments = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: _parse_argument(parser)
        )
        named = [a.block_argument for a in arguments if a.block_argument is not None]
        if named and len(named) != len(arguments):
            parser.raise_error(
                "expected all arguments to be named, or none of them", start, parser.pos
            )
        results = _parse_results(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword(_RESERVED)
        region = parser.parse_optional_region(named or None)
        op = cls(
            name,
            ([a.type for a in arguments], [type_ for type_, _ in results]),
            Region() if region is None else region,
            visibility,
            arg_attrs=_pack(a.attributes for a in arguments),
            res_attrs=_pack(attributes for _, attributes in results),
        )
        if attributes is not None:
            op.attributes.update(attributes.data)
        return op

    @override
    def print(self, printer: Printer) -> None:
        """Print in MLIR's format."""
        if self.body.blocks or (self.arg_attrs is None and self.res_attrs is None):
            _print_in_xdsl(self, printer)
            return
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        _print_types(printer, self.function_type.inputs, self.arg_attrs)
        if self.function_type.outputs.data:
            printer.print_string(" -> ")
            _print_types(printer, self.function_type.outputs, self.res_attrs)
        printer.print_op_attributes(
            self.attributes, reserved_attr_names=_RESERVED, print_keyword=True
        )


class _Argument(NamedTuple):
    """An argument as it is written: `%name: type {attributes}`, or without a name."""

    block_argument: Parser.Argument | None
    type: Attribute
    attributes: dict[str, Attribute]


def _parse_argument(parser: Parser) -> _Argument:
    argument = parser.parse_optional_argument()
    type_ = parser.parse_type() if argument is None else argument.type
    attributes = parser.parse_optional_dictionary_attr_dict()
    location = parser.parse_optional_location()
    if argument is not None:
        argument.location = location
    return _Argument(argument, type_, attributes)


def _parse_results(parser: Parser) -> Sequence[tuple[Attribute, dict[str, Attribute]]]:
    """`-> type`, `-> (type {attributes}, ...)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    results = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN,
        lambda: (parser.parse_type(), parser.parse_optional_dictionary_attr_dict()),
    )
    return [(parser.parse_type(), {})] if results is None else results


def _pack(
    attributes: Iterable[dict[str, Attribute]],
) -> ArrayAttr[DictionaryAttr] | None:
    """One dictionary for each argument or result, or nothing if all are empty."""
    dictionaries = [DictionaryAttr(each) for each in attributes]
    if not any(dictionary.data for dictionary in dictionaries):
        return None
    return ArrayAttr(dictionaries)


def _print_types(
    printer: Printer,
    types: ArrayAttr[Attribute],
    attributes: ArrayAttr[DictionaryAttr] | None,
) -> None:
    """`(type {attributes}, ...)`."""
    with printer.in_parens():
        for index, type_ in enumerate(types):
            if index:
                printer.print_string(", ")
            printer.print_attribute(type_)
            if attributes is not None:
                printer.print_op_attributes(attributes.data[index].data)


OPERATIONS: tuple[type[Operation], ...] = ()
"""Ops that xDSL's dialect lacks."""

AMENDMENTS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    func.FuncOp: FuncOp,
}
"""Ops of xDSL's dialect, and what they should do."""
