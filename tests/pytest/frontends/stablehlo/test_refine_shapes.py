"""Ops whose sizes are numbers, for arguments of several sizes, against NumPy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from xdsl_bufferization import jit
from xdsl_bufferization.support.errors import OperationError

PROGRAM = """
func.func @main(%x: tensor<?x?xf32>{more}) -> {result} {{
  %m = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %rows = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %rows, %columns, dim = 0
      : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %turned = stablehlo.concatenate %columns, %rows, dim = 0
      : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %twos = stablehlo.constant dense<2> : tensor<2xi32>
  %c = stablehlo.constant dense<5.0> : tensor<f32>
  {body}
  return %r : {result}
}}
func.func @largest(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
  %0 = stablehlo.maximum %a, %b : tensor<f32>
  return %0 : tensor<f32>
}}
"""


@dataclass(frozen=True)
class Case:
    """What `%r` is, its type, and the same in NumPy."""

    body: str
    expected: Callable[[NDArray[np.float32]], NDArray[Any]]
    result: str = "tensor<?x?xf32>"


PAIR = "tensor<2xi32>"

CASES: dict[str, Case] = {
    "broadcast": Case(
        f"""%r = stablehlo.dynamic_broadcast_in_dim %c, %turned, dims = []
            : (tensor<f32>, {PAIR}) -> tensor<?x?xf32>""",
        lambda x: np.full(x.T.shape, 5),
    ),
    "reshape": Case(
        f"""%r = stablehlo.dynamic_reshape %x, %turned
            : (tensor<?x?xf32>, {PAIR}) -> tensor<?x?xf32>""",
        lambda x: x.reshape(x.shape[::-1]),
    ),
    "iota": Case(
        f"""%r = stablehlo.dynamic_iota %sizes, dim = 1
            : ({PAIR}) -> tensor<?x?xf32>""",
        lambda x: np.indices(x.shape)[1],
    ),
    "pad": Case(
        f"""%r = stablehlo.dynamic_pad %x, %c, %ones, %sizes, %zeros
            : (tensor<?x?xf32>, tensor<f32>, {PAIR}, {PAIR}, {PAIR})
            -> tensor<?x?xf32>""",
        lambda x: np.pad(
            x, ((1, x.shape[0]), (1, x.shape[1])), constant_values=np.float32(5)
        ),
    ),
    "slice": Case(
        f"""%r = stablehlo.real_dynamic_slice %x, %ones, %sizes, %twos
            : (tensor<?x?xf32>, {PAIR}, {PAIR}, {PAIR}) -> tensor<?x?xf32>""",
        lambda x: x[1::2, 1::2],
    ),
    "gather": Case(
        f"""%one = stablehlo.constant dense<1> : tensor<1xi32>
        %parts = stablehlo.concatenate %one, %columns, dim = 0
            : (tensor<1xi32>, tensor<1xi32>) -> {PAIR}
        %at = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
        %r = "stablehlo.dynamic_gather"(%x, %at, %parts) <{{
            dimension_numbers = #stablehlo.gather<offset_dims = [1],
                collapsed_slice_dims = [0], start_index_map = [0],
                index_vector_dim = 1>}}>
            : (tensor<?x?xf32>, tensor<3x1xi32>, {PAIR}) -> tensor<?x?xf32>""",
        lambda x: x[[2, 0, 1]],
    ),
    "convolution": Case(
        f"""%one = stablehlo.constant dense<1> : tensor<1xi32>
        %shape = stablehlo.concatenate %rows, %columns, %one, dim = 0
            : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
        %y = stablehlo.dynamic_reshape %x, %shape
            : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
        %k = stablehlo.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
        %pad = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
        %z = stablehlo.dynamic_conv(%y, %k, %pad)
            dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}}
            {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
            : (tensor<?x?x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>)
            -> tensor<?x?x1xf32>
        %r = stablehlo.dynamic_reshape %z, %sizes
            : (tensor<?x?x1xf32>, {PAIR}) -> tensor<?x?xf32>""",
        lambda x: 2 * x + np.pad(x, ((0, 0), (1, 0)))[:, :-1],
    ),
    "windows": Case(
        f"""%nothing = stablehlo.constant dense<0> : tensor<2x2xi32>
        %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(
            %x, %c, %twos, %ones, %ones, %ones, %nothing)
            {{called_computations = [@largest]}}
            : (tensor<?x?xf32>, tensor<f32>, {PAIR}, {PAIR}, {PAIR}, {PAIR},
               tensor<2x2xi32>) -> tensor<?x?xf32>""",
        lambda x: np.maximum(
            np.maximum(x[1:, 1:], x[:-1, 1:]),
            np.maximum(np.maximum(x[1:, :-1], x[:-1, :-1]), np.float32(5)),
        ),
    ),
    "branches": Case(
        f"""%first = stablehlo.real_dynamic_slice %x, %zeros, %ones, %ones
            : (tensor<?x?xf32>, {PAIR}, {PAIR}, {PAIR}) -> tensor<1x1xf32>
        %number = stablehlo.reshape %first : (tensor<1x1xf32>) -> tensor<f32>
        %p = stablehlo.compare GT, %number, %c : (tensor<f32>, tensor<f32>)
            -> tensor<i1>
        %r = "stablehlo.if"(%p) ({{
          %t = stablehlo.add %x, %x : tensor<?x?xf32>
          stablehlo.return %t : tensor<?x?xf32>
        }}, {{
          stablehlo.return %x : tensor<?x?xf32>
        }}) : (tensor<i1>) -> tensor<?x?xf32>""",
        lambda x: x + x if x[0, 0] > np.float32(5) else x,
    ),
}


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_what_is_computed_is_that_of_numpy(name: str, optimize: bool) -> None:
    case = CASES[name]
    text = PROGRAM.format(more="", body=case.body, result=case.result)
    function = jit(text, optimize=optimize)
    rng = np.random.default_rng(7)
    for shape in ((3, 4), (5, 2)):
        x = (rng.standard_normal(shape) * 8).astype(np.float32)
        np.testing.assert_allclose(function(x), case.expected(x), rtol=1e-6)


def test_a_slice_may_start_where_an_argument_says() -> None:
    body = f"""%end = stablehlo.add %at, %twos : {PAIR}
        %r = stablehlo.real_dynamic_slice %x, %at, %end, %ones
            : (tensor<?x?xf32>, {PAIR}, {PAIR}, {PAIR}) -> tensor<2x2xf32>"""
    text = PROGRAM.format(more=f", %at: {PAIR}", body=body, result="tensor<2x2xf32>")
    x = np.arange(20, dtype=np.float32).reshape(4, 5)
    result = jit(text)(x, np.array([1, 2], np.int32))
    np.testing.assert_array_equal(result, x[1:3, 2:4])


def test_sizes_of_elements_are_refused() -> None:
    body = f"""%r = stablehlo.dynamic_reshape %x, %at
            : (tensor<?x?xf32>, {PAIR}) -> tensor<?x?xf32>"""
    text = PROGRAM.format(more=f", %at: {PAIR}", body=body, result="tensor<?x?xf32>")
    x = np.zeros((4, 5), np.float32)
    with pytest.raises(OperationError, match="do not follow from those of the arg"):
        jit(text)(x, np.array([5, 4], np.int32))


def test_sizes_that_do_not_fit_are_an_error_of_the_op() -> None:
    body = f"""%y = stablehlo.dynamic_reshape %x, %turned
            : (tensor<?x?xf32>, {PAIR}) -> tensor<?x?xf32>
        %r = stablehlo.add %x, %y : tensor<?x?xf32>"""
    text = PROGRAM.format(more="", body=body, result="tensor<?x?xf32>")
    function = jit(text)
    function(np.zeros((3, 3), np.float32))
    with pytest.raises(OperationError, match="add' on these sizes"):
        function(np.zeros((3, 4), np.float32))


WRITTEN_SIZES = """
func.func private @rows(%x: tensor<3x4xf32>) -> tensor<i32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x4xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @turned(%x: tensor<3x4xf32>) -> tensor<2x6xf32> {
  %sizes = stablehlo.constant dense<[2, 6]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %sizes
      : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
func.func @counted(%x: tensor<3x4xf32>) -> tensor<3xi32> {
  %n = call @rows(%x) : (tensor<3x4xf32>) -> tensor<i32>
  %sizes = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %sizes, dim = 0 : (tensor<1xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
"""


def test_sizes_that_are_written_in_a_program_without_open_ones():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    turned: Any = jit(WRITTEN_SIZES, entry="turned")(x)
    assert turned.tolist() == x.reshape(2, 6).tolist()
    counted: Any = jit(WRITTEN_SIZES, entry="counted")(x)
    assert counted.tolist() == [0, 1, 2]


def test_sizes_that_are_an_argument():
    text = """
    func.func @main(%x: tensor<3x4xf32>, %sizes: tensor<2xi32>) -> tensor<2x6xf32> {
      %0 = stablehlo.dynamic_reshape %x, %sizes
          : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x6xf32>
      return %0 : tensor<2x6xf32>
    }"""
    with pytest.raises(OperationError, match="do not follow from those of the argu"):
        jit(text)(np.zeros((3, 4), np.float32), np.array([2, 6], np.int32))
