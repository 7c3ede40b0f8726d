"""The functions of a module and all that uses them, for passes that change signatures.

func.func private @f(%m: memref<4xf32>) -> memref<4xf32>     // may change: all its
call @f(%a) : (memref<4xf32>) -> memref<4xf32>               // uses are known calls
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TypeVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    SymbolRefAttr,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

_Value = TypeVar("_Value")


class FunctionUsers:
    """The calls of each function of a module, all found in one walk."""

    functions: Sequence[FuncOp]
    """The functions of the module itself, in order."""

    def __init__(self, module: ModuleOp):
        self.functions = [op for op in module.ops if isinstance(op, FuncOp)]
        self._calls: dict[str, list[CallOp]] = {}
        self._referenced: set[str] = set()
        for op in _walk_symbol_table(module):
            if isinstance(op, CallOp):
                self._calls.setdefault(op.callee.root_reference.data, []).append(op)
            else:
                self._referenced.update(_referenced_names(op))

    def calls_of(self, function: FuncOp) -> Sequence[CallOp]:
        """The calls of `function`, in program order."""
        return self._calls.get(function.sym_name.data, ())

    def may_change(self, function: FuncOp, *, public: bool) -> bool:
        """Whether the signature of `function` is only of concern to its calls.

        Not if it has no body, if a value refers to it, or if others can call it; the
        last does not count if `public`.
        """
        if not function.body.blocks or function.sym_name.data in self._referenced:
            return False
        return public or not _is_public(function)


def returns_of(function: FuncOp) -> list[ReturnOp]:
    """The returns of a function."""
    return [
        block.last_op
        for block in function.body.blocks
        if isinstance(block.last_op, ReturnOp)
    ]


def drop_results(function: FuncOp, dropped: Set[int]) -> None:
    """Remove results, by number, from the type of `function` and from its returns."""
    outputs = _without(function.function_type.outputs, dropped)
    function.function_type = FunctionType.from_lists(
        function.function_type.inputs.data, outputs
    )
    if function.res_attrs is not None:
        function.res_attrs = ArrayAttr(_without(function.res_attrs, dropped))
    for op in returns_of(function):
        op.operands = _without(op.operands, dropped)


def append_arguments(
    function: FuncOp, types: Sequence[Attribute], attributes: Sequence[DictionaryAttr]
) -> Sequence[BlockArgument]:
    """Give `function` more arguments, after those that it has; returns them."""
    old = function.function_type
    present = function.arg_attrs
    if present is not None or any(entry.data for entry in attributes):
        before = present or [DictionaryAttr({})] * len(old.inputs)
        function.arg_attrs = ArrayAttr([*before, *attributes])
    function.function_type = FunctionType.from_lists(
        [*old.inputs, *types], old.outputs.data
    )
    entry = function.body.blocks[0]
    return [entry.insert_arg(type_, len(entry.args)) for type_ in types]


def rebuild_call(
    call: CallOp, dropped: Set[int], more_operands: Sequence[SSAValue]
) -> CallOp:
    """A call as `call`, with fewer results and more operands, inserted after it.

    The dropped results of `call` keep their uses: `call` is for the caller to erase.
    """
    new = CallOp(
        call.callee,
        [*call.operands, *more_operands],
        _without([result.type for result in call.results], dropped),
    )
    new.attributes |= call.attributes
    new.properties |= call.properties
    arguments, results = (
        call.properties.get(name) for name in ("arg_attrs", "res_attrs")
    )
    if isa(arguments, ArrayAttr[DictionaryAttr]):
        nothing = [DictionaryAttr({})] * len(more_operands)
        new.properties["arg_attrs"] = ArrayAttr([*arguments, *nothing])
    if isa(results, ArrayAttr[DictionaryAttr]):
        new.properties["res_attrs"] = ArrayAttr(_without(results, dropped))
    new.location = call.location
    block = call.parent_block()
    assert block is not None
    block.insert_op_after(new, call)
    for old, result in zip(_without(call.results, dropped), new.results, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    return new


def _without(values: Iterable[_Value], dropped: Set[int]) -> list[_Value]:
    return [value for number, value in enumerate(values) if number not in dropped]


def _is_public(function: FuncOp) -> bool:
    visibility = function.sym_visibility
    return visibility is None or visibility.data == "public"


def _walk_symbol_table(module: ModuleOp) -> Iterator[Operation]:
    """The ops that refer to the symbols of `module`: not those of modules inside it."""
    todo: list[Operation] = [module]
    while todo:
        op = todo.pop()
        yield op
        if op is not module and op.has_trait(SymbolTable, value_if_unregistered=False):
            continue
        children = [
            child
            for region in op.regions
            for block in region.blocks
            for child in block.ops
        ]
        todo.extend(reversed(children))


def _referenced_names(op: Operation) -> Iterator[str]:
    todo = [*op.properties.values(), *op.attributes.values()]
    while todo:
        match todo.pop():
            case SymbolRefAttr(root_reference=root):
                yield root.data
            case ArrayAttr(data=values):
                todo.extend(values)
            case DictionaryAttr(data=entries):
                todo.extend(entries.values())
            case _:
                pass
