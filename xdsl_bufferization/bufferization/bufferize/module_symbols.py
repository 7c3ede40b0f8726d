"""Symbols that the rewrite adds at the start of a module, such as constants.

memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<...>
memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<...>
"""

from dataclasses import dataclass, field

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation
from xdsl.traits import SymbolTable


@dataclass
class _Table:
    """The symbols of one symbol table."""

    body: Block
    names: set[str]
    added: dict[object, Operation] = field(default_factory=dict[object, Operation])
    last: Operation | None = None
    """The op that was added last: the next one comes after it."""

    suffixes: dict[str, int] = field(default_factory=dict[str, int])
    """The next number to try for a name that is taken."""


class ModuleSymbols:
    """Adds symbol ops to the symbol table around an op, once each, under new names."""

    def __init__(self) -> None:
        self._tables: dict[Operation, _Table] = {}

    def insert(self, op: Operation, key: object, near: Operation) -> Operation:
        """Add the symbol `op` where `near` can refer to it, renamed if need be.

        Returns what was added before under an equal `key`, if anything was.
        """
        table = self._table_around(near)
        found = table.added.get(key)
        if found is None:
            found = op
            op.location = near.location
            table.added[key] = op
            _give_unique_name(op, table)
            _insert(op, table)
        return found

    def _table_around(self, op: Operation) -> _Table:
        owner = op
        while not owner.has_trait(SymbolTable):
            parent = owner.parent_op()
            assert parent is not None, "a pass runs on ops in a module"
            owner = parent
        if owner not in self._tables:
            body = owner.regions[0].block
            names = {_get_name(child) for child in body.ops}
            self._tables[owner] = _Table(body, names)
        return self._tables[owner]


def _get_name(op: Operation) -> str:
    name = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return name.data if isinstance(name, StringAttr) else ""


def _give_unique_name(op: Operation, table: _Table) -> None:
    name = wanted = _get_name(op)
    while name in table.names:
        number = table.suffixes.get(wanted, 0)
        table.suffixes[wanted] = number + 1
        name = f"{wanted}_{number}"
    table.names.add(name)
    op.properties["sym_name"] = StringAttr(name)


def _insert(op: Operation, table: _Table) -> None:
    if table.last is not None:
        table.body.insert_op_after(op, table.last)
    elif (first := table.body.first_op) is not None:
        table.body.insert_op_before(op, first)
    else:
        table.body.add_op(op)
    table.last = op
