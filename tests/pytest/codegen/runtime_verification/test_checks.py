"""Each demand of each op: what does not fulfil it raises, with file, line and op.

In range, a checked program computes what the same program computes without checks.
"""

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from harness.cases.checks import DEMANDS, Demand
from harness.cases.tensor_checks import TENSOR_DEMANDS
from harness.running.checked_pipelines import compiled as compiled_by_pipeline
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.runtime_verification import scalars
from xdsl_bufferization.dialects.parsing import parse_module
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


# The pipelines of `jit`, which check the program before a pass changes it.

both_pipelines = pytest.mark.parametrize("optimize", [True, False])
WRITTEN = {
    "tensor.extract": ("'memref.load'", "'tensor.extract'"),
    "tensor.insert_slice": ("'memref.subview'", "'tensor.insert_slice'"),
}
"""Demands whose op is named as the op that it becomes, and as it was written."""


def as_written(name: str, demand: Demand) -> Demand:
    """What is found before an op on tensors becomes one on buffers."""
    if name not in WRITTEN:
        return demand
    return replace(demand, reason=demand.reason.replace(*WRITTEN[name]))


IN_PIPELINES = {
    **{
        name: as_written(name, each)
        for name, each in DEMANDS.items()
        if name != "dealloc"
    },
    **{f"{name} on tensors": each for name, each in TENSOR_DEMANDS.items()},
}
"""The pipelines free buffers by themselves, and drop what a program says of that."""


def check_wrong_in_pipeline(demand: Demand, *, optimize: bool) -> None:
    compiled = compiled_by_pipeline(demand.text, optimize=optimize)
    expected, _ = call(compiled, demand.right)
    lines = demand.text.splitlines()
    (line,) = (n for n, each in enumerate(lines, 1) if "// here" in each)
    with pytest.raises(ProgramError) as raised:
        compiled["f"](*demand.wrong)
    place, _, found = str(raised.value).partition(": ")
    assert place.startswith(f"a.mlir:{line}:")
    assert demand.reason in found
    assert isinstance(compiled.heap, CountingHeap)
    again, _ = call(compiled, demand.right)
    np.testing.assert_array_equal(again, expected)


@pytest.mark.parametrize("name", IN_PIPELINES)
@both_pipelines
def test_both_pipelines_find_what_is_wrong(name: str, optimize: bool) -> None:
    check_wrong_in_pipeline(IN_PIPELINES[name], optimize=optimize)


def check_wrong_on_tensors(*names: str) -> None:
    for name in names:
        for optimize in (True, False):
            check_wrong_in_pipeline(TENSOR_DEMANDS[name], optimize=optimize)


def test_ops_on_tensors_are_checked() -> None:
    check_wrong_on_tensors("extract", "extract_slice", "cast", "reshape", "empty")


def test_unreachable_is_checked() -> None:
    check_wrong_on_tensors("unreachable", "unreachable in a called function")


def test_divisors_in_affine_maps_are_checked() -> None:
    check_wrong_on_tensors("floordiv", "ceildiv", "mod", "divisor that is computed")


def test_packs_are_checked() -> None:
    check_wrong_on_tensors("pack", "pack of incomplete tiles", "unpack")


def test_ops_that_nobody_needs_are_checked() -> None:
    check_wrong_on_tensors("extract that nobody needs", "cast there and back")


# Ops on elements, whose checks are those of the loops that the ops become.


def numbers_on_elements() -> dict[str, tuple[str, list[Any]]]:
    """For each op of arith that demands something: its types, and what is wrong."""
    two = "%a, %b : {0}"
    found: dict[str, tuple[str, list[Any]]] = {}
    for cls in scalars.RULES:
        name = cls.name
        if "div" in name or "rem" in name:
            found[name] = (two, [np.ones(4, np.int32), np.zeros(4, np.int32)])
        elif name.startswith("arith.sh"):
            found[name] = (two, [np.ones(4, np.int32), np.full(4, 32, np.int32)])
        elif name.startswith("arith.fp"):
            wrong = np.full(4, np.nan, np.float32)
            found[name] = ("%a : {0} to {1}", [wrong, np.zeros(4, np.int32)])
    return {name: each for name, each in found.items() if name.startswith("arith.")}


ON_ELEMENTS = numbers_on_elements()


@pytest.mark.parametrize("name", ON_ELEMENTS)
@pytest.mark.parametrize("is_in_body", [False, True])
@both_pipelines
def test_ops_on_elements_are_checked(
    name: str, is_in_body: bool, optimize: bool
) -> None:
    types, wrong = ON_ELEMENTS[name]
    first = "f32" if wrong[0].dtype == np.float32 else "i32"
    if is_in_body:
        op = (
            "linalg.map ins(%t, %u : tensor<?x{0}>, tensor<?xi32>) "
            "outs(%u : tensor<?xi32>)\n"
            "  (%a: {0}, %b: i32, %o: i32) {{\n"
            f"    %q = {name} {types.format(first, 'i32')}\n"
            "    linalg.yield %q : i32\n"
            "  }}"
        ).format(first)
    else:
        on_tensors = types.format(f"tensor<?x{first}>", "tensor<?xi32>")
        op = f"{name} {on_tensors.replace('%a', '%t').replace('%b', '%u')}"
    text = (
        f"func.func @f(%t: tensor<?x{first}>, %u: tensor<?xi32>) -> tensor<?xi32> {{\n"
        f"  %r = {op}\n"
        "  %s = arith.xori %r, %u : tensor<?xi32>\n"
        "  return %s : tensor<?xi32>\n"
        "}\n"
    )
    function = compiled_by_pipeline(text, optimize=optimize)["f"]
    line = 4 if is_in_body else 2
    with pytest.raises(ProgramError, match=rf"a\.mlir:{line}:\d+: '{name}': "):
        function(*wrong)
