"""Many programs as one module, since compiling a module takes longer than most code.

    @p0 and @h0 of one program, @p0 and @k of another    ->  @p0_0, @h0_0, @p0_1, @k_1

A function that is only declared keeps its name, which the runtime knows.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

_SYMBOL = "sym_name"


def join(modules: Sequence[ModuleOp]) -> ModuleOp:
    """One module with all of the ops; the given ones are empty afterwards."""
    joined = ModuleOp([])
    declared: set[str] = set()
    for number, module in enumerate(modules):
        _rename(module, number)
        for op in [*module.body.block.ops]:
            op.detach()
            if _is_declaration(op):
                name = _symbol(op)
                if name in declared:
                    continue
                declared.add(name or "")
            joined.body.block.add_op(op)
    return joined


def name_in(name: str, number: int) -> str:
    """How a function of module `number` is called in the joined one."""
    return f"{name}_{number}"


def number_of(op: Operation) -> int | None:
    """The number of the module that an op of a joined one is from."""
    at: Operation | None = op
    while at is not None and not isinstance(at.parent_op(), ModuleOp):
        at = at.parent_op()
    number = ((at and _symbol(at)) or "").rpartition("_")[2]
    return int(number) if number.isdigit() else None


def remove(joined: ModuleOp, number: int) -> None:
    """Take the ops of a module out of a joined one."""
    for op in [*joined.body.block.ops]:
        if not _is_declaration(op) and number_of(op) == number:
            op.detach()
            op.erase(safe_erase=False)


def _rename(module: ModuleOp, number: int) -> None:
    names = {
        name: name_in(name, number)
        for op in module.body.block.ops
        if (name := _symbol(op)) is not None and not _is_declaration(op)
    }
    for op in module.walk():
        if op is module:
            continue
        if (name := _symbol(op)) in names:
            op.properties[_SYMBOL] = StringAttr(names[name])
        for attributes in (op.properties, op.attributes):
            for key, value in attributes.items():
                if key != _SYMBOL:
                    attributes[key] = _renamed(value, names)


def _renamed(attribute: Attribute, names: dict[str, str]) -> Attribute:
    match attribute:
        case SymbolRefAttr():
            root = attribute.root_reference.data
            if root not in names:
                return attribute
            return SymbolRefAttr(names[root], attribute.nested_references)
        case ArrayAttr():
            return ArrayAttr([_renamed(each, names) for each in attribute.data])
        case DictionaryAttr():
            return DictionaryAttr(
                {name: _renamed(each, names) for name, each in attribute.data.items()}
            )
        case _:
            return attribute


def _symbol(op: Operation) -> str | None:
    name = op.properties.get(_SYMBOL)
    return name.data if isinstance(name, StringAttr) else None


def _is_declaration(op: Operation) -> bool:
    return isinstance(op, FuncOp) and op.is_declaration
