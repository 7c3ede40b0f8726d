"""Every arith op, executed on edge values and compared with NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness.cases.case import DTYPES

from xdsl_bufferization.runtime.engine import CompiledModule

Array = np.ndarray[Any, Any]
Build = Callable[[str], CompiledModule]

UNSIGNED = {"i8": "u1", "i16": "u2", "i32": "u4", "i64": "u8", "index": "u8"}


def elementwise(op: str, operands: list[str], result: str) -> str:
    """A function that applies `op`, written on %x0, %x1, ..., to arrays."""
    names = [f"%x{number}" for number in range(len(operands))]
    parameters = ", ".join(
        f"%a{number}: memref<?x{type}>" for number, type in enumerate(operands)
    )
    loads = "\n".join(
        f"{name} = memref.load %a{number}[%i] : memref<?x{type}>"
        for number, (name, type) in enumerate(zip(names, operands, strict=True))
    )
    return f"""
    func.func @f({parameters}, %out: memref<?x{result}>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %out, %c0 : memref<?x{result}>
      scf.for %i = %c0 to %n step %c1 {{
        {loads}
        %r = {op}
        memref.store %r, %out[%i] : memref<?x{result}>
      }}
      func.return
    }}"""


def apply(
    build: Build, op: str, operands: list[str], result: str, *arrays: Array
) -> Array:
    out = np.zeros(arrays[0].shape, DTYPES[result])
    build(elementwise(op, operands, result))["f"](*arrays, out)
    return out


def edge_integers(type: str) -> Array:
    info = np.iinfo(DTYPES[type])
    values = [0, 1, 2, 3, 5, 7, -1, -2, -3, -7, info.min, info.min + 1, info.max]
    return np.array(values, DTYPES[type])


def pairs(values: Array) -> tuple[Array, Array]:
    return np.repeat(values, len(values)), np.tile(values, len(values))


def unsigned(values: Array, type: str) -> Array:
    return values.view(UNSIGNED[type])


def exact(values: Array) -> Array:
    """The values as Python's unbounded integers."""
    return values.astype(object)


def wrap(values: Array, type: str) -> Array:
    """Unbounded integers reduced to the width of `type`."""
    bits = 64 if type == "index" else int(type[1:])
    reduced = [
        (int(v) + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)) for v in values
    ]
    return np.array(reduced, DTYPES[type])


def trunc_div(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


INTEGER_OPS: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": max,
    "minsi": min,
}
DIVISIONS: dict[str, Callable[[int, int], int]] = {
    "divsi": trunc_div,
    "remsi": lambda a, b: a - b * trunc_div(a, b),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
}
UNSIGNED_OPS: dict[str, Callable[[int, int], int]] = {
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": lambda a, b: -(-a // b),
    "maxui": max,
    "minui": min,
}


@pytest.mark.parametrize("type", ["i8", "i32", "i64", "index"])
@pytest.mark.parametrize("op", INTEGER_OPS)
def test_integer_op(build: Build, op: str, type: str):
    a, b = pairs(edge_integers(type))
    got = apply(build, f"arith.{op} %x0, %x1 : {type}", [type, type], type, a, b)
    expected = [INTEGER_OPS[op](x, y) for x, y in zip(exact(a), exact(b), strict=True)]
    np.testing.assert_array_equal(got, wrap(np.array(expected, object), type))


@pytest.mark.parametrize("type", ["i8", "i32", "index"])
@pytest.mark.parametrize("op", DIVISIONS)
def test_signed_division(build: Build, op: str, type: str):
    a, b = pairs(edge_integers(type))
    defined = (b != 0) & ~((a == np.iinfo(a.dtype).min) & (b == -1))
    a, b = a[defined], b[defined]
    got = apply(build, f"arith.{op} %x0, %x1 : {type}", [type, type], type, a, b)
    expected = [DIVISIONS[op](x, y) for x, y in zip(exact(a), exact(b), strict=True)]
    np.testing.assert_array_equal(got, wrap(np.array(expected, object), type))


@pytest.mark.parametrize("type", ["i8", "i64"])
@pytest.mark.parametrize("op", UNSIGNED_OPS)
def test_unsigned_op(build: Build, op: str, type: str):
    a, b = pairs(edge_integers(type))
    a, b = a[b != 0], b[b != 0]
    got = apply(build, f"arith.{op} %x0, %x1 : {type}", [type, type], type, a, b)
    operands = zip(exact(unsigned(a, type)), exact(unsigned(b, type)), strict=True)
    expected = [UNSIGNED_OPS[op](x, y) for x, y in operands]
    np.testing.assert_array_equal(got, wrap(np.array(expected, object), type))


