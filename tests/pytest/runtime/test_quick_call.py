"""Usual calls are quick, give what other calls give, and leave nothing behind."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from xdsl_bufferization import bufferize, compile, deallocate, jit, parse
from xdsl_bufferization.runtime import quick_call
from xdsl_bufferization.runtime.errors import ArgumentError, ProgramError
from xdsl_bufferization.runtime.function import CompiledFunction
from xdsl_bufferization.runtime.quick_call import MISSED, never_quick

PROGRAMS = {
    "new": """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.sub ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
""",
    "copied argument": """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.sub ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
""",
    "argument": """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %b : tensor<4x4xf32>
}
""",
    "constant": """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %c : tensor<2xf32>
}
""",
    "several": """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %r = linalg.sub ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %s = linalg.exp ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
    -> tensor<4x4xf32>
  return %s, %r, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
""",
    "open sizes": """
func.func @f(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f32
  %m = tensor.dim %a, %zero : tensor<?x4xf32>
  %n = tensor.dim %b, %one : tensor<4x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %i = linalg.fill ins(%x : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x?xf32>)
    outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
""",
    "nothing": """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) {
  return
}
""",
    "buffers": """
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.exp ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}
""",
}

Make = Callable[..., CompiledFunction]


@pytest.fixture(name="make")
def make_function() -> Make:
    def make(name: str, *, optimized: bool = False) -> CompiledFunction:
        module = parse(PROGRAMS[name])
        if name != "buffers":
            module = deallocate(bufferize(module))
        return compile(module, opt_level=3 if optimized else 0)["f"]

    return make


def arguments() -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    return (
        rng.standard_normal((4, 4), np.float32),
        rng.standard_normal((4, 4), np.float32),
    )


def all_results(results: object) -> tuple[Any, ...]:
    if results is None:
        return ()
    if isinstance(results, tuple):
        return cast("tuple[Any, ...]", results)
    return (results,)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("donate", [(), (1,), (0, 1)])
def test_a_quick_call_gives_what_a_slow_one_gives(
    name: str, donate: tuple[int, ...], make: Make
) -> None:
    function = make(name).donating(*donate)
    assert function.quick is not never_quick
    given = arguments(), arguments()
    assert function.quick(*arguments()) is not MISSED
    quick = all_results(function(*given[0]))
    function.quick = never_quick
    slow = all_results(function(*given[1]))
    assert len(quick) == len(slow)
    for one, other in zip(quick, slow, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
        assert one.strides == other.strides
        assert one.flags.writeable == other.flags.writeable
        assert one.flags.aligned
    for one, other in zip(*given, strict=True):
        np.testing.assert_array_equal(one, other)
    shares = [
        [
            [np.shares_memory(result, array) for array in (*arrays, *results)]
            for result in results
        ]
        for results, arrays in zip((quick, slow), given, strict=True)
    ]
    assert shares[0] == shares[1]


def test_an_array_that_is_packed_ahead_leaves_a_call_quick(make: Make) -> None:
    function = make("new")
    a, b = arguments()
    packed = function.packed(0, a)
    assert function.quick(packed, b) is not MISSED
    np.testing.assert_array_equal(function(packed, b), a - b)


def test_without_quick_calls_arrays_are_packed_ahead(make: Make) -> None:
    function = make("new")
    function.quick = never_quick
    a, b = arguments()
    packed = function.packed(0, a)
    assert packed is not a
    np.testing.assert_array_equal(function(packed, b), a - b)


def program_of_many(count: int) -> str:
    """Returns each argument plus its number."""
    type_ = "tensor<2xf32>"
    arguments = ", ".join(f"%a{n}: {type_}" for n in range(count))
    lines = [
        f"%c{n} = arith.constant dense<{n}.0> : {type_}\n"
        f"%r{n} = arith.addf %a{n}, %c{n} : {type_}"
        for n in range(count)
    ]
    results = ", ".join(f"%r{n}" for n in range(count))
    types = ", ".join([type_] * count)
    head = f"func.func @f({arguments}) -> ({types}) {{"
    return "\n".join([head, *lines, f"return {results} : {types}", "}"])


@pytest.mark.parametrize("count", [16, 17, 100, quick_call.MOST_BUFFERS])
def test_many_arguments_and_results(count: int) -> None:
    module = deallocate(bufferize(parse(program_of_many(count))))
    function = compile(module, opt_level=0)["f"]
    arrays = [np.full(2, 2 * n, np.float32) for n in range(count)]
    results = all_results(function.quick(*arrays))
    assert len(results) == count
    for number, result in enumerate(results):
        np.testing.assert_array_equal(result, [3 * number] * 2)


def test_too_many_arguments() -> None:
    count = quick_call.MOST_BUFFERS + 1
    module = deallocate(bufferize(parse(program_of_many(count))))
    function = compile(module, opt_level=0)["f"]
    assert function.quick is never_quick
    arrays = [np.ones(2, np.float32)] * count
    np.testing.assert_array_equal(function(*arrays)[7], [8, 8])


@pytest.mark.parametrize("size", [1, 3])
def test_sizes_that_are_open(size: int, make: Make) -> None:
    function = make("open sizes")
    a, b = np.ones((size, 4), np.float32), np.ones((4, size + 1), np.float32)
    assert function.quick(a, b) is not MISSED
    np.testing.assert_array_equal(function(a, b), a @ b)


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


class Subclass(np.ndarray[Any, Any]):
    """An array that may say anything of itself."""


UNUSUAL: dict[str, Callable[[Any], Any]] = {
    "a list": lambda array: array.tolist(),
    "of another type": lambda array: array.astype(np.float64),
    "of another order of bytes": lambda array: array.astype(">f4"),
    "of another rank": lambda array: array.reshape(16),
    "of another size": lambda array: array[:, :3].copy(),
    "without elements": lambda array: array[:0],
    "by columns": np.asfortranarray,
    "with steps": lambda array: np.repeat(array, 2, 1)[:, ::2],
    "of a subclass": lambda array: array.view(Subclass),
    "nothing": lambda _: None,
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_is_not_usual_is_left_to_python(name: str, make: Make) -> None:
    function = make("new")
    a, b = arguments()
    other = UNUSUAL[name](a)
    assert function.quick(other, b) is MISSED
    assert function.quick(b, other) is MISSED
    assert function.quick(a) is MISSED
    assert function.quick(a, b, b) is MISSED


def test_a_written_argument_must_be_writeable(make: Make) -> None:
    function = make("buffers")
    a, b = arguments()
    assert function.quick(read_only(a), b) is None
    assert function.quick(b, a) is MISSED
    with pytest.raises(ArgumentError, match="read-only"):
        function(b, a)


def test_an_argument_that_is_not_aligned_is_left_to_python(make: Make) -> None:
    memory = np.zeros(65, np.uint8)
    array = np.ndarray((4, 4), np.float32, memory, 1)
    assert make("new").quick(array, arguments()[0]) is MISSED


def test_arguments_that_overlap_are_left_to_python(make: Make) -> None:
    function = make("buffers")
    memory = np.zeros((5, 4), np.float32)
    assert function.quick(memory[:4], memory[1:]) is MISSED
    with pytest.raises(ArgumentError, match="shares memory"):
        function(memory[:4], memory[1:])
    beside = np.zeros((8, 4), np.float32)
    assert function.quick(beside[:4], beside[4:]) is None


CHECKED = """
func.func @f(%a: tensor<4xf32>, %i: tensor<1xindex>) -> tensor<1xf32> {
  %zero = arith.constant 0 : index
  %at = tensor.extract %i[%zero] : tensor<1xindex>
  %x = tensor.extract %a[%at] : tensor<4xf32>
  %r = tensor.from_elements %x : tensor<1xf32>
  return %r : tensor<1xf32>
}
"""


def test_a_program_that_fails_raises_where_it_does() -> None:
    f = jit(CHECKED, checked=True)
    a = np.arange(4, dtype=np.float32)
    assert f(a, np.array([2])) == 2
    with pytest.raises(ProgramError, match="5"):
        f(a, np.array([5]))
    assert f(a, np.array([3])) == 3


@pytest.mark.parametrize("name", PROGRAMS)
def test_calls_leave_nothing_behind(name: str, make: Make) -> None:
    function = make(name)
    a, b = arguments()
    held = [a, b, a.dtype, np.ndarray, MISSED, None]
    function(a, b)
    before = [sys.getrefcount(each) for each in held]
    for _ in range(1000):
        function(a, b)
        function.quick(a, None)
    after = [sys.getrefcount(each) for each in held]
    # What Python itself does meanwhile may hold some of these for a while.
    assert all(abs(new - old) < 100 for old, new in zip(before, after, strict=True))


def resident_kib() -> int:
    _, _, behind = Path("/proc/self/status").read_text("ascii").partition("VmRSS:")
    return int(behind.split()[0])


def test_memory_of_results_is_freed() -> None:
    size = 1 << 18
    text = PROGRAMS["new"].replace("4x4xf32", f"4x{size}xf32")
    f = jit(text, optimize=False)
    a = np.ones((4, size), np.float32)
    f(a, a)
    before = resident_kib()
    for _ in range(100):  # of 4 MiB each
        f(a, a)
    assert resident_kib() - before < 100_000


def test_a_result_outlives_its_function(make: Make) -> None:
    function = make("new")
    a, b = arguments()
    result = function(a, b)
    del function
    np.testing.assert_array_equal(result, a - b)
    view = result[1:]
    del result
    np.testing.assert_array_equal(view, (a - b)[1:])


def test_threads_call_at_once(make: Make) -> None:
    function = make("several")
    wrong: list[int] = []

    def call(number: int) -> None:
        a = np.full((4, 4), number, np.float32)
        for _ in range(2000):
            _, result, _ = function(a, np.ones_like(a))
            if not (result == number - 1).all():
                wrong.append(number)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_without_the_known_layout_no_call_is_quick(
    monkeypatch: pytest.MonkeyPatch, make: Make
) -> None:
    monkeypatch.setattr(quick_call, "is_possible", lambda: False)
    function = make("new")
    assert function.quick is never_quick
    a, b = arguments()
    np.testing.assert_array_equal(function(a, b), a - b)


def test_this_python_has_the_known_layout() -> None:
    assert quick_call.is_possible()
