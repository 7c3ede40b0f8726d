"""Looking up symbols in constant time, while an op is verified.

xDSL searches all ops of a module for each symbol. Here the symbols of a module are
collected once, and again only when an answer turns out to be out of date.

    find_symbol(module, "weights")    # the op that defines @weights, or None
    lookup_symbol(call, "f")          # the same, wherever `call` is in the module
"""

from weakref import WeakKeyDictionary, WeakValueDictionary

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable

_Symbols = WeakValueDictionary[str, Operation]

_tables: WeakKeyDictionary[Operation, _Symbols] = WeakKeyDictionary()
"""The symbols of each op that holds some; weak, as a symbol refers to its table."""


def is_private(op: FuncOp) -> bool:
    """Whether only the module of a function can call it."""
    visibility = op.sym_visibility
    return visibility is not None and visibility.data == "private"


def find_symbol_table(op: Operation) -> Operation | None:
    """The innermost op around `op` that holds symbols; None if `op` is detached."""
    parent = op.parent_op()
    while parent is not None and not parent.has_trait(
        SymbolTable, value_if_unregistered=False
    ):
        parent = parent.parent_op()
    return parent


def find_symbol(table: Operation, name: str) -> Operation | None:
    """The op that defines symbol `name` in `table`, or None."""
    known = _tables.get(table)
    found = None if known is None else known.get(name)
    if found is not None and found.parent_op() is table and _name_of(found) == name:
        return found
    # Unknown, or out of date. After this every answer is right until the program is
    # changed; a name that is not found ends in an error.
    _tables[table] = symbols = _collect(table)
    return symbols.get(name)


def lookup_symbol(
    op: Operation, name: str | StringAttr | SymbolRefAttr
) -> Operation | None:
    """As `SymbolTable.lookup_symbol`, which searches only for what is not known."""
    table: Operation | None = op
    while table is not None and not table.has_trait(SymbolTable):
        table = table.parent_op()
    plain = _plain(name)
    if table is not None and plain is not None:
        found = find_symbol(table, plain)
        if found is not None and found.has_trait(SymbolOpInterface):
            return found
    return SymbolTable.lookup_symbol(op, name)


def _plain(name: str | StringAttr | SymbolRefAttr) -> str | None:
    """A name without other names in it."""
    if isinstance(name, SymbolRefAttr):
        return None if name.nested_references.data else name.root_reference.data
    return name if isinstance(name, str) else name.data


def _collect(table: Operation) -> _Symbols:
    symbols: _Symbols = WeakValueDictionary()
    for region in table.regions:
        for op in region.block.ops if region.blocks else ():
            if (name := _name_of(op)) is not None:
                symbols.setdefault(name, op)
    return symbols


def _name_of(op: Operation) -> str | None:
    name = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return name.data if isinstance(name, StringAttr) else None
