"""Cases of the ops on complex numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from harness.cases.case import Cases, Elementwise, elementwise_case
from xdsl_bufferization.runtime.engine import CompiledModule

CASES = Cases()

_NUMBERS = (1 + 2j, -0.5 + 0.25j, 3 - 4j, -1 - 1j, 2.5 + 0j, -2 + 0j, 0.75j, 1e-3 - 2j)
_PAIRS = tuple((a, b) for a in _NUMBERS for b in _NUMBERS)

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "conj": np.conjugate,
    "cos": np.cos,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "neg": np.negative,
    "rsqrt": lambda z: 1 / np.sqrt(z),
    "sign": lambda z: z / abs(z),
    "sin": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}
"""Ops of one number whose result is complex, in NumPy."""

REAL_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "abs": np.abs,
    "angle": np.angle,
    "im": np.imag,
    "re": np.real,
}
"""Ops of one number whose result is real."""

ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "atan2": lambda a, b: -1j * np.log((b + 1j * a) / np.sqrt(a * a + b * b)),
    "div": np.divide,
    "mul": np.multiply,
    "pow": np.power,
    "sub": np.subtract,
}
"""Ops of two numbers."""


def _wide(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, computed in complex128."""
    return lambda *numbers: function(*map(np.complex128, numbers))


def _ops(part: str) -> list[Elementwise]:
    number, tolerance = f"complex<{part}>", 3e-7 if part == "f32" else 1e-13
    singles = tuple((z,) for z in _NUMBERS)
    return [
        *(
            Elementwise(
                f"complex.{op} %x0 : {number}",
                (number,),
                result,
                _wide(function),
                singles,
                tolerance,
            )
            for functions, result in ((FUNCTIONS, number), (REAL_FUNCTIONS, part))
            for op, function in functions.items()
        ),
        *(
            Elementwise(
                f"complex.{op} %x0, %x1 : {number}",
                (number, number),
                number,
                _wide(function),
                # At a = ib, the angle is infinite.
                tuple(p for p in _PAIRS if op != "atan2" or p[0] ** 2 != -(p[1] ** 2)),
                tolerance,
            )
            for op, function in ARITHMETIC.items()
        ),
        *(
            Elementwise(
                f"complex.{op} %x0, %x1 : {number}", (number,) * 2, "i1", f, _PAIRS
            )
            for op, f in (("eq", np.equal), ("neq", np.not_equal))
        ),
        Elementwise(
            f"complex.create %x0, %x1 : {number}",
            (part, part),
            number,
            lambda re, im: complex(re, im),
            ((1.0, -2.0), (0.5, 0.25)),
        ),
    ]


for _part in ("f32", "f64"):
    CASES.append(elementwise_case(f"complex_{_part}", _ops(_part)))

_POWERS = tuple((z, n) for z in _NUMBERS for n in (0, 1, 2, 7, -1, -3))

CASES.append(
    elementwise_case(
        "integer_powers",
        [
            Elementwise(
                f"complex.powi %x0, %x1 : complex<f64>, {type_}",
                ("complex<f64>", type_),
                "complex<f64>",
                lambda z, n: complex(z) ** int(n),
                _POWERS,
                1e-13,
            )
            for type_ in ("i8", "i64")
        ],
    )
)


@CASES.of("""
func.func @f(%z: complex<f32>, %bits: i64) -> (i64, complex<f32>, f64, complex<f32>) {
  %0 = complex.bitcast %z : complex<f32> to i64
  %1 = complex.bitcast %bits : i64 to complex<f32>
  %2 = complex.bitcast %z : complex<f32> to f64
  %3 = complex.bitcast %z : complex<f32> to complex<f32>
  func.return %0, %1, %2, %3 : i64, complex<f32>, f64, complex<f32>
}""")
def bits_of_complex_numbers(program: CompiledModule):
    number = np.array(1.5 - 2.25j, np.complex64)
    bits = int(number.view(np.int64))
    got = program["f"](number, bits)
    assert got == (bits, number, number.view(np.float64), number)


