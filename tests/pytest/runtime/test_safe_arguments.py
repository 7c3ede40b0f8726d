"""A call changes no array that its caller did not give away."""

import gc
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from numpy.typing import NDArray

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime import ArgumentError, CountingHeap

Floats = NDArray[np.float32]

INSERT = """
func.func @f(%x: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.insert %v into %x[%c1] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

INSERT_SLICE = """
func.func @f(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %0 = tensor.insert_slice %y into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

ACCUMULATE = """
func.func @f(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = linalg.matmul ins(%y, %y : tensor<2x2xf32>, tensor<2x2xf32>)
                     outs(%x : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
"""

COPY = """
func.func @f(%x: memref<?xf32, strided<[?], offset: ?>>,
             %out: memref<?xf32, strided<[?], offset: ?>>) {
  memref.copy %x, %out : memref<?xf32, strided<[?], offset: ?>>
                      to memref<?xf32, strided<[?], offset: ?>>
  return
}
"""

REVERSE = """
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %last = arith.subi %n, %c1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xf32>) {
    %j = arith.subi %last, %i : index
    %e = tensor.extract %y[%j] : tensor<?xf32>
    %u = tensor.insert %e into %t[%i] : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""


def compiled(text: str, *, deallocates: bool = True, **options: Any) -> Any:
    """The function `@f` of a program, which takes arrays in any order of memory."""
    module = xbuf.parse(text)
    options.setdefault("function_boundary_type_conversion", "infer-layout-map")
    xbuf.bufferize(module, **options)
    if deallocates:
        xbuf.deallocate(module)
    return xbuf.compile(module, opt_level=1)["f"]


compiled_once = cache(compiled)


def floats(*shape: int) -> Floats:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


# --- tensors are values --------------------------------------------------------------


def test_an_argument_that_is_inserted_into_stays_as_it_is() -> None:
    x = floats(4)
    assert compiled(INSERT)(x, 9.0).tolist() == [0, 9, 2, 3]
    assert x.tolist() == [0, 1, 2, 3]


def test_an_argument_that_a_slice_is_inserted_into_stays_as_it_is() -> None:
    x, y = floats(4), np.array([8, 9], np.float32)
    assert compiled(INSERT_SLICE)(x, y).tolist() == [0, 8, 9, 3]
    assert x.tolist() == [0, 1, 2, 3]


def test_an_argument_that_is_an_output_stays_as_it_is() -> None:
    x, y = floats(2, 2), np.eye(2, dtype=np.float32)
    assert compiled(ACCUMULATE)(x, y).tolist() == [[1, 1], [2, 4]]
    assert x.tolist() == [[0, 1], [2, 3]]


def test_arrays_that_must_not_change_may_be_passed() -> None:
    x = floats(4)
    x.flags.writeable = False
    assert compiled(INSERT)(x, 9.0).tolist() == [0, 9, 2, 3]


def test_what_dlpack_gives_as_read_only_may_be_passed() -> None:
    class Tensor:
        array = floats(4)
        array.flags.writeable = False

        def __dlpack__(self, **_: Any) -> Any:
            return self.array.view().__dlpack__(max_version=(1, 0))

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.array.__dlpack_device__()

    assert compiled(INSERT)(Tensor(), 9.0).tolist() == [0, 9, 2, 3]


@pytest.mark.parametrize("step", [1, 2, -1, -2])
@pytest.mark.parametrize("layout", ["infer", "identity", "fully-dynamic"])
def test_a_copy_has_the_layout_that_the_function_takes(layout: str, step: int) -> None:
    f = compiled(INSERT, function_boundary_type_conversion=f"{layout}-layout-map")
    x = floats(8)[::step][:4]
    if layout == "identity" and step != 1:
        with pytest.raises(ArgumentError, match="contiguous"):
            f(x, 9.0)
        return
    assert f(x, 9.0).tolist() == [x[0], 9, x[2], x[3]]


@pytest.mark.parametrize(("rows", "columns"), [(3, 2), (1, 2), (3, 1)])
@pytest.mark.parametrize("step", [8, -8])
def test_a_copy_has_strides_that_are_fixed(rows: int, columns: int, step: int) -> None:
    layout = f"strided<[{step}, 1], offset: ?>"
    f = compiled(
        f"""
    func.func @f(%x: tensor<{rows}x{columns}xf32>
        {{bufferization.buffer_layout = #memref.fixed}}, %v: f32) -> f32 {{
      %c0 = arith.constant 0 : index
      %0 = tensor.insert %v into %x[%c0, %c0] : tensor<{rows}x{columns}xf32>
      %1 = tensor.extract %0[%c0, %c0] : tensor<{rows}x{columns}xf32>
      return %1 : f32
    }}""".replace("#memref.fixed", layout)
    )
    memory = floats(5, 8)
    x = memory[:: step // 8][:rows, 2 : 2 + columns]
    assert f(x, 9.0) == 9.0
    assert memory.tolist() == floats(5, 8).tolist()


def test_only_what_is_written_is_copied() -> None:
    f = compiled(INSERT_SLICE)
    assert [each.is_copied for each in f.signature.arguments] == [True, False]


def test_text_says_that_an_argument_is_a_value() -> None:
    module = xbuf.parse(INSERT)
    xbuf.bufferize(module, bufferize_function_boundaries=True)
    x = floats(4)
    again = xbuf.compile(xbuf.deallocate(xbuf.parse(str(module))))["f"]
    again(x, 9.0)
    assert x.tolist() == [0, 1, 2, 3]


# --- results -------------------------------------------------------------------------

IDENTITY = (
    "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"
)


@pytest.mark.parametrize("deallocates", [False, True])
@pytest.mark.parametrize("text", [IDENTITY, INSERT])
def test_a_result_shares_no_memory_with_a_value(text: str, deallocates: bool) -> None:
    f = compiled(text, deallocates=deallocates)
    x = floats(4)
    result = f(x, *[9.0][: len(f.signature.arguments) - 1])
    assert not np.shares_memory(result, x)
    expected = result.copy()
    x[:] = -1
    gc.collect()
    assert result.tolist() == expected.tolist()
    result[:] = 5  # The caller owns it.


def test_an_array_that_is_packed_ahead() -> None:
    """What is in the array at the time of a call counts."""
    function = compiled(ACCUMULATE)
    y = np.eye(2, dtype=np.float32)
    packed = function.packed(1, y)
    assert packed is not y
    x = np.zeros((2, 2), np.float32)
    for factor in (1, 3):
        y[...] = factor * np.eye(2)
        np.testing.assert_array_equal(function(x, packed), factor**2 * np.eye(2))


def test_an_array_that_is_written_is_not_packed_ahead() -> None:
    x = np.zeros((2, 2), np.float32)
    assert compiled(ACCUMULATE).packed(0, x) is x


def test_packing_ahead_says_what_does_not_fit() -> None:
    with pytest.raises(ArgumentError, match=r"argument 1 .*shape \(3,\)"):
        compiled(ACCUMULATE).packed(1, np.zeros(3, np.float32))


def test_a_result_may_be_what_was_donated() -> None:
    x = floats(4)
    result = compiled(INSERT, deallocates=False)(x, 9.0, donate=("x",))
    assert np.shares_memory(result, x)
    assert x.tolist() == [0, 9, 2, 3]


# --- donations and memrefs -----------------------------------------------------------


@pytest.mark.parametrize("name", ["x", ("x",), ["x"], 0, (0,), iter(("x",))])
def test_a_donated_argument_is_written(name: Any) -> None:
    f = compiled(INSERT)
    x = floats(4)
    assert f(x, 9.0, donate=name).tolist() == [0, 9, 2, 3]
    assert x.tolist() == [0, 9, 2, 3]
    x = floats(4)
    f(x, 9.0)  # The donation was for one call.
    assert x.tolist() == [0, 1, 2, 3]


def test_a_function_may_be_asked_for_that_takes_all_its_calls_get() -> None:
    f = compiled(INSERT).donating("x")
    x = floats(4)
    f(x, 9.0)
    assert x.tolist() == [0, 9, 2, 3]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("z", "f: there is no argument 'z' to donate; there is x, v"),
        (2, "f: there is no argument 2 to donate; there is x, v"),
        (-1, "f: there is no argument -1 to donate; there is x, v"),
        ("", "f: there is no argument '' to donate; there is x, v"),
        ("v", r"f: argument 1 \(%v\): a number, f32, cannot be donated"),
    ],
)
def test_what_cannot_be_donated(name: str | int, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        compiled(INSERT)(floats(4), 9.0, donate=(name,))


def test_what_must_not_change_cannot_be_donated() -> None:
    x = floats(4)
    x.flags.writeable = False
    with pytest.raises(ArgumentError, match="read-only; pass a copy, or do not donate"):
        compiled(INSERT)(x, 9.0, donate=("x",))


def test_a_memref_is_written_as_the_program_says() -> None:
    x, out = floats(4), np.zeros(4, np.float32)
    compiled(COPY)(x, out)
    assert out.tolist() == [0, 1, 2, 3]


def test_a_pass_alone_leaves_no_mark_as_mlir_does() -> None:
    module = xbuf.parse(INSERT)
    OneShotBufferizePass(bufferize_function_boundaries=True).apply(
        get_context(), module
    )
    f = xbuf.compile(xbuf.deallocate(module))["f"]
    x = floats(4)
    f(x, 9.0)
    assert x.tolist() == [0, 9, 2, 3]


def test_a_function_says_what_it_does_to_its_arguments() -> None:
    layout = ", strided<[?], offset: ?>"
    f = compiled(INSERT_SLICE)
    x, y, result = f"f32[4{layout}]", f"f32[2{layout}]", f"f32[4{layout}]"
    assert repr(f) == (
        f"<compiled function f(x: {x} read and written in a copy, y: {y} read)"
        f" -> ({result})>"
    )
    assert repr(f.donating("x")) == (
        f"<compiled function f(x: {x} read and written, donated, y: {y} read)"
        f" -> ({result})>"
    )
    assert repr(compiled(COPY)) == (
        f"<compiled function f(x: f32[?{layout}] read, out: f32[?{layout}] written)"
        " -> ()>"
    )
    assert repr(compiled(INSERT)).count("v: f32") == 1


# --- arguments that overlap ----------------------------------------------------------


def test_one_array_for_two_tensors() -> None:
    z = floats(4)
    assert compiled(REVERSE)(z, z).tolist() == [3, 2, 1, 0]
    assert z.tolist() == [0, 1, 2, 3]


def test_one_array_for_two_memrefs_is_an_error_that_names_both() -> None:
    z = floats(4)
    with pytest.raises(ArgumentError) as error:
        compiled(COPY)(z, z)
    assert str(error.value) == (
        "f: argument 1 (%out): shares memory with argument 0 (%x), and the function "
        "writes into argument 1; pass a copy of one of them, or donate both if that is "
        "meant"
    )


def test_one_array_for_two_memrefs_may_be_meant() -> None:
    f = compiled("""
    func.func @f(%a: memref<4xf32>, %out: memref<4xf32>) {
      linalg.map { math.exp2 } ins(%a : memref<4xf32>) outs(%out : memref<4xf32>)
      return
    }""")
    z = floats(4)
    with pytest.raises(ArgumentError, match="donate both"):
        f(z, z, donate="out")
    f(z, z, donate=("a", "out"))
    assert z.tolist() == [1, 2, 4, 8]


def test_one_array_for_two_tensors_is_never_meant() -> None:
    z = floats(4)
    with pytest.raises(ArgumentError, match=r"pass a copy of one of them$"):
        compiled(REVERSE)(z, z, donate=("x", "y"))


def test_one_array_that_is_donated_and_read() -> None:
    z = floats(4)
    with pytest.raises(ArgumentError, match=r"argument 0 \(%x\): .* argument 1 \(%y\)"):
        compiled(REVERSE)(z, z, donate="x")
    assert z.tolist() == [0, 1, 2, 3]


def test_memrefs_that_are_only_read_may_overlap() -> None:
    f = compiled("""
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%c0] : memref<4xf32>
      %y = memref.load %b[%c0] : memref<4xf32>
      %r = arith.addf %x, %y : f32
      return %r : f32
    }""")
    z = floats(4) + 1
    assert f(z, z) == 2


def test_an_argument_of_which_only_the_size_is_asked_may_overlap() -> None:
    f = compiled("""
    func.func @f(%a: memref<4xf32>, %b: memref<?xf32>) -> index {
      %c0 = arith.constant 0 : index
      %v = arith.constant 7.0 : f32
      memref.store %v, %a[%c0] : memref<4xf32>
      %n = memref.dim %b, %c0 : memref<?xf32>
      return %n : index
    }""")
    z = floats(4)
    assert f(z, z) == 4
    assert z[0] == 7


def random_view(random: np.random.Generator, memory: Floats, size: int) -> Floats:
    """A view of `size` elements, at some offset, with some step."""
    step = int(random.choice([-2, -1, 1, 2]))
    reach = (size - 1) * abs(step) + 1
    first = int(random.integers(0, memory.size - reach + 1))
    view = memory[first : first + reach : abs(step)]
    return view if step > 0 else view[::-1]


@pytest.mark.parametrize("seed", range(50))
def test_views_of_one_array_count_as_separate_tensors(seed: int) -> None:
    f = compiled_once(REVERSE)
    random = np.random.default_rng(seed)
    memory = floats(12)
    x, y = (random_view(random, memory, 5) for _ in range(2))
    expected = y.copy()[::-1].tolist()
    assert f(x, y).tolist() == expected
    assert memory.tolist() == floats(12).tolist()


@pytest.mark.parametrize("seed", range(50))
def test_views_of_one_array_are_refused_for_memrefs_if_they_share_an_element(
    seed: int,
) -> None:
    f = compiled_once(COPY)
    random = np.random.default_rng(seed)
    memory = floats(12)
    x, y = (random_view(random, memory, 4) for _ in range(2))
    expected = x.copy().tolist()
    if np.shares_memory(x, y):
        with pytest.raises(ArgumentError, match="shares memory with argument 0"):
            f(x, y)
        assert memory.tolist() == floats(12).tolist()
        return
    f(x, y)
    assert y.tolist() == expected


# --- random programs -----------------------------------------------------------------


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(
    "write",
    [
        partial(random_program, shape=Shape(ops=8, depth=2, calls=True)),
        partial(random_rich_program, shape=RichShape(ops=6)),
    ],
    ids=["plain", "rich"],
)
def test_random_programs_leave_arrays_that_overlap_as_they_are(
    seed: int, write: partial[str]
) -> None:
    text = write(seed)
    program = xbuf.parse(text)
    module = xbuf.bufferize(
        xbuf.parse(text),
        bufferize_function_boundaries=True,
        function_boundary_type_conversion="infer-layout-map",
        allow_return_allocs_from_loops=True,
    )
    main = xbuf.compile(xbuf.deallocate(module), poison=True, opt_level=0)
    random = np.random.default_rng(seed)
    memory = random.integers(-8, 8, 20).astype(np.float32)
    before = memory.copy()
    for condition in (True, False):
        arrays = [random_view(random, memory, size) for size in (8, 8, 4)]
        numbers = [np.float32(3), 3, int(condition)]
        with np.errstate(all="ignore"):
            separate = [each.copy() for each in arrays]
            expected = evaluate(program, "main", [*separate, *numbers])
        results = main["main"](*arrays, *numbers)
        found = [np.array(each) for each in results]
        for result, value in zip(found, expected, strict=True):
            np.testing.assert_allclose(result, value, rtol=1e-5)
        np.testing.assert_array_equal(memory, before)
    del results
    gc.collect()
    assert isinstance(main.heap, CountingHeap)
    assert main.heap.report().live_bytes == 0
