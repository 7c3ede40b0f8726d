"""`bufferization.dealloc` does the same before and after it is lowered."""

import random
from collections.abc import Callable

import pytest
from harness.running.memory_machine import Buffer, Machine
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation.lower_deallocations import (
    lower_deallocations,
)

TYPE = "memref<8xf32>"


def dealloc_program(count: int, kept: int) -> str:
    """A function that deallocates all its first arguments, and returns who owns."""
    memrefs = [f"%m{number}" for number in range(count)]
    flags = [f"%c{number}" for number in range(count)]
    retained = [f"%r{number}" for number in range(kept)]
    arguments = ", ".join(
        [f"{name}: {TYPE}" for name in memrefs]
        + [f"{name}: i1" for name in flags]
        + [f"{name}: {TYPE}" for name in retained]
    )
    due = (
        f"({', '.join(memrefs)} : {', '.join([TYPE] * count)}) if ({', '.join(flags)})"
    )
    if not kept:
        return f"func.func @f({arguments}) {{ bufferization.dealloc {due}\nreturn }}"
    results = ", ".join(["i1"] * kept)
    owned = ", ".join(f"%o{number}" for number in range(kept))
    return (
        f"func.func @f({arguments}) -> ({results}) {{\n"
        f"{owned} = bufferization.dealloc {due} "
        f"retain ({', '.join(retained)} : {', '.join([TYPE] * kept)})\n"
        f"return {owned} : {results}\n}}"
    )


def deallocate_at_random(
    module: ModuleOp, count: int, kept: int, seed: int
) -> tuple[list[bool], list[bool]]:
    """Run the function on a few shared allocations: what it freed and returned."""
    rng = random.Random(seed)
    functions = {
        op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)
    }
    machine = Machine(functions, random.Random(seed), random.Random(seed))
    buffers = [
        machine.allocate(8, str(number)) for number in range(rng.randrange(1, 6))
    ]

    def view() -> Buffer:
        return Buffer(rng.choice(buffers).allocation, rng.randrange(4))

    memrefs = [view() for _ in range(count)]
    flags = [rng.random() < 0.6 for _ in range(count)]
    results = machine.call("f", [*memrefs, *flags, *(view() for _ in range(kept))])
    return [buffer.allocation.is_freed for buffer in buffers], results


@pytest.mark.parametrize("kept", [0, 1, 2, 5])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_lowering_keeps_the_meaning(
    count: int, kept: int, parse: Callable[[str], ModuleOp]
) -> None:
    module = parse(dealloc_program(count, kept))
    lowered = module.clone()
    lower_deallocations(lowered)
    lowered.verify()
    for seed in range(50):
        before = deallocate_at_random(module, count, kept, seed)
        assert deallocate_at_random(lowered, count, kept, seed) == before


def test_nothing_is_allocated_on_the_heap(parse: Callable[[str], ModuleOp]) -> None:
    module = parse(dealloc_program(20, 5))
    lower_deallocations(module)
    assert not any(isinstance(op, memref.AllocOp) for op in module.walk())


def test_code_for_long_lists_grows_linearly(parse: Callable[[str], ModuleOp]) -> None:
    sizes: list[int] = []
    for count in (20, 40):
        module = parse(dealloc_program(count, 1))
        lower_deallocations(module)
        sizes.append(sum(1 for _ in module.walk()))
    assert sizes[1] < 2.2 * sizes[0]