@CASES.of("""
func.func @f(%c: i1, %z: complex<f64>) -> (complex<f64>, complex<f64>, complex<f64>) {
  %0 = complex.constant [1.0 : f64, -0.0 : f64] : complex<f64>
  %1 = arith.select %c, %0, %z : complex<f64>
  %2 = scf.if %c -> complex<f64> {
    scf.yield %z : complex<f64>
  } else {
    scf.yield %0 : complex<f64>
  }
  func.return %0, %1, %2 : complex<f64>, complex<f64>, complex<f64>
}""")
def chosen_complex_numbers(program: CompiledModule):
    assert program["f"](True, 2j) == (1, 1, 2j)
    assert program["f"](False, 2j) == (1, 2j, 1)
    assert np.signbit(program["f"](False, 2j)[0].imag)


@CASES.of("""
func.func @f(%x: f32, %y: f32) -> (f32, f32, f32) {
  %h = arith.truncf %x : f32 to bf16
  %g = arith.truncf %y : f32 to bf16
  %z = complex.create %h, %g : complex<bf16>
  %w = complex.mul %z, %z : complex<bf16>
  %c = complex.constant [3.0 : bf16, 4.0 : bf16] : complex<bf16>
  %s = complex.add %w, %c : complex<bf16>
  %re = complex.re %s : complex<bf16>
  %im = complex.im %s : complex<bf16>
  %abs = complex.abs %c : complex<bf16>
  %0 = arith.extf %re : bf16 to f32
  %1 = arith.extf %im : bf16 to f32
  %2 = arith.extf %abs : bf16 to f32
  func.return %0, %1, %2 : f32, f32, f32
}""")
def complex_numbers_of_bf16(program: CompiledModule):
    assert program["f"](1.5, 2.0) == (1.5**2 - 4 + 3, 10, 5)


@CASES.of("""
func.func private @f(%x: f16, %out: memref<2xf16>) {
  %z = complex.create %x, %x : complex<f16>
  %w = complex.div %z, %z : complex<f16>
  %re = complex.re %w : complex<f16>
  %e = complex.exp %z : complex<f16>
  %im = complex.im %e : complex<f16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %re, %out[%c0] : memref<2xf16>
  memref.store %im, %out[%c1] : memref<2xf16>
  func.return
}
func.func @g(%in: memref<1xf16>, %out: memref<2xf16>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %in[%c0] : memref<1xf16>
  func.call @f(%x, %out) : (f16, memref<2xf16>) -> ()
  func.return
}""")
def complex_numbers_of_f16(program: CompiledModule):
    out = np.zeros(2, np.float16)
    program["g"](np.array([1.5], np.float16), out)
    assert out.tolist() == [1, np.exp(1.5 + 1.5j).imag.astype(np.float16)]


@CASES.of("""
memref.global "private" constant @numbers : memref<2x2xcomplex<f64>> =
  dense<[[(1.0,2.0), (3.0,-0.0)], [(0x7FF0000000000000,4.0), (5.0,6.0)]]>
memref.global "private" constant @equal : memref<9000xcomplex<f32>> = dense<(1.0,2.0)>
memref.global "private" constant @zeros : memref<9000xcomplex<f64>> = dense<(0.0,0.0)>
memref.global "private" @scratch : memref<4xcomplex<f64>> = uninitialized
func.func @f(%out: memref<2x2xcomplex<f64>>, %i: index, %z: complex<f64>)
    -> (complex<f32>, complex<f64>, complex<f64>) {
  %c1 = arith.constant 1 : index
  %0 = memref.get_global @numbers : memref<2x2xcomplex<f64>>
  memref.copy %0, %out : memref<2x2xcomplex<f64>> to memref<2x2xcomplex<f64>>
  %1 = memref.get_global @equal : memref<9000xcomplex<f32>>
  %2 = memref.load %1[%i] : memref<9000xcomplex<f32>>
  %3 = memref.get_global @zeros : memref<9000xcomplex<f64>>
  %4 = memref.load %3[%i] : memref<9000xcomplex<f64>>
  %5 = memref.get_global @scratch : memref<4xcomplex<f64>>
  memref.store %z, %5[%c1] : memref<4xcomplex<f64>>
  %6 = memref.load %5[%c1] : memref<4xcomplex<f64>>
  func.return %2, %4, %6 : complex<f32>, complex<f64>, complex<f64>
}""")
def globals_of_complex_numbers(program: CompiledModule):
    out = np.zeros((2, 2), np.complex128)
    assert program["f"](out, 8999, 7j) == (1 + 2j, 0, 7j)
    assert out.tolist() == [[1 + 2j, 3], [complex(np.inf, 4), 5 + 6j]]
    assert np.signbit(out[0, 1].imag)
