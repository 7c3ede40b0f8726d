"""Pack the buffers of a function that have static sizes into one arena.

Runs after deallocation, whose ops tell how long each buffer is allocated; best after
`optimize-allocation-liveness`.

    %a = memref.alloc() : memref<4xf32>   %arena = memref.alloc() : memref<16xi8>
    "use"(%a)                             %a = memref.view %arena[%c0][] : ...
    memref.dealloc %a                     "use"(%a)
    %b = memref.alloc() : memref<4xf32>   %b = memref.view %arena[%c0][] : ...
    "use"(%b)                             "use"(%b)
    memref.dealloc %b                     memref.dealloc %arena

The buffers of loops and branches are packed, too. Those of parallel loops are not, as
each iteration needs a buffer of its own.

A live range goes from the allocation to the last deallocation. It has holes if several
branches free the buffer: the rest of a branch that has freed it, and blocks in which it
is not allocated. Buffers that start and end inside of a hole may have the memory there.
Others do not, so that the arena may be larger than what is live at any time. Buffers
that other blocks free stay apart if the function could need more memory with them in
the arena than without.

With `arena=argument` the caller passes the arena as last argument. The attributes
`arena_bytes` and `arena_alignment` of the function say how much is needed, with the
arenas of the functions that it calls. A function that is recursive, or that something
else than a call names, keeps its signature and allocates the arena.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from typing_extensions import override
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    SymbolRefAttr,
    i8,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.memref.constraints import ranked
from xdsl_bufferization.dialects.memref.layouts import has_identity_layout
from xdsl_bufferization.dialects.memref.sizes import count_buffer_bytes
from xdsl_bufferization.support.algorithms.dominating_blocks import around_cycles
from xdsl_bufferization.support.algorithms.interval_packing import (
    LiveRange,
    pack_best_fit,
    pack_trivial,
)
from xdsl_bufferization.support.algorithms.program_points import ProgramPoints
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.calls.call_graph import callees_first
from ..interfaces.region_branch import get_region_branch
from ..mlir_pass import MLIRPass
from .hoisting import is_parallel
from .lifetimes import find_lifetime

ARENA_BYTES = "arena_bytes"
"""The attribute of a function that says how large its arena argument must be."""

ARENA_ALIGNMENT = "arena_alignment"
"""The attribute of a function that says to what its arena must be aligned."""

_ALIGNMENT = 16
"""What `malloc` guarantees, and so what buffers without an alignment have."""

_ALLOCATING = memref.AllocOp, ReallocOp, func.CallOp
"""Ops that allocate memory, or may do so."""

_ALGORITHMS = {"best-fit": pack_best_fit, "trivial": pack_trivial}


@dataclass(frozen=True)
class Arena:
    """The arena that a function takes as its last argument."""

    size: int
    alignment: int

    @property
    def type(self) -> MemRefType:
        """The type of the argument."""
        return MemRefType(i8, [self.size])


@without_garbage_collection()
def plan_memory(
    module: ModuleOp, *, arena: str = "allocate", algorithm: str = "best-fit"
) -> None:
    """Pack the buffers of each function in `module` into an arena.

    Raises an `OperationError` for options that do not exist.
    """
    if arena not in ("allocate", "argument"):
        fail_at(module, f"there is no arena='{arena}'; use allocate or argument")
    if algorithm not in _ALGORITHMS:
        known = " or ".join(_ALGORITHMS)
        fail_at(module, f"there is no algorithm='{algorithm}'; use {known}")
    tables: dict[Operation | None, list[func.FuncOp]] = {}
    for op in ops_inside(module):
        if isinstance(op, func.FuncOp) and not op.is_declaration:
            tables.setdefault(op.parent_op(), []).append(op)
    fixed = _names_in_use(module) if arena == "argument" else set[str]()
    for functions in tables.values():
        arenas: dict[str, Arena] = {}
        recursive = _recursive(functions) if arena == "argument" else set[str]()
        for function in callees_first(functions):
            name = function.sym_name.data
            planner = _Planner(function, arenas, algorithm)
            planner.supply_overlapping_calls()
            if not planner.slots:
                continue
            if arena == "argument" and name not in fixed and name not in recursive:
                arenas[name] = planner.take_arena()
            else:
                planner.allocate_arena()


@dataclass
class _Slot:
    """Something that needs memory of the arena."""

    op: memref.AllocOp | func.CallOp
    live_range: LiveRange
    alignment: int
    deallocs: list[memref.DeallocOp] = field(default_factory=list[memref.DeallocOp])
    other_blocks: bool = False
    """Whether a buffer is freed in other blocks than that of its allocation."""


class _Planner:
    """Plans one function."""

    def __init__(self, function: func.FuncOp, arenas: dict[str, Arena], algorithm: str):
        self.function = function
        self.arenas = arenas
        self.points = ProgramPoints(function, lambda _op, _number: False)
        self.overlapping: list[Operation] = []
        """The ops whose regions may run several times at once, or unknown to us."""

        slots = sorted(self._find_slots(), key=lambda slot: slot.live_range.start)
        self._pack(slots, algorithm)
        apart = [slot for slot in slots if slot.other_blocks]
        if apart and algorithm != "trivial":
            size = self.packing.size
            self._pack([slot for slot in slots if not slot.other_blocks], algorithm)
            most = self.packing.size
            if not self._has_other_memory(slots):
                most += _most_live(slot.live_range for slot in apart)
            if size <= most:
                self._pack(slots, algorithm)

    def _pack(self, slots: list[_Slot], algorithm: str) -> None:
        self.slots = slots
        self.alignment = max((slot.alignment for slot in slots), default=1)
        ranges = [
            slot.live_range._replace(
                size=_round_up(slot.live_range.size, self.alignment)
            )
            for slot in slots
        ]
        self.packing = _ALGORITHMS[algorithm](ranges)

    # --- the plan --------------------------------------------------------------------

    def _find_slots(self) -> Iterator[_Slot]:
        todo: list[Operation] = [self.function]
        while todo:
            for region in todo.pop().regions:
                for block in region.blocks:
                    for op in block.ops:
                        if isinstance(op, memref.AllocOp):
                            yield from self._slot_of_buffer(op)
                        elif isinstance(op, func.CallOp):
                            yield from self._slot_of_call(op)
                        elif _runs_in_order(op):
                            todo.append(op)
                        else:
                            self.overlapping.append(op)

    def _has_other_memory(self, slots: list[_Slot]) -> bool:
        """Whether something may be allocated that has no slot."""
        buffers = sum(isinstance(slot.op, memref.AllocOp) for slot in slots)
        found = sum(isinstance(op, _ALLOCATING) for op in ops_inside(self.function))
        return found > buffers

    def _slot_of_buffer(self, op: memref.AllocOp) -> Iterator[_Slot]:
        type_ = ranked(op.memref)
        size = count_buffer_bytes(type_)
        is_plain = has_identity_layout(type_) and type_.memory_space == NoneAttr()
        if size is None or not is_plain:
            return
        deallocs = [
            use.operation
            for use in op.memref.uses
            if isinstance(use.operation, memref.DeallocOp)
        ]
        parts = find_lifetime(self.points, op, deallocs)
        if parts is not None:
            holes = [(end, start) for (_, end), (start, _) in pairwise(parts)]
            live_range = LiveRange(
                parts[0][0],
                parts[-1][1],
                size,
                tuple((start, end) for start, end in holes if start < end),
            )
            alignment = _ALIGNMENT if op.alignment is None else op.alignment.value.data
            home = self.points.of_op(op).block
            in_home = all(home.contains(self.points.of_op(each)) for each in deallocs)
            yield _Slot(op, live_range, alignment, deallocs, not in_home)

    def _slot_of_call(self, op: func.CallOp) -> Iterator[_Slot]:
        arena = self.arenas.get(op.callee.string_value())
        if arena is not None:
            start = self.points.of_op(op).start
            yield _Slot(op, LiveRange(start, start + 1, arena.size), arena.alignment)

    def supply_overlapping_calls(self) -> None:
        """Allocate the arenas of calls of which several may run at once."""
        for inner in (inner for op in self.overlapping for inner in ops_inside(op)):
            if not isinstance(inner, func.CallOp):
                continue
            arena = self.arenas.get(inner.callee.string_value())
            block = inner.parent
            if arena is not None and block is not None:
                alloc = _allocation(arena)
                block.insert_op_before(alloc, inner)
                block.insert_op_after(memref.DeallocOp.get(alloc.memref), inner)
                inner.operands = [*inner.operands, alloc.memref]

    # --- the arena -------------------------------------------------------------------

    def allocate_arena(self) -> None:
        """Allocate the arena when the function starts, free it when it returns."""
        entry = self.function.body.blocks[0]
        alloc = _allocation(Arena(self.packing.size, self.alignment))
        self._use(alloc.memref)
        first = entry.first_op
        assert first is not None
        entry.insert_op_before(alloc, first)
        for block in self.function.body.blocks:
            last = block.last_op
            if isinstance(last, func.ReturnOp):
                block.insert_op_before(memref.DeallocOp.get(alloc.memref), last)

    def take_arena(self) -> Arena:
        """Take the arena as a new last argument, and say how large it must be."""
        function = self.function
        arena = Arena(self.packing.size, self.alignment)
        entry = function.body.blocks[0]
        value = entry.insert_arg(arena.type, len(entry.args))
        value.name_hint = "arena"
        old = function.function_type
        function.function_type = FunctionType.from_lists(
            [*old.inputs, arena.type], old.outputs.data
        )
        if function.arg_attrs is not None:
            function.arg_attrs = ArrayAttr([*function.arg_attrs, DictionaryAttr({})])
        function.attributes[ARENA_BYTES] = IntegerAttr(arena.size, i64)
        function.attributes[ARENA_ALIGNMENT] = IntegerAttr(arena.alignment, i64)
        self._use(value)
        return arena

    def _use(self, arena: SSAValue) -> None:
        """Put everything into the arena."""
        for slot, offset in zip(self.slots, self.packing.offsets, strict=True):
            if isinstance(slot.op, func.CallOp):
                type_ = self.arenas[slot.op.callee.string_value()].type
                view = _view(arena, offset, type_, slot.op)
                slot.op.operands = [*slot.op.operands, view]
                continue
            buffer = slot.op.memref
            view = _view(arena, offset, ranked(buffer), slot.op)
            view.name_hint = buffer.name_hint
            for op in slot.deallocs:
                _erase(op)
            buffer.replace_all_uses_with(view)
            _erase(slot.op)


def _most_live(ranges: Iterable[LiveRange]) -> int:
    """The most bytes that are live at one time."""
    changes: list[tuple[int, int]] = []
    for start, end, size, holes in ranges:
        changes += (start, size), (end, -size)
        for first, behind in holes:
            changes += (first, -size), (behind, size)
    # Of equal positions, what ends comes first.
    return max(accumulate(change for _, change in sorted(changes)), default=0)


def _view(
    arena: SSAValue, offset: int, type_: MemRefType, before: Operation
) -> SSAValue:
    builder = Builder(InsertPoint.before(before))
    constant = index_constant(offset)
    start = builder.insert(constant).result
    view = memref.ViewOp.build(operands=[arena, start, []], result_types=[type_])
    return builder.insert(view).result


def _allocation(arena: Arena) -> memref.AllocOp:
    alloc = memref.AllocOp.build(
        operands=[[], []],
        result_types=[arena.type],
        properties={"alignment": IntegerAttr(arena.alignment, i64)},
    )
    alloc.memref.name_hint = "arena"
    return alloc


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


def _round_up(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _runs_in_order(op: Operation) -> bool:
    """Whether the runs of the regions of `op` never overlap."""
    return not op.regions or (get_region_branch(op) is not None and not is_parallel(op))


def _recursive(functions: list[func.FuncOp]) -> set[str]:
    """The functions that may call themselves, and maybe some more."""
    numbers = {op.sym_name.data: number for number, op in enumerate(functions)}
    calls = [
        [
            numbers[name]
            for inner in ops_inside(op)
            if isinstance(inner, func.CallOp)
            and (name := inner.callee.string_value()) in numbers
        ]
        for op in functions
    ]
    return {functions[number].sym_name.data for number in around_cycles(calls)}


def _names_in_use(module: ModuleOp) -> set[str]:
    """The symbols that something other than a call refers to."""
    found: set[str] = set()
    todo: list[Attribute] = []
    for op in ops_inside(module):
        for name, attribute in (*op.properties.items(), *op.attributes.items()):
            if not (isinstance(op, func.CallOp) and name == "callee"):
                todo.append(attribute)
    while todo:
        attribute = todo.pop()
        if isinstance(attribute, SymbolRefAttr):
            found.add(attribute.root_reference.data)
        elif isa(attribute, ArrayAttr):
            todo += attribute.data
    return found


@dataclass(frozen=True)
class StaticMemoryPlannerPass(MLIRPass):
    """Pack the buffers of a function that have static sizes into one arena."""

    name = "static-memory-planner"

    arena: str = "allocate"
    """`allocate` it in the function, or take it as an `argument`."""

    algorithm: str = "best-fit"
    """`best-fit` shares memory, `trivial` gives each buffer its own."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        plan_memory(op, arena=self.arena, algorithm=self.algorithm)
