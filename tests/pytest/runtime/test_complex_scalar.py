"""Complex numbers at the boundary of compiled code, by themselves and in arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import parse
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.complex_scalar import ComplexCodec
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import ArgumentError
from xdsl_bufferization.support.abi import ScalarSignature

Parse = Callable[[str], ModuleOp]

PROGRAM = """
func.func @conj(%z: complex<f32>) -> complex<f32> {
  %r = complex.conj %z : complex<f32>
  return %r : complex<f32>
}
func.func @mixed(%n: i32, %z: complex<f64>, %m: memref<?xcomplex<f32>>, %x: f32)
    -> (i32, complex<f64>, f32) {
  %c0 = arith.constant 0 : index
  %w = complex.create %x, %x : complex<f32>
  memref.store %w, %m[%c0] : memref<?xcomplex<f32>>
  return %n, %z, %x : i32, complex<f64>, f32
}
func.func @many(%a: complex<f64>, %b: complex<f64>, %c: complex<f64>, %d: complex<f64>,
                %e: complex<f64>, %f: complex<f64>) -> complex<f64> {
  %0 = complex.sub %f, %a : complex<f64>
  %1 = complex.mul %0, %e : complex<f64>
  return %1 : complex<f64>
}
"""


@pytest.fixture(scope="module")
def program() -> CompiledModule:
    return compile_module(parse(PROGRAM))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (1.5 + 2j, 1.5 - 2j),
        (2, 2),
        (True, 1),
        (0.5, 0.5),
        (np.complex64(1 - 1j), 1 + 1j),
        (np.complex128(1 - 1j), 1 + 1j),
        (np.float32(0.25), 0.25),
        (np.array(3j), -3j),
        (complex(float("inf"), -0.0), complex(float("inf"), 0.0)),
    ],
)
def test_all_kinds_of_numbers_are_taken(
    program: CompiledModule, given: Any, expected: complex
) -> None:
    result = program["conj"](given)
    assert type(result) is np.complex64
    assert result == expected


@pytest.mark.parametrize("wrong", ["1", None, np.zeros(1, np.complex64), [1, 2]])
def test_what_is_no_number_is_refused(program: CompiledModule, wrong: Any) -> None:
    with pytest.raises(ArgumentError, match="a number of type complex<f32>, got"):
        program["conj"](wrong)


def test_among_other_arguments_and_results(program: CompiledModule) -> None:
    array = np.zeros(3, np.complex64)
    assert program["mixed"](7, 1 + 2j, array, 0.5) == (7, 1 + 2j, 0.5)
    assert array.tolist() == [0.5 + 0.5j, 0, 0]


def test_more_numbers_than_fit_in_registers(program: CompiledModule) -> None:
    assert program["many"](1, 2, 3, 4, 5j, 6 + 1j) == (5 + 1j) * 5j


def test_arrays_of_another_precision_are_refused(program: CompiledModule) -> None:
    with pytest.raises(ArgumentError, match="got complex128 array of shape"):
        program["mixed"](1, 0, np.zeros(3, np.complex128), 1)
    with pytest.raises(ArgumentError, match="got float32 array of shape"):
        program["mixed"](1, 0, np.zeros(3, np.float32), 1)


def test_signatures_name_the_type(program: CompiledModule) -> None:
    assert str(program["conj"].signature) == "conj(complex<f32>) -> (complex<f32>)"


def test_parts_are_in_the_order_of_memory() -> None:
    codec = ComplexCodec(ScalarSignature("complex<f64>"))
    assert codec.pack(1 - 2j) == [1, -2]
    memory = np.array([1 - 2j]).tobytes()
    assert codec.unpack(codec.ctype.from_buffer_copy(memory)) == 1 - 2j
