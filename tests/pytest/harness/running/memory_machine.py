"""Runs programs on memrefs and watches what they do with memory.

A small interpreter for the ops that deallocation sees and those that it inserts, before
and after lowering. Every allocation is an object that knows whether it was freed:
using freed memory, freeing twice, freeing what was never allocated and freeing what
became a tensor raise a `MemoryFaultError`. Addresses are given out again after a free,
as `malloc` does, so that stale pointers compare equal to new ones.

Programs make random decisions through three external functions: `@choose() -> i1`,
`@count() -> index` and `@observe(f32)`, which records a value.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import override
from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.linalg.ops import CopyOp
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.bufferization.interfaces.branch import (
    get_branch,
    passed_operands,
)
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.shape import (
    AssumingOp,
    AssumingYieldOp,
    ConstWitnessOp,
)

MAX_STEPS = 100_000
MAX_DEPTH = 40
ENDS = AssumingYieldOp | func.ReturnOp | scf.ConditionOp | scf.YieldOp
"""What ends a region."""


class MemoryFaultError(Exception):
    """The program misused memory."""


class EndlessError(Exception):
    """The program runs too long, or calls itself too deeply."""


@dataclass(eq=False)
class Allocation:
    """Some memory, and what became of it."""

    address: int
    cells: list[Any]
    is_heap: bool
    made_by: str
    is_freed: bool = False
    is_tensor: bool = False


@dataclass(frozen=True, eq=False)
class Buffer:
    """A memref: where it starts in an allocation. All cells used are the first."""

    allocation: Allocation
    offset: int = 0


@dataclass
class Costs:
    """What a run needed of the heap."""

    allocs: int = 0
    clones: int = 0
    cells: int = 0
    peak_cells: int = 0


@dataclass
class Machine:
    """The state of one run."""

    functions: dict[str, func.FuncOp]
    decisions: random.Random
    addresses: random.Random
    observed: list[Any] = field(default_factory=list[Any])
    heap: list[Allocation] = field(default_factory=list[Allocation])
    free_addresses: list[int] = field(default_factory=list[int])
    globals: dict[str, Allocation] = field(default_factory=dict[str, Allocation])
    next_address: int = 64
    costs: Costs = field(default_factory=Costs)
    steps: int = 0
    depth: int = 0

    # --- memory ----------------------------------------------------------------------

    def allocate(self, size: int, made_by: str, is_heap: bool = True) -> Buffer:
        if self.free_addresses and is_heap and self.addresses.random() < 0.7:
            number = self.addresses.randrange(len(self.free_addresses))
            address = self.free_addresses.pop(number)
        else:
            address = self.next_address
            self.next_address += 64
        allocation = Allocation(address, [None] * size, is_heap, made_by)
        if is_heap:
            self.heap.append(allocation)
            self.costs.allocs += 1
            self.costs.cells += size
            self.costs.peak_cells = max(self.costs.peak_cells, self.costs.cells)
        return Buffer(allocation)

    def free(self, buffer: Buffer) -> None:
        allocation = buffer.allocation
        if not allocation.is_heap:
            raise MemoryFaultError(f"freed, but not on the heap: {allocation.made_by}")
        if allocation.is_freed:
            raise MemoryFaultError(f"freed twice: {allocation.made_by}")
        if allocation.is_tensor:
            raise MemoryFaultError(f"freed, but a tensor: {allocation.made_by}")
        allocation.is_freed = True
        self.costs.cells -= len(allocation.cells)
        self.free_addresses.append(allocation.address)

    def use(self, buffer: Buffer) -> list[Any]:
        if buffer.allocation.is_freed:
            raise MemoryFaultError(f"used after free: {buffer.allocation.made_by}")
        return buffer.allocation.cells

    # --- control ---------------------------------------------------------------------

    def call(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        match name:
            case "choose":
                return [self.decisions.random() < 0.5]
            case "count":
                return [self.decisions.choice((0, 1, 1, 2, 3))]
            case "observe":
                self.observed.append(arguments[0])
                return []
            case "make":
                return [self.allocate(8, "@make")]
            case "keep":
                return []
            case _:
                self.depth += 1
                if self.depth > MAX_DEPTH:
                    raise EndlessError("the program calls itself too deeply")
                results = self.run_region(self.functions[name].body, arguments)
                self.depth -= 1
                return results

    def run_region(self, region: Region, arguments: Sequence[Any]) -> list[Any]:
        """Run a region; returns what its last terminator forwards."""
        block = region.blocks[0]
        values: dict[SSAValue, Any] = {}
        values.update(zip(block.args, arguments, strict=True))
        return self.run_block(block, values)

    def run_block(self, block: Block, values: dict[SSAValue, Any]) -> list[Any]:
        """Run a block and those that it leads to."""
        while True:
            forwarded = self.run_ops(block, values)
            if block.last_op is None or not block.last_op.successors:
                return forwarded
            block, passed = forwarded
            values.update(zip(block.args, passed, strict=True))

    def run_ops(self, block: Block, values: dict[SSAValue, Any]) -> list[Any]:
        for op in block.ops:
            self.steps += 1
            if self.steps > MAX_STEPS:
                raise EndlessError("the program runs too long")
            if isinstance(op, ENDS):
                return [values[operand] for operand in op.operands]
            if op.successors:
                return self.branch(op, values)
            results = RULES[type(op)](self, op, values)
            values.update(zip(op.results, results, strict=True))
        return []

    def branch(self, op: Operation, values: dict[SSAValue, Any]) -> list[Any]:
        """The block that is next, and its arguments."""
        way = 0
        if isinstance(op, cf.ConditionalBranchOp):
            way = 0 if values[op.cond] else 1
        elif isinstance(op, cf.SwitchOp) and op.case_values is not None:
            cases = list(op.case_values.get_values())
            flag = values[op.flag]
            way = cases.index(flag) + 1 if flag in cases else 0
        branch = get_branch(op)
        assert branch is not None
        uses = passed_operands(branch, op)[way]
        return [op.successors[way], [values[use.value] for use in uses]]


Rule = Callable[[Machine, Any, dict[SSAValue, Any]], Sequence[Any]]


def _run_inner(
    machine: Machine, region: Region, arguments: Sequence[Any], outer: dict[Any, Any]
) -> list[Any]:
    block = region.blocks[0]
    return machine.run_block(
        block, {**outer, **dict(zip(block.args, arguments, strict=True))}
    )


def _for(machine: Machine, op: scf.ForOp, values: dict[SSAValue, Any]) -> Sequence[Any]:
    lower, upper, step, *carried = (values[operand] for operand in op.operands)
    for number in range(lower, upper, step):
        carried = _run_inner(machine, op.body, [number, *carried], values)
    return carried


def _if(machine: Machine, op: scf.IfOp, values: dict[SSAValue, Any]) -> Sequence[Any]:
    region = op.true_region if values[op.cond] else op.false_region
    return _run_inner(machine, region, [], values) if region.blocks else []


def _execute_region(
    machine: Machine, op: scf.ExecuteRegionOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    return _run_inner(machine, op.region, [], values)


def _assuming(
    machine: Machine, op: AssumingOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    assert values[op.witness]
    return _run_inner(machine, op.do_region, [], values)


def _witness(
    machine: Machine, op: ConstWitnessOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    return [bool(op.passing.value.data)]


def _while(
    machine: Machine, op: scf.WhileOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    carried = [values[operand] for operand in op.operands]
    for _ in range(1000):
        goes_on, *carried = _run_inner(machine, op.before_region, carried, values)
        if not goes_on:
            return carried
        carried = _run_inner(machine, op.after_region, carried, values)
    raise EndlessError("the loop runs too long")


def _alloc(machine: Machine, op: Any, values: dict[SSAValue, Any]) -> Sequence[Any]:
    sizes = [values[size] for size in op.dynamic_sizes]
    total = 1
    for size in op.memref.type.get_shape():
        total *= sizes.pop(0) if size == DYNAMIC_INDEX else size
    # Views start at up to 3; memory for one element is enough for the others.
    is_heap = isinstance(op, memref.AllocOp)
    return [machine.allocate(max(total, 1), str(op), is_heap)]


def _view(
    machine: Machine, op: Operation, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    return [values[op.operands[0]]]


def _subview(
    machine: Machine, op: memref.SubviewOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    source: Buffer = values[op.source]
    offset = values[op.offsets[0]] if op.offsets else op.static_offsets.get_values()[0]
    return [Buffer(source.allocation, source.offset + offset)]


def _metadata(
    machine: Machine, op: memref.ExtractStridedMetaDataOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    source: Buffer = values[op.source]
    rest = [0] * (len(op.results) - 2)
    return [Buffer(source.allocation), source.offset, *rest]


def _load(
    machine: Machine, op: memref.LoadOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    buffer: Buffer = values[op.memref]
    return [machine.use(buffer)[buffer.offset + values[op.indices[0]]]]


def _store(
    machine: Machine, op: memref.StoreOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    buffer: Buffer = values[op.memref]
    number = buffer.offset + values[op.indices[0]]
    machine.use(buffer)[number] = values[op.value]
    return []


def _copy_cells(machine: Machine, source: Buffer, target: Buffer) -> None:
    cells = machine.use(source)[source.offset :]
    into = machine.use(target)
    for number, value in enumerate(cells):
        if target.offset + number < len(into):
            into[target.offset + number] = value


def _copy(
    machine: Machine, op: memref.CopyOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    _copy_cells(machine, values[op.source], values[op.destination])
    return []


def _structured_copy(
    machine: Machine, op: CopyOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    _copy_cells(machine, values[op.inputs[0]], values[op.outputs[0]])
    return []


def _clone(machine: Machine, op: Any, values: dict[SSAValue, Any]) -> Sequence[Any]:
    source: Buffer = values[op.input]
    clone = machine.allocate(8, str(op))
    machine.costs.clones += 1
    _copy_cells(machine, source, clone)
    return [clone]


def _realloc(
    machine: Machine, op: ReallocOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    source, *sizes = (values[operand] for operand in op.operands)
    size = sizes[0] if sizes else op.result.type.get_shape()[0]
    new = machine.allocate(size, str(op))
    _copy_cells(machine, source, new)
    machine.free(source)
    return [new]


def _dealloc(
    machine: Machine, op: memref.DeallocOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    machine.free(values[op.memref])
    return []


def _conditional_dealloc(
    machine: Machine, op: DeallocOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    """MLIR's semantics of `bufferization.dealloc`, on addresses."""
    retained = [values[value].allocation.address for value in op.retained]
    due: dict[int, Buffer] = {}
    for value, condition in zip(op.memrefs, op.conditions, strict=True):
        if values[condition]:
            due.setdefault(values[value].allocation.address, values[value])
    for address, buffer in due.items():
        if address not in retained:
            machine.free(buffer)
    return [address in due for address in retained]


