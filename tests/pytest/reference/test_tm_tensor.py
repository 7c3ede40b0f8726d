"""The reference evaluation of tm_tensor, against NumPy's own functions."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from harness.programs.random_tm_tensor import DTYPES
from numpy.typing import NDArray

from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.errors import OperationError

Array = NDArray[Any]
Parse = Callable[[str], Any]

RNG = np.random.default_rng(7)


def type_of(array: Array) -> str:
    names = {np.dtype(dtype): name for name, dtype in DTYPES.items()}
    sizes = "".join(f"{size}x" for size in array.shape)
    return f"tensor<{sizes}{names[array.dtype]}>"


def run_op(
    parse: Parse, head: str, inputs: list[Array], outputs: list[Array], body: str = ""
) -> list[Array]:
    """The results of one op; `body` is the text of its region."""
    names = [f"%a{number}" for number in range(len(inputs) + len(outputs))]
    types = [type_of(each) for each in (*inputs, *outputs)]
    parameters = ", ".join(map(": ".join, zip(names, types, strict=True)))
    count = len(inputs)
    ins = ""
    if inputs:
        ins = f"ins({', '.join(names[:count])} : {', '.join(types[:count])})"
    results = ", ".join(types[count:])
    region = f"{{\n{body}\n}}" if body else ""
    values = ", ".join(f"%r#{number}" for number in range(len(outputs)))
    module = parse(f"""
