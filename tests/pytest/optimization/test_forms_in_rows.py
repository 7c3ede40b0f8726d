"""The pass `fuse-loops-over-rows` on ops that read or write other rows as well."""

from typing import Any

import numpy as np
import pytest
from harness.programs.rare_forms import check, generic, numbers
from xdsl.context import Context
from xdsl.passes import PassPipeline

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.support.traversal import ops_inside

DOUBLE = generic(
    "i, j|i, j",
    "pp",
    "%a : tensor<32x32xf32>",
    "%e : tensor<32x32xf32>",
    "^bb0(%x: f32, %o: f32):\n %y = arith.addf %x, %x : f32\n linalg.yield %y : f32",
)


def program(middle: str, summed: str, results: str = "%s", extra: str = "") -> str:
    """Twice a matrix, then `middle`, then the sums of the rows of `summed`."""
    types = ", ".join(["tensor<32xf32>"] * len(results.split(", ")))
    return f"""
    func.func @f(%a: tensor<32x32xf32>, %b: tensor<32xf32>) -> ({types}) {{
      %c31 = arith.constant 31 : index
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<32x32xf32>
      %e1 = tensor.empty() : tensor<32xf32>
      %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<32xf32>) -> tensor<32xf32>
      %p = {DOUBLE}
      {middle}
      %s = linalg.reduce {{ arith.addf }} ins({summed} : tensor<32x32xf32>)
        outs(%f : tensor<32xf32>) dimensions = [1]
      {extra}
      return {results} : {types}
    }}"""


def loops_over_rows(text: str) -> int:
    ctx: Context = get_context()
    module = parse_module(text, "rows.mlir", ctx)
    PassPipeline(default_passes()).apply(ctx, module)
    return sum("xbuf.rows" in op.attributes for op in ops_inside(module))


def extraction(body: str) -> str:
    op = generic(
        "i, j",
        "pp",
        "",
        "%e : tensor<32x32xf32>",
        "^bb0(%o: f32):\n %i = linalg.index 0 : index\n %j = linalg.index 1 : index\n"
        f" %r = arith.subi %c31, %i : index\n {body}\n linalg.yield %x : f32",
    )
    return f"%q = {op}"


IN_A_BRANCH = """%t = arith.cmpi ult, %i, %j : index
    %x = scf.if %t -> (f32) {
      %v = tensor.extract %p[%r, %j] : tensor<32x32xf32>
      scf.yield %v : f32
    } else {
      scf.yield %z : f32
    }"""


@pytest.mark.parametrize("nested", [False, True])
def test_body_that_reads_another_row_of_what_is_computed(nested: bool):
    """The other row has to be there: the loop over rows would read it too early."""
    plain = "%x = tensor.extract %p[%r, %j] : tensor<32x32xf32>"
    text = program(extraction(IN_A_BRANCH if nested else plain), "%q")
    a = numbers(32, 32)
    read = 2 * a[::-1]
    check(text, (np.triu(read, 1) if nested else read).sum(1), a, numbers(32))


def test_body_that_reads_another_row_of_an_argument_is_in_the_loop():
    """Nobody writes to the argument, so that the rows may be computed in any order."""
    body = "%x = tensor.extract %a[%r, %j] : tensor<32x32xf32>"
    text = program(extraction(body), "%q")
    assert loops_over_rows(text) == 1
    a = numbers(32, 32)
    check(text, a[::-1].sum(1), a, numbers(32))


def test_diagonal_that_is_written_before_the_sums():
    diagonal = generic(
        "i|i, i",
        "p",
        "%b : tensor<32xf32>",
        "%p : tensor<32x32xf32>",
        "^bb0(%x: f32, %o: f32):\n linalg.yield %x : f32",
        loops="i",
    )
    a, b = numbers(32, 32), numbers(32)
    expected = 2 * a
    np.fill_diagonal(expected, b)
    check(program(f"%d = {diagonal}", "%d"), expected.sum(1), a, b)


def test_diagonal_that_is_read_behind_the_sums():
    diagonal = generic(
        "i, i|i|i",
        "p",
        "%p, %s : tensor<32x32xf32>, tensor<32xf32>",
        "%e1 : tensor<32xf32>",
        "^bb0(%x: f32, %y: f32, %o: f32):\n %m = arith.mulf %x, %y : f32\n"
        " linalg.yield %m : f32",
        loops="i",
    )
    text = program("", "%p", "%d", f"%d = {diagonal}")
    a: Any = numbers(32, 32)
    check(text, np.diag(2 * a) * (2 * a).sum(1), a, numbers(32))
