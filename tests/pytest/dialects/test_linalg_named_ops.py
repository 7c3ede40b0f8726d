"""Every named op of linalg: what it generalizes to, and what it computes."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from harness.cases.named_ops import (
    DILATIONS,
    STRIDES,
    element_types,
    program,
    shapes,
)
from harness.oracles.linalg_reference import evaluate
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization import (
    CompiledModule,
    bufferize,
    compile,
    deallocate,
    parse,
)
from xdsl_bufferization.dialects.linalg.table import NAMED_OPS, NamedOp
from xdsl_bufferization.optimization.linalg_generalize import generalize

MLIROpt = Callable[..., str]

SAME_TYPES = ("f32", "f64", "i32", "i64")
MIXED_TYPES = (
    ("f16", "f32"),
    ("bf16", "f32"),
    ("f64", "f32"),
    ("i8", "i32"),
    ("i32", "i8"),
    ("i32", "f32"),
    ("f32", "i32"),
)
PAIRS = (*((t, t) for t in SAME_TYPES), ("i1", "i1"), *MIXED_TYPES)


ROWS = pytest.mark.parametrize("row", NAMED_OPS.values(), ids=lambda row: row.name)


# What it generalizes to.

GENERALIZE = (
    "--linalg-generalize-named-ops",
    # The pass also hoists, folds and merges constants, but not those that it creates.
    "--linalg-generalize-named-ops",
    "--mlir-print-local-scope",
)


def is_allowed(text: str) -> bool:
    try:
        parse(text)
    except ParseError:
        return False
    return True


@pytest.mark.oracle
@pytest.mark.volume(sample=2)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_generalizes_as_in_mlir(
    xdsl_opt: Callable[..., str],
    mlir_opt: MLIROpt,
    source: str,
    target: str,
):
    """Maps, iterator types and payload are the same, for all ops on these types."""
    text = "".join(
        program(row, source, target, row.name.replace(".", "_"))
        for row in NAMED_OPS.values()
        if is_allowed(program(row, source, target))
    )
    ours = xdsl_opt(text, "linalg-generalize-named-ops")
    assert "linalg.generic" in ours
    assert mlir_opt(ours, *GENERALIZE) == mlir_opt(text, *GENERALIZE)


@pytest.mark.volume(sample=42)
@pytest.mark.oracle
@ROWS
def test_allows_the_types_that_mlir_allows(mlir_opt: MLIROpt, row: NamedOp):
    """What is refused here is refused there."""
    for element in ("f32", "i32", "i1"):
        text = program(row, element, element)
        if not is_allowed(text):
            with pytest.raises(pytest.fail.Exception):
                mlir_opt(text, "--linalg-generalize-named-ops")


@pytest.mark.parametrize(
    "text",
    [
        "%r = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<3x2xf32>)"
        " permutation = [1, 0]",
        "%r = linalg.broadcast ins(%b : tensor<3x2xf32>) outs(%c : tensor<3x4x2xf32>)"
        " dimensions = [1]",
        "%r = linalg.reduce { arith.addf } ins(%c : tensor<3x4x2xf32>)"
        " outs(%b : tensor<3x2xf32>) dimensions = [1]",
        "%r = linalg.map { arith.addf } ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>)"
        " outs(%a : tensor<2x3xf32>)",
        "%r = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,"
        " affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]"
        " ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%d : tensor<2x2xf32>)"
        " -> tensor<2x2xf32>",
        "%r = linalg.elementwise kind=#linalg.elementwise_kind<div>"
        " ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>) outs(%a : tensor<2x3xf32>)"
        " -> tensor<2x3xf32>",
    ],
    ids=lambda text: re.search(r"linalg\.\w+", text)[0],  # pyright: ignore
)
@pytest.mark.oracle
def test_generalizes_ops_that_are_no_rows(mlir_opt: MLIROpt, text: str):
    result = re.findall(r"tensor<[^>]*>", text)[-1]
    module = f"""
    func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<3x4x2xf32>,
                 %d: tensor<2x2xf32>) -> {result} {{
      {text}
      func.return %r : {result}
    }}"""
    ours = parse(module)
    generalize_all(ours)
    ours.verify()
    assert mlir_opt(str(ours), *GENERALIZE) == mlir_opt(module, *GENERALIZE)


def generalize_all(module: ModuleOp) -> None:
    bodies = ("linalg.yield", "linalg.index")
    for op in list(module.walk()):
        if op.name.startswith("linalg.") and op.name not in bodies:
            generalize(op)


# What it computes.

_DTYPES = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i1": np.bool_,
    "i8": np.int8,
    "i32": np.int32,
}
_FLOAT_ONLY = {
    *("exp", "log", "abs", "ceil", "floor", "negf", "reciprocal", "round", "sqrt"),
    *("rsqrt", "square", "tanh", "erf", "powf"),
}
_INTEGER_ONLY = ("unsigned",)


def random_operand(
    generator: np.random.Generator, shape: tuple[int, ...], element: str
) -> Any:
    """Positive numbers, so that every function is defined on them."""
    dtype = _DTYPES[element]
    if element == "i1":
        return generator.integers(0, 2, shape).astype(dtype)
    if element.startswith("f"):
        return generator.uniform(0.5, 2.0, shape).astype(dtype)
    return generator.integers(1, 50, shape).astype(dtype)


@lru_cache(maxsize=1)
def rows_and_types() -> list[tuple[NamedOp, str]]:
    pairs: list[tuple[NamedOp, str]] = []
    for row in NAMED_OPS.values():
        name = row.name.removeprefix("linalg.")
        if not name.endswith(_INTEGER_ONLY):
            pairs.append((row, "f32"))
        if name not in _FLOAT_ONLY:
            pairs.append((row, "i32"))
    return pairs


@lru_cache(maxsize=2)
def compiled_rows(element: str) -> CompiledModule:
    """One function per row, named as the op."""
    text = "".join(
        program(row, element, element, row.name)
        for row, other in rows_and_types()
        if other == element
    )
    return compiled(parse(re.sub(r"@(linalg[.\w]+)", r'@"\1"', text)))


def compiled(module: ModuleOp) -> CompiledModule:
    bufferize(module, bufferize_function_boundaries=True)
    return compile(deallocate(module))


def check_execution(
    function: Callable[..., Any], row: NamedOp, source: str, target: str
) -> None:
    generator = np.random.default_rng(3)
    types = element_types(row, source, target)
    operands = [
        random_operand(generator, shape, element)
        for shape, element in zip(shapes(row), types, strict=True)
    ]
    operands[-1] = np.asarray(operands[-1])
    n = row.num_windows
    expected = evaluate(row.name, operands, STRIDES[:n], DILATIONS[:n])
    actual = function(*operands)
    assert expected.shape == actual.shape
    assert expected.dtype == actual.dtype
    np.testing.assert_allclose(actual, expected, rtol=2e-5)


@pytest.mark.volume(sample=30)
@pytest.mark.parametrize(
    ("row", "element"),
    rows_and_types(),
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_computes_what_numpy_computes(row: NamedOp, element: str):
    check_execution(compiled_rows(element)[row.name], row, element, element)


@pytest.mark.parametrize(("source", "target"), [("f16", "f32"), ("i8", "i32")])
@pytest.mark.parametrize(
    "name", ["matmul", "batch_matmul", "conv_2d_nhwc_hwcf", "pooling_nhwc_sum", "copy"]
)
def test_converts_its_inputs(name: str, source: str, target: str):
    row = NAMED_OPS[f"linalg.{name}"]
    function = compiled(parse(program(row, source, target)))["f"]
    check_execution(function, row, source, target)
