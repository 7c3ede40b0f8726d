"""A function that tells what it does with memory, where a fault was found.

    memref.dealloc %a     ->     func.call @xbuf_replay_event(%0, %pointer)
                                 memref.dealloc %a
                                 func.call @xbuf_replay_event(%1, %pointer)

Each event has a number, and something that looks at the counting heap when the event
happens. Loops and functions ask how often they may go on. So a run ends.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from xdsl.builder import Builder
from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.bufferization import ToTensorOp
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    i1,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.analyses.deallocation_proof.findings import (
    Fault,
    Kind,
)
from xdsl_bufferization.bufferization.deallocation.convert_bufferization_to_memref import (  # noqa: E501 (the file has the name of its pass)
    convert_bufferization_to_memref,
)
from xdsl_bufferization.bufferization.deallocation.expand_realloc import expand_reallocs
from xdsl_bufferization.bufferization.deallocation.lower_deallocations import (
    lower_deallocations,
)
from xdsl_bufferization.codegen.runtime_verification.generate_runtime_verification import (  # noqa: E501 (the file has the name of its pass)
    generate_runtime_verification,
)
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import FreedResultError
from xdsl_bufferization.runtime.heap import CountingHeap, HeapReport
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from ..compile import compile_module

_EVENT: Final = "xbuf_replay_event"
_STEP: Final = "xbuf_replay_step"

MOST_STEPS: Final = 5000
"""How many iterations and calls one run may have."""

_FREES: Final = (Kind.DOUBLE_FREE, Kind.NOT_OWNED, Kind.VIEW)

Handler = Callable[[int], None]
"""Looks at an event; gets an address."""


@dataclass
class Watch:
    """What a run is seen to do."""

    happened: dict[int, str] = field(default_factory=dict[int, str])
    """By the number of a fault: what was seen of it in this run."""

    steps: int = 0
    handlers: list[Handler] = field(default_factory=list[Handler])
    at_end: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    """What looks at the heap after a run, when results are freed."""

    at_start: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    heap: CountingHeap = field(default_factory=lambda: CountingHeap(poison=True))
    callbacks: list[Any] = field(default_factory=list[Any])

    def start(self) -> None:
        """Forget the last run."""
        self.happened.clear()
        self.steps = 0
        for each in self.at_start:
            each()

    def end(self) -> None:
        """Look at what is left in the heap."""
        for each in self.at_end:
            each()

    def symbols(self) -> dict[str, int]:
        """The addresses of what the program calls."""
        event = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(self._event)
        step = ctypes.CFUNCTYPE(ctypes.c_bool)(self._step)
        self.callbacks = [event, step]
        return {
            name: ctypes.cast(each, ctypes.c_void_p).value or 0
            for name, each in ((_EVENT, event), (_STEP, step))
        }

    def _event(self, number: int, address: int) -> None:
        self.handlers[number](address)

    def _step(self) -> bool:
        self.steps += 1
        return self.steps <= MOST_STEPS

    def is_freed(self, address: int) -> bool:
        """Whether there was a buffer of the heap, which is freed."""
        try:
            self.heap.owns(address)
        except FreedResultError:
            return True
        return False

    def is_live(self, address: int) -> bool:
        """Whether there is a buffer of the heap."""
        return not self.is_freed(address) and self.heap.owns(address)


@dataclass(frozen=True)
class WatchedProgram:
    """A compiled function, and what is seen when it runs."""

    compiled: CompiledModule
    watch: Watch


def watched_program(function: func.FuncOp, faults: Sequence[Fault]) -> WatchedProgram:
    """Compile a function that tells of `faults` in it; its module stays as it is.

    Raises `OperationError` or `EngineError` if the function cannot run here.
    """
    module = function.get_toplevel_object()
    assert isinstance(module, ModuleOp)
    copy = module.clone()
    copies = dict(zip(module.walk(), copy.walk(), strict=True))
    copied = copies[function]
    assert isinstance(copied, func.FuncOp)
    _keep_what_it_needs(copy, copied)
    tensors = _return_buffers(copied)
    watch = Watch()
    for number, fault in enumerate(faults):
        _watch(watch, number, fault.kind, copies[fault.op])
    for op in tensors:
        op.detach()
        op.erase()
    _limit_steps(copy)
    _declare(copy)
    expand_reallocs(copy)
    _align_nothing(copy)
    lower_deallocations(copy)
    convert_bufferization_to_memref(copy)
    generate_runtime_verification(copy)
    compiled = compile_module(copy, watch.symbols(), poison=True, opt_level=0)
    assert isinstance(compiled.heap, CountingHeap)
    watch.heap = compiled.heap
    return WatchedProgram(compiled, watch)


# --- the function alone --------------------------------------------------------------


def _keep_what_it_needs(module: ModuleOp, function: func.FuncOp) -> None:
    """Erase what `function` does not reach; it is the only one that is public."""
    symbols = {
        name.data: op
        for op in module.ops
        if isinstance(name := op.get_attr_or_prop("sym_name"), StringAttr)
    }
    needed: dict[Operation, None] = {}
    waiting: list[Operation] = [function]
    while waiting:
        op = waiting.pop()
        if op not in needed:
            needed[op] = None
            waiting += [symbols[name] for name in _references(op) if name in symbols]
    for op in needed:
        if isinstance(op, func.FuncOp):
            _refuse_unknown(op)
            op.sym_visibility = None if op is function else StringAttr("private")
    for op in symbols.values():
        if op not in needed:
            op.detach()
            op.erase()


def _align_nothing(module: ModuleOp) -> None:
    """Let buffers start where their memory does: the heap knows that address alone."""
    for op in ops_inside(module):
        if isinstance(op, memref.AllocOp):
            op.properties.pop("alignment", None)


def _references(op: Operation) -> Iterator[str]:
    for each in ops_inside(op):
        for attribute in (*each.properties.values(), *each.attributes.values()):
            if isinstance(attribute, SymbolRefAttr):
                yield attribute.root_reference.data


def _refuse_unknown(function: func.FuncOp) -> None:
    if not function.body.blocks:
        name = function.sym_name.data
        fail_at(function, f"@{name} is called, which has no body")


def _return_buffers(function: func.FuncOp) -> list[Operation]:
    """Return buffers in the place of their tensors; what made tensors of them."""
    found: list[Operation] = []
    for op in ops_inside(function):
        if isinstance(op, ToTensorOp) and all(
            isinstance(use.operation, func.ReturnOp) for use in op.tensor.uses
        ):
            op.tensor.replace_all_uses_with(op.memref)
            found.append(op)
    if found:
        function.update_function_type()
    return found


# --- events --------------------------------------------------------------------------


def _watch(watch: Watch, number: int, kind: Kind, op: Operation) -> None:
    """Have `op` tell what it does, if that shows a fault of this kind."""
    if kind in _FREES:
        _watch_free(watch, number, op)
    elif kind is Kind.USE_AFTER_FREE:
        _watch_use(watch, number, op)
    elif kind is Kind.LEAK:
        _watch_allocation(watch, number, op)
    else:
        _watch_results(watch, number, op)


def _watch_use(watch: Watch, number: int, op: Operation) -> None:
    def used(address: int) -> None:
        if watch.is_freed(address):
            watch.happened[number] = "used after it was freed"

    for operand in op.operands:
        _tell(watch, used, InsertPoint.before(op), operand)


def _watch_free(watch: Watch, number: int, op: Operation) -> None:
    before: list[HeapReport] = []

    def is_due(_: int) -> None:
        before[:] = [watch.heap.report()]

    def is_done(_: int = 0) -> None:
        now = watch.heap.report()
        if before and now.double_frees > before[0].double_frees:
            watch.happened[number] = "freed twice"
        elif before and now.foreign_frees > before[0].foreign_frees:
            watch.happened[number] = "freed, and not from the heap"

    watch.at_start.append(before.clear)
    _tell(watch, is_due, InsertPoint.before(op))
    if op.has_trait(IsTerminator):
        watch.at_end.append(is_done)
    else:
        _tell(watch, is_done, InsertPoint.after(op))


def _watch_allocation(watch: Watch, number: int, op: Operation) -> None:
    """A leak: of what `op` has allocated, or of anything if `op` is a loop."""
    addresses: list[int] = []
    before: list[int] = []

    def begin() -> None:
        addresses.clear()
        before[:] = [watch.heap.report().live_bytes]

    def is_lost() -> None:
        is_left = any(map(watch.is_live, addresses))
        grown = watch.heap.report().live_bytes - before[0]
        if is_left or (op_has_regions and grown > 0):
            watch.happened[number] = f"never freed, {grown} bytes are left"

    op_has_regions = bool(op.regions)
    watch.at_start.append(begin)
    watch.at_end.append(is_lost)
    for result in op.results:
        _tell(watch, addresses.append, InsertPoint.after(op), result)


def _watch_results(watch: Watch, number: int, op: Operation) -> None:
    addresses: list[int] = []

    def returned(address: int) -> None:
        if watch.is_freed(address):
            watch.happened[number] = "returned after it was freed"
        elif not watch.heap.owns(address):
            watch.happened[number] = "returned, and not the function's own"
        elif address in addresses:
            watch.happened[number] = "returned twice"
        addresses.append(address)

    watch.at_start.append(addresses.clear)
    for operand in op.operands:
        _tell(watch, returned, InsertPoint.before(op), operand)


def _tell(
    watch: Watch, handler: Handler, place: InsertPoint, buffer: SSAValue | None = None
) -> None:
    """Have the program call `handler` with the address of a buffer, if that is one."""
    if buffer is not None and not isa(buffer.type, MemRefType):
        return
    builder = Builder(place)
    event_number = IntegerAttr(len(watch.handlers), IndexType())
    watch.handlers.append(handler)
    event = builder.insert(arith.ConstantOp(event_number)).result
    address = event
    if buffer is not None:
        get = memref.ExtractAlignedPointerAsIndexOp.get(buffer)
        address = builder.insert(get).aligned_pointer
    builder.insert(func.CallOp(_EVENT, [event, address], []))


# --- steps ---------------------------------------------------------------------------


def _limit_steps(module: ModuleOp) -> None:
    for op in ops_inside(module):
        for block in _repeated(op):
            builder = Builder(InsertPoint.at_start(block))
            goes_on = builder.insert(func.CallOp(_STEP, [], [i1])).res[0]
            builder.insert(cf.AssertOp(goes_on, f"more than {MOST_STEPS} iterations"))


def _repeated(op: Operation) -> Iterator[Block]:
    """Blocks that run again and again: of loops, and of functions."""
    is_repeated = isinstance(op, scf.ForOp | scf.WhileOp | func.FuncOp)
    for region in op.regions:
        yield from islice(region.blocks, 0 if is_repeated else 1, None)


def _declare(module: ModuleOp) -> None:
    index = IndexType()
    for name, types in ((_EVENT, ((index, index), ())), (_STEP, ((), (i1,)))):
        module.body.block.add_op(func.FuncOp.external(name, *types))
