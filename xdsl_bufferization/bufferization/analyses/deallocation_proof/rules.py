"""What each op does to numbers of type `i1`, pointers and buffers.

    %c = arith.andi %a, %b : i1                          // a condition of conditions
    %e = arith.cmpi eq, %p, %q : index                   // of two addresses
    %o = bufferization.dealloc (%a) if (%c) retain (%r)  // frees, and says who owns

A class of ops without a rule of its own is asked for its models. An op that has effects
on memory, or effects that are not known, uses all its memrefs.
"""

from collections.abc import Sequence

from xdsl.dialects import arith, bufferization, func, memref
from xdsl.dialects.builtin import (
    IntegerAttr,
    UnrealizedConversionCastOp,
    i1,
)
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator, NoMemoryEffect

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.memref.views import DistinctObjectsOp
from xdsl_bufferization.dialects.vector.memory import TypeCastOp
from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE, TRUE
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.deallocation import (
    Allocated,
    Borrowed,
    BufferOrigin,
    OneOf,
    ViewOf,
    get_deallocation_model,
    is_buffer_scope,
    is_memref,
)
from ...interfaces.operands import is_tensor, operand_values
from ...interfaces.region_branch import get_region_branch
from .addresses import has_address_of, same_address
from .buffers import Buffer, Owner, Pointer
from .calls import call, call_indirect
from .checks import check_free, check_use, free_buffer
from .run import Rule, Run, is_followed
from .sought import EQ, NE

_SAME_BUFFER = (
    memref.AssumeAlignmentOp,
    memref.CastOp,
    DistinctObjectsOp,
    memref.ExtractStridedMetaDataOp,
    memref.MemorySpaceCastOp,
    TypeCastOp,
    UnrealizedConversionCastOp,
)
"""Ops whose memref results may be freed in the place of their operands."""

# --- numbers of type i1 --------------------------------------------------------------


def _constant(run: Run, op: Operation) -> None:
    assert isinstance(op, arith.ConstantOp)
    if op.result.type == i1 and isinstance(op.value, IntegerAttr):
        is_true = bool(op.value.value.data)
        run.state.values[op.result] = TRUE if is_true else FALSE


def _and(run: Run, op: Operation) -> None:
    if op.results[0].type == i1:
        first, second = (run.bit(value) for value in op.operands)
        run.state.values[op.results[0]] = run.state.conditions.conjoin(first, second)


def _or(run: Run, op: Operation) -> None:
    if op.results[0].type == i1:
        first, second = (run.bit(value) for value in op.operands)
        run.state.values[op.results[0]] = run.state.conditions.disjoin(first, second)


def _xor(run: Run, op: Operation) -> None:
    if op.results[0].type == i1:
        first, second = (run.bit(value) for value in op.operands)
        conditions = run.state.conditions
        differ = conditions.negate(conditions.equal(first, second))
        run.state.values[op.results[0]] = differ


def _select(run: Run, op: Operation) -> None:
    condition, yes, no = operand_values(op)
    result = op.results[0]
    values = run.state.values
    is_address = yes in values and no in values
    if (is_followed(result) or is_address) and condition.type == i1:
        both = run.value(yes), run.value(no)
        chosen = run.state.choose(run.bit(condition), *both)
        values[result] = run.state.collapse(result, chosen, run.reached)


_OPPOSITES = {0: 1, 1: 0, 2: 5, 5: 2, 3: 4, 4: 3, 6: 9, 9: 6, 7: 8, 8: 7}
"""By predicate the one that holds where it does not."""


def _compare(run: Run, op: Operation) -> None:
    assert isinstance(op, arith.CmpiOp)
    predicate = int(op.predicate.value.data)
    result = op.result
    if result.type != i1:
        return
    conditions = run.state.conditions
    equal = _are_equal(run, op) if predicate in (EQ, NE) else None
    if equal is not None:
        is_equal = predicate == EQ
        found = equal if is_equal else conditions.negate(equal)
        run.state.values[result] = found
        return
    key = (predicate, op.lhs, op.rhs)
    number = run.compared.get(key)
    if number is None:
        scope = run.state.scope.of(op.lhs, op.rhs)
        number = conditions.unknown(result, scope, result)
        run.compared[key] = number
        opposite = (_OPPOSITES[predicate], op.lhs, op.rhs)
        run.compared[opposite] = conditions.negate(number)
    run.state.values[result] = number


