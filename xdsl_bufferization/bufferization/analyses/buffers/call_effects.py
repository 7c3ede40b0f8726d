"""What calls do to buffers: which functions return or keep the memory of an argument.

    func.func @id(%a: memref<4xf32>) -> memref<4xf32> { return %a }   // returns
    func.func @make() -> memref<4xf32> { ... return %new }            // does not

By the function boundary ABI a result is memory of its own, and deallocation sees to
that. In two cases a result may be the memory of an argument, or of another result:
before deallocation, and where a function says at run time what it owns. Passes that
place buffers ask here.

A function without a body keeps to the ABI, unless its callers ask for caution. An
indirect call may call any function that is used as a value.

Cost: linear in the size of the module. Source of the ABI: MLIR's documentation,
"Ownership-based Buffer Deallocation", "Function boundary ABI".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.dialects.func import CallIndirectOp, ConstantOp
from xdsl_bufferization.support.algorithms.reach import reach
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.deallocation import is_memref, is_memref_type
from ...interfaces.operands import OpOperand
from .buffer_aliases import AliasIndex, BufferAliases, analyze_buffer_aliases
from .buffer_flow import walk_group

Symbol = tuple[Operation | None, str]
"""The op with the symbol table, and a name in it."""

_INDIRECT: Symbol = None, ""
"""Stands for a function: any function that is used as a value."""

_Call = func.CallOp | CallIndirectOp


def symbol_of(function: func.FuncOp) -> Symbol:
    """The symbol by which calls in the same symbol table name `function`."""
    return function.parent_op(), function.sym_name.data


@dataclass(frozen=True)
class CallEffects:
    """Which functions may return, and which may keep, memory of their arguments.

    Those that may return one allocation in two results count as returning, too.
    """

    returning: frozenset[Symbol]
    keeping: frozenset[Symbol]

    def analyze(self, function: func.FuncOp) -> BufferAliases:
        """The aliases in a function, those that its calls make among them."""
        table = function.parent_op()

        def may_return_arguments(op: Operation) -> bool:
            return isinstance(op, _Call) and _callee(table, op) in self.returning

        aliases = analyze_buffer_aliases(function, may_return_arguments)
        aliases.flow.captured.extend(self._kept(function))
        return aliases

    def _kept(self, function: func.FuncOp) -> Iterator[OpOperand]:
        """The operands that calls in `function` keep."""
        if not self.keeping:
            return
        table = function.parent_op()
        for op in ops_inside(function):
            if isinstance(op, _Call) and _callee(table, op) in self.keeping:
                for number, value in enumerate(op.operands):
                    if is_memref(value):
                        yield OpOperand(op, number)


def analyze_calls(module: ModuleOp, *, trust_declarations: bool = True) -> CallEffects:
    """Look at the functions of `module`.

    With `trust_declarations` a function without a body follows the function boundary
    ABI; without, it may return its arguments.
    """
    functions = [op for op in ops_inside(module) if isinstance(op, func.FuncOp)]
    returning: set[Symbol] = set() if trust_declarations else {_INDIRECT}
    keeping: set[Symbol] = set()
    returned_by: dict[Symbol, list[Symbol]] = {}
    callers: dict[Symbol, list[Symbol]] = {}
    for function in functions:
        symbol = symbol_of(function)
        if function.is_declaration:
            if not trust_declarations and _takes_memrefs(function):
                returning.add(symbol)
            continue
        for callee, caller in _find_callers(function):
            callers.setdefault(callee, []).append(caller)
            if caller is _INDIRECT:
                returned_by.setdefault(callee, []).append(_INDIRECT)
        takes_memrefs = _takes_memrefs(function)
        if takes_memrefs or _returns_several_memrefs(function):
            aliases = analyze_buffer_aliases(function)
            if takes_memrefs and _keeps_arguments(aliases):
                keeping.add(symbol)
            sources = _returned_sources(aliases)
            if sources is None or _returns_one_twice(aliases):
                returning.add(symbol)
            for op in sources or ():
                returned_by.setdefault(_callee(symbol[0], op), []).append(symbol)
    return CallEffects(
        frozenset(reach(returning, returned_by)), frozenset(reach(keeping, callers))
    )


_is_call = of_classes(func.CallOp, CallIndirectOp)


def _find_callers(function: func.FuncOp) -> Iterator[tuple[Symbol, Symbol]]:
    """Each function that is called with memrefs, or made a value, and who calls it."""
    symbol = symbol_of(function)
    for op in ops_inside(function):
        if _is_call(op) and any(map(is_memref, op.operands)):
            yield _callee(symbol[0], cast(_Call, op)), symbol
        elif isinstance(op, ConstantOp):
            yield (symbol[0], op.value.string_value()), _INDIRECT


def _callee(table: Operation | None, op: _Call) -> Symbol:
    if isinstance(op, CallIndirectOp):
        return _INDIRECT
    return table, op.callee.string_value()


def _takes_memrefs(function: func.FuncOp) -> bool:
    return any(map(is_memref_type, function.function_type.inputs))


def _returns_several_memrefs(function: func.FuncOp) -> bool:
    return sum(map(is_memref_type, function.function_type.outputs)) > 1


def _keeps_arguments(aliases: BufferAliases) -> bool:
    return any(
        aliases.may_be_foreign(aliases.root(use.value)) for use in aliases.flow.captured
    )


def _returns_one_twice(aliases: BufferAliases) -> bool:
    """Whether two results of the function may be one allocation."""
    for op in walk_group(aliases.flow.root):
        if isinstance(op, func.ReturnOp):
            roots = [aliases.root(value) for value in op.operands if is_memref(value)]
            index = AliasIndex(aliases, roots)
            if len(set(roots)) < len(roots) or any(map(index.has_rival, roots)):
                return True
    return False


def _returned_sources(aliases: BufferAliases) -> list[_Call] | None:
    """The calls whose results are returned; None if arguments may be returned."""
    site_of = {
        number: root.owner for number, root in enumerate(aliases.flow.origins, 1)
    }
    found: dict[_Call, None] = {}
    for op in walk_group(aliases.flow.root):
        if not isinstance(op, func.ReturnOp):
            continue
        for value in filter(is_memref, op.operands):
            root = aliases.root(value)
            sites = aliases.sites[root]
            if sites is None or aliases.may_be_foreign(root):
                return None
            for site in sorted(sites):
                owner = site_of[site]
                if isinstance(owner, _Call):
                    found[owner] = None
    return list(found)
