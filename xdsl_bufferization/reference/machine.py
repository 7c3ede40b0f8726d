"""Run blocks of operations on NumPy values: the part that knows no operation.

    %1 = arith.addf %0, %0 : f32    ->   scope[%1] = handler(op, [scope[%0], scope[%0]])

A handler gets the operation, the values of its operands and the machine, and returns
the values of its results. Handlers live in a table by operation name, so that this
room needs no class of this package's dialects.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xdsl_bufferization.support.errors import fail_at, op_name

from .values import Value, require_shape

Handler: TypeAlias = Callable[[Any, list[Value], "Machine"], Sequence[Value]]
"""From (operation, operands, machine) to results."""

HandlerTable: TypeAlias = Mapping[str, Handler]


class Machine:
    """The values of one evaluation: a scope per function that is running."""

    points: tuple[Value, ...] = ()
    """Where `linalg.index` stands: one array of positions per loop."""

    def __init__(
        self,
        module: ModuleOp,
        handlers: HandlerTable,
        default: Callable[[Operation], Handler | None],
    ) -> None:
        self.functions = {
            op.sym_name.data: op
            for op in module.body.block.ops
            if isinstance(op, func.FuncOp)
        }
        self.module = module
        self.globals: dict[str, Value] = {}
        """What globals hold that were asked for, by name."""
        self.lent: list[Value] = []
        """Buffers that tensors may be written to: nothing says what they hold."""
        self._handlers = handlers
        self._default = default
        self._scope: dict[SSAValue, Value] = {}
        self._last_uses: dict[Block, dict[Operation, list[SSAValue]]] = {}

    def call(
        self, function: func.FuncOp, arguments: Sequence[Value]
    ) -> Sequence[Value]:
        """Run a function in a scope of its own."""
        caller, self._scope = self._scope, {}
        try:
            _, results = self.run_region(function.body, arguments)
        finally:
            self._scope = caller
        return results

    def run_region(
        self, region: Region, arguments: Sequence[Value]
    ) -> tuple[Operation, list[Value]]:
        """Run from the first block until a terminator leaves the region.

        Returns that terminator and the values of its operands.
        """
        block = region.blocks[0]
        while True:
            terminator, values = self.run_block(block, arguments)
            if not terminator.successors:
                return terminator, values
            # A branch is a handler that answers with the block it takes.
            index, arguments = self._branch(terminator, values)
            block = terminator.successors[index]

    def run_block(
        self,
        block: Block,
        arguments: Sequence[Value],
        stop: Operation | None = None,
    ) -> tuple[Operation, list[Value]]:
        """Run the operations of a block before its terminator, or before `stop`.

        Returns that operation, which is left to the caller, and its operands' values.
        """
        scope = self._scope
        scope.update(zip(block.args, arguments, strict=True))
        last_uses = self._last_uses_in(block)
        stop = stop or block.last_op
        if stop is None:
            raise ValueError("a block without operations cannot be run")
        op = block.first_op
        while op is not None and op is not stop:
            results = self.run_op(op, [scope[operand] for operand in op.operands])
            scope.update(zip(op.results, results, strict=True))
            for value in last_uses.get(op, ()):
                scope.pop(value, None)
            op = op.next_op
        return stop, [scope[operand] for operand in stop.operands]

    def run_op(self, op: Operation, operands: list[Value]) -> Sequence[Value]:
        """The values of the results of one operation."""
        handler = self._handlers.get(op.name) or self._default(op)
        if handler is None:
            fail_at(
                op,
                f"the reference evaluation does not know '{op_name(op)}': leave out "
                "--check, and compare what xbuf.jit returns with numbers of your own",
            )
        results = handler(op, operands, self)
        # In a body, values have a dimension for each loop. What a terminator gives says
        # where it goes.
        if op.results and not self.points:
            for result, value in zip(op.results, results, strict=True):
                if _is_tensor(result.type):
                    require_shape(op, result.type, value)
        return results

    def operands_of(self, op: Operation) -> list[Value]:
        """The values of the operands of an operation that runs now."""
        return [self._scope[operand] for operand in op.operands]

    def value_of(self, value: SSAValue) -> Value:
        """The value that an op which ran before has given."""
        return self._scope[value]

    def _branch(
        self, terminator: Operation, values: list[Value]
    ) -> tuple[int, Sequence[Value]]:
        index, *arguments = self.run_op(terminator, values)
        return int(index), arguments

    def _last_uses_in(self, block: Block) -> dict[Operation, list[SSAValue]]:
        """Which values may be forgotten after which operation of `block`.

        Without this a chain of tensors would be held to the end of the function.
        """
        if (known := self._last_uses.get(block)) is not None:
            return known
        position = {op: index for index, op in enumerate(block.ops)}
        ending: dict[Operation, list[SSAValue]] = {}
        for value in _defined_in(block):
            users = [_ancestor_in(block, use.operation) for use in value.uses]
            # A value that another block uses lives as long as the scope.
            here = [user for user in users if user is not None]
            if here and len(here) == len(users):
                last = max(here, key=position.__getitem__)
                ending.setdefault(last, []).append(value)
        self._last_uses[block] = ending
        return ending


def _is_tensor(type_: Attribute) -> bool:
    return isinstance(type_, TensorType)


def _defined_in(block: Block) -> list[SSAValue]:
    values: list[SSAValue] = list(block.args)
    for op in block.ops:
        values.extend(op.results)
    return values


def _ancestor_in(block: Block, op: Operation) -> Operation | None:
    """`op` or the operation around it that `block` holds; None if it is elsewhere."""
    at: Operation | None = op
    while at is not None and at.parent is not block:
        at = at.parent_op()
    return at
