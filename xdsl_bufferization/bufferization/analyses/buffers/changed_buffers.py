"""Which tensors were made of a buffer that may be written to later.

    %t = bufferization.to_tensor %m
    %u = func.call @id(%t)            // on tensors still: may become %m itself
    memref.store %f, %m[%i]           // in place, as nobody reads %t any more
    %x = tensor.extract %u[%i]        // but %u would have changed with it

Such tensors come from a program of which an analysis has bufferized some ops in place,
while others are left to a conversion that hands buffers on. Bufferization without an
analysis does not make them: it writes to a buffer only before anything else can know
the buffer.

For each allocation two places in its block are compared: the last write to it, and the
first time that it becomes another value. All other memory of a function counts as one
buffer. Cost: linear in the number of ops and their depth.
"""

from dataclasses import dataclass, field
from math import inf

from xdsl.dialects import bufferization, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.deallocation import ViewOf, get_deallocation_model, is_memref
from ...interfaces.operands import OpOperand
from ...interfaces.region_branch import get_region_branch
from ..calls.call_graph import declared_access
from .memory_accesses import ANYTHING, access_of

_New = memref.AllocOp | memref.AllocaOp


@dataclass
class _Events:
    """What happens to an allocation, as positions in its block."""

    last_write: float = -inf
    first_escape: float = inf
    """When it becomes another value, one that is not a view of it."""


@dataclass
class _Scope:
    """What happens to the memory that a function uses."""

    events: dict[SSAValue, _Events] = field(default_factory=dict[SSAValue, _Events])
    writes_foreign: bool = False
    """Whether memory is written that is not known to be allocated here."""

    written: set[int] = field(default_factory=set[int])
    """The arguments that are written."""

    def writes_late(self) -> bool:
        """Whether memory is written that may have become another value."""
        return self.writes_foreign or any(
            each.last_write >= each.first_escape for each in self.events.values()
        )


@dataclass(frozen=True)
class _Use:
    """A use of a buffer, or of a view of it."""

    op: Operation
    root: SSAValue


