"""Buffers that the program frees by itself, beside those that deallocation frees."""

import random
from collections.abc import Callable, Iterator

import pytest
from bufferization.deallocation.test_native_execution import check_execution
from harness.programs.buffer_programs import Style, generate_native
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.analyses.buffers.buffer_flow import (
    BufferFlow,
    collect_buffer_flow,
)
from xdsl_bufferization.bufferization.deallocation import (
    ownership_based_buffer_deallocation as ownership,
)
from xdsl_bufferization.bufferization.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.bufferization.deallocation.deallocation_with_copies import (
    deallocate_with_copies,
)
from xdsl_bufferization.bufferization.deallocation.drop_deallocations import (
    drop_deallocations,
)
from xdsl_bufferization.bufferization.interfaces.deallocation import (
    MANUAL_DEALLOCATION,
    is_buffer_scope,
)
from xdsl_bufferization.support.algorithms.reach import reach
from xdsl_bufferization.support.errors import OperationError

Parse = Callable[[str], ModuleOp]


def free_some_by_hand(module: ModuleOp, rng: random.Random) -> int:
    """Free some buffers at the end of their block; returns how many."""
    count = 0
    for scope in list(filter(is_buffer_scope, module.walk())):
        # Before deallocation, functions may return their arguments.
        flow = collect_buffer_flow(scope, lambda op: isinstance(op, func.CallOp))
        for op in list(_freeable(scope, flow)):
            if rng.random() < 0.7:
                op.attributes[MANUAL_DEALLOCATION] = UnitAttr()
                dealloc = memref.DeallocOp.get(op.memref)
                dealloc.attributes[MANUAL_DEALLOCATION] = UnitAttr()
                assert op.parent is not None
                assert op.parent.last_op is not None
                op.parent.insert_op_before(dealloc, op.parent.last_op)
                count += 1
    return count


def _freeable(scope: Operation, flow: BufferFlow) -> Iterator[memref.AllocOp]:
    """The allocations that no name hands on, captures or frees."""
    taken = {use.value for use in (*flow.captured, *flow.freed)}
    successors = flow.successors()
    for op in scope.walk():
        if not isinstance(op, memref.AllocOp):
            continue
        assert op.parent is not None
        assert op.parent.last_op is not None
        names = reach([op.memref], successors).keys()
        if names.isdisjoint(taken) and names.isdisjoint(op.parent.last_op.operands):
            yield op


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 48])
def test_the_rest_is_freed_as_ever(seed: int, parse: Parse) -> None:
    style = Style(only_m=seed % 2 == 0, max_depth=2, size=9, stack=False)
    module = parse(generate_native(seed, style))
    assert free_some_by_hand(module, random.Random(seed)) > 0
    check_execution(module, seed)


PROGRAM = """
func.func @f(%c: i1, %i: index) -> f32 {
  %0 = memref.alloc() OF_FIRST : memref<5xf32>
  %1 = memref.alloc() {bufferization.manual_deallocation} : memref<5xf32>
  %2 = arith.select %c, %0, %1 : memref<5xf32>
  %3 = memref.load %2[%i] : memref<5xf32>
  memref.dealloc %2 {bufferization.manual_deallocation} : memref<5xf32>
  return %3 : f32
}
"""


def test_what_may_have_an_owner_is_not_freed_by_hand(parse: Parse) -> None:
    """In mlir-opt the program stops at that point, if it has."""
    with pytest.raises(
        OperationError, match="may free a buffer that deallocation frees"
    ):
        ownership.deallocate_by_ownership(parse(PROGRAM.replace("OF_FIRST", "")))
    manual = f"{{{MANUAL_DEALLOCATION}}}"
    module = parse(PROGRAM.replace("OF_FIRST", manual))
    before = str(module)
    ownership.deallocate_by_ownership(module)
    assert str(module) == before


MISUSED = """
func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
  memref.store %x, %m[%i] {bufferization.manual_deallocation} : memref<4xf32>
  return
}
"""


@pytest.mark.parametrize(
    "deallocate",
    [
        ownership.deallocate_by_ownership,
        deallocate_with_clones,
        deallocate_with_copies,
    ],
)
def test_what_has_to_do_with_no_memory_is_not_by_hand(
    deallocate: Callable[[ModuleOp], object], parse: Parse
) -> None:
    with pytest.raises(OperationError, match="neither allocates nor frees"):
        deallocate(parse(MISUSED))


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(11))
def test_what_is_dropped_is_freed_again(seed: int, parse: Parse) -> None:
    style = Style(only_m=seed % 2 == 0, max_depth=2, size=9, stack=False)
    module = parse(generate_native(seed, style))
    free_some_by_hand(module, random.Random(seed))
    for op in module.walk():
        op.attributes.pop(MANUAL_DEALLOCATION, None)
    drop_deallocations(module)
    assert not any(isinstance(op, memref.DeallocOp) for op in module.walk())
    check_execution(module, seed)
