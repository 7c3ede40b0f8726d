"""Which arguments each function reads, and which it writes, itself or by its calls.

    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {   // reads %a, writes %b
      %v = memref.subview %b[0] [2] [1] ...
      func.call @copy_half(%a, %v)                         // which reads and writes
    }

The uses of an argument are those of its views, of the loop variables that it may
become, and of the results of calls that may return it. An argument whose memory
escapes, or that is freed, counts as read and written.

Cost: linear in the ops, times the arguments that one buffer may be.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects import arith, func, llvm, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import get_effects

from xdsl_bufferization.dialects.common.symbols import lookup_symbol
from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.support.algorithms.reach import reach
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.deallocation import is_memref
from ...interfaces.operands import OpOperand
from ..calls.call_graph import declared_access
from .buffer_flow import BufferFlow
from .call_effects import Symbol, analyze_calls, symbol_of
from .memory_accesses import ANYTHING, Access, CallAccess, access_of

_READONLY = "llvm.readonly"
_NOTHING = Access(False, False)
_READ = Access(True, False)
_POINTERS = (arith.IndexCastOp, llvm.IntToPtrOp)
_BUFFERS = (MemRefType, UnrankedMemRefType)
_NUMBERS = (AnyFloat, ComplexType, IndexType, IntegerType, VectorType)

_Argument = tuple[Symbol, int]
"""A function, and the number of an argument of it."""


@dataclass
class ArgumentAccesses:
    """What the functions of a module do to the memory of their arguments."""

    read: set[_Argument] = field(default_factory=set[_Argument])
    written: set[_Argument] = field(default_factory=set[_Argument])

    def of(self, function: func.FuncOp, number: int) -> Access:
        """What may happen to an argument of `function`."""
        argument = symbol_of(function), number
        return Access(argument in self.read, argument in self.written)


def analyze_arguments(module: ModuleOp) -> ArgumentAccesses:
    """Find what the functions of `module` do to their arguments. When unsure: both.

    Models must be attached. A function without a body reads and writes its arguments,
    unless `bufferization.access` says otherwise.
    """
    functions = [op for op in ops_inside(module) if isinstance(op, func.FuncOp)]
    search = _Search({symbol_of(function): function for function in functions})
    effects = analyze_calls(module)
    for function in functions:
        if function.is_declaration:
            search.visit_declaration(function)
        elif arguments := [a for a in function.args if is_memref(a)]:
            flow = effects.analyze(function).flow
            search.visit(flow, symbol_of(function), arguments)
    return search.finish()


class _Search:
    def __init__(self, functions: dict[Symbol, func.FuncOp]):
        self.functions = functions
        self.found = ArgumentAccesses()
        self.passed: dict[_Argument, list[_Argument]] = {}
        """By an argument, the arguments of callers that it may be."""

    def visit_declaration(self, function: func.FuncOp) -> None:
        for number in range(len(function.function_type.inputs)):
            access = declared_access(function, number)
            argument = symbol_of(function), number
            self._note(argument, Access("read" in access, "write" in access))

    def visit(
        self, flow: BufferFlow, symbol: Symbol, arguments: Iterable[BlockArgument]
    ) -> None:
        uses = _Uses(flow)
        for argument in arguments:
            me = symbol, argument.index
            for value in reach((argument,), uses.successors):
                for each in value.uses:
                    use = OpOperand(each.operation, each.index)
                    self._note(me, uses.access(use, self._of_call(me)))

    def finish(self) -> ArgumentAccesses:
        """Let callers do what their callees do."""
        for accessed in (self.found.read, self.found.written):
            accessed.update(reach(accessed, self.passed))
        return self.found

    def _note(self, argument: _Argument, access: Access) -> None:
        if access.reads:
            self.found.read.add(argument)
        if access.writes:
            self.found.written.add(argument)

    def _of_call(self, argument: _Argument) -> CallAccess:
        def of_call(use: OpOperand) -> Access:
            call = use.owner
            assert isinstance(call, func.CallOp)
            callee: Symbol = argument[0][0], call.callee.string_value()
            if callee not in self.functions:
                return ANYTHING
            self.passed.setdefault((callee, use.number), []).append(argument)
            return _NOTHING  # Apart from what the callee does.

        return of_call


class _Uses:
    """What the uses of buffers in one function do to them."""

    def __init__(self, flow: BufferFlow):
        self.successors = flow.successors()
        self.passed = {each.use for each in flow.flows}
        self.escaping = {*flow.captured, *flow.freed}
        self.unknown = set(flow.unknown)

    def access(self, use: OpOperand, of_call: CallAccess) -> Access:
        """What one use does. When unsure: everything."""
        op = use.owner
        if use in self.escaping:
            return ANYTHING
        if use in self.passed and not isinstance(op, func.CallOp | CallIndirectOp):
            return _NOTHING  # The uses of what the operand becomes are looked at.
        if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
            return _of_pointer(op.aligned_pointer)
        if self._may_be_lost(op):
            return ANYTHING
        if get_effects(op) is None and (structure := structure_of(op)) is not None:
            # An op of xDSL's own linalg, which does not say what it does.
            is_input = use.number < len(structure.inputs)
            return _READ if is_input else ANYTHING
        return access_of(use, of_call)

    def _may_be_lost(self, op: Operation) -> bool:
        """Whether `op` may make other values of a buffer, which nobody follows."""
        if op.successors:
            return True
        for value in op.results:
            if not _is_number(value.type) and value not in self.successors:
                return True
        return any(
            argument in self.unknown
            or not (_is_number(argument.type) or isinstance(argument.type, _BUFFERS))
            for region in op.regions
            for block in region.blocks
            for argument in block.args
        )


_is_number = of_classes(*_NUMBERS)


def _of_pointer(pointer: SSAValue) -> Access:
    """What a function does by way of the address of a buffer."""
    reads = writes = False
    pending = [pointer]
    while pending:
        for use in pending.pop().uses:
            if isinstance(use.operation, _POINTERS):
                pending += use.operation.results
                continue
            access = _by_pointer(use.operation, use.index)
            reads, writes = reads or access.reads, writes or access.writes
    return Access(reads, writes)


def _by_pointer(op: Operation, number: int) -> Access:
    match op:
        case arith.CmpiOp():
            return _NOTHING
        case memref.StoreOp() if number == 0 and isinstance(op.value.type, IndexType):
            return _NOTHING  # A pointer in memory is there to be compared with others.
        case func.CallOp() if _is_readonly(op, number):
            return _READ
        case _:
            return ANYTHING


def _is_readonly(call: func.CallOp, argument: int) -> bool:
    """Whether a function only reads through the pointer that is an argument of it."""
    callee = lookup_symbol(call, call.callee)
    if not isinstance(callee, func.FuncOp) or callee.arg_attrs is None:
        return False
    return _READONLY in callee.arg_attrs.data[argument].data
