"""Bodies that compute tensors, call or branch have a meaning at each point."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness.running.growth import count_calls
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.errors import OperationError

Run = Callable[..., list[Any]]

RNG = np.random.default_rng(5)
T = RNG.normal(size=3)
N = RNG.normal(size=(4, 3))

PARALLEL = '["parallel", "parallel"]'
ID = "affine_map<(i, j) -> (i, j)>"


def program(body: str, more: str = "", *, out: str = ID, iterators: str = PARALLEL):
    """@f(%t: tensor<3xf64>, %n: tensor<4x3xf64>, %o) with one linalg.generic."""
    type_ = "tensor<4x3xf64>" if out == ID else "tensor<4xf64>"
    return f"""
    {more}
    func.func @f(%t: tensor<3xf64>, %n: tensor<4x3xf64>, %o: {type_}) -> {type_} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %g = linalg.generic {{indexing_maps = [{ID}, {out}],
                            iterator_types = {iterators}}}
          ins(%n : tensor<4x3xf64>) outs(%o : {type_}) {{
      ^bb0(%a: f64, %b: f64):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        {body}
        linalg.yield %z : f64
      }} -> {type_}
      return %g : {type_}
    }}"""


CALLED = """
func.func private @put(%t: tensor<3xf64>, %a: f64, %j: index) -> tensor<3xf64> {
  %u = tensor.insert %a into %t[%j] : tensor<3xf64>
  return %u : tensor<3xf64>
}"""

INSERT = """
%u = tensor.insert %a into %t[%j] : tensor<3xf64>
%z = tensor.extract %u[%c0] : tensor<3xf64>"""
CALL = """
%u = func.call @put(%t, %a, %j) : (tensor<3xf64>, f64, index) -> tensor<3xf64>
%z = tensor.extract %u[%c0] : tensor<3xf64>"""
INSERT_SLICE = """
%s = tensor.extract_slice %t[%j] [1] [1] : tensor<3xf64> to tensor<1xf64>
%u = tensor.insert_slice %s into %t[0] [1] [1] : tensor<1xf64> into tensor<3xf64>
%z = tensor.extract %u[%c0] : tensor<3xf64>"""
FROM_ELEMENTS = """
%u = tensor.from_elements %a, %b : tensor<2xf64>
%z = tensor.extract %u[%c1] : tensor<2xf64>"""
WHOLE_SUM = """
%u = arith.addf %t, %t : tensor<3xf64>
%z = tensor.extract %u[%j] : tensor<3xf64>"""
NESTED = """
%e = tensor.empty() : tensor<3xf64>
%u = linalg.fill ins(%a : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
%z = tensor.extract %u[%j] : tensor<3xf64>"""
LOOP = """
%z = scf.for %k = %c0 to %j step %c1 iter_args(%s = %a) -> (f64) {
  %x = tensor.extract %t[%k] : tensor<3xf64>
  %y = arith.addf %s, %x : f64
  scf.yield %y : f64
}"""
VECTOR = """
%v = vector.broadcast %a : f64 to vector<3xf64>
%w = arith.mulf %v, %v : vector<3xf64>
%z = vector.extract %w[1] : f64 from vector<3xf64>"""
BUFFER = """
%m = memref.alloca() : memref<2xf64>
memref.store %a, %m[%c0] : memref<2xf64>
memref.store %b, %m[%c1] : memref<2xf64>
%x = memref.load %m[%c0] : memref<2xf64>
%y = memref.load %m[%c1] : memref<2xf64>
%z = arith.subf %x, %y : f64"""

FIRST = np.where(np.arange(3) == 0, N, T[0])
SUMS = np.concatenate([[0], np.cumsum(T)[:2]])


@pytest.mark.parametrize(
    ("body", "more", "expected"),
    [
        (INSERT, "", FIRST),
        (CALL, CALLED, FIRST),
        (INSERT_SLICE, "", np.broadcast_to(T, (4, 3))),
        (FROM_ELEMENTS, "", np.full((4, 3), 2.0)),
        (WHOLE_SUM, "", np.broadcast_to(T + T, (4, 3))),
        (NESTED, "", N),
        (LOOP, "", N + SUMS),
        (VECTOR, "", N * N),
        (BUFFER, "", N - 2.0),
    ],
)
def test_a_body_has_its_own_values_at_each_point(
    run: Run, body: str, more: str, expected: Any
):
    (result,) = run(program(body, more), T, N, np.full((4, 3), 2.0))
    np.testing.assert_allclose(result, expected, rtol=1e-15)


def test_a_sum_of_what_tensors_hold(run: Run):
    body = f"{INSERT.replace('%z', '%q')}\n%z = arith.addf %b, %q : f64"
    text = program(
        body,
        out="affine_map<(i, j) -> (i)>",
        iterators='["parallel", "reduction"]',
    )
    (result,) = run(text, T, N, np.ones(4))
    np.testing.assert_allclose(result, 1 + FIRST.sum(1), rtol=1e-15)


def test_an_element_that_parallel_iterations_share_is_added_to(run: Run):
    """Every iteration finds what the one before has left."""
    text = program("%z = arith.addf %a, %b : f64", out="affine_map<(i, j) -> (i)>")
    (result,) = run(text, T, N, np.ones(4))
    np.testing.assert_allclose(result, 1 + N.sum(1), rtol=1e-15)


def test_a_map_that_names_a_loop_twice(run: Run):
    text = """
    func.func @f(%n: tensor<4xf64>, %o: tensor<4x4xf64>) -> tensor<4x4xf64> {
      %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
          affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
          ins(%n : tensor<4xf64>) outs(%o : tensor<4x4xf64>) {
      ^bb0(%a: f64, %b: f64):
        %z = arith.addf %a, %b : f64
        linalg.yield %z : f64
      } -> tensor<4x4xf64>
      return %g : tensor<4x4xf64>
    }"""
    (result,) = run(text, N[:, 0], np.ones((4, 4)))
    np.testing.assert_array_equal(result, np.ones((4, 4)) + np.diag(N[:, 0]))


def test_a_failed_assertion_of_a_sum_of_products(run: Run):
    """A body is run even where its result is known to be a product of matrices."""
    text = program(
        """
        %ok = arith.cmpi ne, %j, %c1 : index
        cf.assert %ok, "not here"
        %p = arith.mulf %a, %a : f64
        %z = arith.addf %b, %p : f64""",
        out="affine_map<(i, j) -> (i)>",
        iterators='["parallel", "reduction"]',
    )
    with pytest.raises(OperationError, match="assertion failed: not here"):
        run(text, T, N, np.ones(4))


@pytest.mark.parametrize("op", ["generate", "pad"])
def test_other_bodies_have_their_own_values(run: Run, op: str):
    start = {
        "generate": "tensor.generate",
        "pad": "tensor.pad %s low[1] high[2]",
    }[op]
    end = {"generate": "tensor<4xf64>", "pad": "tensor<1xf64> to tensor<4xf64>"}[op]
    (result,) = run(
        f"""
    func.func @f(%t: tensor<4xf64>, %s: tensor<1xf64>) -> tensor<4xf64> {{
      %c1 = arith.constant 1 : index
      %x = arith.constant 9.0 : f64
      %0 = {start} {{
      ^bb0(%i: index):
        %u = tensor.insert %x into %t[%i] : tensor<4xf64>
        %z = tensor.extract %u[%c1] : tensor<4xf64>
        tensor.yield %z : f64
      }} : {end}
      return %0 : tensor<4xf64>
    }}""",
        np.arange(4.0),
        np.array([7.0]),
    )
    second = 9.0 if op == "generate" else 7.0
    assert result.tolist() == [1.0, second, 1.0, 1.0]


def test_elementwise_bodies_run_once(parse: Callable[[str], ModuleOp]):
    """The number of Python calls does not grow with the number of points."""
    text = """
    func.func @f(%t: tensor<?xf64>) -> tensor<?xf64> {
      %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]} outs(%t : tensor<?xf64>) {
      ^bb0(%b: f64):
        %i = linalg.index 0 : index
        %x = tensor.extract %t[%i] : tensor<?xf64>
        %z = math.exp %x : f64
        linalg.yield %z : f64
      } -> tensor<?xf64>
      return %g : tensor<?xf64>
    }"""
    few, many = (
        count_calls(lambda module, n=n: evaluate(module, "f", [np.ones(n)]), module)
        for module in [parse(text)]
        for n in (8, 800)
    )
    assert many <= few + 10
