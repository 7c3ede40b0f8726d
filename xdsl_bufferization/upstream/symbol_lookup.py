"""Symbols are looked up in a table while a program is verified.

xDSL 0.74 goes through the ops of a module for each call of a function: the time to
verify grows with the square of the functions.

    SymbolTable.lookup_symbol(call, "f")     a look into the names of the module
"""

from collections.abc import Callable

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable

from xdsl_bufferization.dialects.common.symbols import find_symbol

LookUp = Callable[[Operation, "str | StringAttr | SymbolRefAttr"], Operation | None]


def look_up(search: LookUp) -> LookUp:
    """`SymbolTable.lookup_symbol`, which searches only for names that are not known."""

    def lookup_symbol(
        op: Operation, name: str | StringAttr | SymbolRefAttr
    ) -> Operation | None:
        table: Operation | None = op
        while table is not None and not table.has_trait(SymbolTable):
            table = table.parent_op()
        plain = _plain(name)
        if table is not None and plain is not None:
            found = find_symbol(table, plain)
            if found is not None and found.has_trait(SymbolOpInterface):
                return found
        return search(op, name)

    return lookup_symbol


def _plain(name: str | StringAttr | SymbolRefAttr) -> str | None:
    """A name without other names in it."""
    if isinstance(name, SymbolRefAttr):
        return None if name.nested_references.data else name.root_reference.data
    return name if isinstance(name, str) else name.data
