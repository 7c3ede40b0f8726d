"""Ops on vectors of every type do for each element what they do for numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.support.errors import OperationError

Build = Callable[[str], CompiledModule]
Array = np.ndarray[Any, Any]

SHAPES = ("8", "2x1x4")
STORED: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "bf16": np.uint16,
    "f32": np.float32,
    "f64": np.float64,
}

INTEGERS = [
    "arith.addi %a, %b : {v}",
    "arith.subi %a, %b : {v}",
    "arith.muli %a, %b : {v}",
    "arith.xori %a, %b : {v}",
    "arith.maxsi %a, %b : {v}",
    "arith.minui %a, %b : {v}",
]
WIDE_INTEGERS = [
    "arith.floordivsi %a, %positive : {v}",
    "arith.ceildivui %a, %positive : {v}",
    "arith.remsi %a, %positive : {v}",
    "math.ipowi %a, %positive : {v}",
    "math.ctlz %a : {v}",
    "math.absi %a : {v}",
]
FLOATS = [
    "arith.addf %a, %b : {v}",
    "arith.divf %a, %b : {v}",
    "arith.remf %a, %b : {v}",
    "arith.negf %a : {v}",
    "arith.maximumf %a, %b : {v}",
    "arith.minnumf %a, %b : {v}",
    "math.fma %a, %b, %a : {v}",
    "math.sqrt %a : {v}",
    "math.rsqrt %a : {v}",
    "math.roundeven %a : {v}",
    "math.copysign %a, %b : {v}",
    "math.exp %a : {v}",
    "math.erf %a : {v}",
    "math.atan2 %a, %b : {v}",
    "math.powf %a, %b : {v}",
]
OPS = {
    "i1": INTEGERS,
    "i8": [*INTEGERS, *WIDE_INTEGERS],
    "i64": [*INTEGERS, *WIDE_INTEGERS],
    "index": INTEGERS,
    "f16": FLOATS,
    "bf16": FLOATS,
    "f32": FLOATS,
}


def operands(type: str) -> tuple[Array, Array]:
    """Two arrays of eight operands."""
    if type == "i1":
        return np.array([0, 1] * 4, np.bool_), np.array([0, 0, 1, 1] * 2, np.bool_)
    if type in ("f16", "f32", "f64", "bf16"):
        a = np.array([0, -0.0, 1.5, -2.25, 1e-3, 7, np.inf, np.nan], np.float32)
        b = np.array([1, 2, -3, 0.5, 0.25, -0.0, 1, 2], np.float32)
        if type == "bf16":
            bits = [(x.view(np.uint32) >> 16).astype(np.uint16) for x in (a, b)]
            return bits[0], bits[1]
        return a.astype(STORED[type]), b.astype(STORED[type])
    info = np.iinfo(STORED[type])
    a = np.array([0, 1, -1, 7, -100, info.min, info.max, 3], STORED[type])
    return a, np.array([1, 3, 5, 7, 2, 9, 11, 127], STORED[type])


def positive(op: str, type: str, value: str) -> str:
    """The divisor or power that some ops need."""
    return f"%positive = arith.constant {value} : {type}" if "%positive" in op else ""


def on_vectors(name: str, op: str, type: str, shape: str) -> str:
    """A function that applies an op to vectors."""
    memref, v = f"memref<{shape}x{type}>", f"vector<{shape}x{type}>"
    zeros = ", ".join(["%c0"] * (shape.count("x") + 1))
    return f"""
func.func @{name}(%m: {memref}, %n: {memref}, %o: {memref}) {{
  %c0 = arith.constant 0 : index
  %a = vector.load %m[{zeros}] : {memref}, {v}
  %b = vector.load %n[{zeros}] : {memref}, {v}
  {positive(op, v, "dense<3>")}
  %r = {op.format(v=v)}
  vector.store %r, %o[{zeros}] : {memref}, {v}
  func.return
}}"""


def on_numbers(name: str, op: str, type: str) -> str:
    """A function that applies an op to numbers, one after the other."""
    memref = f"memref<8x{type}>"
    return f"""
