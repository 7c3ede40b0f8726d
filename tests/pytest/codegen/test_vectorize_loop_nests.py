"""Loops over vectors against the loops over elements that they replace."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import jit
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.allow_reordered_sums import (
    allow_reordered_sums,
)
from xdsl_bufferization.codegen.vectorize_loop_nests import (
    vectorize_loop_nests,
)
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.linalg_to_loops import LinalgToLoopsPass

Parse = Callable[[str], ModuleOp]
Array = np.ndarray[Any, np.dtype[Any]]

SIZES = (1, 2, 3, 5, 8, 16, 17, 33, 64, 100)
FLOATS = ("addf", "subf", "mulf", "maximumf", "minimumf", "divf")
INTEGERS = ("addi", "subi", "muli", "maxsi", "andi", "xori")
NUMPY_INTEGERS: dict[str, Any] = {
    "addi": np.add,
    "muli": np.multiply,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
    "minui": np.minimum,
    "maxui": np.maximum,
}
NUMPY = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i8": np.int8}


@dataclass
class Sample:
    """A random op on buffers, as text, with its arrays; the last one is written."""

    text: str
    arrays: list[Array]
    is_rounded_sum: bool


def sample(rng: np.random.Generator) -> Sample:
    """Operands that are whole, that lack loops, and that have a part of their rows."""
    rank = int(rng.integers(1, 4))
    sizes = [int(rng.choice(SIZES)) for _ in range(rank)]
    type_ = str(rng.choice(list(NUMPY)))
    reduced = {loop for loop in range(rank) if rng.random() < 0.25}
    operands = [_operand(rng, sizes, type_, set()) for _ in range(2)]
    operands.append(
        _operand(rng, sizes, type_, {d for d in range(rank) if rng.random() < 0.5})
    )
    operands.append(_operand(rng, sizes, type_, reduced))
    names = [f"%m{number}" for number in range(len(operands))]
    maps = ", ".join(map_ for _, map_, _ in operands)
    kinds = ", ".join(
        '"reduction"' if loop in reduced else '"parallel"' for loop in range(rank)
    )
    arguments = ", ".join(
        f"{name}: {kind}" for name, (kind, _, _) in zip(names, operands, strict=True)
    )
    inputs = ", ".join(kind for kind, _, _ in operands[:-1])
    body = _body(rng, type_, bool(reduced))
    text = f"""
    func.func @f({arguments}) {{
      linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
          ins({", ".join(names[:-1])} : {inputs})
          outs({names[-1]} : {operands[-1][0]}) {{
      ^bb0(%a: {type_}, %b: {type_}, %c: {type_}, %o: {type_}):
{body}
      }}
      return
    }}"""
    arrays = [array for _, _, array in operands]
    return Sample(text, arrays, bool(reduced) and type_.startswith("f"))


def _operand(
    rng: np.random.Generator, sizes: list[int], type_: str, dropped: set[int]
) -> tuple[str, str, Array]:
    """The type, the map, and an array; a loop that is dropped is left out, or 0."""
    places: list[str] = []
    shape: list[int] = []
    for loop, size in enumerate(sizes):
        if loop not in dropped:
            places.append(f"d{loop}")
            shape.append(size)
        elif rng.random() < 0.5:
            places.append("0")
            shape.append(1)
    loops = ", ".join(f"d{loop}" for loop in range(len(sizes)))
    map_ = f"affine_map<({loops}) -> ({', '.join(places)})>"
    is_dynamic = rng.random() < 0.3
    written = [
        "?" if is_dynamic and size > 1 and rng.random() < 0.6 else str(size)
        for size in shape
    ]
    kind = f"memref<{'x'.join([*written, type_])}>"
    numbers = rng.standard_normal(shape) * (1 if type_.startswith("f") else 50)
    return kind, map_, np.asarray(numbers.astype(NUMPY[type_]))


def _body(rng: np.random.Generator, type_: str, is_reduction: bool) -> str:
    """A chain of ops; a reduction ends with one that combines."""
    ops = FLOATS if type_.startswith("f") else INTEGERS
    combiners = ("addf", "maximumf") if type_.startswith("f") else ("addi", "andi")
    values = ["%a", "%b", "%c", *([] if is_reduction else ["%o"])]
    lines: list[str] = []
    for number in range(int(rng.integers(1, 4))):
        left, right = rng.choice(values, 2)
        name = f"%v{number}"
        lines.append(f"{name} = arith.{rng.choice(ops)} {left}, {right} : {type_}")
        values.append(name)
    last = values[-1]
    if is_reduction:
        lines.append(f"%r = arith.{rng.choice(combiners)} {last}, %o : {type_}")
        last = "%r"
    return "\n".join([*lines, f"linalg.yield {last} : {type_}"])


def check(parse: Parse, sample: Sample) -> bool:
    """Run both loops; returns whether vectors were used."""
    module = parse(sample.text)
    elements = parse(sample.text)
    LinalgToLoopsPass().apply(get_context(), elements)
    expected = [array.copy() for array in sample.arrays]
    results = [array.copy() for array in sample.arrays]
    allow_reordered_sums(module)
    compiled = compile_module(module)
    with np.errstate(all="ignore"):
        compile_module(elements)["f"](*expected)
        compiled["f"](*results)
    for result, exact in zip(results, expected, strict=True):
        if sample.is_rounded_sum:
            size = np.abs(exact[np.isfinite(exact)]).max(initial=1)
            np.testing.assert_allclose(result, exact, rtol=1e-3, atol=1e-3 * size)
        else:
            np.testing.assert_array_equal(result, exact)
    vectorize_loop_nests(module)
    return "vector<" in str(module)


def test_partial_sums_are_combined_pairwise(parse: Parse):
    """The order of a sum is that of the documentation, to the last bit."""
    module = parse("""
    func.func @f(%x: memref<200xf32>, %s: memref<f32>) {
      linalg.reduce { arith.addf } ins(%x : memref<200xf32>) outs(%s : memref<f32>)
        dimensions = [0]
      return
    }""")
    allow_reordered_sums(module)
    rng = np.random.default_rng(4)
    x = (rng.standard_normal(200) * 10.0 ** rng.integers(-3, 3, 200)).astype(np.float32)
    partial = x[:64] + x[64:128] + x[128:192]
    partial[:8] += x[192:]
    while partial.size > 1:
        partial = partial[: partial.size // 2] + partial[partial.size // 2 :]
    total = np.zeros((), np.float32)
    compile_module(module)["f"](x, total)
    assert total == partial[0]


def test_without_permission_sums_stay_in_order(parse: Parse):
    module = parse("""
    func.func @f(%x: memref<200xf32>, %s: memref<f32>) {
      linalg.reduce { arith.addf } ins(%x : memref<200xf32>) outs(%s : memref<f32>)
        dimensions = [0]
      return
    }""")
    before = str(module)
    vectorize_loop_nests(module)
    assert str(module) == before


@pytest.mark.parametrize("terms", [7, 8, 16, 19])
def test_loops_around_rows_that_are_added_at_once(parse: Parse, terms: int):
    """A product has loops over rows, terms and columns. No row is left out."""
    module = parse(f"""
    func.func @f(%a: memref<16x{terms}xf32>, %b: memref<{terms}x24xf32>,
                 %c: memref<16x24xf32>) {{
      linalg.matmul ins(%a, %b : memref<16x{terms}xf32>, memref<{terms}x24xf32>)
                    outs(%c : memref<16x24xf32>)
      return
    }}""")
    rng = np.random.default_rng(terms)
    a, b, c = (
        rng.standard_normal(shape).astype(np.float32)
        for shape in ((16, terms), (terms, 24), (16, 24))
    )
    expected = c.copy()
    for k in range(terms):
        expected += a[:, k : k + 1] * b[k : k + 1, :]
    compile_module(module)["f"](a, b, c)
    np.testing.assert_array_equal(c, expected)


def test_the_loop_around_may_be_read_backwards(parse: Parse):
    """17 terms are a loop over eight at once, and another one."""
    module = parse("""
    func.func @f(%x: memref<17x17xf64>, %s: memref<289xf64>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, -d0 + 16)>,
          affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
          ins(%x : memref<17x17xf64>) outs(%s : memref<289xf64>) {
      ^bb0(%a: f64, %o: f64):
        %r = arith.maximumf %o, %a : f64
        linalg.yield %r : f64
      }
      return
    }""")
    x, s = np.arange(289.0).reshape(17, 17), np.arange(289.0)
    vectorize_loop_nests(module)
    verify_as_mlir(module)
    compile_module(module)["f"](x, s)
    np.testing.assert_array_equal(s, np.maximum(272, np.arange(289.0)))


@pytest.mark.parametrize(
    "name", ["addi", "muli", "andi", "ori", "xori", "minui", "maxui"]
)
def test_sums_of_indices(name: str):
    """An index is 64 bits, of which no number is left out."""
    text = f"""
    func.func @f(%x: tensor<3x17xindex>, %s: tensor<3xindex>) -> tensor<3xindex> {{
      %r = linalg.reduce {{ arith.{name} }} ins(%x : tensor<3x17xindex>)
        outs(%s : tensor<3xindex>) dimensions = [1]
      return %r : tensor<3xindex>
    }}"""
    rng = np.random.default_rng(2)
    x, s = (rng.integers(-(2**40), 2**40, shape) for shape in ((3, 17), (3,)))
    combine = NUMPY_INTEGERS[name]
    expected = s.view(np.uint64)
    for column in x.view(np.uint64).T:
        expected = combine(expected, column)
    for optimize in (True, False):
        result: Any = jit(text, optimize=optimize)(x, s)
        np.testing.assert_array_equal(result, expected.view(np.int64))


def test_random_nests(parse: Parse):
    rng = np.random.default_rng(31)
    used = [check(parse, sample(rng)) for _ in range(40)]
    assert used.count(True) > 10


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize(
    ("kind", "where", "size"), [("parallel", "d0", 16), ("reduction", "0", 1)]
)
def test_a_row_that_is_one_element_in_memory_is_no_vector(
    optimize: bool, kind: str, where: str, size: int
):
    row = "memref<16xf32, strided<[0]>>"
    text = f"""
    func.func @f(%x: memref<16xf32>, %y: memref<{size}xf32>) {{
      %row = memref.reinterpret_cast %x to offset: [0], sizes: [16], strides: [0]
        : memref<16xf32> to {row}
      linalg.generic {{
          indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ({where})>],
          iterator_types = ["{kind}"]}}
          ins(%row : {row}) outs(%y : memref<{size}xf32>) {{
      ^bb0(%a: f32, %b: f32):
        %sum = arith.addf %a, %b : f32
        linalg.yield %sum : f32
      }}
      return
    }}
    """
    x = np.arange(3, 19, dtype=np.float32)
    y = np.ones(size, np.float32)
    jit(text, optimize=optimize)(x, y)
    np.testing.assert_array_equal(y, np.full(size, 4 if size > 1 else 49, np.float32))


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("width", [65, 100, 128])
@pytest.mark.parametrize(
    "row",
    [
        "linalg.fill ins(%c : iW) outs(%empty : tensor<9xiW>) -> tensor<9xiW>",
        "tensor.splat %c : tensor<9xiW>",
        "tensor.from_elements %c, %c, %c, %c, %c, %c, %c, %c, %c : tensor<9xiW>",
    ],
)
def test_numbers_of_which_there_are_no_dense_constants(
    width: int, row: str, optimize: bool
):
    """xDSL has constants of many elements up to 64 bits."""
    text = f"""
    func.func @f(%t: tensor<9xi64>) -> tensor<9xi64> {{
      %c = arith.constant -3 : iW
      %empty = tensor.empty() : tensor<9xiW>
      %row = {row}
      %out = tensor.empty() : tensor<9xi64>
      %r = linalg.map ins(%t, %row : tensor<9xi64>, tensor<9xiW>)
        outs(%out : tensor<9xi64>) (%x: i64, %y: iW, %o: i64) {{
          %shift = arith.constant 10 : iW
          %wide = arith.extsi %x : i64 to iW
          %high = arith.shli %wide, %shift : iW
          %product = arith.muli %high, %y : iW
          %low = arith.shrsi %product, %shift : iW
          %n = arith.trunci %low : iW to i64
          linalg.yield %n : i64
        }}
      return %r : tensor<9xi64>
    }}""".replace("iW", f"i{width}")
    numbers = np.arange(-4, 5) * 2**50
    result: Any = jit(text, optimize=optimize)(numbers)
    assert result.tolist() == (numbers * -3).tolist()
