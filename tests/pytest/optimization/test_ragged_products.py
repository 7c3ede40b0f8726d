"""Products of any sizes: every one is a kernel, and computes what NumPy does."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.optimization.packing.block_factors import (
    LANES,
    block_of,
    columns_in_place,
    columns_of_block,
    rows_in_place,
    rows_of_block,
)
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass

Parse = Callable[[str], ModuleOp]
Array = NDArray[Any]

_PRODUCT = """
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.mulf %p, %q : f32
      %u = arith.addf %o, %s : f32
      linalg.yield %u : f32
    }"""


def random(*shape: int) -> Array:
    rng = np.random.default_rng(len(shape) + sum(shape))
    return rng.standard_normal(shape).astype(np.float32)


def lowered(parse: Parse, text: str) -> ModuleOp:
    """The program as calls of kernels; nothing of it may be left for loops."""
    module = parse(text)
    passes = DefaultTppPassesPass(modify_public_functions=False, explain=False)
    passes.apply(get_context(), module)
    left = {op.name for op in module.walk() if op.dialect_name() == "linalg"}
    assert not left
    return module


def check(
    parse: Parse,
    text: str,
    arguments: Sequence[Array],
    factors: tuple[Array, Array],
    expected: Array | None = None,
) -> None:
    """Run a product, and compare it within the bound of its sums."""
    result = np.array(compile_module(lowered(parse, text))["f"](*arguments))
    left, right = (factor.astype(np.float64) for factor in factors)
    bound = np.abs(left) @ np.abs(right) * (left.shape[-1] + 2) * 2.0**-23 + 1e-6
    wanted = left @ right if expected is None else expected
    assert (np.abs(result - wanted) <= bound).all()


def constant(array: Array) -> str:
    return f'dense<"0x{array.tobytes().hex().upper()}">'


def tensor(array: Array) -> str:
    return f"tensor<{'x'.join(map(str, array.shape))}xf32>"


SIZES = [
    (1, 33, 17),
    (2, 300, 5),
    (3, 5, 2),
    (5, 1, 31),
    (17, 144, 3),
    (31, 529, 64),  # One block does not do, and none divides: a last one of 17 columns.
    (65, 130, 4),
    (257, 33, 3),
    (523, 3, 2),  # Rows without a divisor.
    (130, 4, 65),  # Few columns.
    (3, 700, 40),  # An argument is read row by row,
    (530, 300, 70),  # and packed block by block.
]


@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize("is_constant", [False, True])
@pytest.mark.parametrize(("m", "n", "k"), SIZES)
def test_a_product_of_any_size_is_kernels(
    parse: Parse, m: int, n: int, k: int, is_constant: bool, is_transposed: bool
):
    x, w = random(m, k), random(k, n)
    weights = np.ascontiguousarray(w.T) if is_transposed else w
    index = "(n, k)" if is_transposed else "(k, n)"
    argument = "" if is_constant else f", %w: {tensor(weights)}"
    define = f"%w = arith.constant {constant(weights)} : {tensor(weights)}"
    out = f"tensor<{m}x{n}xf32>"
    text = f"""
      func.func @f(%x: {tensor(x)}{argument}) -> {out} {{
        {define if is_constant else ""}
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : {out}
        %c = linalg.fill ins(%zero : f32) outs(%e : {out}) -> {out}
        %r = linalg.generic {{
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
            affine_map<(m, n, k) -> {index}>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]
        }} ins(%x, %w : {tensor(x)}, {tensor(weights)}) outs(%c : {out}) {{
        {_PRODUCT} -> {out}
        return %r : {out}
      }}"""
    check(parse, text, [x] if is_constant else [x, weights], (x, w))


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("vecmat", (40,), (40, 300)),
        ("vecmat", (3,), (3, 1)),
        ("matvec", (70, 33), (33,)),
    ],
)
def test_rows_and_columns_are_matrices(
    parse: Parse, name: str, left: tuple[int, ...], right: tuple[int, ...]
):
    a, b = random(*left), random(*right)
    shape = (a @ b).shape
    out = f"tensor<{''.join(f'{size}x' for size in shape)}f32>"
    text = f"""
      func.func @f(%a: {tensor(a)}, %b: {tensor(b)}) -> {out} {{
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : {out}
        %c = linalg.fill ins(%zero : f32) outs(%e : {out}) -> {out}
        %r = linalg.{name} ins(%a, %b : {tensor(a)}, {tensor(b)})
          outs(%c : {out}) -> {out}
        return %r : {out}
      }}"""
    check(parse, text, [a, b], (a, b))


@pytest.mark.parametrize(
    "letters",
    [
        ("bqhd", "bkhd", "bhqk"),
        ("bhqk", "bkhd", "bqhd"),
        ("bqd", "dk", "bqk"),
        ("bqd", "kd", "bqk"),
        ("dk", "bqd", "bqk"),
        ("bd", "bkd", "bk"),
        ("dq", "dk", "qk"),
        ("qd", "dk", "kq"),
        ("ud", "kd", "uk"),
    ],
)
def test_batches_and_dimensions_in_any_order(
    parse: Parse, letters: tuple[str, str, str]
):
    sizes = {"b": 2, "h": 3, "q": 17, "k": 70, "d": 9, "u": 1}
    loops = "".join(sorted(set("".join(letters))))
    a, b, c = (random(*(sizes[each] for each in name)) for name in letters)
    maps = ", ".join(
        f"affine_map<({', '.join(loops)}) -> ({', '.join(name)})>" for name in letters
    )
    kinds = ", ".join(
        '"parallel"' if each in letters[2] else '"reduction"' for each in loops
    )
    text = f"""
      func.func @f(%a: {tensor(a)}, %b: {tensor(b)}, %c: {tensor(c)}) -> {tensor(c)} {{
        %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
          ins(%a, %b : {tensor(a)}, {tensor(b)}) outs(%c : {tensor(c)}) {{
        {_PRODUCT} -> {tensor(c)}
        return %r : {tensor(c)}
      }}"""
    left, right = a.astype(np.float64), b.astype(np.float64)
    expected = np.einsum(f"{letters[0]},{letters[1]}->{letters[2]}", left, right) + c
    # The result may be in the memory of `c`.
    result = np.array(compile_module(lowered(parse, text))["f"](a, b, c))
    assert np.allclose(result, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("rows", [0, 1, 7, 64, 83])
def test_rows_whose_number_is_not_known(parse: Parse, rows: int):
    x, w, c = random(rows, 9), random(9, 130), random(rows, 130)
    text = f"""
      func.func @f(%x: tensor<?x9xf32>, %c: tensor<?x130xf32>) -> tensor<?x130xf32> {{
        %w = arith.constant {constant(w)} : {tensor(w)}
        %r = linalg.matmul ins(%x, %w : tensor<?x9xf32>, {tensor(w)})
          outs(%c : tensor<?x130xf32>) -> tensor<?x130xf32>
        return %r : tensor<?x130xf32>
      }}"""
    expected = x.astype(np.float64) @ w.astype(np.float64) + c
    check(parse, text, [x, c], (x, w), expected)


def test_bias_and_relu_go_into_the_kernel_of_each_piece(parse: Parse):
    w = random(64, 529)
    out = "tensor<9x529xf32>"
    maps = "affine_map<(m, n) -> (m, n)>"
    text = f"""
      func.func @f(%x: tensor<9x64xf32>, %b: tensor<529xf32>) -> {out} {{
        %w = arith.constant {constant(w)} : {tensor(w)}
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : {out}
        %c = linalg.fill ins(%zero : f32) outs(%e : {out}) -> {out}
        %p = linalg.matmul ins(%x, %w : tensor<9x64xf32>, {tensor(w)})
          outs(%c : {out}) -> {out}
        %s = linalg.generic {{
          indexing_maps = [{maps}, affine_map<(m, n) -> (n)>, {maps}],
          iterator_types = ["parallel", "parallel"]
        }} ins(%p, %b : {out}, tensor<529xf32>) outs(%e : {out}) {{
        ^bb0(%u: f32, %v: f32, %o: f32):
          %t = arith.addf %u, %v : f32
          linalg.yield %t : f32
        }} -> {out}
        %r = linalg.generic {{
          indexing_maps = [{maps}, {maps}], iterator_types = ["parallel", "parallel"]
        }} ins(%s : {out}) outs(%e : {out}) {{
        ^bb0(%u: f32, %o: f32):
          %t = arith.maximumf %u, %zero : f32
          linalg.yield %t : f32
        }} -> {out}
        return %r : {out}
      }}"""
    module = lowered(parse, text)
    calls = [op.name for op in module.walk() if re.fullmatch(r"xsmm\.\w+", op.name)]
    assert calls == ["xsmm.fused_brgemm"] * 2
    x, b = random(9, 64), random(529)
    result = np.array(compile_module(module)["f"](x, b))
    expected = np.maximum(x.astype(np.float64) @ w.astype(np.float64) + b, 0)
    assert np.allclose(result, expected, atol=1e-4)


@pytest.mark.parametrize("size", [1, 3, 16, 96, 197, 255, 392, 514, 1000, 1009, 50257])
def test_a_block_is_whole_vectors_or_all(size: int):
    blocks = [block_of(size)]
    blocks += [block(size, 1, 1000) for block in (columns_of_block, columns_in_place)]
    for block in blocks:
        assert block == size or (block < size and block % LANES == 0)
    assert 1 <= rows_of_block(size) <= rows_in_place(size, 1000) <= size


def test_blocks_of_columns():
    blocks = [block_of(size) for size in (3, 65, 96, 144, 160, 384, 1000)]
    assert blocks == [3, 65, 48, 48, 80, 64, 64]


def test_blocks_of_a_right_factor_that_stays_in_place():
    assert [columns_in_place(2048, rows, 100) for rows in (1, 16, 17)] == [512, 512, 64]
    # Four blocks for threads, and less than another one is left over.
    sizes = (200, 745, 4095, 4096, 9000)
    blocks = [columns_in_place(size, 1, 100) for size in sizes]
    assert blocks == [128, 176, 1008, 1024, 1024]
    assert [rows_in_place(rows, 1000) for rows in (100, 512, 1000, 1021)] == [
        *(100, 512),
        *(500, 512),
    ]


def test_one_thread_multiplies_a_row_by_all_columns_at_once() -> None:
    """It reads whole rows, which is what processors fetch ahead."""
    blocks = [
        columns_in_place(4096, rows, 100, one_thread=True) for rows in (1, 16, 17)
    ]
    assert blocks == [4096, 4096, 64]


def test_code_for_one_thread_has_one_kernel_for_all_columns(parse: Parse) -> None:
    """Code for several threads has a loop over blocks of columns. Bits are equal."""
    a, b, c = random(1, 64), random(64, 2048), random(1, 2048)
    results: list[Array] = []
    for one_thread in (False, True):
        module = parse(
            """
            func.func @f(%a: tensor<1x64xf32>, %b: tensor<64x2048xf32>,
                         %c: tensor<1x2048xf32>) -> tensor<1x2048xf32> {
              %0 = linalg.matmul ins(%a, %b : tensor<1x64xf32>, tensor<64x2048xf32>)
                outs(%c : tensor<1x2048xf32>) -> tensor<1x2048xf32>
              return %0 : tensor<1x2048xf32>
            }"""
        )
        passes = DefaultTppPassesPass(explain=False, one_thread=one_thread)
        passes.apply(get_context(), module)
        has_loop = any(op.name == "scf.parallel" for op in module.walk())
        assert has_loop != one_thread
        results.append(c.copy())
        compile_module(module)["f"](a, b, results[-1])
    in_blocks, at_once = results
    np.testing.assert_array_equal(in_blocks, at_once)
    np.testing.assert_allclose(at_once, c + a @ b, rtol=1e-4, atol=1e-4)
    # With few columns, threads share rows.
    assert rows_in_place(1000, 128) == rows_of_block(1000)


@pytest.mark.parametrize("shape", ["5", "1x5"])
def test_the_bias_of_a_column_is_no_row(parse: Parse, shape: str):
    """A row with a transposed right factor, and a matrix with a vector, are columns."""
    w = random(5, 31)
    x = random(31) if shape == "5" else random(1, 31)
    row = "n" if shape == "5" else "m, n"
    left = "k" if shape == "5" else "m, k"
    loops = "n, k" if shape == "5" else "m, n, k"
    kinds = ", ".join('"parallel"' for _ in row.split(", "))
    out = f"tensor<{shape}xf32>"
    text = f"""
      func.func @f(%x: {tensor(x)}, %w: {tensor(w)}, %b: tensor<5xf32>) -> {out} {{
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : {out}
        %c = linalg.fill ins(%zero : f32) outs(%e : {out}) -> {out}
        %p = linalg.generic {{
          indexing_maps = [affine_map<({loops}) -> ({left})>,
            affine_map<({loops}) -> (n, k)>, affine_map<({loops}) -> ({row})>],
          iterator_types = [{kinds}, "reduction"]
        }} ins(%x, %w : {tensor(x)}, {tensor(w)}) outs(%c : {out}) {{
        {_PRODUCT} -> {out}
        %r = linalg.generic {{
          indexing_maps = [affine_map<({row}) -> (n)>, affine_map<({row}) -> ({row})>],
          iterator_types = [{kinds}]
        }} ins(%b : tensor<5xf32>) outs(%p : {out}) {{
        ^bb0(%u: f32, %v: f32):
          %t = arith.addf %u, %v : f32
          linalg.yield %t : f32
        }} -> {out}
        return %r : {out}
      }}"""
    b = random(5)
    result = np.array(compile_module(lowered(parse, text))["f"](x, w, b))
    expected = x.astype(np.float64) @ w.astype(np.float64).T + b
    assert np.allclose(result, expected, atol=1e-5)