func.func @{name}(%m: {memref}, %n: {memref}, %o: {memref}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  {positive(op, type, "3")}
  scf.for %i = %c0 to %c8 step %c1 {{
    %a = memref.load %m[%i] : {memref}
    %b = memref.load %n[%i] : {memref}
    %r = {op.format(v=type)}
    memref.store %r, %o[%i] : {memref}
  }}
  func.return
}}"""


@pytest.mark.parametrize("type", OPS)
def test_arithmetic(build: Build, type: str):
    functions: list[str] = []
    for number, op in enumerate(OPS[type]):
        functions.append(on_numbers(f"n{number}", op, type))
        functions += [
            on_vectors(f"v{number}_{shape}", op, type, shape) for shape in SHAPES
        ]
    program = build("".join(functions))
    a, b = operands(type)
    for number, op in enumerate(OPS[type]):
        expected = np.zeros_like(a)
        program[f"n{number}"](a, b, expected)
        for shape in SHAPES:
            sizes = tuple(map(int, shape.split("x")))
            got = np.zeros(sizes, a.dtype)
            program[f"v{number}_{shape}"](a.reshape(sizes), b.reshape(sizes), got)
            np.testing.assert_array_equal(got.ravel(), expected, f"{op} {shape}")


CONVERSIONS = [
    ("extsi", "i8", "i32"),
    ("extui", "i1", "i16"),
    ("trunci", "i64", "i8"),
    ("index_cast", "i32", "index"),
    ("index_castui", "index", "i16"),
    ("sitofp", "i16", "f32"),
    ("sitofp", "i8", "bf16"),
    ("uitofp", "i8", "f16"),
    ("uitofp", "i64", "f64"),
    ("extf", "bf16", "f32"),
    ("extf", "f16", "f64"),
    ("truncf", "f64", "bf16"),
    ("truncf", "f32", "f16"),
    ("bitcast", "f32", "i32"),
    ("bitcast", "i16", "bf16"),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_conversions(build: Build, shape: str):
    text = ""
    zeros = ", ".join(["%c0"] * (shape.count("x") + 1))
    for number, (op, source, target) in enumerate(CONVERSIONS):
        m, o = (f"memref<{shape}x{type}>" for type in (source, target))
        v, w = (f"vector<{shape}x{type}>" for type in (source, target))
        text += f"""