def _are_equal(run: Run, op: arith.CmpiOp) -> int | None:
    """Whether both are equal: numbers of type i1, addresses, what a loop seeks.

    None for others.
    """
    if op in run.compared:
        return run.compared[op]
    if op.lhs.type == i1:
        return run.state.conditions.equal(run.bit(op.lhs), run.bit(op.rhs))
    first, second = (run.state.values.get(value) for value in op.operands)
    if not isinstance(first, Pointer) or not isinstance(second, Pointer):
        return None
    if first.is_shifted or second.is_shifted:
        return None
    return same_address(run.state, first, second)


# --- buffers -------------------------------------------------------------------------


def _free(run: Run, op: Operation) -> None:
    pointer = run.pointer(op.operands[0])
    _forget_cells(run, pointer)
    check_free(run.state, op, pointer, run.reached)


def _realloc(run: Run, op: Operation) -> None:
    state = run.state
    check_free(state, op, run.pointer(op.operands[0]), run.reached)
    result = op.results[0]
    state.values[result] = state.point_to(state.allocate(result, op, run.reached))


def _free_by_ownership(run: Run, op: Operation) -> None:
    """Source: MLIR's documentation of `bufferization.dealloc`."""
    assert isinstance(op, DeallocOp)
    conditions = run.state.conditions
    targets: list[tuple[Buffer, int]] = []
    retained = [run.pointer(value) for value in op.retained]
    for value, bit in zip(op.memrefs, op.conditions, strict=True):
        condition = conditions.conjoin(run.reached, run.bit(bit))
        for buffer, when in run.pointer(value).targets.items():
            targets.append((buffer, conditions.conjoin(condition, when)))
    due = run.state.tell_apart(targets)
    for pointer, result in zip(retained, op.updated_conditions, strict=True):
        run.state.values[result] = _is_due(run, pointer, due)
    for buffer, condition in due.items():
        for pointer in retained:
            kept = has_address_of(run.state, pointer, buffer)
            condition = conditions.without(condition, kept)
        if condition != FALSE:
            free_buffer(run.state, op, buffer, condition)


def _is_due(run: Run, pointer: Pointer, due: dict[Buffer, int]) -> int:
    conditions = run.state.conditions
    found = FALSE
    for buffer, condition in due.items():
        same = conditions.conjoin(condition, has_address_of(run.state, pointer, buffer))
        found = conditions.disjoin(found, same)
    return conditions.given(found, run.reached)


def _address(run: Run, op: Operation) -> None:
    """The address of a memref is followed where it is compared."""
    run.state.values[op.results[0]] = run.pointer(op.operands[0])


def _same_number(run: Run, op: Operation) -> None:
    value = run.state.values.get(op.operands[0])
    if isinstance(value, Pointer):
        run.state.values[op.results[0]] = value


def _to_tensor(run: Run, op: Operation) -> None:
    pointer = run.pointer(op.operands[0])
    check_use(run.state, op, pointer, run.reached)
    run.state.values[op.results[0]] = pointer
    if op.results[0].uses:
        keep(run, pointer)


def keep(run: Run, pointer: Pointer) -> None:
    """The buffer need not be freed from here on."""
    conditions = run.state.conditions
    for buffer, when in pointer.targets.items():
        kept = conditions.conjoin(run.reached, when)
        if kept != FALSE and buffer.owner is Owner.FUNCTION:
            run.state.change(buffer, kept=conditions.disjoin(buffer.kept, kept))


def _to_buffer(run: Run, op: Operation) -> None:
    run.state.values[op.results[0]] = run.pointer(op.operands[0])


