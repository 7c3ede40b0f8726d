"""`bufferization.dealloc` does the same before and after it is simplified."""

import random
from collections.abc import Callable

import pytest
from harness.running.memory_machine import Buffer, Machine
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation import (
    buffer_deallocation_simplification as simplification,
)

TYPE = "memref<8xf32>"
PROGRAMS_PER_TEST = 40
RUNS = 8


def simplifiable_program(rng: random.Random) -> str:
    """A function that deallocates and retains any of a few memrefs.

    It returns the memrefs, and some of the conditions.
    """
    memrefs = ["%m0", "%m1", "%m2"]
    ops = ["%true = arith.constant true", "%false = arith.constant false"]
    for name in ("%v0", "%v1", "%v2"):
        first, second = rng.choices(memrefs, k=2)
        ops.append(
            f"{name} = "
            + rng.choice(
                [
                    f"memref.alloc() : {TYPE}",
                    f"memref.cast {first} : {TYPE} to {TYPE}",
                    f"arith.select %c2, {first}, {second} : {TYPE}",
                ]
            )
        )
        memrefs.append(name)
    due = rng.choices(memrefs, k=rng.randrange(1, 5))
    flags = rng.choices(["%true", "%true", "%c0", "%c1", "%false"], k=len(due))
    retained = rng.sample(memrefs, rng.randrange(1, 5))
    ops.append(
        f"%o:{len(retained)} = bufferization.dealloc "
        f"({', '.join(due)} : {', '.join([TYPE] * len(due))}) if ({', '.join(flags)}) "
        f"retain ({', '.join(retained)} : {', '.join([TYPE] * len(retained))})"
    )
    owned = [f"%o#{n}" for n in range(len(retained)) if rng.random() < 0.7]
    results = ", ".join([TYPE] * len(memrefs) + ["i1"] * len(owned))
    arguments = [f"%m{n}: {TYPE}" for n in range(3)] + [f"%c{n}: i1" for n in range(3)]
    ops.append(f"return {', '.join([*memrefs, *owned])} : {results}")
    body = "\n  ".join(ops)
    return f"func.func @f({', '.join(arguments)}) -> ({results}) {{\n  {body}\n}}"


def observe(module: ModuleOp, seed: int) -> list[bool]:
    """What a run frees, and who owns the rest."""
    rng = random.Random(seed)
    functions = {
        op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)
    }
    machine = Machine(functions, random.Random(seed), random.Random(seed))
    buffers = [machine.allocate(8, str(number)) for number in range(2)]
    arguments = [Buffer(rng.choice(buffers).allocation, 0) for _ in range(3)]
    flags = [rng.random() < 0.5 for _ in range(3)]
    return [
        each.allocation.is_freed if isinstance(each, Buffer) else each
        for each in machine.call("f", [*arguments, *flags])
    ]


@pytest.mark.parametrize("group", range(5))
def test_simplification_keeps_the_meaning(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        module = parse(simplifiable_program(random.Random(seed)))
        simplified = module.clone()
        simplification.simplify_all_deallocations(simplified)
        simplified.verify()
        for run in range(RUNS):
            assert observe(simplified, run) == observe(module, run), str(module)