@pytest.mark.parametrize("op", ["divsi", "divui", "shrsi", "shrui"])
def test_exact_op(build: Build, op: str):
    a, b = np.array([12, -12, 64, 0], "i1"), np.array([2, 2, 4, 7], "i1")
    got = apply(build, f"arith.{op} %x0, %x1 exact : i8", ["i8", "i8"], "i8", a, b)
    source = a if op.endswith("si") else a.view("u1")
    expected = source >> b if op.startswith("shr") else source // b
    np.testing.assert_array_equal(got, expected.astype("i1"))


@pytest.mark.parametrize("type", ["i8", "i32", "i64"])
@pytest.mark.parametrize("op", ["shli", "shrsi", "shrui"])
def test_shift(build: Build, op: str, type: str):
    bits = int(type[1:])
    values = edge_integers(type)
    amounts = np.array([0, 1, bits // 2, bits - 1], values.dtype)
    a, b = np.repeat(values, len(amounts)), np.tile(amounts, len(values))
    got = apply(build, f"arith.{op} %x0, %x1 : {type}", [type, type], type, a, b)
    source = exact(unsigned(a, type) if op == "shrui" else a)
    steps = zip(source, exact(b), strict=True)
    expected = [x << y if op == "shli" else x >> y for x, y in steps]
    np.testing.assert_array_equal(got, wrap(np.array(expected, object), type))


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


@pytest.mark.parametrize("type", ["i8", "index"])
@pytest.mark.parametrize(
    "predicate", ["eq", "ne", *(s + p for s in "su" for p in ("lt", "le", "gt", "ge"))]
)
def test_cmpi(build: Build, predicate: str, type: str):
    a, b = pairs(edge_integers(type))
    op = f"arith.cmpi {predicate}, %x0, %x1 : {type}"
    got = apply(build, op, [type, type], "i1", a, b)
    if predicate[0] == "u":
        a, b = unsigned(a, type), unsigned(b, type)
    expected = COMPARISONS[predicate[-2:]](a, b)
    np.testing.assert_array_equal(got, expected)


def edge_floats(type: str) -> Array:
    info = np.finfo(DTYPES[type])
    values = [0.0, -0.0, 1.0, -1.5, 3.25, np.inf, -np.inf, np.nan]
    limits = [info.max, info.min, info.tiny, info.smallest_subnormal]
    return np.array([*values, *limits], DTYPES[type])


def assert_same_numbers(got: Array, expected: Array):
    """Equal, with the sign of zero; every NaN is the same."""
    np.testing.assert_array_equal(got, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(
        np.signbit(got)[numbers], np.signbit(expected)[numbers]
    )


FLOAT_OPS: dict[str, Callable[[Any, Any], Any]] = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
}


@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
@pytest.mark.parametrize("op", FLOAT_OPS)
def test_float_op(build: Build, op: str, type: str):
    a, b = pairs(edge_floats(type))
    got = apply(build, f"arith.{op} %x0, %x1 : {type}", [type, type], type, a, b)
    with np.errstate(all="ignore"):
        assert_same_numbers(got, FLOAT_OPS[op](a, b))


def ieee_maximum(a: float, b: float) -> float:
    if np.isnan(a) or np.isnan(b):
        return np.nan
    if a == b:
        return a if np.signbit(b) else b
    return max(a, b)


@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
def test_maximumf_and_minimumf_propagate_nan_and_order_zeros(build: Build, type: str):
    a, b = pairs(edge_floats(type))
    for op, sign in (("maximumf", 1), ("minimumf", -1)):
        got = apply(build, f"arith.{op} %x0, %x1 : {type}", [type, type], type, a, b)
        expected = [
            sign * ieee_maximum(sign * x, sign * y) for x, y in zip(a, b, strict=True)
        ]
        assert_same_numbers(got, np.array(expected, a.dtype))


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_maxnumf_and_minnumf_prefer_numbers(build: Build, type: str):
    a, b = pairs(edge_floats(type))
    for op, reference in (("maxnumf", np.fmax), ("minnumf", np.fmin)):
        got = apply(build, f"arith.{op} %x0, %x1 : {type}", [type, type], type, a, b)
        np.testing.assert_array_equal(got, reference(a, b))


@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
def test_negf(build: Build, type: str):
    a = edge_floats(type)
    got = apply(build, f"arith.negf %x0 : {type}", [type], type, a)
    assert_same_numbers(got, -a)


@pytest.mark.parametrize("ordered", ["o", "u"])
@pytest.mark.parametrize("predicate", COMPARISONS)
def test_cmpf(build: Build, predicate: str, ordered: str):
    a, b = pairs(edge_floats("f32"))
    op = f"arith.cmpf {ordered}{predicate}, %x0, %x1 : f32"
    got = apply(build, op, ["f32", "f32"], "i1", a, b)
    unordered = np.isnan(a) | np.isnan(b)
    expected = np.where(unordered, ordered == "u", COMPARISONS[predicate](a, b))
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("predicate", ["ord", "uno", "true", "false"])
def test_cmpf_without_order(build: Build, predicate: str):
    a, b = pairs(edge_floats("f64"))
    op = f"arith.cmpf {predicate}, %x0, %x1 : f64"
    got = apply(build, op, ["f64", "f64"], "i1", a, b)
    unordered = np.isnan(a) | np.isnan(b)
    expected = {
        "ord": ~unordered,
        "uno": unordered,
        "true": np.ones_like(unordered),
        "false": np.zeros_like(unordered),
    }
    np.testing.assert_array_equal(got, expected[predicate])


@pytest.mark.parametrize(
    ("op", "source", "target"),
    [
        ("extsi", "i8", "i32"),
        ("extsi", "i1", "i8"),
        ("trunci", "i64", "i8"),
        ("index_cast", "i32", "index"),
        ("index_cast", "index", "i8"),
        ("index_cast", "i64", "index"),
        ("sitofp", "i32", "f32"),
        ("sitofp", "i64", "f64"),
        ("sitofp", "i8", "f16"),
    ],
)
def test_signed_conversion(build: Build, op: str, source: str, target: str):
    a = np.array([False, True]) if source == "i1" else edge_integers(source)
    got = apply(build, f"arith.{op} %x0 : {source} to {target}", [source], target, a)
    value = -a.astype(np.int8) if source == "i1" else a
    np.testing.assert_array_equal(got, value.astype(DTYPES[target]))


@pytest.mark.parametrize(
    ("op", "source", "target"),
    [
        ("extui", "i8", "i32"),
        ("extui", "i32", "i64"),
        ("uitofp", "i8", "f32"),
        ("uitofp", "i16", "f32"),
        ("uitofp", "i32", "f32"),
        ("uitofp", "i64", "f32"),
        ("uitofp", "i64", "f64"),
    ],
)
def test_unsigned_conversion(build: Build, op: str, source: str, target: str):
    a = edge_integers(source)
    if source == "i64":  # halfway cases, which round once or go wrong
        tricky = np.array([2**63 + 1, 2**63 + 2**39 + 1, 2**64 - 2**39 - 1], np.uint64)
        a = np.concatenate([a, tricky.view(np.int64)])
    got = apply(build, f"arith.{op} %x0 : {source} to {target}", [source], target, a)
    np.testing.assert_array_equal(got, unsigned(a, source).astype(DTYPES[target]))


@pytest.mark.parametrize(
    ("op", "source", "target"),
    [("extf", "f16", "f32"), ("extf", "f32", "f64"), ("truncf", "f64", "f32")],
)
def test_float_conversion(build: Build, op: str, source: str, target: str):
    a = edge_floats(source)
    got = apply(build, f"arith.{op} %x0 : {source} to {target}", [source], target, a)
    with np.errstate(over="ignore", under="ignore"):
        assert_same_numbers(got, a.astype(DTYPES[target]))


@pytest.mark.parametrize("source", ["f32", "f64"])
@pytest.mark.parametrize("target", ["i8", "i32", "i64"])
def test_float_to_integer_rounds_towards_zero(build: Build, source: str, target: str):
    a = np.array([0.0, -0.0, 0.99, -0.99, 1.5, -1.5, 100.0, -128.0], DTYPES[source])
    got = apply(build, f"arith.fptosi %x0 : {source} to {target}", [source], target, a)
    np.testing.assert_array_equal(got, a.astype(DTYPES[target]))
    b = np.array([0.0, 0.99, 1.5, 200.0, 255.0], DTYPES[source])
    got = apply(build, f"arith.fptoui %x0 : {source} to {target}", [source], target, b)
    np.testing.assert_array_equal(unsigned(got, target), b.astype(UNSIGNED[target]))


def test_float_to_integer_saturates_where_arith_defines_nothing(build: Build):
    a = np.array([1e10, -1e10, np.nan, np.inf], np.float32)
    got = apply(build, "arith.fptosi %x0 : f32 to i32", ["f32"], "i32", a)
    limits = np.iinfo(np.int32)
    np.testing.assert_array_equal(got, [limits.max, limits.min, 0, limits.max])


@pytest.mark.parametrize(
    ("source", "target"), [("f32", "i32"), ("i64", "f64"), ("i16", "f16")]
)
def test_bitcast(build: Build, source: str, target: str):
    a = edge_floats(source) if source[0] == "f" else edge_integers(source)
    op = f"arith.bitcast %x0 : {source} to {target}"
    got = apply(build, op, [source], target, a)
    assert got.tobytes() == a.tobytes()


@pytest.mark.parametrize("type", ["i32", "f64"])
def test_select(build: Build, type: str):
    condition = np.array([True, False, True])
    a, b = (np.arange(3, dtype=DTYPES[type]) + k for k in (0, 10))
    op = f"arith.select %x0, %x1, %x2 : {type}"
    got = apply(build, op, ["i1", type, type], type, condition, a, b)
    np.testing.assert_array_equal(got, np.where(condition, a, b))


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        ("f32", "0x7FC00000", np.nan),
        ("f32", "0x7F800000", np.inf),
        ("f32", "-0.0", -0.0),
        ("f32", "0.1", np.float32(0.1)),
        ("f64", "0.1", 0.1),
        ("f16", "6.5504e+04", 65504.0),
        ("f16", "-1.5", -1.5),
        ("i8", "-128", -128),
        ("i64", "-9223372036854775808", -(2**63)),
        ("i1", "true", True),
        ("i1", "false", False),
        ("index", "-1", -1),
    ],
)
def test_constant(build: Build, type: str, text: str, value: Any):
    typed = f"arith.constant {text}" + ("" if type == "i1" else f" : {type}")
    got = apply(build, typed, [type], type, np.zeros(1, DTYPES[type]))
    if type[0] == "f":
        assert_same_numbers(got, np.array([value], DTYPES[type]))
    else:
        assert got[0] == value


