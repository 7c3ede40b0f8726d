"""Results that are an argument's buffer are taken from the array of the caller."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.bufferize.drop_equivalent_buffer_results import (
    drop_equivalent_buffer_results,
)
from xdsl_bufferization.runtime import CountingHeap, ProgramError

EACH_PIPELINE = pytest.mark.parametrize("optimize", [True, False])

Floats = NDArray[np.float32]

THREE = """
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %v: f32)
    -> (tensor<4xf32>, f32, tensor<4xf32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %new = tensor.insert %v into %x[%c1] : tensor<4xf32>
  return %new, %v, %y, %new : tensor<4xf32>, f32, tensor<4xf32>, tensor<4xf32>
}
"""


def floats(count: int) -> Floats:
    return np.arange(count, dtype=np.float32)


def share(*arrays: Any) -> bool:
    return np.shares_memory(*arrays)


@EACH_PIPELINE
def test_the_caller_keeps_its_arrays(optimize: bool) -> None:
    x, y = floats(4), floats(4) + 10
    new, v, same, again = xbuf.jit(THREE, optimize=optimize)(x, y, 9.0)
    assert new.tolist() == again.tolist() == [0, 9, 2, 3]
    assert (v, same.tolist()) == (9, [10, 11, 12, 13])
    assert x.tolist() == [0, 1, 2, 3]
    assert not share(new, x)
    assert not share(same, y)
    assert not share(new, again)


@EACH_PIPELINE
def test_what_is_donated_is_the_result(optimize: bool) -> None:
    f = xbuf.jit(THREE, optimize=optimize, donate=["x", "y"])
    x, y = floats(4), floats(4) + 10
    new, _, same, again = f(x, y, 9.0)
    assert share(new, x)
    assert share(same, y)
    assert not share(again, x)
    assert again.tolist() == x.tolist() == [0, 9, 2, 3]


def test_nothing_is_allocated_or_copied_by_the_code() -> None:
    text = (
        THREE.replace(", %new :", " :")
        .replace("f32, tensor<4xf32>, tensor<4xf32>", "f32, tensor<4xf32>")
        .replace(") {", ") attributes {xbuf.results_in_arguments} {")
    )
    module = xbuf.parse(text)
    xbuf.bufferize(module)
    drop_equivalent_buffer_results(module)
    code = xbuf.compile(xbuf.deallocate(module), count_copies=True)
    x, y = floats(4), floats(4)
    new, _, same = code["f"](x, y, 9.0, donate=("x", "y"))
    assert share(new, x)
    assert share(same, y)
    assert isinstance(code.heap, CountingHeap)
    counts = code.heap.report()
    assert (counts.allocs, counts.copies) == (0, 0)


@EACH_PIPELINE
@pytest.mark.parametrize(
    ("type_", "array"),
    [
        ("tensor<f32>", np.array(3, np.float32)),
        ("tensor<3xbf16>", np.array([1, 2, 3], np.uint16)),
        ("tensor<3xi32>", np.array([1, 2, 3], np.uint32)),
        ("tensor<2x0xf64>", np.zeros((2, 0))),
    ],
)
def test_the_result_has_the_type_of_the_program(
    type_: str, array: Any, optimize: bool
) -> None:
    changed = xbuf.jit(
        f"func.func @f(%x: {type_}, %y: {type_}) -> ({type_}, {type_}) {{\n"
        f"  %e = linalg.copy ins(%y : {type_}) outs(%x : {type_}) -> {type_}\n"
        f"  return %e, %y : {type_}, {type_}\n}}",
        optimize=optimize,
    )
    before = array.copy()
    other = array + np.ones((), array.dtype)
    copied, same = changed(array, other)
    assert copied.dtype == same.dtype
    assert copied.shape == same.shape == array.shape
    assert copied.tobytes() == same.tobytes() == other.tobytes()
    assert array.tobytes() == before.tobytes()
    assert not share(same, other)


@EACH_PIPELINE
def test_the_array_has_the_size_of_the_result(optimize: bool) -> None:
    f = xbuf.jit(
        "func.func @f(%x: tensor<?xf32>) -> tensor<3xf32> {\n"
        "  %0 = tensor.cast %x : tensor<?xf32> to tensor<3xf32>\n"
        "  return %0 : tensor<3xf32>\n}",
        optimize=optimize,
    )
    assert f(floats(3)).tolist() == [0, 1, 2]


@EACH_PIPELINE
def test_a_failed_call_raises_as_before(optimize: bool) -> None:
    f = xbuf.jit(
        """
        func.func @f(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
          %c4 = arith.constant 4 : index
          %fits = arith.cmpi ult, %i, %c4 : index
          cf.assert %fits, "the index is too large"
          %v = arith.constant 1.0 : f32
          %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
          return %0 : tensor<4xf32>
        }""",
        optimize=optimize,
    )
    assert f(floats(4), 0).tolist() == [1, 1, 2, 3]
    with pytest.raises(ProgramError, match="the index is too large"):
        f(floats(4), 4)


BF16_TYPES = "(%a: tensor<3xbf16>, %x: bf16, %i: index) -> tensor<3xbf16>"
BF16_PROGRAMS = {
    "the argument": "return %a : tensor<3xbf16>",
    "in the argument": """
        %0 = tensor.insert %x into %a[%i] : tensor<3xbf16>
        return %0 : tensor<3xbf16>""",
    "new": """
        %0 = arith.addf %a, %a : tensor<3xbf16>
        return %0 : tensor<3xbf16>""",
}


@pytest.mark.parametrize("name", BF16_PROGRAMS)
@pytest.mark.parametrize("donate", [(), "a"])
def test_results_are_shown_as_bfloat16(name: str, donate: str):
    function = xbuf.jit(
        f"func.func @f{BF16_TYPES} {{ {BF16_PROGRAMS[name]} }}", donate=donate
    )
    for dtype in (ml_dtypes.bfloat16, np.uint16):
        # The first call of a signature takes another way than those behind it.
        for _ in range(3):
            given = np.ones(3, ml_dtypes.bfloat16).view(dtype)
            assert function(given, 2.0, 1).dtype == ml_dtypes.bfloat16
