import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization.support.errors import OperationError

Run = Callable[..., list[Any]]

I8 = [-128, -127, -100, -3, -1, 0, 1, 2, 7, 99, 127]


def binary(name: str, type_: str = "i8") -> str:
    return f"""
    func.func @f(%a: {type_}, %b: {type_}) -> {type_} {{
      %0 = {name} %a, %b : {type_}
      return %0 : {type_}
    }}"""


def wrap(value: int) -> int:
    return (value + 128) % 256 - 128


def truncated(a: int, b: int) -> int:
    return int(math.copysign(abs(a) // abs(b), a * b)) if a else 0


INTEGER_RULES: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.minsi": min,
    "arith.maxsi": max,
    "arith.minui": lambda a, b: min(a % 256, b % 256),
    "arith.maxui": lambda a, b: max(a % 256, b % 256),
}

DIVISION_RULES: dict[str, Callable[[int, int], int]] = {
    "arith.divsi": truncated,
    "arith.divui": lambda a, b: (a % 256) // (b % 256),
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.ceildivui": lambda a, b: -(-(a % 256) // (b % 256)),
    "arith.remsi": lambda a, b: a - truncated(a, b) * b,
    "arith.remui": lambda a, b: (a % 256) % (b % 256),
}

SHIFT_RULES: dict[str, Callable[[int, int], int]] = {
    "arith.shli": lambda a, b: a << b,
    "arith.shrsi": lambda a, b: a >> b,
    "arith.shrui": lambda a, b: (a % 256) >> b,
}


@pytest.mark.parametrize("name", INTEGER_RULES)
def test_integers_wrap_at_their_width(run: Run, name: str):
    for a, b in itertools.product(I8, repeat=2):
        (result,) = run(binary(name), np.int8(a), np.int8(b))
        assert (result.dtype, result) == (np.int8, wrap(INTEGER_RULES[name](a, b)))


@pytest.mark.parametrize("name", DIVISION_RULES)
def test_divisions_round_as_documented(run: Run, name: str):
    for a, b in itertools.product(I8, repeat=2):
        if b and (a, b) != (-128, -1):
            (result,) = run(binary(name), np.int8(a), np.int8(b))
            assert result == wrap(DIVISION_RULES[name](a, b)), (a, b)


@pytest.mark.parametrize("name", SHIFT_RULES)
def test_shifts(run: Run, name: str):
    for a, b in itertools.product(I8, range(8)):
        (result,) = run(binary(name), np.int8(a), np.int8(b))
        assert result == wrap(SHIFT_RULES[name](a, b)), (a, b)


@pytest.mark.parametrize("name", DIVISION_RULES)
def test_division_by_zero_is_an_error_at_the_operation(run: Run, name: str):
    with pytest.raises(OperationError, match="divides by zero") as error:
        run(binary(name), np.int8(3), np.int8(0))
    assert error.value.op.name == name


def test_overflowing_division_is_an_error(run: Run):
    with pytest.raises(OperationError, match="overflows"):
        run(binary("arith.divsi"), np.int8(-128), np.int8(-1))


BIT_RULES: dict[str, Callable[[bool, bool], bool]] = {
    "arith.addi": lambda a, b: a != b,
    "arith.subi": lambda a, b: a != b,
    "arith.muli": lambda a, b: a and b,
    "arith.xori": lambda a, b: a != b,
    "arith.maxsi": lambda a, b: a and b,
    "arith.maxui": lambda a, b: a or b,
}


@pytest.mark.parametrize("name", BIT_RULES)
def test_one_bit_integers_wrap_and_true_is_minus_one(run: Run, name: str):
    for a, b in itertools.product([False, True], repeat=2):
        (result,) = run(binary(name, "i1"), np.bool_(a), np.bool_(b))
        assert result == BIT_RULES[name](a, b), (a, b)


INTEGER_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: a % 256 < b % 256,
    "uge": lambda a, b: a % 256 >= b % 256,
}


@pytest.mark.parametrize("predicate", INTEGER_COMPARISONS)
def test_integer_comparisons(run: Run, predicate: str):
    text = f"""
    func.func @f(%a: i8, %b: i8) -> i1 {{
      %0 = arith.cmpi {predicate}, %a, %b : i8
      return %0 : i1
    }}"""
    for a, b in itertools.product(I8, repeat=2):
        wanted = INTEGER_COMPARISONS[predicate](a, b)
        assert run(text, np.int8(a), np.int8(b))[0] == wanted


