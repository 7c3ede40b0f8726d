"""Arrays of a subclass are what NumPy knows of them, whatever their class says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import xdsl_bufferization as xbuf
from xdsl_bufferization.runtime import ArgumentError

Array = np.ndarray[Any, Any]
Door = Callable[[Array], Any]

SUM = """
func.func @sum(%x: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%old = %zero) -> f32 {
    %element = tensor.extract %x[%i] : tensor<?xf32>
    %new = arith.addf %old, %element : f32
    scf.yield %new : f32
  }
  return %sum : f32
}
"""
WRITE = """
func.func @write(%m: memref<?xf32>, %n: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %size = memref.dim %m, %c0 : memref<?xf32>
  memref.store %one, %m[%c0] : memref<?xf32>
  memref.copy %n, %m : memref<?xf32> to memref<?xf32>
  return %size : index
}
"""


def saying(**answers: object) -> Callable[[Array], Array]:
    """A class of arrays that gives these answers, whatever it is asked of."""
    properties = {
        name: property(lambda _, answer=answer: answer)
        for name, answer in answers.items()
    }
    class_ = type("Saying", (np.ndarray,), properties)
    return lambda array: array.view(class_)


class Flags:
    """Of the best array that there is."""

    carray = c_contiguous = aligned = writeable = True


def no(*_: object, **__: object) -> bool:
    """What NumPy's functions answer for a class that replaces them."""
    return False


def text_for(_: object) -> str:
    """What builds the program."""
    return SUM


LIES = {
    "shape": saying(shape=(4000,), size=4000),
    "strides": saying(strides=(4,)),
    "dtype": saying(dtype=np.dtype(np.float32), itemsize=4),
    "flags": saying(flags=Flags()),
    "memory": saying(__array_interface__=None, ctypes=None, data=b"", base=None),
    "methods": saying(view=None, copy=None, __getitem__=None, __array__=None),
    "functions": saying(__array_function__=no),
}


def compiled(text: str) -> Any:
    module = xbuf.bufferize(xbuf.parse(text), bufferize_function_boundaries=True)
    return xbuf.compile(module)


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Door]:
    """All ways of calling one program with an array."""
    file = Path(tmp_path_factory.mktemp("saved"), "sum.xbufobj")
    xbuf.jit(SUM).save(file)
    whole = compiled(SUM)["sum"]
    return {
        "jit": xbuf.jit(SUM),
        "donated": xbuf.jit(SUM, donate="x"),
        "checked": xbuf.jit(SUM, checked=True),
        "built for its types": xbuf.jit(text_for),
        "loaded": xbuf.load(file),
        "compiled": whole,
        "donated to what is compiled": lambda x: whole(x, donate="x"),
        "packed": lambda x: whole(whole.packed(0, x)),
    }


@pytest.mark.parametrize("what", LIES)
def test_what_a_class_says_is_not_believed(doors: dict[str, Door], what: str):
    for name, call in doors.items():
        array = np.arange(1, 5, dtype=np.float32)
        assert call(LIES[what](array)) == 10, name


@pytest.mark.parametrize("what", LIES)
def test_an_array_that_does_not_fit_is_none_that_fits(
    doors: dict[str, Door], what: str
):
    every_second = np.arange(1, 9, dtype=np.float32)[::2]
    for name, call in doors.items():
        with pytest.raises(ArgumentError, match=r"expected f32\[\?\]"):
            call(LIES[what](np.ones(4)))
        try:  # `jit` copies where `compile` refuses.
            assert call(LIES[what](every_second)) == 16, name
        except ArgumentError as error:
            assert "strides of (8,) bytes" in str(error)


@pytest.fixture(scope="module")
def writers() -> list[Any]:
    """Functions that write into memory of their callers."""
    return [xbuf.jit(WRITE), compiled(WRITE)["write"]]


@pytest.mark.parametrize("what", LIES)
def test_memory_of_the_caller_is_as_safe(writers: list[Any], what: str):
    for call in writers:
        array, other = np.zeros(4, np.float32), np.full(4, 2, np.float32)
        assert call(LIES[what](array), LIES[what](other)) == 4
        assert array.tolist() == [2] * 4
        with pytest.raises(ArgumentError, match="shares memory with argument 1"):
            call(LIES[what](array), LIES[what](array[:4]))
        array.flags.writeable = False
        with pytest.raises(ArgumentError, match="read-only"):
            call(LIES[what](array), other)


def test_no_mask_is_lost(doors: dict[str, Door]):
    masked = np.ma.masked_array(np.arange(8, dtype=np.float32), [False, True] * 4)
    for call in doors.values():
        for each in (masked, masked[::2]):
            with pytest.raises(
                ArgumentError, match=r"a masked array .* pass its \.data"
            ):
                call(each)


def test_classes_that_say_nothing_else_are_taken(
    doors: dict[str, Door], tmp_path: Path
):
    np.save(tmp_path / "numbers.npy", np.arange(1, 5, dtype=np.float32))
    mapped = np.load(tmp_path / "numbers.npy", mmap_mode="r")
    for call in doors.values():
        assert call(mapped) == 10
        with pytest.raises(ArgumentError, match=r"array of shape \(1, 4\)"):
            call(mapped.view(np.matrix))