def _global(run: Run, op: Operation) -> None:
    assert isinstance(op, memref.GetGlobalOp)
    buffer = run.state.borrow(Owner.GLOBAL, op.name_, op)
    run.state.values[op.memref] = run.state.point_to(buffer)


def _stack(run: Run, op: Operation) -> None:
    buffer = run.state.borrow(Owner.STACK, op.results[0], op)
    run.state.values[op.results[0]] = run.state.point_to(buffer)


# --- what memory holds ---------------------------------------------------------------


def _store(run: Run, op: Operation) -> None:
    assert isinstance(op, memref.StoreOp)
    state = run.state
    target = run.pointer(op.memref)
    check_use(state, op, target, run.reached)
    if is_memref(op.value):
        state.leave_open(op, "a memref is stored in memory")
        keep(run, run.pointer(op.value))
        return
    cell = _cell(target, op.indices)
    value = state.values.get(op.value)
    if cell is None or value is None:
        _forget_cells(run, target)
        return
    table, number = cell
    before = state.cells.get(cell)
    if before is not None:
        value = state.choose(run.reached, value, before)
    state.cells[table, number] = value


def _load(run: Run, op: Operation) -> None:
    assert isinstance(op, memref.LoadOp)
    source = run.pointer(op.memref)
    check_use(run.state, op, source, run.reached)
    if is_memref(op.res):
        why = "a memref is loaded from memory"
        run.state.values[op.res] = run.unknown_buffer(op.res, op, why)
        return
    cell = _cell(source, op.indices)
    value = None if cell is None else run.state.cells.get(cell)
    if value is not None:
        run.state.values[op.res] = value
    elif op.res.type == i1:
        run.state.values[op.res] = _unknown_bit(run, op.res)


def _cell(pointer: Pointer, indices: Sequence[SSAValue]) -> tuple[Buffer, int] | None:
    """The cell of a table at a constant place; None if it is not known."""
    if len(pointer.targets) != 1 or pointer.view != FALSE or len(indices) != 1:
        return None
    owner = indices[0].owner
    if not isinstance(owner, arith.ConstantOp):
        return None
    if not isinstance(owner.value, IntegerAttr):
        return None
    (buffer,) = pointer.targets
    if buffer.sources:
        return None
    return buffer, owner.value.value.data


def _forget_cells(run: Run, pointer: Pointer) -> None:
    """Something is written to the buffer of `pointer`, or it is freed."""
    cells = run.state.cells
    for cell in [each for each in cells if _may_be_in(each[0], pointer)]:
        del cells[cell]


def _may_be_in(table: Buffer, pointer: Pointer) -> bool:
    """Whether a pointer may be in a buffer, by whichever name."""
    each: Buffer | None = table
    while each is not None:
        if each in pointer.targets:
            return True
        each = None if each.follower is None else each.follower[0]
    return False


# --- all other ops -------------------------------------------------------------------


def _by_models(run: Run, op: Operation) -> None:
    pointers = _pointers(run, op)
    if pointers:
        _use_all(run, op, pointers)
    values = run.state.values
    if op.regions:
        for result in op.results:
            values.pop(result, None)
        _run_inside(run, op)
    for result in op.results:
        if op.regions and result in values:
            continue
        if result.type == i1:
            values[result] = _unknown_bit(run, result)
        elif is_memref(result):
            values[result] = _origin(run, op, result)
        elif pointers and is_tensor(result):
            values[result] = _one_of(run, op, pointers)


def _pointers(run: Run, op: Operation) -> list[Pointer]:
    """Those that an op works with itself; what a loop passes on is used where read."""
    passed = run.passed_to_regions(op)
    values = run.state.values
    found: list[Pointer] = []
    for number, operand in enumerate(operand_values(op)):
        value = values.get(operand)
        if isinstance(value, Pointer) and number not in passed:
            found.append(value)
    return found


