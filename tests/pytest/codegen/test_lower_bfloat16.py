"""Numbers of type bf16, executed and compared with f32 that is rounded in NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization.runtime.engine import CompiledModule

Array = np.ndarray[Any, Any]
Build = Callable[[str], CompiledModule]

EDGES = np.array(
    [
        0.0,
        -0.0,
        1.0,
        -1.5,
        1 / 3,
        1e-39,
        -1e-40,
        3.3e38,
        -2e38,
        7e-5,
        255.0,
        1 + 2**-7,
        np.inf,
        -np.inf,
        np.nan,
    ],
    np.float32,
)


def bits(numbers: Array) -> Array:
    """The nearest bf16, ties to even."""
    words = np.asarray(numbers, np.float32).view(np.uint32)
    rounded = (words + 0x7FFF + ((words >> 16) & 1)) >> 16
    return np.where(np.isnan(numbers), 0x7FC0, rounded).astype(np.uint16)


def floats(halves: Array) -> Array:
    return (halves.view(np.uint16).astype(np.uint32) << 16).view(np.float32)


def elementwise(body: str, operands: int, result: str = "bf16") -> str:
    names = [f"%x{number}" for number in range(operands)]
    parameters = ", ".join(f"%a{n}: memref<?xbf16>" for n in range(operands))
    loads = "\n".join(
        f"{name} = memref.load %a{number}[%i] : memref<?xbf16>"
        for number, name in enumerate(names)
    )
    return f"""
    func.func @f({parameters}, %out: memref<?x{result}>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %size = memref.dim %out, %c0 : memref<?x{result}>
      scf.for %i = %c0 to %size step %c1 {{
        {loads}
        %r = {body}
        memref.store %r, %out[%i] : memref<?x{result}>
      }}
      return
    }}"""


BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
}


@pytest.mark.parametrize("op", BINARY)
def test_binary_ops_round_once(op: str, build: Build):
    left, right = (each.ravel() for each in np.meshgrid(EDGES, EDGES))
    left, right = floats(bits(left)), floats(bits(right))
    out = np.zeros(left.shape, np.uint16)
    module = build(elementwise(f"{op} %x0, %x1 : bf16", 2))
    module["f"](bits(left), bits(right), out)
    with np.errstate(all="ignore"):
        wanted = floats(bits(BINARY[op](left, right)))
    np.testing.assert_array_equal(floats(out), wanted)


Compute = Callable[[Array], Array]

UNARY: list[tuple[str, str, Compute]] = [
    ("arith.extf %x0 : bf16 to f32", "f32", lambda x: x),
    ("arith.extf %x0 : bf16 to f64", "f64", lambda x: x.astype(np.float64)),
    ("arith.negf %x0 : bf16", "bf16", lambda x: bits(-x)),
    ("arith.cmpf ogt, %x0, %x0 : bf16", "i1", lambda x: x > x),
    ("arith.cmpf ueq, %x0, %x0 : bf16", "i1", lambda x: x == x),
    ("arith.bitcast %x0 : bf16 to i16", "i16", lambda x: bits(x).view(np.int16)),
    ("math.exp %x0 : bf16", "bf16", lambda x: bits(np.exp(x))),
    ("math.absf %x0 : bf16", "bf16", lambda x: bits(np.abs(x))),
]


@pytest.mark.parametrize(("body", "result", "compute"), UNARY)
def test_unary_ops(body: str, result: str, compute: Compute, build: Build):
    numbers = floats(bits(EDGES[~np.isnan(EDGES)]))
    with np.errstate(all="ignore"):
        wanted = compute(numbers)
    out = np.zeros_like(wanted)
    build(elementwise(body, 1, result))["f"](bits(numbers), out)
    if body.startswith("math.exp"):
        # LLVM's exponential and NumPy's may differ in the last place.
        np.testing.assert_allclose(floats(out), floats(wanted), rtol=2**-7)
    else:
        np.testing.assert_array_equal(out, wanted)


def test_truncation_rounds_to_nearest_even(build: Build):
    ties = np.array([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, 3.4e38], np.float32)
    module = build("""
    func.func @f(%in: memref<?xf32>, %out: memref<?xbf16>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %size = memref.dim %in, %c0 : memref<?xf32>
      scf.for %i = %c0 to %size step %c1 {
        %x = memref.load %in[%i] : memref<?xf32>
        %r = arith.truncf %x : f32 to bf16
        memref.store %r, %out[%i] : memref<?xbf16>
      }
      return
    }""")
    out = np.zeros(len(ties), np.uint16)
    module["f"](ties, out)
    assert floats(out).tolist() == [1.0, 1 + 2**-6, 1 + 2**-7, np.inf]


def test_constants_globals_and_results_are_bits(build: Build):
    module = build("""
    memref.global "private" constant @c : memref<3xbf16> = dense<[1.0, -2.5, 3.0]>
    func.func @f() -> memref<3xbf16> {
      %c1 = arith.constant 1 : index
      %half = arith.constant 5.000000e-01 : bf16
      %g = memref.get_global @c : memref<3xbf16>
      %r = memref.alloc() : memref<3xbf16>
      memref.copy %g, %r : memref<3xbf16> to memref<3xbf16>
      memref.store %half, %r[%c1] : memref<3xbf16>
      return %r : memref<3xbf16>
    }""")
    assert floats(module["f"]()).tolist() == [1.0, 0.5, 3.0]


def test_a_product_is_computed(build: Build):
    module = build("""
    func.func @f(%a: memref<4x6xbf16>, %b: memref<6x5xbf16>, %c: memref<4x5xbf16>) {
      linalg.matmul ins(%a, %b : memref<4x6xbf16>, memref<6x5xbf16>)
        outs(%c : memref<4x5xbf16>)
      return
    }""")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, shape).astype(np.float32) for shape in ((4, 6), (6, 5)))
    c = np.zeros((4, 5), np.uint16)
    module["f"](bits(a), bits(b), c)
    assert floats(c).tolist() == (a @ b).tolist()


def test_f64_is_rounded_once(build: Build):
    """The middle between two numbers of type bf16 and a little more or less of it."""
    module = build("""
    func.func @f(%a: memref<?xf64>, %o: memref<?xbf16>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %a[%i] : memref<?xf64>
        %r = arith.truncf %x : f64 to bf16
        memref.store %r, %o[%i] : memref<?xbf16>
      }
      return
    }""")
    middle, tiny = 1 + 2.0**-8, 2.0**-40
    cases = {
        middle: 1.0,
        middle + tiny: 1 + 2.0**-7,
        middle - tiny: 1.0,
        -middle - tiny: -1 - 2.0**-7,
        3 * middle: 3 + 2.0**-6,
        1e300: np.inf,
        2.0**-140 + 2.0**-200: 0.0,
        -0.0: -0.0,
    }
    a = np.array([*cases, np.nan])
    out = np.zeros(len(a), np.uint16)
    module["f"](a, out, len(a))
    assert floats(out)[:-1].tolist() == list(cases.values())
    assert np.isnan(floats(out)[-1])