func.func @v{number}(%m: {m}, %o: {o}) {{
  %c0 = arith.constant 0 : index
  %a = vector.load %m[{zeros}] : {m}, {v}
  %r = arith.{op} %a : {v} to {w}
  vector.store %r, %o[{zeros}] : {o}, {w}
  func.return
}}
func.func @n{number}(%m: memref<8x{source}>, %o: memref<8x{target}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {{
    %a = memref.load %m[%i] : memref<8x{source}>
    %r = arith.{op} %a : {source} to {target}
    memref.store %r, %o[%i] : memref<8x{target}>
  }}
  func.return
}}"""
    program = build(text)
    sizes = tuple(map(int, shape.split("x")))
    for number, (op, source, target) in enumerate(CONVERSIONS):
        a, _ = operands(source)
        expected = np.zeros(8, STORED[target])
        got = np.zeros(sizes, STORED[target])
        program[f"n{number}"](a, expected)
        program[f"v{number}"](a.reshape(sizes), got)
        np.testing.assert_array_equal(got.ravel(), expected, f"{op} {source} {target}")


def test_comparisons_and_choices(build: Build):
    program = build("""
    func.func @f(%m: memref<2x4xbf16>, %n: memref<2x4xi8>, %c: i1, %o: memref<2x4xi1>,
                 %p: memref<2x4xi8>) {
      %c0 = arith.constant 0 : index
      %a = vector.load %m[%c0, %c0] : memref<2x4xbf16>, vector<2x4xbf16>
      %b = vector.load %n[%c0, %c0] : memref<2x4xi8>, vector<2x4xi8>
      %zero = arith.constant dense<0.0> : vector<2x4xbf16>
      %few = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : vector<2x4xi8>
      %0 = arith.cmpf olt, %a, %zero : vector<2x4xbf16>
      %1 = arith.cmpi sgt, %b, %few : vector<2x4xi8>
      %2 = arith.select %c, %0, %1 : vector<2x4xi1>
      %3 = arith.select %2, %b, %few : vector<2x4xi1>, vector<2x4xi8>
      vector.store %2, %o[%c0, %c0] : memref<2x4xi1>, vector<2x4xi1>
      vector.store %3, %p[%c0, %c0] : memref<2x4xi8>, vector<2x4xi8>
      func.return
    }""")
    m = np.array([-1, 1, -2, 2, 0, -0.0, 3, -3], np.float32)
    bits = (m.view(np.uint32) >> 16).astype(np.uint16).reshape(2, 4)
    n = np.array([[2, 2, 2, 5], [5, 5, 9, 9]], np.int8)
    few = np.arange(1, 9, dtype=np.int8).reshape(2, 4)
    for chosen, mask in ((True, (m < 0).reshape(2, 4)), (False, n > few)):
        o, p = np.zeros((2, 4), np.bool_), np.zeros((2, 4), np.int8)
        program["f"](bits, n, chosen, o, p)
        np.testing.assert_array_equal(o, mask)
        np.testing.assert_array_equal(p, np.where(mask, n, few))


def test_vectors_travel_through_loops_branches_and_calls(build: Build):
    program = build("""
    func.func private @next(%v: vector<2x3xf32>) -> vector<2x3xf32> {
      %r = arith.addf %v, %v : vector<2x3xf32>
      func.return %r : vector<2x3xf32>
    }
    func.func @f(%m: memref<2x3xf32>, %n: index, %c: i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = vector.load %m[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
      %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (vector<2x3xf32>) {
        %y = func.call @next(%x) : (vector<2x3xf32>) -> vector<2x3xf32>
        scf.yield %y : vector<2x3xf32>
      }
      cf.cond_br %c, ^bb1(%a : vector<2x3xf32>), ^bb1(%b : vector<2x3xf32>)
    ^bb1(%r: vector<2x3xf32>):
      vector.store %r, %m[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
      func.return
    }""")
    before = np.arange(6, dtype=np.float32).reshape(2, 3)
    for chosen, factor in ((True, 1), (False, 8)):
        m = before.copy()
        program["f"](m, 3, chosen)
        np.testing.assert_array_equal(m, factor * before)


def contraction(type: str, into: str, mask: str = "") -> str:
    """A product of matrices of elements of one type that is summed in another."""
    op = f"""vector.contract {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
        affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
        iterator_types = ["parallel", "parallel", "reduction"]}} %a, %b, %c
      : vector<2x3x{type}>, vector<3x4x{type}> into vector<2x4x{into}>"""
    result = f"vector<2x4x{into}>"
    if mask:
        op = f"vector.mask %mask {{ {op} }} : vector<2x4x3xi1> -> {result}"
    return f"""
func.func @f(%m: memref<2x3x{type}>, %n: memref<3x4x{type}>, %o: memref<2x4x{into}>) {{
  %c0 = arith.constant 0 : index
  %a = vector.load %m[%c0, %c0] : memref<2x3x{type}>, vector<2x3x{type}>
  %b = vector.load %n[%c0, %c0] : memref<3x4x{type}>, vector<3x4x{type}>
  %c = vector.load %o[%c0, %c0] : memref<2x4x{into}>, {result}
  {mask}
  %r = {op}
  vector.store %r, %o[%c0, %c0] : memref<2x4x{into}>, {result}
  func.return
}}"""


@pytest.mark.parametrize(
    ("type", "into"), [("i8", "i32"), ("f16", "f32"), ("bf16", "f32"), ("f32", "f64")]
)
def test_a_contraction_is_summed_in_a_larger_type(build: Build, type: str, into: str):
    a = np.array([[100, -7, 3], [1.5, 2, -128]])
    b = np.array([[100, 1, -1, 4], [-5, 6, 7, -8], [9, -9, 120, 2]])
    o = np.arange(8).reshape(2, 4).astype(STORED[into])
    if type == "i8":
        a = np.trunc(a)
    m, n = (
        (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        if type == "bf16"
        else x.astype(STORED[type])
        for x in (a, b)
    )
    expected = o + a @ b
    build(contraction(type, into))["f"](m, n, o)
    np.testing.assert_array_equal(o, expected)
    mask = "%mask = vector.constant_mask [2, 3, 2] : vector<2x4x3xi1>"
    build(contraction(type, into, mask))["f"](m, n, o)
    expected[:, :3] += (a[:, :2] @ b[:2])[:, :3]
    np.testing.assert_array_equal(o, expected)


@pytest.mark.parametrize(
    ("type", "into"), [("f32", "f16"), ("i8", "f32"), ("bf16", "f16"), ("i8", "index")]
)
def test_a_contraction_into_another_kind_of_number_is_refused(
    build: Build, type: str, into: str
):
    with pytest.raises(OperationError, match=f"of {type} into {into} cannot be low"):
        build(contraction(type, into))


@pytest.mark.parametrize(
    ("mask", "map_"),
    [
        ("vector<4x4xi1>", "(d0, d1) -> (d1, d0)"),
        ("vector<4xi1>", "(d0, d1) -> (d1, 0)"),
    ],
    ids=["columns", "copies"],
)
def test_what_a_mask_leaves_has_a_place_in_it_or_is_refused(
    build: Build, mask: str, map_: str
):
    result = "vector<4x4xf32>"
    text = f"""
func.func private @f(%m: memref<4x4xf32>, %k: {mask}, %p: {result}, %x: f32, %i: index)
    -> {result} {{
  %r = vector.mask %k, %p {{
    vector.transfer_read %m[%i, %i], %x
      {{permutation_map = affine_map<{map_}>, in_bounds = [true, true]}}
      : memref<4x4xf32>, {result}
  }} : {mask} -> {result}
  return %r : {result}
}}"""
    with pytest.raises(OperationError, match="'passthru' is not supported where"):
        build(text)
