"""linalg on buffers, math and affine, executed and compared with NumPy."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.support.errors import OperationError

Build = Callable[[str], CompiledModule]
Parse = Callable[[str], ModuleOp]
Array = np.ndarray[Any, np.dtype[np.float32]]

RANDOM = np.random.default_rng(11)


def random(*shape: int) -> Array:
    return RANDOM.standard_normal(shape).astype(np.float32)


def test_fill_and_matmul_with_dynamic_sizes(build: Build):
    program = build("""
    func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
      linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
                    outs(%c : memref<?x?xf32>)
      func.return
    }""")
    a, b, c = random(5, 7), random(7, 3), random(5, 3)
    program["f"](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5, atol=1e-5)


def test_matmul_adds_in_the_order_of_its_reduction(build: Build):
    """Moving a parallel loop innermost leaves every sum as it was, to the last bit."""
    program = build("""
    func.func @f(%a: memref<4x33xf32>, %b: memref<33x9xf32>, %c: memref<4x9xf32>) {
      linalg.matmul ins(%a, %b : memref<4x33xf32>, memref<33x9xf32>)
                    outs(%c : memref<4x9xf32>)
      func.return
    }""")
    a, b, c = random(4, 33), random(33, 9), random(4, 9)
    expected = c.copy()
    for k in range(33):
        expected += a[:, k : k + 1] * b[k : k + 1, :]
    program["f"](a, b, c)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("kept", [0, 1])
def test_reduction_of_rows_and_columns(build: Build, kept: int):
    program = build(f"""
    func.func @f(%a: memref<5x6xf32>, %o: memref<?xf32>) {{
      linalg.generic {{
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                         affine_map<(d0, d1) -> (d{kept})>],
        iterator_types = ["{"parallel" if kept == 0 else "reduction"}",
                          "{"parallel" if kept == 1 else "reduction"}"]
      }} ins(%a : memref<5x6xf32>) outs(%o : memref<?xf32>) {{
      ^bb0(%x: f32, %s: f32):
        %t = arith.addf %s, %x : f32
        linalg.yield %t : f32
      }}
      func.return
    }}""")
    a, out = random(5, 6), np.ones((5, 6)[kept], np.float32)
    program["f"](a, out)
    np.testing.assert_allclose(out, 1 + a.sum(1 - kept), rtol=1e-5)


def test_index_and_several_outputs(build: Build):
    program = build("""
    func.func @f(%a: memref<3x4xf32>, %o: memref<3x4xindex>, %p: memref<4x3xf32>) {
      linalg.generic {
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                         affine_map<(d0, d1) -> (d0, d1)>,
                         affine_map<(d0, d1) -> (d1, d0)>],
        iterator_types = ["parallel", "parallel"]
      } ins(%a : memref<3x4xf32>) outs(%o, %p : memref<3x4xindex>, memref<4x3xf32>) {
      ^bb0(%x: f32, %y: index, %z: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %c10 = arith.constant 10 : index
        %k = arith.muli %i, %c10 : index
        %l = arith.addi %k, %j : index
        linalg.yield %l, %x : index, f32
      }
      func.return
    }""")
    a, o, p = random(3, 4), np.zeros((3, 4), np.int64), np.zeros((4, 3), np.float32)
    program["f"](a, o, p)
    np.testing.assert_array_equal(o, np.add.outer(10 * np.arange(3), np.arange(4)))
    np.testing.assert_array_equal(p, a.T)


def test_rank_0_and_scalar_operands(build: Build):
    program = build("""
    func.func @f(%s: f32, %o: memref<f32>) {
      linalg.generic {
        indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>],
        iterator_types = []
      } ins(%s : f32) outs(%o : memref<f32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.addf %x, %y : f32
        linalg.yield %t : f32
      }
      func.return
    }""")
    out = np.array(2, np.float32)
    program["f"](0.5, out)
    assert out == 2.5


def test_semi_affine_maps(build: Build):
    program = build("""
    func.func @f(%a: index, %b: index) -> (index, index, index, index) {
      %0 = affine.apply affine_map<(d0)[s0] -> (d0 * (s0 * 3) - 1)>(%a)[%b]
      %1 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%a)[%b]
      %2 = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%a)[%b]
      %3 = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv (s0 * s0))>(%a)[%b]
      func.return %0, %1, %2, %3 : index, index, index, index
    }""")
    for a in range(-9, 10):
        for b in range(1, 5):
            expected = (a * b * 3 - 1, a // b, a % b, -(-a // (b * b)))
            assert program["f"](a, b) == expected


def test_convolution_maps(build: Build):
    program = build("""
    func.func @f(%a: memref<10xf32>, %k: memref<3xf32>, %o: memref<4xf32>) {
      linalg.generic {
        indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + d1)>,
                         affine_map<(d0, d1) -> (d1)>,
                         affine_map<(d0, d1) -> (d0)>],
        iterator_types = ["parallel", "reduction"]
      } ins(%a, %k : memref<10xf32>, memref<3xf32>) outs(%o : memref<4xf32>) {
      ^bb0(%x: f32, %y: f32, %s: f32):
        %m = arith.mulf %x, %y : f32
        %t = arith.addf %s, %m : f32
        linalg.yield %t : f32
      }
      func.return
    }""")
    a, k, out = random(10), random(3), np.zeros(4, np.float32)
    program["f"](a, k, out)
    expected = [a[2 * i : 2 * i + 3] @ k for i in range(4)]
    np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-6)


def test_named_ops(build: Build):
    program = build("""
    func.func @f(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %t: memref<4x3xf32>,
                 %r: memref<3xf32>, %w: memref<3x4xf32>) {
      linalg.add ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>)
                 outs(%b : memref<3x4xf32>)
      linalg.transpose ins(%b : memref<3x4xf32>) outs(%t : memref<4x3xf32>)
        permutation = [1, 0]
      linalg.reduce ins(%b : memref<3x4xf32>) outs(%r : memref<3xf32>) dimensions = [1]
        (%x : f32, %y : f32) {
          %s = arith.addf %x, %y : f32
          linalg.yield %s : f32
        }
      linalg.broadcast ins(%r : memref<3xf32>) outs(%w : memref<3x4xf32>)
        dimensions = [1]
      linalg.copy ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
      func.return
    }""")
    a, b, t = random(3, 4), random(3, 4), random(4, 3)
    r, w = np.zeros(3, np.float32), random(3, 4)
    total = a + b
    program["f"](a, b, t, r, w)
    np.testing.assert_array_equal(t, total.T)
    np.testing.assert_allclose(r, total.sum(1), rtol=1e-5)
    np.testing.assert_array_equal(w, np.repeat(r[:, None], 4, 1))
    np.testing.assert_array_equal(b, a)


def test_error_for_a_loop_that_no_operand_bounds(parse: Parse):
    module = parse("""
    func.func @f(%a: memref<4xf32>, %s: memref<?x?xf32>) {
      %t = bufferization.to_tensor %s : memref<?x?xf32> to tensor<?x?xf32>
      %r = linalg.add ins(%t, %t : tensor<?x?xf32>, tensor<?x?xf32>)
                      outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
      func.return
    }""")
    with pytest.raises(OperationError, match="lower it first \\(one-shot-bufferize"):
        lower_to_llvm(module)


# math.

UNARY: dict[str, tuple[Callable[[float], float], list[float]]] = {
    "absf": (abs, [-1.5, 0.0, 2.0]),
    "ceil": (math.ceil, [-1.5, 0.2, 2.0]),
    "floor": (math.floor, [-1.5, 0.2, 2.0]),
    "trunc": (math.trunc, [-1.5, 0.2, 2.7]),
    "round": (lambda x: math.copysign(math.floor(abs(x) + 0.5), x), [-2.5, 0.5, 1.4]),
    "roundeven": (round, [-2.5, 0.5, 1.5]),
    "sqrt": (math.sqrt, [0.0, 2.0, 9.0]),
    "rsqrt": (lambda x: 1 / math.sqrt(x), [0.25, 2.0]),
    "cbrt": (math.cbrt, [-8.0, 2.0]),
    "exp": (math.exp, [-2.0, 0.0, 1.5]),
    "exp2": (math.exp2, [-2.0, 0.0, 1.5]),
    "expm1": (math.expm1, [-0.5, 1e-6, 1.0]),
    "log": (math.log, [0.1, 1.0, 7.0]),
    "log2": (math.log2, [0.1, 1.0, 8.0]),
    "log10": (math.log10, [0.1, 1.0, 1000.0]),
    "log1p": (math.log1p, [-0.5, 1e-6, 1.0]),
    "sin": (math.sin, [-2.0, 0.0, 1.5]),
    "cos": (math.cos, [-2.0, 0.0, 1.5]),
    "tan": (math.tan, [-2.0, 0.0, 1.2]),
    "asin": (math.asin, [-0.5, 0.0, 1.0]),
    "acos": (math.acos, [-0.5, 0.0, 1.0]),
    "atan": (math.atan, [-0.5, 0.0, 9.0]),
    "sinh": (math.sinh, [-2.0, 0.0, 1.5]),
    "cosh": (math.cosh, [-2.0, 0.0, 1.5]),
    "tanh": (math.tanh, [-2.0, 0.0, 0.5, 20.0]),
    "asinh": (math.asinh, [-2.0, 0.0, 1.5]),
    "acosh": (math.acosh, [1.0, 1.5]),
    "atanh": (math.atanh, [-0.9, 0.0, 0.5]),
    "erf": (math.erf, [-1.0, 0.0, 0.5]),
}


@pytest.mark.parametrize("op", UNARY)
def test_unary_math_at_three_types_in_one_module(build: Build, op: str):
    program = build(f"""
    func.func @f(%w: f32, %x: f32, %y: f64) -> (f32, f32, f64) {{
      %h = arith.truncf %w : f32 to f16
      %a = math.{op} %h : f16
      %b = math.{op} %x : f32
      %c = math.{op} %y : f64
      %d = arith.extf %a : f16 to f32
      func.return %d, %b, %c : f32, f32, f64
    }}""")
    function, values = UNARY[op]
    for value in values:
        half, single, double = program["f"](value, value, value)
        assert double == pytest.approx(function(value), rel=1e-12, abs=1e-12)
        of_single, of_half = float(np.float32(value)), float(np.float16(value))
        assert single == pytest.approx(function(of_single), rel=1e-5, abs=1e-6)
        assert half == pytest.approx(function(of_half), rel=2e-3, abs=2e-3)


BINARY: dict[str, Callable[[float, float], float]] = {
    "powf": math.pow,
    "atan2": math.atan2,
    "copysign": math.copysign,
}


@pytest.mark.parametrize("op", BINARY)
def test_binary_math(build: Build, op: str):
    program = build(f"""
    func.func @f(%x: f32, %y: f32, %z: f64, %w: f64) -> (f32, f64) {{
      %a = math.{op} %x, %y : f32
      %b = math.{op} %z, %w : f64
      func.return %a, %b : f32, f64
    }}""")
    for x, y in ((2.0, 0.5), (1.5, -2.0)):
        single, double = program["f"](x, y, x, y)
        assert single == pytest.approx(BINARY[op](x, y), rel=1e-6)
        assert double == pytest.approx(BINARY[op](x, y), rel=1e-14)


def test_fma_and_fpowi_round_once(build: Build):
    program = build("""
    func.func @f(%x: f32, %n: i32) -> (f32, f32) {
      %c = arith.constant -1.0 : f32
      %a = math.fma %x, %x, %c : f32
      %b = math.fpowi %x, %n : f32, i32
      func.return %a, %b : f32, f32
    }""")
    x = np.float32(1 + 2.0**-12)
    fused, power = program["f"](x, 3)
    assert fused == np.float32(2.0**-11 + 2.0**-24)
    assert power == pytest.approx(float(x) ** 3, rel=1e-6)


def test_integer_math(build: Build):
    program = build("""
    func.func @f(%x: i32) -> (i32, i32, i32, i32) {
      %a = math.absi %x : i32
      %b = math.ctlz %x : i32
      %c = math.cttz %x : i32
      %d = math.ctpop %x : i32
      func.return %a, %b, %c, %d : i32, i32, i32, i32
    }""")
    assert tuple(program["f"](-24)) == (24, 0, 3, 28)
    assert tuple(program["f"](0)) == (0, 32, 32, 0)


# affine.


def test_affine_arithmetic_rounds_as_mlir_defines(build: Build):
    program = build("""
    func.func @f(%i: index, %s: index) -> (index, index, index, index, index) {
      %a = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0 - 1)>(%i)[%s]
      %b = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
      %c = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%i)
      %d = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
      %e = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0, 5)>(%i)[%s]
      func.return %a, %b, %c, %d, %e : index, index, index, index, index
    }""")
    for i in (-7, -3, -1, 0, 1, 5, 6):
        expected = (i * 4 + 9, i // 3, -(-i // 3), i % 3, min(i + 1, 10, 5))
        assert tuple(program["f"](i, 10)) == expected
