"""Buffers die early, and not too early."""

from collections.abc import Callable

import pytest
from transforms.placement.placement_programs import check_program
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.transforms.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)

PROGRAMS_PER_TEST = 10


@pytest.mark.parametrize("group", range(10))
def test_random_programs_use_no_freed_memory(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        check_program(seed, parse, after=[optimize_all_liveness])


def test_copies_of_a_deallocation_are_few(parse: Callable[[str], ModuleOp]) -> None:
    depth = 40
    text = "func.func @f(%c: i1) {\n%a = memref.alloc() : memref<2xf32>\n"
    text += "scf.if %c {\nfunc.call @work() : () -> ()\n" * depth
    text += "%z = memref.cast %a : memref<2xf32> to memref<?xf32>\n"
    text += "func.call @work() : () -> ()\n" + "}\n" * depth
    text += "memref.dealloc %a : memref<2xf32>\nreturn\n}\nfunc.func private @work()"
    module = parse(text)
    optimize_all_liveness(module)
    module.verify()
    assert str(module).count("memref.dealloc") <= 16
