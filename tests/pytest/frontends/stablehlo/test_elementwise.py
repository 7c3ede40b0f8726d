"""Ops on elements compute what NumPy does, and what StableHLO says beyond."""

from collections.abc import Callable
from math import gamma
from typing import Any

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_lines, tensor

FLOATS = [
    0.0,
    -0.0,
    np.nan,
    np.inf,
    -np.inf,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -2.5,
    9.75,
    -3e9,
]
OTHERS = [*FLOATS[5:], *FLOATS[:5]]
INTS = [0, 1, -1, 7, -7, 100, -128, 127]
DIVISORS = [0, 0, -1, 2, 2, -3, -1, -1]

Compute = Callable[..., Any]


def _trunc_div(a: Any, b: Any) -> Any:
    """Towards zero; by zero -1, all bits set."""
    wide_a, wide_b = a.astype(object), b.astype(object)
    quotients = [
        -1 if y == 0 else (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)
        for x, y in zip(wide_a, wide_b, strict=True)
    ]
    return _wrapped(quotients, a.dtype)


def _rem(a: Any, b: Any) -> Any:
    """With the sign of the dividend; by zero the dividend."""
    rests = [
        x if y == 0 else (abs(x) % abs(y)) * (-1 if x < 0 else 1)
        for x, y in zip(a.astype(object), b.astype(object), strict=True)
    ]
    return _wrapped(rests, a.dtype)


def _wrapped(values: list[int], dtype: Any) -> Any:
    bits = np.dtype(dtype).itemsize * 8
    unsigned = np.array([value % (1 << bits) for value in values], f"u{bits // 8}")
    return unsigned.view(dtype)


def _shifted(direction: int, *, is_arithmetic: bool = False) -> Compute:
    def compute(a: Any, b: Any) -> Any:
        bits = a.dtype.itemsize * 8
        unsigned, amounts = a.view(f"u{bits // 8}"), b.view(f"u{bits // 8}")
        values: list[int] = []
        signed = a.view(f"i{bits // 8}")
        for value, low, amount in zip(signed, unsigned, amounts, strict=True):
            if is_arithmetic:
                values.append(int(value) >> min(int(amount), bits - 1))
            elif amount >= bits:
                values.append(0)
            else:
                moved = int(low) << int(amount) if direction > 0 else int(low) >> amount
                values.append(int(moved))
        return _wrapped(values, a.dtype)

    return compute


def _round_away(x: Any) -> Any:
    away: Any = np.floor(np.abs(x) + 0.5)
    return np.copysign(away, x)


def _logistic(x: Any) -> Any:
    power: Any = np.exp(-x)
    return 1 / (1 + power)


def _rsqrt(x: Any) -> Any:
    root: Any = np.sqrt(x)
    return 1 / root


def _sign(x: Any) -> Any:
    signs: Any = np.sign(x)
    signs[x == 0] = x[x == 0]
    return signs


def _popcnt(x: Any) -> Any:
    return np.array([(int(each) & 255).bit_count() for each in x], x.dtype)


def _leading_zeros(x: Any) -> Any:
    return np.array([8 - (int(each) & 255).bit_length() for each in x], x.dtype)


REAL: dict[str, Compute] = {
    "abs": np.abs,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": _logistic,
    "negate": np.negative,
    "round_nearest_afz": _round_away,
    "round_nearest_even": np.rint,
    "rsqrt": _rsqrt,
    "sign": _sign,
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}
REAL_PAIRS: dict[str, Compute] = {
    "add": np.add,
    "atan2": np.arctan2,
    "divide": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "power": np.power,
    "remainder": np.fmod,
    "subtract": np.subtract,
}
INTEGER: dict[str, Compute] = {
    "abs": np.abs,
    "negate": np.negative,
    "not": np.invert,
    "sign": np.sign,
    "popcnt": _popcnt,
    "count_leading_zeros": _leading_zeros,
}
INTEGER_PAIRS: dict[str, Compute] = {
    "add": np.add,
    "and": np.bitwise_and,
    "divide": _trunc_div,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "or": np.bitwise_or,
    "remainder": _rem,
    "shift_left": _shifted(1),
    "shift_right_arithmetic": _shifted(-1, is_arithmetic=True),
    "shift_right_logical": _shifted(-1),
    "subtract": np.subtract,
    "xor": np.bitwise_xor,
}


