"""Each demand of each op: what does not fulfil it raises, with file, line and op.

In range, a checked program computes what the same program computes without checks.
"""

import copy
from typing import Any

import numpy as np
import pytest
from support.cases.checks import DEMANDS, Demand
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.api import bufferize, deallocate
from xdsl_bufferization.context import get_context
from xdsl_bufferization.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import ProgramError
from xdsl_bufferization.runtime.heap import CountingHeap

each_demand = pytest.mark.parametrize("demand", DEMANDS.values(), ids=DEMANDS)


def module_of(demand: Demand) -> ModuleOp:
    module = parse_module(demand.text, "a.mlir", get_context())
    if "tensor" in demand.text:
        bufferize(module, bufferize_function_boundaries=True)
        deallocate(module)
    return module


def call(compiled: CompiledModule, arguments: tuple[Any, ...]) -> Any:
    given = copy.deepcopy(arguments)
    result = compiled["f"](*given)
    return result, [each for each in given if isinstance(each, np.ndarray)]


@each_demand
def test_what_is_wrong_raises_with_the_place(demand: Demand) -> None:
    compiled = compile_module(module_of(demand), checked=True, counting_heap=True)
    lines = demand.text.splitlines()
    (line,) = (n for n, each in enumerate(lines, 1) if "// here" in each)
    with pytest.raises(ProgramError) as raised:
        compiled["f"](*demand.wrong)
    assert str(raised.value).startswith(f"a.mlir:{line}:")
    assert demand.reason in str(raised.value)
    assert "\n" not in str(raised.value)
    assert isinstance(compiled.heap, CountingHeap)
    assert compiled.heap.report().live_bytes == 0


def check_wrong(*names: str) -> None:
    """Call the programs of these names as they must not be called."""
    for name in names:
        test_what_is_wrong_raises_with_the_place(DEMANDS[name])


def test_slices_are_checked() -> None:
    check_wrong("subview", "negative size of a subview", "steps of a subview")


def test_casts_are_checked() -> None:
    check_wrong("cast", "cast of strides", "cast of a rank", "reinterpret cast")


def test_reshapes_are_checked() -> None:
    check_wrong("expand shape", "collapse shape", "reshape", "view")


def test_sizes_are_checked() -> None:
    check_wrong("copy", "alloc", "dim")


def test_operands_of_linalg_are_checked() -> None:
    check_wrong("linalg", "window")


def test_divisions_are_checked() -> None:
    check_wrong("divsi", "overflow of a division", "remui", "floordivsi", "index")


def test_shifts_are_checked() -> None:
    check_wrong("shift")


def test_steps_are_checked() -> None:
    check_wrong("step")


def test_alignment_is_checked() -> None:
    check_wrong("alignment")


def test_the_stack_is_checked() -> None:
    check_wrong("stack", "recursion")


def test_floats_are_checked() -> None:
    check_wrong("fptosi", "fptoui")


@each_demand
def test_what_is_right_computes_the_same(demand: Demand) -> None:
    module = module_of(demand)
    found, written = call(compile_module(module, checked=True), demand.right)
    expected, also_written = call(compile_module(module), demand.right)
    np.testing.assert_array_equal(found, expected)
    for one, other in zip(written, also_written, strict=True):
        np.testing.assert_array_equal(one, other)


@each_demand
def test_a_program_goes_on_after_a_failure(demand: Demand) -> None:
    compiled = compile_module(module_of(demand), checked=True)
    before, _ = call(compiled, demand.right)
    with pytest.raises(ProgramError):
        compiled["f"](*demand.wrong)
    after, _ = call(compiled, demand.right)
    np.testing.assert_array_equal(before, after)