def _to_tensor(machine: Machine, op: Any, values: dict[SSAValue, Any]) -> Sequence[Any]:
    buffer: Buffer = values[op.memref]
    machine.use(buffer)
    buffer.allocation.is_tensor = True
    return [buffer]


def _constant(
    machine: Machine, op: arith.ConstantOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    value: Any = op.value
    number = value.value.data
    return [bool(number) if str(value.type) == "i1" else number]


def _binary(compute: Callable[[Any, Any], Any]) -> Rule:
    def rule(
        machine: Machine, op: Operation, values: dict[SSAValue, Any]
    ) -> Sequence[Any]:
        return [compute(*(values[operand] for operand in op.operands))]

    return rule


def _compare(
    machine: Machine, op: arith.CmpiOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    first, second = values[op.lhs], values[op.rhs]
    return [_PREDICATES[op.predicate.value.data](first, second)]


_PREDICATES = (
    *(operator.eq, operator.ne),
    # No number here is negative: signed and unsigned are the same.
    *(operator.lt, operator.le, operator.gt, operator.ge) * 2,
)


def _select(
    machine: Machine, op: arith.SelectOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    return [values[op.lhs] if values[op.cond] else values[op.rhs]]


def _call(
    machine: Machine, op: func.CallOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    arguments = [values[operand] for operand in op.operands]
    return machine.call(op.callee.string_value(), arguments)


def _get_global(
    machine: Machine, op: memref.GetGlobalOp, values: dict[SSAValue, Any]
) -> Sequence[Any]:
    name = op.name_.string_value()
    if name not in machine.globals:
        table = machine.allocate(8, str(op), False)
        table.allocation.cells[:] = [7.0] * 8
        machine.globals[name] = table.allocation
    return [Buffer(machine.globals[name])]


def _dim(machine: Machine, op: memref.DimOp, values: dict[SSAValue, Any]) -> list[Any]:
    return [len(values[op.source].allocation.cells)]


def _pointer(
    machine: Machine,
    op: memref.ExtractAlignedPointerAsIndexOp,
    values: dict[SSAValue, Any],
) -> Sequence[Any]:
    return [values[op.source].allocation.address]


def _rules() -> dict[type[Operation], Rule]:
    from xdsl.dialects import bufferization

    return {
        arith.AddiOp: _binary(lambda a, b: a + b),
        arith.IndexCastOp: _view,
        arith.AndIOp: _binary(lambda a, b: a and b),
        arith.CmpiOp: _compare,
        arith.ConstantOp: _constant,
        arith.OrIOp: _binary(lambda a, b: a or b),
        arith.SelectOp: _select,
        arith.XOrIOp: _binary(lambda a, b: a != b),
        bufferization.CloneOp: _clone,
        bufferization.ToTensorOp: _to_tensor,
        CopyOp: _structured_copy,
        DeallocOp: _conditional_dealloc,
        func.CallOp: _call,
        memref.AllocOp: _alloc,
        memref.AllocaOp: _alloc,
        memref.CastOp: _view,
        memref.CopyOp: _copy,
        memref.DeallocOp: _dealloc,
        memref.DimOp: _dim,
        memref.ExtractAlignedPointerAsIndexOp: _pointer,
        memref.ExtractStridedMetaDataOp: _metadata,
        memref.GetGlobalOp: _get_global,
        memref.LoadOp: _load,
        memref.ReinterpretCastOp: _view,
        ReallocOp: _realloc,
        memref.StoreOp: _store,
        memref.SubviewOp: _subview,
        AssumingOp: _assuming,
        ConstWitnessOp: _witness,
        scf.ExecuteRegionOp: _execute_region,
        scf.ForOp: _for,
        scf.IfOp: _if,
        scf.WhileOp: _while,
    }


RULES = _rules()


@dataclass(frozen=True)
class Outcome:
    """What a run of a program showed."""

    observed: list[Any]
    leaked: list[str]
    """What is still allocated and was neither returned nor made a tensor."""

    costs: Costs


class CompiledDecisions(random.Random):
    """The decisions of a program that brings all that it calls: `native_text`."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self._state = seed

    def _next(self) -> int:
        self._state = (self._state * 1103515245 + 12345) % 2**32
        return self._state >> 16

    @override
    def random(self) -> float:
        return 0.0 if self._next() % 2 else 1.0

    @override
    def choice(self, seq: Any) -> Any:
        """What `@count` returns; none of `seq`."""
        return self._next() % 4


Decisions = Callable[[int], random.Random]
"""Makes the decisions of a run from its seed."""


def run(
    module: ModuleOp,
    entry: str,
    seed: int,
    arguments: int,
    decisions: Decisions = random.Random,
) -> Outcome:
    """Run a function on `arguments` buffers that the caller owns, and check memory.

    The results are used, freed, and must be allocations of their own.
    """
    machine, owned, results = _start(module, entry, seed, arguments, decisions)
    return Outcome(machine.observed, _finish(machine, owned, results), machine.costs)


def run_unchecked(
    module: ModuleOp,
    entry: str,
    seed: int,
    arguments: int,
    decisions: Decisions = random.Random,
) -> list[Any]:
    """What a program observes that frees nothing."""
    machine, _, _ = _start(module, entry, seed, arguments, decisions)
    return machine.observed


def _start(
    module: ModuleOp, entry: str, seed: int, arguments: int, decisions: Decisions
) -> tuple[Machine, list[Buffer], list[Buffer]]:
    functions = {
        op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)
    }
    machine = Machine(functions, decisions(seed), random.Random(seed + 1))
    owned = [machine.allocate(8, f"argument {n}") for n in range(arguments)]
    for buffer in owned:
        buffer.allocation.cells[:] = [-1.0] * 8
    results = machine.call(entry, owned)
    buffers = [result for result in results if isinstance(result, Buffer)]
    for result in buffers:
        machine.observed.append(machine.use(result)[result.offset])
    return machine, owned, buffers


def _finish(
    machine: Machine, owned: Sequence[Buffer], results: Sequence[Buffer]
) -> list[str]:
    """Free what the caller owns; what is left leaked."""
    for buffer in results:
        machine.free(buffer)
    for buffer in owned:
        # What the program may have made of an argument is up to the caller.
        buffer.allocation.is_tensor = False
        machine.free(buffer)
    return [
        allocation.made_by
        for allocation in machine.heap
        if not allocation.is_freed and not allocation.is_tensor
    ]