def _check(
    table: dict[str, Compute], arguments: list[np.ndarray], tolerance: float
) -> None:
    type_ = tensor(arguments[0])
    operands = ", ".join(f"%{n}" for n in range(len(arguments)))
    lines = [f"stablehlo.{name} {operands} : {type_}" for name in table]
    results = run_lines(lines, [type_] * len(lines), arguments)
    for (name, compute), result in zip(table.items(), results, strict=True):
        with np.errstate(all="ignore"):
            expected = compute(*arguments)
        assert result.dtype == arguments[0].dtype
        np.testing.assert_allclose(
            result, expected, tolerance, tolerance / 100, err_msg=name
        )
        zeros = expected == 0
        if arguments[0].dtype.kind == "f":
            np.testing.assert_array_equal(
                np.signbit(result[zeros]), np.signbit(expected[zeros]), err_msg=name
            )


@pytest.mark.parametrize(("dtype", "tolerance"), [("f4", 1e-6), ("f8", 1e-14)])
def test_functions_of_numbers(dtype: str, tolerance: float) -> None:
    _check(REAL, [np.array(FLOATS[:-1], dtype)], tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), [("f4", 1e-6), ("f8", 1e-14)])
def test_pairs_of_numbers(dtype: str, tolerance: float) -> None:
    _check(REAL_PAIRS, [np.array(FLOATS, dtype), np.array(OTHERS, dtype)], tolerance)


def test_functions_of_integers() -> None:
    _check(INTEGER, [np.array(INTS, np.int8)], 0)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_pairs_of_integers(dtype: Any) -> None:
    first, second = (np.array(each, np.int8).view(dtype) for each in (INTS, DIVISORS))
    with np.errstate(over="ignore"):
        _check(INTEGER_PAIRS, [first, second], 0)


def test_integers_to_integer_powers() -> None:
    base = np.array([3, -2, 0, 5, 1, -1, -1, 2, 7], np.int32)
    exponent = np.array([4, 3, 0, -1, -5, -3, -4, 31, 20], np.int32)
    (result,) = run_lines(
        ["stablehlo.power %0, %1 : tensor<9xi32>"], ["tensor<9xi32>"], [base, exponent]
    )
    wrapped = _wrapped([81, -8, 1, 0, 1, -1, 1, 2**31, 7**20], np.int32)
    assert result.tolist() == wrapped.tolist()


def test_truth_values_add_and_multiply_as_or_and_and() -> None:
    a, b = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    names = "add", "multiply", "maximum", "minimum", "xor"
    lines = [f"stablehlo.{name} %0, %1 : tensor<4xi1>" for name in names]
    results = run_lines(lines, ["tensor<4xi1>"] * len(names), [a, b])
    expected = [a | b, a & b, a | b, a & b, a ^ b]
    for name, result, other in zip(names, results, expected, strict=True):
        assert result.tolist() == other.tolist(), name


COMPARISONS: dict[str, Compute] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GE": np.greater_equal,
    "GT": np.greater,
    "LE": np.less_equal,
    "LT": np.less,
}


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("FLOAT", np.float32), ("SIGNED", np.int8), ("UNSIGNED", np.uint8)],
)
def test_comparisons(kind: str, dtype: Any) -> None:
    if kind == "FLOAT":
        pair = [np.array(FLOATS, dtype), np.array(OTHERS, dtype)]
    else:
        pair = [np.array(each, np.int8).view(dtype) for each in (INTS, DIVISORS)]
    type_, size = tensor(pair[0]), len(pair[0])
    lines = [
        f"stablehlo.compare {name}, %0, %1, {kind} : ({type_}, {type_}) -> "
        f"tensor<{size}xi1>"
        for name in COMPARISONS
    ]
    results = run_lines(lines, [f"tensor<{size}xi1>"] * len(lines), pair)
    for (name, compute), result in zip(COMPARISONS.items(), results, strict=True):
        assert result.tolist() == compute(*pair).tolist(), name