def test_extended_results(build: Build):
    program = build("""
    func.func @f(%a: i32, %b: i32) -> (i32, i1, i32, i32, i32, i32) {
      %s, %o = arith.addui_extended %a, %b : i32, i1
      %ul, %uh = arith.mului_extended %a, %b : i32
      %sl, %sh = arith.mulsi_extended %a, %b : i32
      func.return %s, %o, %ul, %uh, %sl, %sh : i32, i1, i32, i32, i32, i32
    }""")
    total, overflow, u_low, u_high, s_low, s_high = map(int, program["f"](-2, 3))
    assert (total, overflow) == (1, 1)
    product = (2**32 - 2) * 3
    assert u_low % 2**32 == product % 2**32
    assert u_high % 2**32 == product >> 32
    assert (s_low, s_high) == (-6, -1)


def test_extended_products_of_vectors(build: Build):
    """In twice 64 bits, of which xDSL has no constants for vectors."""
    program = build("""
    func.func @f(%m: memref<3xi64>, %signed: memref<3xi64>, %unsigned: memref<3xi64>) {
      %c0 = arith.constant 0 : index
      %a = vector.load %m[%c0] : memref<3xi64>, vector<3xi64>
      %sl, %sh = arith.mulsi_extended %a, %a : vector<3xi64>
      %ul, %uh = arith.mului_extended %a, %a : vector<3xi64>
      vector.store %sh, %signed[%c0] : memref<3xi64>, vector<3xi64>
      vector.store %uh, %unsigned[%c0] : memref<3xi64>, vector<3xi64>
      func.return
    }""")
    numbers = np.array([3, -5, 2**63 - 1])
    signed, unsigned = np.zeros_like(numbers), np.zeros_like(numbers)
    program["f"](numbers, signed, unsigned)
    assert signed.tolist() == [0, 0, 2**62 - 1]
    assert unsigned.tolist() == [0, -10, 2**62 - 1]