@pytest.mark.parametrize(
    ("predicate", "less", "equal", "greater", "unordered"),
    [
        ("false", 0, 0, 0, 0),
        ("oeq", 0, 1, 0, 0),
        ("ogt", 0, 0, 1, 0),
        ("oge", 0, 1, 1, 0),
        ("olt", 1, 0, 0, 0),
        ("ole", 1, 1, 0, 0),
        ("one", 1, 0, 1, 0),
        ("ord", 1, 1, 1, 0),
        ("ueq", 0, 1, 0, 1),
        ("ugt", 0, 0, 1, 1),
        ("uge", 0, 1, 1, 1),
        ("ult", 1, 0, 0, 1),
        ("ule", 1, 1, 0, 1),
        ("une", 1, 0, 1, 1),
        ("uno", 0, 0, 0, 1),
        ("true", 1, 1, 1, 1),
    ],
)
def test_float_comparisons(
    run: Run, predicate: str, less: int, equal: int, greater: int, unordered: int
):
    text = f"""
    func.func @f(%a: f32, %b: f32) -> i1 {{
      %0 = arith.cmpf {predicate}, %a, %b : f32
      return %0 : i1
    }}"""
    pairs = [(1.0, 2.0), (1.0, 1.0), (2.0, 1.0), (math.nan, 1.0)]
    results = [int(run(text, np.float32(a), np.float32(b))[0]) for a, b in pairs]
    assert results == [less, equal, greater, unordered]


def test_maximumf_propagates_nan_and_maxnumf_does_not(run: Run):
    nan, one = np.float32(math.nan), np.float32(1)
    assert math.isnan(run(binary("arith.maximumf", "f32"), nan, one)[0])
    assert run(binary("arith.maxnumf", "f32"), nan, one)[0] == 1


def test_each_operation_rounds_to_its_width(run: Run):
    (result,) = run(binary("arith.addf", "f16"), np.float16(2048), np.float16(1))
    assert (result.dtype, result) == (np.float16, 2048)


def test_bf16_rounds_to_nearest_even(run: Run):
    # 1 + 2^-8 lies half-way between two bf16 values.
    one, half = np.float32(1), np.float32(2**-8)
    assert run(binary("arith.addf", "bf16"), one, half)[0].shape == ()
    assert run(binary("arith.addf", "bf16"), one, half)[0] == 1
    three_halves = np.float32(3 * 2**-8)
    assert run(binary("arith.addf", "bf16"), one, three_halves)[0] == 1 + 2**-6


def test_casts(run: Run):
    text = """
    func.func @f(%a: i8, %x: f32) -> (i32, i32, f32, f32, i8, index, i1) {
      %0 = arith.extsi %a : i8 to i32
      %1 = arith.extui %a : i8 to i32
      %2 = arith.sitofp %a : i8 to f32
      %3 = arith.uitofp %a : i8 to f32
      %4 = arith.fptosi %x : f32 to i8
      %5 = arith.index_cast %a : i8 to index
      %6 = arith.trunci %a : i8 to i1
      return %0, %1, %2, %3, %4, %5, %6 : i32, i32, f32, f32, i8, index, i1
    }"""
    results = [result.item() for result in run(text, np.int8(-3), np.float32(-7.9))]
    assert results == [-3, 253, -3.0, 253.0, -7, -3, True]


def test_bitcast_keeps_the_bits(run: Run):
    text = """
    func.func @f(%x: f32) -> i32 {
      %0 = arith.bitcast %x : f32 to i32
      return %0 : i32
    }"""
    assert run(text, np.float32(1))[0] == 0x3F800000


def test_extended_product_has_two_words(run: Run):
    text = """
    func.func @f(%a: i8, %b: i8) -> (i8, i8, i8, i8) {
      %0, %1 = arith.mulsi_extended %a, %b : i8
      %2, %3 = arith.mului_extended %a, %b : i8
      return %0, %1, %2, %3 : i8, i8, i8, i8
    }"""
    for a, b in itertools.product(I8, repeat=2):
        low, high, ulow, uhigh = run(text, np.int8(a), np.int8(b))
        assert (low, high) == (wrap(a * b), (a * b) >> 8)
        whole = (a % 256) * (b % 256)
        assert (ulow, uhigh) == (wrap(whole), wrap(whole >> 8))


def test_arithmetic_works_on_whole_tensors(run: Run):
    text = """
    func.func @f(%a: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = math.erf %a : tensor<4xf32>
      %1 = arith.select %c, %0, %a : tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }"""
    a = np.array([-1, 0, 0.5, 2], np.float32)
    erf, selected = run(text, a, False)
    assert np.allclose(erf, [math.erf(x) for x in a], rtol=1e-6)
    assert selected.tolist() == a.tolist()


