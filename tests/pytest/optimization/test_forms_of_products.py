"""Products and convolutions in rare forms, by both pipelines."""

from typing import Any

import numpy as np
import pytest
from harness.programs.rare_forms import check, generic, numbers

WINDOW = "{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}"


def as_bf16(array: Any) -> Any:
    """Whole numbers as the upper halves of f32."""
    return (array.view(np.uint32) >> 16).astype(np.uint16)


def test_pairs_are_of_rows_that_are_summed():
    """The last loop of the left factor is no sum here, but a row of the result."""
    left, right, out = "tensor<8x4xbf16>", "tensor<4x32xbf16>", "tensor<4x32xf32>"
    op = generic(
        "k, i|i, j|i, j",
        "ppr",
        f"%a, %b : {left}, {right}",
        f"%f : {out}",
        """^bb0(%x: bf16, %y: bf16, %o: f32):
          %p = arith.extf %x : bf16 to f32
          %q = arith.extf %y : bf16 to f32
          %m = arith.mulf %p, %q : f32
          %s = arith.addf %o, %m : f32
          linalg.yield %s : f32""",
        loops="i, j, k",
    )
    text = f"""
    func.func @f(%a: {left}, %b: {right}) -> {out} {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {out}
      %f = linalg.fill ins(%z : f32) outs(%e : {out}) -> {out}
      %r = {op}
      return %r : {out}
    }}"""
    a, b = numbers(8, 4), numbers(4, 32)
    check(text, a.sum(0)[:, None] * b, as_bf16(a), as_bf16(b))


@pytest.mark.parametrize("parts", ["%a, %n", "%n, %a"])
def test_convolution_of_a_part_without_channels(parts: str):
    none, all_ = "tensor<1x0x6x6xf32>", "tensor<1x20x6x6xf32>"
    result, filter_ = "tensor<1x8x4x4xf32>", "tensor<8x20x3x3xf32>"
    types = f"{none}, {all_}" if parts.startswith("%a") else f"{all_}, {none}"
    text = f"""
    func.func @f(%a: {none}, %b: {all_}, %w: {filter_}) -> ({result}, {all_}) {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {result}
      %f = linalg.fill ins(%z : f32) outs(%e : {result}) -> {result}
      %d = tensor.empty() : {all_}
      %n = linalg.negf ins(%b : {all_}) outs(%d : {all_}) -> {all_}
      %c = tensor.concat dim(1) {parts} : ({types}) -> {all_}
      %r = linalg.conv_2d_nchw_fchw {WINDOW} ins(%c, %w : {all_}, {filter_})
        outs(%f : {result}) -> {result}
      return %r, %n : {result}, {all_}
    }}"""
    a, b, w = numbers(1, 0, 6, 6), numbers(1, 20, 6, 6), numbers(8, 20, 3, 3)
    windows = np.lib.stride_tricks.sliding_window_view(-b, (3, 3), (2, 3))
    check(text, (np.einsum("nchwij,fcij->nfhw", windows, w), -b), a, b, w)


def test_zeros_of_an_image_from_which_a_number_is_subtracted():
    """The zeros between the elements are no zeros of the sum."""
    image, spread = "tensor<1x16x16x8xi8>", "tensor<1x33x33x8xi8>"
    filter_, result = "tensor<3x3x8x16xi8>", "tensor<1x31x31x16xi32>"
    text = f"""
    func.func @f(%x: {image}, %w: {filter_}, %p: i32, %q: i32) -> {result} {{
      %zeros = arith.constant dense<0> : {spread}
      %z = arith.constant 0 : i32
      %s = tensor.insert_slice %x into %zeros[0, 1, 1, 0] [1, 16, 16, 8] [1, 2, 2, 1]
        : {image} into {spread}
      %e = tensor.empty() : {result}
      %f = linalg.fill ins(%z : i32) outs(%e : {result}) -> {result}
      %r = linalg.conv_2d_nhwc_hwcf_q {WINDOW}
        ins(%s, %w, %p, %q : {spread}, {filter_}, i32, i32)
        outs(%f : {result}) -> {result}
      return %r : {result}
    }}"""
    x, w = numbers(1, 16, 16, 8).astype(np.int8), numbers(3, 3, 8, 16).astype(np.int8)
    whole = np.zeros((1, 33, 33, 8), np.int32)
    whole[:, 1:32:2, 1:32:2] = x
    windows = np.lib.stride_tricks.sliding_window_view(whole - 3, (3, 3), (1, 2))
    expected = np.einsum("nhwcij,ijcf->nhwf", windows, w.astype(np.int32) - 2)
    check(text, expected, x, w, 3, 2)


def test_start_of_a_sum_modulo_two():
    """The start is no summand of an `or`, which `linalg.add` of truth values is."""
    sums = generic(
        "i + w|w, c|i, c",
        "ppr",
        "%x, %f : tensor<10xi1>, tensor<3x4xi1>",
        "%s : tensor<8x4xi1>",
        """^bb0(%a: i1, %b: i1, %o: i1):
          %m = arith.muli %a, %b : i1
          %t = arith.addi %o, %m : i1
          linalg.yield %t : i1""",
        loops="i, c, w",
    )
    text = f"""
    func.func @f(%x: tensor<10xi1>, %f: tensor<3x4xi1>, %k: tensor<4xi1>)
        -> tensor<8x4xi1> {{
      %e = tensor.empty() : tensor<8x4xi1>
      %s = linalg.broadcast ins(%k : tensor<4xi1>) outs(%e : tensor<8x4xi1>)
        dimensions = [0]
      %r = {sums}
      return %r : tensor<8x4xi1>
    }}"""
    x, f, k = (numbers(*shape) > 0 for shape in ((10,), (3, 4), (4,)))
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(int), 3)
    check(text, (windows @ f.astype(int) + k) % 2 == 1, x, f, k)


@pytest.mark.parametrize("place", [0, 1])
def test_op_behind_a_convolution_writes_a_part_of_its_output(place: int):
    """What is packed for the op has the elements of the init that stay."""
    image, filter_ = "tensor<1x6x6x32xf32>", "tensor<3x3x32x32xf32>"
    sums, result = "tensor<1x4x4x32xf32>", "tensor<1x4x4x32x2xf32>"
    op = generic(
        f"a, b, c, d|a, b, c, d, {place}",
        "pppp",
        f"%c : {sums}",
        f"%k : {result}",
        "^bb0(%p: f32, %o: f32):\n %y = arith.addf %p, %one : f32\n"
        " linalg.yield %y : f32",
        loops="a, b, c, d",
    )
    text = f"""
    func.func @f(%x: {image}, %w: {filter_}, %k: {result}) -> {result} {{
      %z = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : {sums}
      %f = linalg.fill ins(%z : f32) outs(%e : {sums}) -> {sums}
      %c = linalg.conv_2d_nhwc_hwcf {WINDOW} ins(%x, %w : {image}, {filter_})
        outs(%f : {sums}) -> {sums}
      %r = {op}
      return %r : {result}
    }}"""
    x, w, k = numbers(1, 6, 6, 32), numbers(3, 3, 32, 32), numbers(1, 4, 4, 32, 2)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))
    expected = k.copy()
    expected[..., place] = np.einsum("nhwcij,ijcf->nhwf", windows, w) + 1
    check(text, expected, x, w, k)
