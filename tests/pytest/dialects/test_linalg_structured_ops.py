"""The ops of linalg that no table describes compute what NumPy does, on loops."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization import bufferize, compile, deallocate, parse

Compute = Callable[..., np.ndarray]

DTYPES = {"f32": np.float32, "i32": np.int32}
MATMUL = (
    "[affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,"
    " affine_map<(d0, d1, d2) -> (d0, d1)>]"
)


def result_of(text: str, *operands: Any) -> Any:
    """What `@f` returns for the arguments; `text` is its signature and body."""
    module = parse(f"func.func @f{text}")
    bufferize(module, bufferize_function_boundaries=True)
    return compile(deallocate(module))["f"](*operands)


def random(shape: tuple[int, ...], element: str) -> np.ndarray:
    generator = np.random.default_rng(len(shape))
    return generator.uniform(1, 9, shape).astype(DTYPES[element])


ELEMENTS = pytest.mark.parametrize("element", DTYPES)


@ELEMENTS
def test_transpose(element: str):
    a = random((2, 3, 4), element)
    text = f"""(%a: tensor<2x3x4x{element}>, %o: tensor<4x2x3x{element}>)
        -> tensor<4x2x3x{element}> {{
      %r = linalg.transpose ins(%a : tensor<2x3x4x{element}>)
        outs(%o : tensor<4x2x3x{element}>) permutation = [2, 0, 1]
      func.return %r : tensor<4x2x3x{element}>
    }}"""
    out = random((4, 2, 3), element)
    np.testing.assert_array_equal(result_of(text, a, out), a.transpose(2, 0, 1))


@ELEMENTS
def test_broadcast(element: str):
    a = random((2, 4), element)
    text = f"""(%a: tensor<2x4x{element}>, %o: tensor<2x3x4x{element}>)
        -> tensor<2x3x4x{element}> {{
      %r = linalg.broadcast ins(%a : tensor<2x4x{element}>)
        outs(%o : tensor<2x3x4x{element}>) dimensions = [1]
      func.return %r : tensor<2x3x4x{element}>
    }}"""
    expected = np.broadcast_to(a[:, None], (2, 3, 4))
    np.testing.assert_array_equal(result_of(text, a, expected.copy() + 1), expected)


@pytest.mark.parametrize(
    ("element", "op", "ufunc"),
    [
        ("f32", "arith.addf", np.add),
        ("f32", "arith.maximumf", np.maximum),
        ("i32", "arith.addi", np.add),
        ("i32", "arith.muli", np.multiply),
        ("i32", "arith.minsi", np.minimum),
    ],
)
def test_reduce(element: str, op: str, ufunc: np.ufunc):
    a, init = random((3, 2, 4), element), random((2,), element)
    text = f"""(%a: tensor<3x2x4x{element}>, %o: tensor<2x{element}>)
        -> tensor<2x{element}> {{
      %r = linalg.reduce {{ {op} }} ins(%a : tensor<3x2x4x{element}>)
        outs(%o : tensor<2x{element}>) dimensions = [0, 2]
      func.return %r : tensor<2x{element}>
    }}"""
    expected = ufunc(ufunc.reduce(ufunc.reduce(a, axis=2), axis=0), init)
    np.testing.assert_allclose(result_of(text, a, init), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("element", "op"), [("f32", "arith.subf"), ("i32", "arith.subi")]
)
def test_map(element: str, op: str):
    a, b = random((2, 3), element), random((2, 3), element)[::-1].copy()
    text = f"""(%a: tensor<2x3x{element}>, %b: tensor<2x3x{element}>,
        %o: tensor<2x3x{element}>) -> tensor<2x3x{element}> {{
      %r = linalg.map {{ {op} }}
        ins(%a, %b : tensor<2x3x{element}>, tensor<2x3x{element}>)
        outs(%o : tensor<2x3x{element}>)
      func.return %r : tensor<2x3x{element}>
    }}"""
    np.testing.assert_array_equal(result_of(text, a, b, np.empty_like(a)), a - b)


@ELEMENTS
def test_contract(element: str):
    a, b, c = (random(shape, element) for shape in ((2, 4), (4, 3), (2, 3)))
    text = f"""(%a: tensor<2x4x{element}>, %b: tensor<4x3x{element}>,
        %o: tensor<2x3x{element}>) -> tensor<2x3x{element}> {{
      %r = linalg.contract indexing_maps = {MATMUL}
        ins(%a, %b : tensor<2x4x{element}>, tensor<4x3x{element}>)
        outs(%o : tensor<2x3x{element}>) -> tensor<2x3x{element}>
      func.return %r : tensor<2x3x{element}>
    }}"""
    np.testing.assert_allclose(result_of(text, a, b, c.copy()), c + a @ b, rtol=1e-6)


def reciprocal_root(x: np.ndarray) -> np.ndarray:
    return 1 / np.sqrt(x)


UNARY: dict[str, Compute] = {
    "exp": np.exp,
    "log": np.log,
    "abs": np.abs,
    "ceil": np.ceil,
    "floor": np.floor,
    "negf": np.negative,
    "reciprocal": np.reciprocal,
    "round": np.round,
    "sqrt": np.sqrt,
    "rsqrt": reciprocal_root,
    "erf": np.vectorize(math.erf),
    "square": np.square,
    "tanh": np.tanh,
}
BINARY: dict[str, Compute] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max_signed": np.maximum,
    "min_signed": np.minimum,
    "powf": np.power,
}
INTEGER: dict[str, Compute] = {
    **{name: BINARY[name] for name in ("add", "sub", "mul", "max_signed")},
    "div": np.floor_divide,
    "div_unsigned": np.floor_divide,
    "max_unsigned": np.maximum,
    "min_unsigned": np.minimum,
}


@pytest.mark.parametrize(
    ("kind", "element", "arity", "compute"),
    [
        *((kind, "f32", 1, compute) for kind, compute in UNARY.items()),
        *((kind, "f32", 2, compute) for kind, compute in BINARY.items()),
        *((kind, "i32", 2, compute) for kind, compute in INTEGER.items()),
    ],
)
def test_elementwise(kind: str, element: str, arity: int, compute: Compute):
    operands = [random((2, 3), element), random((2, 3), element)[::-1].copy()][:arity]
    type_ = f"tensor<2x3x{element}>"
    names = ", ".join(["%a", "%b"][:arity])
    text = f"""(%a: {type_}, %b: {type_}, %o: {type_}) -> {type_} {{
      %r = linalg.elementwise kind=#linalg.elementwise_kind<{kind}>
        ins({names} : {", ".join([type_] * arity)}) outs(%o : {type_}) -> {type_}
      func.return %r : {type_}
    }}"""
    arguments = [*operands, *[np.empty_like(operands[0])] * (3 - arity)]
    np.testing.assert_allclose(result_of(text, *arguments), compute(*operands), 1e-5)


@pytest.mark.parametrize("dimension", [0, 1, 2])
def test_softmax(dimension: int):
    a = random((2, 3, 4), "f32")
    text = f"""(%a: tensor<2x3x4xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {{
      %r = linalg.softmax dimension({dimension}) ins(%a : tensor<2x3x4xf32>)
        outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
      func.return %r : tensor<2x3x4xf32>
    }}"""
    powers = np.exp(a - a.max(axis=dimension, keepdims=True))
    expected = powers / powers.sum(axis=dimension, keepdims=True)
    np.testing.assert_allclose(result_of(text, a, np.empty_like(a)), expected, 1e-5)