def _use_all(run: Run, op: Operation, pointers: Sequence[Pointer]) -> None:
    if op.has_trait(NoMemoryEffect) and not any(map(is_tensor, op.operands)):
        return
    for pointer in pointers:
        check_use(run.state, op, pointer, run.reached)
        _forget_cells(run, pointer)
    model = get_deallocation_model(op)
    if model is None:
        return
    if model.get_freed_operands(op):
        run.state.leave_open(op, "which memory this op frees is not known")
    for use in model.get_captured_operands(op):
        run.state.leave_open(op, "memory can be reached by other means from here on")
        keep(run, run.pointer(use.value))


def _origin(run: Run, op: Operation, result: OpResult) -> Pointer:
    model = get_deallocation_model(op)
    if model is None:
        why = "where the memory of its result comes from is not known"
        return run.unknown_buffer(result, op, why)
    return _from_origin(run, op, result, model.get_buffer_origin(op, result))


def _from_origin(
    run: Run, op: Operation, result: OpResult, origin: BufferOrigin
) -> Pointer:
    state = run.state
    match origin:
        case Allocated():
            return state.point_to(state.allocate(result, op, run.reached))
        case ViewOf(source, is_shifted):
            pointer = run.pointer(source)
            if isinstance(op, _SAME_BUFFER):
                is_base = isinstance(op, memref.ExtractStridedMetaDataOp)
                return _whole(pointer) if is_base else pointer
            shifted = is_shifted or pointer.is_shifted
            return Pointer(pointer.targets, TRUE, shifted)
        case OneOf(sources):
            return _one_of(run, op, [run.pointer(source) for source in sources])
        case Borrowed():
            why = "whose memory its result is, is not known"
            return run.unknown_buffer(result, op, why)


def _whole(pointer: Pointer) -> Pointer:
    if pointer.view == FALSE and not pointer.is_shifted:
        return pointer
    return Pointer(pointer.targets, FALSE, pointer.is_shifted)


def _one_of(run: Run, op: Operation, pointers: Sequence[Pointer]) -> Pointer:
    found = pointers[0]
    ways = run.any_of(op, len(pointers))
    for when, pointer in zip(ways[1:], pointers[1:], strict=True):
        chosen = run.state.choose(when, pointer, found)
        assert isinstance(chosen, Pointer)
        found = chosen
    return found


def _unknown_bit(run: Run, result: OpResult) -> int:
    return run.state.conditions.unknown(result, run.state.scope, result)


def _run_inside(run: Run, op: Operation) -> None:
    if is_buffer_scope(op):
        return  # A function of its own.
    model = get_region_branch(op)
    if model is not None:
        run.run_regions(op, model)
    elif any(_matters(run, each) for each in ops_inside(op)[1:]):
        run.run_any_number(op)


def _matters(run: Run, op: Operation) -> bool:
    """Whether an op in a body of scalars has to do with buffers."""
    return (
        isinstance(op, func.CallOp)
        or any(value in run.state.values for value in operand_values(op))
        or any(is_memref(result) for result in op.results)
    )


RULES: dict[type[Operation], Rule] = {
    arith.AndIOp: _and,
    arith.CmpiOp: _compare,
    arith.ConstantOp: _constant,
    arith.IndexCastOp: _same_number,
    arith.OrIOp: _or,
    arith.SelectOp: _select,
    arith.XOrIOp: _xor,
    bufferization.ToBufferOp: _to_buffer,
    bufferization.ToTensorOp: _to_tensor,
    CallIndirectOp: call_indirect,
    DeallocOp: _free_by_ownership,
    func.CallOp: call,
    memref.AllocaOp: _stack,
    memref.DeallocOp: _free,
    memref.ExtractAlignedPointerAsIndexOp: _address,
    memref.GetGlobalOp: _global,
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    ReallocOp: _realloc,
}
"""By class of op; an op of another class is asked for its models."""


def find_rule(op: Operation) -> Rule | None:
    """The rule of an op; none for a terminator, which only forwards values."""
    rule = RULES.get(type(op))
    if rule is not None:
        return rule
    return None if op.next_op is None and op.has_trait(IsTerminator) else _by_models