def test_the_total_order_has_a_place_for_zeros_and_nan() -> None:
    ordered = np.array([-np.nan, -np.inf, -1, -0.0, 0.0, 1, np.inf, np.nan], "f4")
    first, second = (each.ravel() for each in np.meshgrid(ordered, ordered))
    line = (
        "stablehlo.compare LT, %0, %1, TOTALORDER : (tensor<64xf32>, tensor<64xf32>) "
        "-> tensor<64xi1>"
    )
    (result,) = run_lines([line], ["tensor<64xi1>"], [first, second])
    places = np.arange(8)
    expected = [one < other for other in places for one in places]
    assert result.tolist() == expected


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        ("i8", [0, 0, 127, -128, 1, -1, 0, 2, -2, -128]),
        ("ui8", [0, 0, 255, 0, 1, 0, 0, 2, 0, 0]),
        ("i32", [0, 0, 2**31 - 1, -(2**31), 1, -1, 0, 2, -2, -(2**31)]),
        ("i1", [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ("f64", None),
    ],
)
def test_numbers_become_the_nearest_integer_that_fits(
    to: str, expected: list[int] | None
) -> None:
    numbers = np.array([0, np.nan, np.inf, -np.inf, 1, -1, 0.9, 2.5, -2.5, -3e9], "f4")
    type_ = f"tensor<10x{to}>"
    line = f"stablehlo.convert %0 : (tensor<10xf32>) -> {type_}"
    (result,) = run_lines([line], [type_], [numbers])
    np.testing.assert_array_equal(result, numbers if expected is None else expected)


def test_integers_are_extended_by_their_sign() -> None:
    values = np.array([-1, 127, -128, 3], np.int8)
    targets = ["i32", "ui32", "f32", "i1"]
    types = [f"tensor<4x{each}>" for each in targets]
    lines = [f"stablehlo.convert %0 : (tensor<4xi8>) -> {each}" for each in types]
    signed = run_lines(lines, types, [values])
    lines = [f"stablehlo.convert %0 : (tensor<4xui8>) -> {each}" for each in types]
    unsigned = run_lines(lines, types, [values.view(np.uint8)])
    dtypes = np.int32, np.uint32, np.float32, np.bool_
    for dtype, one, other in zip(dtypes, signed, unsigned, strict=True):
        assert one.tolist() == values.astype(np.int64).astype(dtype).tolist()
        assert other.tolist() == values.view(np.uint8).astype(dtype).tolist()


def test_bits_as_elements_of_another_type() -> None:
    numbers = np.array(FLOATS, np.float32)
    line = "stablehlo.bitcast_convert %0 : (tensor<13xf32>) -> tensor<13xui32>"
    (result,) = run_lines([line], ["tensor<13xui32>"], [numbers])
    assert result.tolist() == numbers.view(np.uint32).tolist()


def test_select_and_clamp_take_one_value_for_all() -> None:
    x = np.array([-2.0, 0.5, np.nan, 3.0], "f4")
    one, condition = np.array(1.0, "f4"), np.array(True)
    low = np.array(0.0, "f4")
    lines = [
        "stablehlo.clamp %3, %0, %1 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> "
        "tensor<4xf32>",
        "stablehlo.select %2, %0, %0 : tensor<i1>, tensor<4xf32>",
    ]
    clamped, selected = run_lines(
        lines, ["tensor<4xf32>"] * 2, [x, one, condition, low]
    )
    np.testing.assert_array_equal(clamped, [0.0, 0.5, np.nan, 1.0])
    np.testing.assert_array_equal(selected, x)


