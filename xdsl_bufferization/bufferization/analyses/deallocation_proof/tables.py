"""Calls of functions that decide on tables which buffers to free: `dealloc_helper`.

    func.call @dealloc_helper(%pointers, %retained, %conditions, %free, %owned)

Deallocation passes write such a function for long lists. It is known by its structure:
it compares and combines numbers in loops, and reads and writes tables of `index` and
`i1`. Where it is called, the length of each table is known, and so is what the table
holds. So each iteration of its loops is evaluated with conditions in the place of
numbers. What it decides is known exactly, whatever the function is called and whoever
wrote it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE, TRUE
from xdsl_bufferization.support.traversal import ops_inside

from .addresses import same_address
from .buffers import Buffer, Owner, Pointer, Value
from .run import Run
from .sought import EQ, NE

_PURE = (arith.AndIOp, arith.CmpiOp, arith.ConstantOp, arith.OrIOp, arith.SelectOp)
_ON_TABLES = (memref.AllocaOp, memref.DimOp, memref.LoadOp, memref.StoreOp)
_CONTROL = (func.FuncOp, func.ReturnOp, scf.ForOp, scf.IfOp, scf.YieldOp)
_KNOWN = (*_PURE, arith.XOrIOp, *_ON_TABLES, *_CONTROL)

_MAX_STEPS = 200_000
"""How many ops of a function are evaluated in one call."""


class _UnknownError(Exception):
    """Something depends on what is not known at the call."""


@dataclass(frozen=True)
class _Number:
    """A number of type `index` that is known."""

    value: int


_Known = Value | _Number


def decides_on_tables(function: func.FuncOp) -> bool:
    """Whether a function has the structure of one that decides about deallocations."""
    return (
        not function.is_declaration
        and len(function.body.blocks) == 1
        and all(_is_table_or_number(type_) for type_ in function.function_type.inputs)
        and all(isinstance(op, _KNOWN) for op in ops_inside(function))
        and any(isinstance(op, arith.CmpiOp) for op in ops_inside(function))
    )


def _is_table_or_number(type_: Attribute) -> bool:
    if isinstance(type_, MemRefType):
        element: Attribute = cast("MemRefType", type_).element_type
        return element == i1 or isinstance(element, IndexType)
    return type_ == i1 or isinstance(type_, IndexType)


def call_on_tables(run: Run, op: Operation, function: func.FuncOp) -> bool:
    """Evaluate a call; False if it depends on what is not known."""
    before = dict(run.state.cells)
    evaluation = _Evaluation(run, op)
    try:
        results = evaluation.call(function, op.operands)
    except _UnknownError:
        run.state.cells = before
        return False
    for result, value in zip(op.results, results, strict=True):
        if not isinstance(value, _Number):
            run.state.values[result] = value
    return True


@dataclass
class _Evaluation:
    """One call of a function that decides on tables."""

    run: Run
    at: Operation
    known: dict[SSAValue, _Known] = field(default_factory=dict[SSAValue, _Known])
    guard: int = TRUE
    """Whether this place is reached in the function."""

    steps: int = 0

    def call(self, function: func.FuncOp, operands: Sequence[SSAValue]) -> list[_Known]:
        """What the function returns."""
        for argument, operand in zip(
            function.body.blocks[0].args, operands, strict=True
        ):
            value = self.run.state.values.get(operand)
            if value is not None:
                self.known[argument] = value
        return self._block(function.body.blocks[0])

    def _block(self, block: Block) -> list[_Known]:
        """The values that the last op of a block forwards."""
        for op in block.ops:
            self.steps += 1
            if self.steps > _MAX_STEPS:
                raise _UnknownError
            if isinstance(op, scf.YieldOp | func.ReturnOp):
                return [self._get(operand) for operand in op.operands]
            self._op(op)
        return []

    def _get(self, value: SSAValue) -> _Known:
        if value not in self.known:
            raise _UnknownError
        return self.known[value]

    def _bit(self, value: SSAValue) -> int:
        found = self._get(value)
        if not isinstance(found, int):
            raise _UnknownError
        return found

    def _number(self, value: SSAValue) -> int:
        found = self._get(value)
        if not isinstance(found, _Number):
            raise _UnknownError
        return found.value

    def _table(self, value: SSAValue) -> Buffer:
        found = self._get(value)
        if not isinstance(found, Pointer) or len(found.targets) != 1:
            raise _UnknownError
        (table,) = found.targets
        if table.sources:
            raise _UnknownError
        return table

    # --- ops -------------------------------------------------------------------------

    def _op(self, op: Operation) -> None:
        match op:
            case arith.ConstantOp():
                self.known[op.result] = _constant(op)
            case arith.CmpiOp():
                self.known[op.result] = self._compare(op)
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
                self.known[op.results[0]] = self._logic(op)
            case arith.SelectOp():
                yes, no = self._get(op.lhs), self._get(op.rhs)
                self.known[op.result] = self._choose(self._bit(op.cond), yes, no)
            case scf.ForOp():
                self._for(op)
            case scf.IfOp():
                self._if(op)
            case _:
                self._on_table(op)

    def _logic(self, op: Operation) -> int:
        conditions = self.run.state.conditions
        first, second = (self._bit(operand) for operand in op.operands)
        if isinstance(op, arith.AndIOp):
            return conditions.conjoin(first, second)
        if isinstance(op, arith.OrIOp):
            return conditions.disjoin(first, second)
        return conditions.negate(conditions.equal(first, second))

    def _compare(self, op: arith.CmpiOp) -> int:
        predicate = op.predicate.value.data
        first, second = self._get(op.lhs), self._get(op.rhs)
        conditions = self.run.state.conditions
        if predicate not in (EQ, NE):
            raise _UnknownError
        if isinstance(first, Pointer) and isinstance(second, Pointer):
            equal = same_address(self.run.state, first, second)
        elif isinstance(first, int) and isinstance(second, int):
            equal = conditions.equal(first, second)
        else:
            raise _UnknownError
        return equal if predicate == EQ else conditions.negate(equal)

    def _choose(self, condition: int, yes: _Known, no: _Known) -> _Known:
        if yes == no:
            return yes
        if isinstance(yes, _Number) or isinstance(no, _Number):
            raise _UnknownError
        return self.run.state.choose(condition, yes, no)

    def _for(self, op: scf.ForOp) -> None:
        numbers = range(self._number(op.lb), self._number(op.ub), self._number(op.step))
        carried = [self._get(value) for value in op.iter_args]
        block = op.body.block
        for number in numbers:
            self.known.update(zip(block.args, [_Number(number), *carried], strict=True))
            carried = self._block(block)
        self.known.update(zip(op.results, carried, strict=True))

    def _if(self, op: scf.IfOp) -> None:
        conditions = self.run.state.conditions
        condition, guard = self._bit(op.cond), self.guard
        ways = (condition, conditions.negate(condition))
        found: list[list[_Known]] = []
        for way, region in zip(ways, op.regions, strict=True):
            self.guard = conditions.conjoin(guard, way)
            is_run = region.blocks and self.guard != FALSE
            found.append(self._block(region.block) if is_run else [])
        self.guard = guard
        yes, no = found[0] or found[1], found[1] or found[0]
        for result, first, second in zip(op.results, yes, no, strict=True):
            self.known[result] = self._choose(condition, first, second)

    # --- tables ----------------------------------------------------------------------

    def _on_table(self, op: Operation) -> None:
        state = self.run.state
        match op:
            case memref.AllocaOp():
                buffer = state.borrow(Owner.STACK, (self.at, op), op)
                self.known[op.memref] = state.point_to(buffer)
            case memref.DimOp():
                length = _length(self._table(op.source), self._number(op.index))
                self.known[op.result] = _Number(length)
            case memref.LoadOp(memref=table, indices=indices, res=result):
                cell = self._cell(table, indices)
                if cell not in state.cells:
                    raise _UnknownError
                self.known[result] = state.cells[cell]
            case memref.StoreOp():
                self._store(op)
            case _:
                raise _UnknownError

    def _store(self, op: memref.StoreOp) -> None:
        cell = self._cell(op.memref, op.indices)
        value = self._get(op.value)
        if isinstance(value, _Number):
            raise _UnknownError
        cells = self.run.state.cells
        before = cells.get(cell)
        if self.guard != TRUE and before is None:
            raise _UnknownError
        if before is not None:
            value = self.run.state.choose(self.guard, value, before)
        cells[cell] = value

    def _cell(self, table: SSAValue, indices: Sequence[SSAValue]) -> tuple[Buffer, int]:
        if len(indices) != 1:
            raise _UnknownError
        return self._table(table), self._number(indices[0])


def _constant(op: arith.ConstantOp) -> _Known:
    if not isinstance(op.value, IntegerAttr):
        raise _UnknownError
    number = op.value.value.data
    if op.result.type == i1:
        return TRUE if number else FALSE
    return _Number(number)


def _length(table: Buffer, dimension: int) -> int:
    """How long a table is that was allocated with a static length."""
    op = table.op
    if dimension or not isinstance(op, memref.AllocOp | memref.AllocaOp):
        raise _UnknownError
    shape = op.memref.type.get_shape()
    if len(shape) != 1 or shape[0] < 0:
        raise _UnknownError
    return shape[0]
