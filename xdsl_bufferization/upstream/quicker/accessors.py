"""A field of an op is read without a search for the kind of the field.

    op.offsets      # some of the operands

xDSL 0.74 makes a view of all operands, or of what else the field is part of, by a
`match` over four kinds.
"""

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Operation
from xdsl.irdl import VarIRConstruct
from xdsl.irdl.operations import get_op_constructs

_OPERAND, _RESULT = VarIRConstruct.OPERAND, VarIRConstruct.RESULT


def _list_of(op: Operation, construct: VarIRConstruct) -> Sequence[Any]:
    """All that an op has of a kind; views have the same elements."""
    if construct is _OPERAND:
        return op._operands  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    if construct is _RESULT:
        return op.results
    return get_op_constructs(op, construct)


def read_directly(in_xdsl: Callable[..., Any]) -> Callable[..., Any]:
    """`BaseAccessor.__get__`: a field whose place is known by its number."""

    def __get__(  # noqa: N807, it takes the place of one
        self: Any, obj: Operation | None, objtype: type[Operation] | None = None
    ) -> Any:
        if obj is None:
            return in_xdsl(self, obj, objtype)
        return self.index(_list_of(obj, self.construct))

    return __get__


def read_by_sizes(in_xdsl: Callable[..., Any]) -> Callable[..., Any]:
    """`BaseAttrAccessor.__get__`: a field whose place an array of sizes says."""

    def __get__(  # noqa: N807, it takes the place of one
        self: Any, obj: Operation | None, objtype: type[Operation] | None = None
    ) -> Any:
        if obj is None:
            return in_xdsl(self, obj, objtype)
        option = self.option
        container = obj.properties if option.as_property else obj.attributes
        sizes: Any = container[option.attribute_name]
        return self.index(sizes.get_values(), _list_of(obj, self.construct))

    return __get__