def test_complex_numbers() -> None:
    a = np.array([1 + 2j, -3j, 0.5], np.complex64)
    b = np.array([2 - 1j, 1 + 1j, -2], np.complex64)
    type_, real = "tensor<3xcomplex<f32>>", "tensor<3xf32>"
    lines = [
        f"stablehlo.multiply %0, %1 : {type_}",
        f"stablehlo.divide %0, %1 : {type_}",
        f"stablehlo.abs %0 : ({type_}) -> {real}",
        f"stablehlo.imag %0 : ({type_}) -> {real}",
        f"chlo.conj %0 : {type_} -> {type_}",
    ]
    results = run_lines(lines, [type_, type_, real, real, type_], [a, b])
    expected = [a * b, a / b, np.abs(a), a.imag, a.conj()]
    for result, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, other, 1e-6)


def _erf_of(x: Any) -> Any:
    from math import erf

    return np.array([erf(each) for each in x])


def _erfc_of(x: Any) -> Any:
    return 1 - _erf_of(x)


CHLO: dict[str, Compute] = {
    "acos": np.arccos,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "cosh": np.cosh,
    "erf": _erf_of,
    "erfc": _erfc_of,
    "sinh": np.sinh,
    "square": np.square,
    "tan": np.tan,
}


@pytest.mark.parametrize(("dtype", "tolerance"), [("f4", 2e-6), ("f8", 1e-14)])
def test_functions_of_chlo(dtype: str, tolerance: float) -> None:
    x = np.linspace(-0.95, 0.95, 16).astype(dtype)
    type_ = tensor(x)
    lines = [f"chlo.{name} %0 : {type_} -> {type_}" for name in CHLO]
    results = run_lines(lines, [type_] * len(lines), [x])
    for (name, compute), result in zip(CHLO.items(), results, strict=True):
        np.testing.assert_allclose(
            result, compute(x), tolerance, tolerance, err_msg=name
        )


@pytest.mark.parametrize(("dtype", "tolerance"), [("f4", 3e-6), ("f8", 1e-12)])
def test_the_inverse_of_the_error_function(dtype: str, tolerance: float) -> None:
    middle = np.linspace(-0.99, 0.99, 15)
    x = np.array([*middle, 1 - 2**-20, 2**-20 - 1, 0.0, 1.0, -1.0], dtype)
    type_ = tensor(x)
    (result,) = run_lines([f"chlo.erf_inv %0 : {type_} -> {type_}"], [type_], [x])
    assert np.isinf(result[-2:]).all()
    assert np.sign(result[-2:]).tolist() == [1, -1]
    np.testing.assert_allclose(_erf_of(result[:-2]), x[:-2], tolerance, tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), [("f4", 2e-5), ("f8", 1e-11)])
def test_the_gamma_function(dtype: str, tolerance: float) -> None:
    x = np.array([0.1, 0.5, 1.0, 2.5, 7.0, -0.5, -1.5, -3.25, 30.0], dtype)
    type_ = tensor(x)
    names = "lgamma", "digamma"
    lines = [f"chlo.{name} %0 : {type_} -> {type_}" for name in names]
    logarithm, derivative = run_lines(lines, [type_] * 2, [x])
    expected = [np.log(abs(gamma(float(each)))) for each in x]
    np.testing.assert_allclose(logarithm, expected, tolerance, tolerance)
    step = 1e-6
    slope = [
        (np.log(abs(gamma(each + step))) - np.log(abs(gamma(each - step)))) / (2 * step)
        for each in map(float, x)
    ]
    np.testing.assert_allclose(derivative, slope, max(tolerance, 1e-7), 1e-6)


def test_infinities_are_told_apart() -> None:
    x = np.array(FLOATS, np.float32)
    names = "is_inf", "is_pos_inf", "is_neg_inf"
    lines = [f"chlo.{name} %0 : tensor<13xf32> -> tensor<13xi1>" for name in names]
    lines.append("stablehlo.is_finite %0 : (tensor<13xf32>) -> tensor<13xi1>")
    results = run_lines(lines, ["tensor<13xi1>"] * 4, [x])
    expected = [np.isinf(x), x == np.inf, x == -np.inf, np.isfinite(x)]
    for result, other in zip(results, expected, strict=True):
        assert result.tolist() == other.tolist()
