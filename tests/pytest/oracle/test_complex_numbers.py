"""Every op on complex numbers: as through mlir-opt 22 and mlir-runner 22.

MLIR computes f64 as we do, by other formulas: the numbers agree but for rounding.
"""

from collections.abc import Callable

import numpy as np
import pytest
from harness.oracles.mlir_runner import output_of_main
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.compile import compile_module

Parse = Callable[[str], ModuleOp]

LOWERING = (
    "--convert-complex-to-standard",
    "--convert-scf-to-cf",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-complex-to-llvm",
    "--convert-vector-to-llvm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
)

UNARY = (
    *("conj", "cos", "exp", "expm1", "log", "log1p", "neg", "rsqrt"),
    *("sign", "sin", "sqrt", "tan", "tanh"),
)
REAL = ("abs", "angle", "im", "re")
BINARY = ("add", "atan2", "div", "mul", "pow", "sub")
OPS = (*UNARY, *REAL, *BINARY, "powi", "eq", "neq")

COUNT = 40
NUMBER = "complex<f64>"
TABLE = f"memref<{COUNT}x{NUMBER}>"


def _operation(op: str) -> str:
    """The op on %a, %b and %n, and its result as two numbers %re and %im."""
    parts = f"""
      %re = complex.re %r : {NUMBER}
      %im = complex.im %r : {NUMBER}"""
    if op in UNARY:
        return f"%r = complex.{op} %a : {NUMBER}{parts}"
    if op in REAL:
        return f"%re = complex.{op} %a : {NUMBER}\n%im = arith.negf %re : f64"
    if op in BINARY:
        return f"%r = complex.{op} %a, %b : {NUMBER}{parts}"
    if op == "powi":
        return f"%r = complex.powi %a, %n : {NUMBER}, i32{parts}"
    return f"""
      %t = complex.{op} %a, %b : {NUMBER}
      %re = arith.uitofp %t : i1 to f64
      %im = arith.negf %re : f64"""


def _program(op: str, seed: int) -> str:
    rng = np.random.default_rng(seed)
    tables = [rng.normal(size=(COUNT, 2)) * 3 for _ in range(2)]
    tables[1][::4] = tables[0][::4]
    constants = [
        ", ".join(f"({x!r},{y!r})" for x, y in table.tolist()) for table in tables
    ]
    return f"""
    memref.global "private" constant @as : {TABLE} = dense<[{constants[0]}]>
    memref.global "private" constant @bs : {TABLE} = dense<[{constants[1]}]>
    func.func @all(%out: memref<{COUNT}x2xi64>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : i32
      %count = arith.constant {COUNT} : index
      %as = memref.get_global @as : {TABLE}
      %bs = memref.get_global @bs : {TABLE}
      scf.for %i = %c0 to %count step %c1 {{
        %a = memref.load %as[%i] : {TABLE}
        %b = memref.load %bs[%i] : {TABLE}
        %number = arith.index_cast %i : index to i32
        %rest = arith.remsi %number, %c3 : i32
        %n = arith.subi %rest, %c3 : i32
        {_operation(op)}
        %low = arith.bitcast %re : f64 to i64
        %high = arith.bitcast %im : f64 to i64
        memref.store %low, %out[%i, %c0] : memref<{COUNT}x2xi64>
        memref.store %high, %out[%i, %c1] : memref<{COUNT}x2xi64>
      }}
      func.return
    }}"""


MAIN = f"""
func.func @main() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant {COUNT} : index
  %out = memref.alloc() : memref<{COUNT}x2xi64>
  func.call @all(%out) : (memref<{COUNT}x2xi64>) -> ()
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to %c2 step %c1 {{
      %x = memref.load %out[%i, %j] : memref<{COUNT}x2xi64>
      vector.print %x : i64
    }}
  }}
  func.return
}}
"""


@pytest.mark.oracle
@pytest.mark.parametrize("op", OPS)
def test_same_numbers(op: str, parse: Parse) -> None:
    text = _program(op, len(op))
    printed = output_of_main(text + MAIN, LOWERING).split()
    theirs = np.array([*map(int, printed)], np.int64).view(np.complex128)
    ours = np.zeros((COUNT, 2), np.int64)
    compile_module(parse(text))["all"](ours)
    np.testing.assert_allclose(ours.view(np.complex128).ravel(), theirs, rtol=1e-12)