@pytest.mark.parametrize("type", ["vector<2xi128>", "vector<2xi65>"])
def test_wide_elements(build: Build, type: str):
    program = build(f"""
    func.func @f(%m: memref<2xi64>) {{
      %c0 = arith.constant 0 : index
      %a = vector.load %m[%c0] : memref<2xi64>, vector<2xi64>
      %wide = arith.extsi %a : vector<2xi64> to {type}
      %r = arith.floordivsi %wide, %wide : {type}
      %s = arith.ceildivsi %r, %wide : {type}
      %t = arith.trunci %s : {type} to vector<2xi64>
      vector.store %t, %m[%c0] : memref<2xi64>, vector<2xi64>
      func.return
    }}""")
    numbers = np.array([7, -5])
    program["f"](numbers)
    assert numbers.tolist() == [1, 0]


def test_select_of_buffers_of_any_rank(build: Build):
    program = build("""
    func.func @f(%p: i1, %a: memref<2xf32>, %b: memref<2x3xf32>, %n: memref<1xindex>) {
      %c0 = arith.constant 0 : index
      %u = memref.cast %a : memref<2xf32> to memref<*xf32>
      %v = memref.cast %b : memref<2x3xf32> to memref<*xf32>
      %w = arith.select %p, %u, %v : memref<*xf32>
      %rank = memref.rank %w : memref<*xf32>
      %size = memref.dim %w, %c0 : memref<*xf32>
      %r = arith.addi %rank, %size : index
      memref.store %r, %n[%c0] : memref<1xindex>
      func.return
    }""")
    found = np.zeros(1, np.int64)
    for condition, expected in ((True, 3), (False, 4)):
        arrays = np.zeros(2, np.float32), np.zeros((2, 3), np.float32)
        program["f"](condition, *arrays, found)
        assert found[0] == expected