func.func @main({parameters}) -> ({results}) {{
  %r:{len(outputs)} = tm_tensor.{head} {ins}
      outs({", ".join(names[count:])} : {results}) {region} -> {results}
  return {values} : {results}
}}""")
    module.verify()
    return evaluate(module, "main", [*inputs, *outputs])


def binary(op: str, element: str) -> str:
    return f"""^bb0(%a: {element}, %b: {element}):
  %r = arith.{op} %a, %b : {element}
  tm_tensor.yield %r : {element}"""


@pytest.mark.parametrize("along", range(3))
@pytest.mark.parametrize(
    ("op", "element", "expected"),
    [
        ("addi", "i64", np.cumsum),
        ("muli", "i64", np.cumprod),
        ("maximumf", "f32", np.maximum.accumulate),
    ],
)
def test_inclusive_scan(
    parse: Parse, op: str, element: str, expected: Callable[..., Array], along: int
) -> None:
    x = RNG.integers(-3, 4, (3, 4, 2)).astype(DTYPES[element])
    last = np.zeros(np.delete(x.shape, along), x.dtype)
    outputs, total = run_op(
        parse,
        f"scan dimension({along}) inclusive(true)",
        [x],
        [np.full_like(x, 99), last],
        binary(op, element),
    )
    wanted = expected(x, axis=along)
    np.testing.assert_array_equal(outputs, wanted)
    np.testing.assert_array_equal(total, np.take(wanted, -1, axis=along))


def test_exclusive_scan_starts_with_the_accumulator(parse: Parse) -> None:
    x = np.array([1, 2, 3], np.int64)
    outputs, total = run_op(
        parse,
        "scan dimension(0) inclusive(false)",
        [x],
        [np.full_like(x, 99), np.array(10, np.int64)],
        binary("addi", "i64"),
    )
    np.testing.assert_array_equal(outputs, [10, 11, 13])
    np.testing.assert_array_equal(total, 13)


def test_the_region_gets_the_previous_output_first(parse: Parse) -> None:
    x = np.array([10, 1, 2], np.int64)
    outputs, _ = run_op(
        parse,
        "scan dimension(0) inclusive(true)",
        [x],
        [np.zeros_like(x), np.array(0, np.int64)],
        binary("subi", "i64"),
    )
    np.testing.assert_array_equal(outputs, [10, 9, 7])


@pytest.mark.parametrize("inclusive", ["true", "false"])
@pytest.mark.parametrize("count", [0, 1])
def test_the_accumulator_of_a_short_scan_stays(
    parse: Parse, inclusive: str, count: int
) -> None:
    x = np.full(count, 5, np.int64)
    outputs, total = run_op(
        parse,
        f"scan dimension(0) inclusive({inclusive})",
        [x],
        [np.zeros_like(x), np.array(7, np.int64)],
        binary("addi", "i64"),
    )
    first = 5 if inclusive == "true" else 7
    np.testing.assert_array_equal(outputs, [first] * count)
    np.testing.assert_array_equal(total, 7)


def test_updates_of_one_place_are_all_applied(parse: Parse) -> None:
    x = RNG.integers(-3, 4, (5, 4)).astype(np.float32)
    indices = RNG.integers(0, (5, 4), (40, 2))
    updates = RNG.integers(-3, 4, 40).astype(np.float32)
    (result,) = run_op(
        parse,
        "scatter {dimension_map = array<i64: 0, 1>} unique_indices(false)",
        [updates, indices],
        [x],
        binary("addf", "f32"),
    )
    expected = x.copy()
    np.add.at(expected, tuple(indices.T), updates)
    np.testing.assert_array_equal(result, expected)


def test_the_last_update_of_a_place_stays(parse: Parse) -> None:
    x = np.zeros((4, 3), np.int32)
    updates = np.arange(9, dtype=np.int32).reshape(3, 3)
    (result,) = run_op(
        parse,
        "scatter {dimension_map = array<i64: 0>} unique_indices(false)",
        [updates, np.array([[2], [0], [2]], np.int64)],
        [x],
        "^bb0(%u: i32, %o: i32):\n  tm_tensor.yield %u : i32",
    )
    np.testing.assert_array_equal(result, [[3, 4, 5], [0, 0, 0], [6, 7, 8], [0, 0, 0]])


def test_indices_are_offsets_in_the_dimensions_that_the_map_names(parse: Parse) -> None:
    x = np.zeros((4, 5), np.int32)
    updates = np.array([[1, 2], [3, 4]], np.int32)
    (result,) = run_op(
        parse,
        "scatter {dimension_map = array<i64: 1, 0>} unique_indices(true)",
        [updates, np.array([[3, 0], [1, 2]], np.int32)],
        [x],
        "^bb0(%u: i32, %o: i32):\n  tm_tensor.yield %u : i32",
    )
    expected = x.copy()
    expected[0, 3:5] = [1, 2]
    expected[2, 1:3] = [3, 4]
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("index", [-1, 4])
def test_an_update_outside_of_the_output_is_an_error(parse: Parse, index: int) -> None:
    with pytest.raises(OperationError, match=rf"begins at \[{index}\] .* outside"):
        run_op(
            parse,
            "scatter {dimension_map = array<i64: 0>} unique_indices(false)",
            [np.ones(1, np.int32), np.array([[index]], np.int64)],
            [np.zeros(4, np.int32)],
            "^bb0(%u: i32, %o: i32):\n  tm_tensor.yield %u : i32",
        )


@pytest.mark.parametrize("relation", ["sle", "sge", "slt", "sgt"])
@pytest.mark.parametrize("count", [1, 2, 3, 8, 33])
def test_sort_is_stable(parse: Parse, relation: str, count: int) -> None:
    x = RNG.integers(-3, 4, (count, 3))
    places = np.broadcast_to(np.arange(count, dtype=np.int32)[:, None], x.shape).copy()
    values, indices = run_op(
        parse,
        "sort dimension(0)",
        [],
        [x, places],
        f"""^bb0(%a: i64, %b: i64, %i: i32, %j: i32):
  %r = arith.cmpi {relation}, %a, %b : i64
  tm_tensor.yield %r : i1""",
    )
    key = x if relation.startswith("sl") else -x
    order = np.argsort(key, axis=0, kind="stable")
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 0))


def test_sort_of_nan_is_a_permutation(parse: Parse) -> None:
    x = np.array([3, np.nan, 1, np.nan, 2, 0], np.float32)
    values, indices = run_op(
        parse,
        "sort dimension(0)",
        [],
        [x, np.arange(6, dtype=np.int64)],
        """^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
  %r = arith.cmpf ole, %a, %b : f32
  tm_tensor.yield %r : i1""",
    )
    assert sorted(indices.tolist()) == [*range(6)]
    np.testing.assert_array_equal(values, x[indices])


@pytest.mark.parametrize("kept", [0, 1, 3, 7])
@pytest.mark.parametrize("with_indices", [False, True])
def test_topk(parse: Parse, kept: int, with_indices: bool) -> None:
    x = RNG.integers(-3, 4, (4, 7)).astype(np.float32)
    places = np.broadcast_to(np.arange(100, 107, dtype=np.int32), x.shape).copy()
    values, indices = run_op(
        parse,
        "topk dimension(1)",
        [x, places] if with_indices else [x],
        [
            np.full((4, kept), -np.inf, np.float32),
            np.full((4, kept), 2**31 - 1, np.int32),
        ],
        """^bb0(%new: f32, %old: f32):
  %r = arith.cmpf ogt, %new, %old : f32
  tm_tensor.yield %r : i1""",
    )
    order = np.argsort(-x, axis=1, kind="stable")[:, :kept]
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))
    np.testing.assert_array_equal(indices, order + 100 * with_indices)


@pytest.mark.parametrize("element", ["f16", "f32", "f64"])
@pytest.mark.parametrize("mask", [None, "i1", "same"])
@pytest.mark.parametrize("scale", [None, 0.75])
def test_attention(
    parse: Parse, element: str, mask: str | None, scale: float | None
) -> None:
    dtype = DTYPES[element]
    query, key, value = (
        RNG.standard_normal(shape).astype(dtype)
        for shape in ((2, 3, 5, 8), (2, 3, 7, 8), (2, 3, 7, 4))
    )
    inputs, added = [query, key, value], np.zeros((2, 3, 5, 7))
    if mask == "i1":
        counts = RNG.random((2, 3, 5, 7)) < 0.6
        counts[0, 0, 0] = False
        inputs.append(counts)
        added = np.where(counts, 0.0, -np.inf)
    elif mask == "same":
        inputs.append(RNG.standard_normal((2, 3, 5, 7)).astype(dtype))
        added = inputs[-1].astype(np.float64)
    head = "attention" if scale is None else f"attention {{scale = {scale} : f64}}"
    (result,) = run_op(parse, head, inputs, [np.full((2, 3, 5, 4), np.nan, dtype)])
    q, k, v = (each.astype(np.float64) for each in (query, key, value))
    factor = 1 / np.sqrt(8) if scale is None else scale
    weights = np.exp(q @ np.swapaxes(k, -1, -2) * factor + added)
    total = cast(Array, weights.sum(axis=-1, keepdims=True))
    expected = weights @ v / np.where(total == 0, 1, total)
    tolerance = 1e-3 if element == "f16" else 1e-5
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


def test_large_products_do_not_overflow(parse: Parse) -> None:
    query = np.full((1, 1), 1000, np.float32)
    key = np.array([[1000], [999]], np.float32)
    value = np.array([[1], [2]], np.float32)
    (result,) = run_op(
        parse, "attention", [query, key, value], [np.zeros((1, 1), np.float32)]
    )
    np.testing.assert_array_equal(result, [[1]])
