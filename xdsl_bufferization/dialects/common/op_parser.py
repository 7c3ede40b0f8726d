"""A parser of ops: names of results, the name of the op, and what stands behind it.

    %0, %1:2 = test.op ...      // what `test.op` is, is looked up once

What is read, and each error with its place, are as in xDSL.
"""

from collections.abc import Sequence
from typing import NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ..text.regions import RegionParser
from ..text.tokens import LightToken
from .formats import format_of

_Results = Sequence[tuple[LightToken, int]]
"""The names in front of `=`, and how many results each stands for."""


class _OpType(NamedTuple):
    """What an op of a name is read as."""

    op_type: type[Operation]
    made_as: type[Operation] | None
    """The class that the op gets, if that is another; see `Format.parse`."""

    dialect: str
    """The name of its dialect."""


class OpParser(RegionParser):
    """A parser that reads ops in fewer steps."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._op_types: dict[str, _OpType] = {}

    @override
    def parse_operation(self) -> Operation:
        start = self.reading.current_token
        results = self._parse_results()
        self._begin_name()
        op = self._parse_behind_results()
        self._bind(op, results, start)
        return op

    def _parse_results(self) -> _Results:
        """The names in front of `=`, and how many results each stands for."""
        if self.reading.current_token.kind is not MLIRTokenKind.PERCENT_IDENT:
            return ()
        results = self.parse_list(self.Delimiter.NONE, self._parse_result)
        self.parse_punctuation("=", " after operation result list")
        return results

    def _parse_result(self) -> tuple[LightToken, int]:
        name = self.take(MLIRTokenKind.PERCENT_IDENT, "Expected result SSA value!")
        if self.take_optional(MLIRTokenKind.COLON) is None:
            return name, 1
        message = "Expected SSA value tuple size"
        size = self.take(MLIRTokenKind.INTEGER_LIT, message)
        return name, size.kind.get_int_value(size.span)

    def _begin_name(self) -> None:
        """The next token is the name of an op."""

    def _parse_behind_results(self) -> Operation:
        """An op from its name on."""
        token = self.reading.current_token
        is_generic = token.kind is not MLIRTokenKind.BARE_IDENT
        if is_generic:
            name = self.expect(
                self.parse_optional_str_literal, "operation name expected"
            )
        else:
            self.take_token()
            name = token.text
        known = self._op_types.get(name) or self._find_op_type(name)
        stack = self.reading.dialect_stack
        stack.append(known.dialect)
        if is_generic:
            op = self._read_generic_op(known.op_type)
            stack.pop()
            return op
        op = self.parse_by_format(known.op_type, known.made_as)
        stack.pop()
        if op.regions:
            self.leave_undefined(op)
        if (location := self.parse_optional_location()) is not None:
            op.location = location
        return op

    def _find_op_type(self, name: str) -> _OpType:
        op_type = self.find_op(name)
        found = _OpType(op_type, self.made_as(op_type), op_type.dialect_name())
        # What a shorter name means depends on the ops around it.
        if op_type.name == name:
            self._op_types[name] = found
        return found

    def find_op(self, name: str) -> type[Operation]:
        """The class of an op; inside of some ops, a name may lack its dialect."""
        stack = self.reading.dialect_stack
        op_type = self.ctx.get_optional_op(name, dialect_stack=stack)
        if op_type is None:
            self.raise_error(f"Operation {name} is not registered")
        return op_type

    def made_as(self, op_type: type[Operation]) -> type[Operation] | None:
        """The class of an op that the format of another class, `op_type`, reads."""

    def _read_generic_op(self, op_type: type[Operation]) -> Operation:
        """An op in generic format, behind its name."""
        arguments = self.parse_op_args_list()
        successors = self.parse_optional_successors()
        properties = self.parse_optional_properties_dict()
        regions = self.parse_region_list()
        attributes = self.parse_optional_attr_dict()
        self.parse_punctuation(":", "function type signature expected")
        place = self.pos
        type_ = self.parse_function_type()
        location = self.parse_optional_location()
        operands = self.resolve_operands(arguments, type_.inputs.data, place)
        if issubclass(op_type, IRDLOperation):
            # Older texts have properties among the attributes.
            for name in op_type.get_irdl_definition().properties:
                if name in attributes and name not in properties:
                    properties[name] = attributes.pop(name)
        return op_type.create(
            operands=operands,
            result_types=type_.outputs.data,
            properties=properties,
            attributes=attributes,
            location=location,
            successors=successors or [],
            regions=regions,
        )

    def parse_by_format(
        self, op_type: type[Operation], made_as: type[Operation] | None = None
    ) -> Operation:
        """Read an op of a class, whose name was read; see `Format.parse`."""
        known = format_of(op_type)
        return op_type.parse(self) if known is None else known.parse(self, made_as)

    def _bind(
        self,
        op: Operation,
        results: _Results,
        start: LightToken,
    ) -> None:
        """Let the names that are in front of an op stand for its results."""
        values = op.results
        count = sum([size for _, size in results])
        if count != 0 and len(values) != count:
            self.raise_error(
                f"Operation has {len(values)} results, but was given {count} to bind.",
                start.span,
            )
        first = 0
        for name, size in results:
            self.define(name, values[first : first + size])
            first += size
