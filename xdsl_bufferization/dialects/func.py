"""Ops of MLIR's func dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 drops the attributes of the arguments and results of a function without a
body, both when it reads and when it prints one. There, `bufferization.access` says how
the function treats its buffers. It has no functions as values either.

    func.func private @read(tensor<4xf32> {bufferization.access = "read"})
        -> (tensor<4xf32> {bufferization.writable = false})
    %f = func.constant @read : (tensor<4xf32>) -> tensor<4xf32>
    %0 = func.call_indirect %f(%t) : (tensor<4xf32>) -> tensor<4xf32>

Source: https://mlir.llvm.org/docs/Dialects/Func/
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from typing_extensions import override
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.support.algorithms.dominated_uses import find_undominated_use
from xdsl_bufferization.support.errors import fail_at

from .common.making import make
from .common.symbols import lookup_symbol

_VISIBILITIES = ("public", "private", "nested")

_ACCESSES = tuple(map(StringAttr, ("none", "read", "write", "read-write")))

_IN_FORMAT = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
"""What the format of `func.func` shows outside its attribute dictionary."""


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A function; one without a body is defined elsewhere."""

    name = "func.func"

    body = region_def()
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    no_inline = opt_prop_def(UnitAttr)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        visibility = parser.parse_optional_visibility_keyword()
        name = parser.parse_symbol_name()
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
        dictionary = parser.parse_optional_attr_dict_with_keyword(_IN_FORMAT)
        attributes = {} if dictionary is None else dict(dictionary.data)
        region = parser.parse_optional_region(named or None)
        no_inline = attributes.pop("no_inline", None)
        return make(
            cls,
            regions=[Region() if region is None else region],
            properties={
                "sym_name": name,
                "function_type": FunctionType.from_lists(
                    [a.type for a in arguments], [type_ for type_, _ in results]
                ),
                "sym_visibility": visibility,
                "arg_attrs": _pack(a.attributes for a in arguments),
                "res_attrs": _pack(attributes for _, attributes in results),
                "no_inline": no_inline,
            },
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        entry = self.body.blocks.first
        inputs = self.function_type.inputs.data
        with printer.in_parens():
            if entry is None:
                _print_types(printer, inputs, self.arg_attrs)
            else:
                _print_arguments(printer, entry.args, self.arg_attrs)
        _print_results(printer, self.function_type.outputs.data, self.res_attrs)
        printer.print_op_attributes(
            {**self.attributes, **self.properties},
            reserved_attr_names=_IN_FORMAT,
            print_keyword=True,
        )
        if entry is not None:
            printer.print_string(" ")
            printer.print_region(
                self.body, print_entry_block_args=False, print_empty_block=False
            )

    @override
    def verify_(self) -> None:
        """The entry block takes the arguments, and attributes are as many as they.

        Every value in the body is defined before it is used.
        """
        inputs, outputs = self.function_type.inputs, self.function_type.outputs
        for kind, dictionaries, types in (
            ("argument", self.arg_attrs, inputs),
            ("result", self.res_attrs, outputs),
        ):
            if dictionaries is not None and len(dictionaries) != len(types):
                raise VerifyException(
                    f"expects {kind} attribute array to have the same number of "
                    f"elements as the number of function {kind}s, got "
                    f"{len(dictionaries)}, but expected {len(types)}"
                )
        visibility = (
            "public" if self.sym_visibility is None else self.sym_visibility.data
        )
        if visibility not in _VISIBILITIES:
            raise VerifyException(
                f"visibility expected to be one of {', '.join(_VISIBILITIES)}, but got "
                f"{visibility}"
            )
        entry = self.body.blocks.first
        for dictionary in self.arg_attrs or ():
            _verify_annotations(dictionary, is_external=entry is None)
        if entry is not None:
            self.verify_entry(entry)
        elif visibility == "public":
            raise VerifyException("symbol declaration cannot have public visibility")
        use = find_undominated_use(self.body)
        if use is not None and not _is_egraph(self.body):
            op, number = use
            fail_at(op, f"operand #{number} does not dominate this use")

    def verify_entry(self, entry: Block) -> None:
        """The entry block takes the arguments of the function."""
        inputs = self.function_type.inputs
        if len(entry.args) != len(inputs):
            raise VerifyException(
                f"entry block must have {len(inputs)} arguments to match function "
                f"signature, but has {len(entry.args)}"
            )
        for index, (argument, type_) in enumerate(zip(entry.args, inputs, strict=True)):
            if argument.type != type_:
                raise VerifyException(
                    f"type of entry block argument #{index}('{argument.type}') must "
                    "match the type of the corresponding argument in function "
                    f"signature('{type_}')"
                )


def _verify_annotations(dictionary: DictionaryAttr, *, is_external: bool) -> None:
    """What bufferization asks of an argument is said as it expects.

    Source: `verifyRegionArgAttribute` of MLIR's bufferization dialect.
    """
    writable = dictionary.data.get("bufferization.writable")
    if writable is not None:
        if not isa(writable, IntegerAttr) or writable.type != i1:
            raise VerifyException(
                f"'bufferization.writable' must be true or false, not {writable}"
            )
        if is_external:
            raise VerifyException(
                "'bufferization.writable' is invalid on external functions; say what "
                "they do with 'bufferization.access'"
            )
    access = dictionary.data.get("bufferization.access")
    if access is not None and access not in _ACCESSES:
        raise VerifyException(
            "'bufferization.access' must be "
            f"{', '.join(map(str, _ACCESSES[:-1]))} or {_ACCESSES[-1]}, not {access}"
        )


def _is_egraph(body: Region) -> bool:
    """Whether a function is one of xDSL's e-graphs, whose ops are in no order."""
    return any(op.name.startswith("equivalence.") for op in body.walk())


@irdl_op_definition
class CallOp(IRDLOperation):
    """A call of a function by its name."""

    name = "func.call"

    arguments = var_operand_def()
    callee = prop_def(FlatSymbolRefAttrConstr)
    res = var_result_def()
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    no_inline = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = (
        "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)"
    )


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """A call of a function that is known when the program runs."""

    name = "func.call_indirect"

    callee = operand_def(FunctionType)
    callee_operands = var_operand_def()
    res = var_result_def()
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])

    def __init__(
        self, callee: SSAValue | Operation, operands: Sequence[SSAValue | Operation]
    ):
        callee = SSAValue.get(callee, type=FunctionType)
        super().__init__(
            operands=[callee, operands], result_types=[callee.type.outputs.data]
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        callee = parser.parse_unresolved_operand()
        position = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_function_type()
        properties = {
            name: attributes.pop(name)
            for name in ("arg_attrs", "res_attrs")
            if name in attributes
        }
        return make(
            cls,
            operands=[
                parser.resolve_operand(callee, type_),
                parser.resolve_operands(operands, type_.inputs.data, position),
            ],
            result_types=[type_.outputs.data],
            properties=properties,
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.callee)
        with printer.in_parens():
            printer.print_list(self.callee_operands, printer.print_ssa_value)
        printer.print_op_attributes({**self.attributes, **self.properties})
        printer.print_string(" : ")
        printer.print_attribute(self.callee.type)

    @override
    def verify_(self) -> None:
        """Operands and results have the types that the callee says."""
        type_ = self.callee.type
        if not isinstance(type_, FunctionType):
            raise VerifyException(f"callee must be a function, but got '{type_}'")
        if type_.inputs.data != tuple(self.callee_operands.types):
            raise VerifyException("operand types do not match those of the callee")
        if type_.outputs.data != tuple(self.res.types):
            raise VerifyException("result types do not match those of the callee")


class ConstantOpSymbolUse(SymbolUserOpInterface):
    """A function as a value has the name and the type of a function."""

    @override
    def verify(self, op: Operation) -> None:
        """Look the function up."""
        if not isinstance(op, ConstantOp):
            return
        function = lookup_symbol(op, op.value)
        if not isinstance(function, func.FuncOp):
            raise VerifyException(
                f"reference to undefined function '{op.value.string_value()}'"
            )
        if function.function_type != op.res.type:
            raise VerifyException(
                f"reference to function with mismatched type: '{op.res.type}' is not "
                f"'{function.function_type}'"
            )


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A function as a value."""

    name = "func.constant"

    value = prop_def(FlatSymbolRefAttrConstr)
    res = result_def(FunctionType)

    traits = traits_def(Pure(), ConstantOpSymbolUse())

    assembly_format = "attr-dict $value `:` type($res)"

    def __init__(self, value: str | SymbolRefAttr, type_: FunctionType):
        value = SymbolRefAttr(value) if isinstance(value, str) else value
        super().__init__(properties={"value": value}, result_types=[type_])


class _Argument(NamedTuple):
    """An argument as it is written: `%name: type {attributes}`, or without a name."""

    block_argument: Parser.Argument | None
    type: Attribute
    attributes: dict[str, Attribute]


def _parse_argument(parser: Parser) -> _Argument:
    argument = parser.parse_optional_argument()
    type_ = parser.parse_type() if argument is None else argument.type
    attributes = parser.parse_optional_dictionary_attr_dict()
    # What stands before the attributes is read with the argument.
    location = parser.parse_optional_location()
    if argument is not None and location is not None:
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


def _print_attributes(
    printer: Printer, attributes: ArrayAttr[DictionaryAttr] | None, index: int
) -> None:
    if attributes is not None:
        printer.print_op_attributes(attributes.data[index].data)


def _print_types(
    printer: Printer,
    types: Sequence[Attribute],
    attributes: ArrayAttr[DictionaryAttr] | None,
) -> None:
    """Print `type {attributes}, ...`."""
    for index, type_ in enumerate(types):
        if index:
            printer.print_string(", ")
        printer.print_attribute(type_)
        _print_attributes(printer, attributes, index)


def _print_arguments(
    printer: Printer,
    arguments: Sequence[BlockArgument],
    attributes: ArrayAttr[DictionaryAttr] | None,
) -> None:
    """Print `%name: type {attributes}, ...`."""
    for index, argument in enumerate(arguments):
        if index:
            printer.print_string(", ")
        printer.print_block_argument(argument)
        _print_attributes(printer, attributes, index)


def _print_results(
    printer: Printer,
    types: Sequence[Attribute],
    attributes: ArrayAttr[DictionaryAttr] | None,
) -> None:
    """Print ` -> type`, ` -> (type {attributes}, ...)`, or nothing."""
    if not types:
        return
    printer.print_string(" -> ")
    plain = attributes is None or not attributes.data[0].data
    if len(types) == 1 and plain and not isinstance(types[0], FunctionType):
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        _print_types(printer, types, attributes)
