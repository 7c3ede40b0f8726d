"""Run something for modules on an op that is no module.

    with alone(function) as module:      // a module with @function, and declarations
        buffer_hoisting(module)          // of what it names
                                         // the function is back in its place

Passes take a module. So the op is moved into a module of its own, in which the symbols
that the op names are declared. Afterwards, the op and what was added beside it are
moved back.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region

from xdsl_bufferization.support.traversal import ops_inside


@contextmanager
def alone(op: Operation) -> Generator[ModuleOp]:
    """A module with `op`, and with what the op names; a module is its own."""
    if isinstance(op, ModuleOp):
        yield op
        return
    block, after = op.parent, op.next_op
    assert block is not None, "an op that is no module is in one"
    shells = list(_shells(op))
    module = ModuleOp([*shells], _attributes_around(op))
    op.detach()
    module.body.block.add_op(op)
    try:
        yield module
    finally:
        _move_back(module, {id(shell) for shell in shells}, block, after)


def children(parent: Operation) -> list[Operation]:
    """The ops in the blocks of an op, without those inside of them."""
    return [
        op for region in parent.regions for block in region.blocks for op in block.ops
    ]


def _attributes_around(op: Operation) -> dict[str, Attribute]:
    """The attributes of the module around, such as the layout of data."""
    parent = op.parent_op()
    return {} if parent is None else dict(parent.attributes)


def _shells(op: Operation) -> Iterator[Operation]:
    """The ops whose symbols `op` names: functions without their bodies."""
    parent = op.parent_op()
    if parent is None:
        return
    wanted = {name for each in (op, *ops_inside(op)) for name in _symbols_in(each)}
    if not wanted:
        return
    for other in children(parent):
        name = other.get_attr_or_prop("sym_name")
        if other is op or not isinstance(name, StringAttr) or name.data not in wanted:
            continue
        yield _declaration(other) if isinstance(other, FuncOp) else other.clone()


def _symbols_in(op: Operation) -> Iterator[str]:
    for attribute in (*op.properties.values(), *op.attributes.values()):
        if isinstance(attribute, SymbolRefAttr):
            yield attribute.root_reference.data


def _declaration(function: FuncOp) -> FuncOp:
    return FuncOp(
        function.sym_name.data,
        function.function_type,
        Region(),
        visibility="private",
        arg_attrs=function.arg_attrs,
        res_attrs=function.res_attrs,
    )


def _move_back(
    module: ModuleOp, shells: set[int], block: Block, after: Operation | None
) -> None:
    """Put what was made of an op where the op was."""
    for op in [*module.ops]:
        if id(op) in shells:
            continue
        op.detach()
        if after is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, after)