def test_constants_of_every_kind(run: Run):
    text = """
    func.func @f() -> (i1, i8, index, f64, tensor<2x2xf32>, tensor<3xi1>,
                       tensor<2xbf16>) {
      %0 = arith.constant true
      %1 = arith.constant 200 : i8
      %2 = arith.constant -4 : index
      %3 = arith.constant 1.5 : f64
      %4 = arith.constant dense<[[1., 2.], [3., 4.]]> : tensor<2x2xf32>
      %5 = arith.constant dense<[true, false, true]> : tensor<3xi1>
      %6 = arith.constant dense<0.5> : tensor<2xbf16>
      return %0, %1, %2, %3, %4, %5, %6
        : i1, i8, index, f64, tensor<2x2xf32>, tensor<3xi1>, tensor<2xbf16>
    }"""
    results = [result.tolist() for result in run(text)]
    assert results == [
        True,
        -56,
        -4,
        1.5,
        [[1, 2], [3, 4]],
        [True, False, True],
        [0.5, 0.5],
    ]


def test_an_unknown_operation_is_an_error_at_the_operation(run: Run):
    text = """
    func.func @f(%a: vector<4xi129>) {
      return
    }"""
    with pytest.raises(OperationError, match="no values of type vector<4xi129>"):
        run(text, np.zeros(4, np.int64))
    text = """
    func.func @f(%t: memref<1xi32>, %i: index) {
      memref.dma_wait %t[%i], %i : memref<1xi32>
      return
    }"""
    message = r"does not know 'memref\.dma_wait': leave out --check"
    with pytest.raises(OperationError, match=message) as error:
        run(text, np.zeros(1, np.int32), 0)
    assert error.value.op.name == "memref.dma_wait"


def test_what_a_number_is(run: Run):
    numbers = [1, 0, -0.0, 1e-40, math.inf, -math.inf, math.nan]
    values = np.array(numbers, np.float32)
    names = ("isfinite", "isinf", "isnan", "isnormal")
    ops = "\n".join(f"%{i} = math.{n} %a : tensor<7xf32>" for i, n in enumerate(names))
    types = ", ".join(["tensor<7xi1>"] * 4)
    program = f"""
    func.func @f(%a: tensor<7xf32>) -> ({types}) {{
      {ops}
      return %0, %1, %2, %3 : {types}
    }}"""
    finite, infinite, nan, normal = run(program, values)
    assert finite.tolist() == [True, True, True, True, False, False, False]
    assert infinite.tolist() == [False, False, False, False, True, True, False]
    assert nan.tolist() == [False] * 6 + [True]
    assert normal.tolist() == [True] + [False] * 6


def test_two_functions_at_once_and_one_of_three_numbers(run: Run):
    program = """
    func.func @f(%a: tensor<3xf64>, %low: tensor<3xf64>, %high: tensor<3xf64>)
        -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
      %0, %1 = math.sincos %a : tensor<3xf64>
      %2 = math.clampf %a to [%low, %high] : tensor<3xf64>
      %3 = math.erfc %a : tensor<3xf64>
      return %0, %1, %2, %3 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
    }"""
    a, low, high = np.array([-2.0, 0.5, 3.0]), np.full(3, -1.0), np.full(3, 2.0)
    sine, cosine, clamped, erfc = run(program, a, low, high)
    assert np.allclose(sine, [math.sin(x) for x in a])
    assert np.allclose(cosine, [math.cos(x) for x in a])
    assert clamped.tolist() == [-1.0, 0.5, 2.0]
    assert np.allclose(erfc, [math.erfc(x) for x in a])


@pytest.mark.parametrize("base", [-math.inf, -0.0, 0.0, -2.0, 4.0, math.nan])
@pytest.mark.parametrize("exponent", [0.5, -0.5, 2.0, 3.0, 0.0])
def test_powers_are_those_of_c(run: Run, base: float, exponent: float) -> None:
    """NumPy takes a square root, if one exponent of one half is for all bases."""
    found = run(binary("math.powf", "f64"), base, exponent)[0]
    try:
        expected = math.pow(base, exponent)
    except ValueError:  # Python's own error in the place of infinity, or of no number.
        expected = math.inf if base == 0 else math.nan
    np.testing.assert_equal(abs(found), abs(expected))
    if expected == expected and exponent == 1 / 2:
        assert math.copysign(1, found) == math.copysign(1, expected)
