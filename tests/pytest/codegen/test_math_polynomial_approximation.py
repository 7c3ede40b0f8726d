"""How exact the formulas for exp, tanh and others are, against NumPy in f64."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.math_polynomial_approximation import (
    approximate_math,
)
from xdsl_bufferization.pipelines.compile import compile_module, llvm_ir

Parse = Callable[[str], ModuleOp]
Array = np.ndarray[Any, np.dtype[Any]]

MOST_ULPS = {
    "exp": (np.exp, 1.0),
    "exp2": (np.exp2, 1.0),
    "expm1": (np.expm1, 1.5),
    "log": (np.log, 1.0),
    "log2": (np.log2, 1.75),
    "log1p": (np.log1p, 1.5),
    "sinh": (np.sinh, 2.25),
    "cosh": (np.cosh, 1.5),
    "tanh": (np.tanh, 2.5),
    "asinh": (np.arcsinh, 2.25),
    "acosh": (np.arccosh, 2.5),
    "atanh": (np.arctanh, 2.5),
    "erf": (np.vectorize(math.erf), 2.5),
}
"""The reference, and the error that docs/lowering.md states."""

EDGES = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e-45, -1e-45, 1.1754944e-38)
BORDERS = (
    1.0,
    -1.0,
    88.72283,
    88.72284,
    -87.33,
    -103.97,
    -104.0,
    -0.99999994,
    89.4159,
    89.41599,
    89.5,
    4096.0,
)


def computed(parse: Parse, line: str, *arrays: Array, type_: str = "f32") -> Array:
    """What the line computes of %a, and of %b for a second array, for each element."""
    kind = f"memref<{arrays[0].size}x{type_}>"
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * 2)
    module = parse(f"""
    func.func @f(%x: {kind}, %y: {kind}) {{
      linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
          ins(%x : {kind}) outs(%y : {kind}) {{
      ^bb0(%a: {type_}, %o: {type_}):
        {line}
        linalg.yield %r : {type_}
      }}
      return
    }}""")
    before = str(module)
    approximate_math(module)
    assert str(module) != before
    result = np.zeros_like(arrays[0])
    compile_module(module)["f"](arrays[0], result)
    return result


def samples() -> Array:
    """Numbers of all sizes, many near 0, and where results change their kind."""
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2**32, 60_000, dtype=np.uint32).view(np.float32)
    near = rng.uniform(-20, 20, 60_000), rng.normal(0, 1, 60_000)
    others = np.concatenate([*near, EDGES, BORDERS]).astype(np.float32)
    return np.concatenate([bits, others])


def errors(result: Array, exact: Array) -> Array:
    """The distance in units of the last place of the exact result."""
    size = np.abs(np.where(np.isfinite(exact), exact, 0))
    exponent = np.floor(np.log2(np.where(size > 0, size, 1)))
    both = np.isfinite(result) & np.isfinite(exact.astype(np.float32))
    distance = np.abs(result.astype(float) - np.where(both, exact, 0))
    return np.where(both, distance / 2.0 ** np.maximum(exponent - 23, -149), 0)


@pytest.mark.parametrize("name", MOST_ULPS)
def test_error_in_units_of_the_last_place(parse: Parse, name: str):
    reference, bound = MOST_ULPS[name]
    x = samples()
    result = computed(parse, f"%r = math.{name} %a : f32", x)
    with np.errstate(all="ignore"):
        exact = np.asarray(reference(x.astype(float)))
        rounded = exact.astype(np.float32)
        assert errors(result, exact).max() <= bound
    np.testing.assert_array_equal(np.isnan(result), np.isnan(rounded))
    infinite = np.isinf(rounded)
    np.testing.assert_array_equal(result[infinite], rounded[infinite])
    zero = exact == 0
    np.testing.assert_array_equal(np.signbit(result[zero]), np.signbit(exact[zero]))


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 3.0, 4.0, -0.5, -1.0])
def test_powers_that_the_program_says(parse: Parse, power: float):
    x = samples()
    line = f"%p = arith.constant {power:e} : f32\n%r = math.powf %a, %p : f32"
    result = computed(parse, line, x)
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(float), np.full_like(x, power, dtype=np.float64))
        rounded = exact.astype(np.float32)
        is_normal = np.abs(exact) > 2.0**-126
        assert errors(result, exact)[is_normal].max() <= 2
    np.testing.assert_allclose(result, rounded, rtol=1e-6, atol=2.0**-148)


def test_whole_powers(parse: Parse):
    x = samples()
    line = "%p = arith.constant 3 : i64\n%r = math.fpowi %a, %p : f32, i64"
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(computed(parse, line, x), x * x * x, rtol=1e-6)


def test_f16_is_computed_in_f32(parse: Parse):
    x = np.arange(0, 2**16, dtype=np.uint16).view(np.float16)
    result = computed(parse, "%r = math.exp %a : f16", x, type_="f16")
    with np.errstate(all="ignore"):
        expected = np.exp(x.astype(float)).astype(np.float16)
    # Where the result in f32 is rounded to the middle of two numbers, either is taken.
    assert np.count_nonzero((result != expected) & ~np.isnan(expected)) < 4
    np.testing.assert_allclose(result, expected, rtol=1e-3)


def test_vectors(parse: Parse):
    module = parse("""
    func.func @f(%m: memref<2x4xf32>) {
      %c0 = arith.constant 0 : index
      %v = vector.load %m[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
      %r = math.tanh %v : vector<2x4xf32>
      vector.store %r, %m[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
      return
    }""")
    approximate_math(module)
    x = np.linspace(-3, 3, 8, dtype=np.float32).reshape(2, 4)
    expected = np.tanh(x)
    compile_module(module)["f"](x)
    np.testing.assert_allclose(x, expected, rtol=3e-7)


@pytest.mark.parametrize(
    "line", ["%r = math.exp %a : f64", "%r = math.powf %a, %a : f64"]
)
def test_other_functions_stay(parse: Parse, line: str):
    module = parse(f"func.func @f(%a: f64) -> f64 {{ {line}\n return %r : f64 }}")
    before = str(module)
    approximate_math(module)
    assert str(module) == before


@pytest.mark.parametrize(("flags", "calls"), [(" fastmath<afn>", False), ("", True)])
def test_code_has_a_formula_where_that_is_allowed(
    parse: Parse, flags: str, calls: bool
):
    text = f"""
    func.func @f(%x: f32) -> f32 {{
      %y = math.exp %x{flags} : f32
      return %y : f32
    }}"""
    assert ("exp" in llvm_ir(parse(text))) is calls


def steps(count: int) -> str:
    """The function tanh of each number of a buffer, so many times."""
    step = """
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                      iterator_types = ["parallel"]} outs(%x : memref<64xf32>) {
      ^bb0(%a: f32):
        %r = math.tanh %a fastmath<afn> : f32
        linalg.yield %r : f32
      }"""
    return f"func.func @f(%x: memref<64xf32>) {{ {step * count} return }}"


def test_equal_nests_have_their_formula_once(parse: Parse):
    texts = [llvm_ir(parse(steps(count))) for count in (9, 20)]
    assert texts[0].count("copysign") == texts[1].count("copysign") > 0


def test_nests_with_formulas_compute_the_same(parse: Parse):
    x = np.linspace(-1, 1, 64, dtype=np.float32)
    expected = x.copy()
    for _ in range(9):
        expected = np.tanh(expected)
    compile_module(parse(steps(9)))["f"](x)
    assert np.allclose(x, expected, rtol=1e-5)