class ChangedBuffers:
    """When the buffers of a module are written, and when they become values."""

    def __init__(self, module: ModuleOp):
        self._positions: dict[Operation, int] = {}
        self._functions: dict[Operation, FuncOp | None] = {}
        self._scopes: dict[FuncOp | None, _Scope] = {}
        self._roots: dict[SSAValue, SSAValue] = {}
        self._calls: dict[tuple[str, int], list[_Use]] = {}
        self._newly_written: list[tuple[FuncOp, int]] = []
        self._last_copies: set[Operation] = set()
        ops = ops_inside(module)
        callees = {op.sym_name.data: op for op in ops if isinstance(op, FuncOp)}
        for position, op in enumerate(ops):
            self._positions[op] = position
            self._functions[op] = self._function_around(op)
            if isinstance(op, FuncOp):
                self._last_copies |= _last_copies(op)
            for number, operand in enumerate(op.operands):
                if is_memref(operand):
                    self._visit(OpOperand(op, number), callees)
        self._spread_writes()
        self._late = {
            function: scope.writes_late() for function, scope in self._scopes.items()
        }

    def may_change(self, op: bufferization.ToTensorOp) -> bool:
        """Whether the buffer that `op` makes a tensor of may be written after it."""
        root = self._root(op.memref)
        function = self._functions[op]
        if not isinstance(root.owner, _New):
            constant = isinstance(root.owner, memref.GetGlobalOp)
            return not constant and self._late.get(function, False)
        scope = self._scope(function)
        found = scope.events.get(root, _Events())
        escapes = found.first_escape < inf
        return found.last_write >= self._position(root, op) or (
            escapes and scope.writes_foreign
        )

    def _function_around(self, op: Operation) -> FuncOp | None:
        if isinstance(op, FuncOp):
            return op
        parent = op.parent_op()
        return None if parent is None else self._functions[parent]

    def _scope(self, function: FuncOp | None) -> _Scope:
        return self._scopes.setdefault(function, _Scope())

    def _visit(self, use: OpOperand, callees: dict[str, FuncOp]) -> None:
        op = use.owner
        if isinstance(op, bufferization.ToTensorOp) or _is_view(op):
            return
        root = self._root(use.value)
        passes_on = op.has_trait(IsTerminator) or get_region_branch(op) is not None
        if passes_on or any(map(is_memref, op.results)):
            self._note_escape(root, op)
        if passes_on:
            return
        if isinstance(op, CallOp):
            self._visit_call(op, use, root, callees)
        elif access_of(use, lambda _: ANYTHING).writes:
            self._note_write(root, op)

    def _visit_call(
        self, op: CallOp, use: OpOperand, root: SSAValue, callees: dict[str, FuncOp]
    ) -> None:
        name = op.callee.string_value()
        function = callees.get(name)
        if function is not None and function.body.blocks:
            self._calls.setdefault((name, use.number), []).append(_Use(op, root))
        elif function is None or "write" in declared_access(function, use.number):
            self._note_write(root, op)

    def _note_escape(self, root: SSAValue, op: Operation) -> None:
        if isinstance(root.owner, _New):
            found = self._events(root, op)
            found.first_escape = min(found.first_escape, self._position(root, op))

    def _note_write(self, root: SSAValue, op: Operation) -> None:
        if isinstance(root.owner, _New):
            found = self._events(root, op)
            found.last_write = max(found.last_write, self._position(root, op))
            return
        function = self._functions[op]
        scope = self._scope(function)
        if op not in self._last_copies:
            scope.writes_foreign = True
        if function is None:
            return
        # What is not an argument may be any of them.
        numbers = range(len(function.function_type.inputs))
        if isinstance(root, BlockArgument) and root.block is function.body.blocks[0]:
            numbers = (root.index,)
        for number in numbers:
            if number not in scope.written:
                scope.written.add(number)
                self._newly_written.append((function, number))

    def _spread_writes(self) -> None:
        """Let calls write to the arguments that the called functions write to."""
        while self._newly_written:
            function, number = self._newly_written.pop()
            for use in self._calls.get((function.sym_name.data, number), ()):
                self._note_write(use.root, use.op)

    def _events(self, root: SSAValue, op: Operation) -> _Events:
        scope = self._scope(self._functions[op])
        return scope.events.setdefault(root, _Events())

    def _root(self, value: SSAValue) -> SSAValue:
        """The value that `value` is a view of, at the end of all views."""
        views: list[SSAValue] = []
        while value not in self._roots:
            source = _viewed(value)
            if source is None:
                self._roots[value] = value
                break
            views.append(value)
            value = source
        root = self._roots[value]
        for view in views:
            self._roots[view] = root
        return root

    def _position(self, root: SSAValue, op: Operation) -> float:
        """Where `op`, or the op around it, is in the block that defines `root`.

        Infinite if `op` is not in that block: it comes after the block, which defines a
        new buffer when the block runs again.
        """
        block = _block_of(root)
        ancestor: Operation | None = op
        while ancestor is not None and ancestor.parent_block() is not block:
            ancestor = ancestor.parent_op()
        return inf if ancestor is None else self._positions[ancestor]


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent_block()


def _is_view(op: Operation) -> bool:
    return any(_viewed(result) is not None for result in op.results)


def _viewed(value: SSAValue) -> SSAValue | None:
    """What `value` is a view of, if it is one."""
    if not isinstance(value, OpResult) or not is_memref(value):
        return None
    model = get_deallocation_model(value.op)
    if model is None:
        return None
    origin = model.get_buffer_origin(value.op, value)
    return origin.source if isinstance(origin, ViewOf) else None


def _last_copies(function: FuncOp) -> set[Operation]:
    """The ops with which a function ends: copies, with nothing else after them."""
    found: set[Operation] = set()
    for block in function.body.blocks:
        op = block.last_op
        while op is not None and not op.successors:
            found.add(op)
            op = op.prev_op
            if not isinstance(op, memref.CopyOp) and (
                op is None or op.name != "linalg.copy"
            ):
                break
    return found
