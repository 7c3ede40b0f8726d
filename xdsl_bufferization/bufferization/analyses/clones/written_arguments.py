"""Which arguments, and which globals, the functions of a module write to.

    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {   // argument 1
      memref.copy %a, %b
      func.call @f(%b, %b)
    }

A function without a body writes to all arguments, unless `bufferization.access` says
otherwise. Cost: linear in the ops, times the arguments that may be one of their
operands.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects import func, memref
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.algorithms.reach import reach

from ...interfaces.deallocation import is_memref
from ...interfaces.operands import OpOperand
from ..buffers.call_effects import Symbol, symbol_of
from ..buffers.memory_accesses import ANYTHING, Access, access_of
from ..calls.call_graph import declared_access
from .critical_aliases import AliasGraph

_Argument = tuple[Operation | None, str, int]
"""The op with the symbol table, the function, and the number of its argument."""

_Memory = _Argument | Symbol


@dataclass
class WrittenArguments:
    """What the functions of a module write to."""

    written: set[_Memory] = field(default_factory=set[_Memory])

    def of_call(self, use: OpOperand) -> Access:
        """What a call does to the memory of one of its operands."""
        return Access(True, _argument_of(use) in self.written)

    def is_written_global(self, op: memref.GetGlobalOp) -> bool:
        """Whether anybody writes to the global that `op` gets."""
        return _global_of(op) in self.written


def find_written_arguments(
    declared: Iterable[func.FuncOp], defined: Iterable[AliasGraph]
) -> WrittenArguments:
    """Find what functions write to; those in `declared` have no body."""
    result = WrittenArguments()
    for function in declared:
        for number in range(len(function.function_type.inputs)):
            if "write" in declared_access(function, number):
                result.written.add((*symbol_of(function), number))
    passed: dict[_Memory, list[_Memory]] = {}
    for graph in defined:
        for memory, value in _shared_memory(graph):
            _visit(graph, memory, value, result, passed)
    result.written.update(reach(result.written, passed))
    return result


def _shared_memory(graph: AliasGraph) -> Iterable[tuple[_Memory, SSAValue]]:
    """The memory that a function shares with others, and its value in the function."""
    function = graph.flow.root
    for value in graph.flow.origins:
        if isinstance(value.owner, memref.GetGlobalOp):
            yield _global_of(value.owner), value
    if not isinstance(function, func.FuncOp):
        return
    for argument in function.args:
        if is_memref(argument):
            yield (*symbol_of(function), argument.index), argument


def _visit(
    graph: AliasGraph,
    memory: _Memory,
    value: SSAValue,
    result: WrittenArguments,
    passed: dict[_Memory, list[_Memory]],
) -> None:
    for alias in graph.reached_from(value):
        for each in alias.uses:
            use = OpOperand(each.operation, each.index)
            if use in graph.forwarded:
                continue
            if isinstance(use.owner, func.CallOp):
                passed.setdefault(_argument_of(use), []).append(memory)
            elif access_of(use, lambda _: ANYTHING).writes:
                result.written.add(memory)


def _argument_of(use: OpOperand) -> _Argument:
    """The argument of the callee that an operand of a call becomes."""
    call = use.owner
    assert isinstance(call, func.CallOp)
    return _symbol_table(call), call.callee.string_value(), use.number


def _global_of(op: memref.GetGlobalOp) -> Symbol:
    return _symbol_table(op), op.name_.string_value()


def _symbol_table(op: Operation) -> Operation | None:
    """The op around the function that `op` is in."""
    current: Operation | None = op
    while current is not None and not isinstance(current, func.FuncOp):
        current = current.parent_op()
    return None if current is None else current.parent_op()
