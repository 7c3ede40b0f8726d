"""What follows a convolution and is no scale of f32 for each channel."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness.programs.rare_forms import check, generic, numbers
from harness.running.meaning import check_rewrite
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.optimization.packing.fold_channel_scales import (
    fold_channel_scales,
)

Parse = Callable[[str], ModuleOp]

RESULT = "tensor<1x4x4x8xf32>"


def program(arguments: str, ins: str, map_: str, body: str) -> str:
    """A convolution, and an op on its result %c and perhaps on another input."""
    loops = "a, b, c, d"
    maps = f"{loops}|{map_}|{loops}" if map_ else f"{loops}|{loops}"
    op = generic(maps, "pppp", ins, f"%e : {RESULT}", body, loops=loops)
    sizes = "{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}"
    return f"""
    func.func @f(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>, {arguments})
        -> {RESULT} {{
      %z = arith.constant 0.0 : f32
      %c1 = arith.constant 1 : index
      %e = tensor.empty() : {RESULT}
      %f = linalg.fill ins(%z : f32) outs(%e : {RESULT}) -> {RESULT}
      %c = linalg.conv_2d_nhwc_hwcf {sizes}
        ins(%x, %w : tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>)
        outs(%f : {RESULT}) -> {RESULT}
      %r = {op}
      return %r : {RESULT}
    }}"""


def check_fold(parse: Parse, text: str, expected: Any, *arguments: Any) -> None:
    """The pass alone keeps the meaning, and so does what follows."""
    check_rewrite(parse(text), fold_channel_scales, arguments)
    check(text, expected, *arguments)


def convolution(image: Any, filter_: Any) -> Any:
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), (1, 2))
    return np.einsum("abcdij,ijdf->abcf", windows, filter_)


def test_element_of_a_tensor_is_no_scale(parse: Parse):
    body = """^bb0(%p: f32, %o: f32):
      %s = tensor.extract %t[%c1] : tensor<8xf32>
      %y = arith.mulf %p, %s : f32
      linalg.yield %y : f32"""
    text = program("%t: tensor<8xf32>", f"%c : {RESULT}", "", body)
    x, w, t = numbers(1, 6, 6, 4), numbers(3, 3, 4, 8), numbers(8)
    check_fold(parse, text, convolution(x, w) * t[1], x, w, t)


@pytest.mark.parametrize(
    ("type_", "cast", "dtype"),
    [
        ("f16", "arith.extf %h : f16", np.float16),
        ("i32", "arith.sitofp %h : i32", np.int32),
    ],
)
@pytest.mark.parametrize("shape", [(8,), (1, 8)])
def test_scales_of_another_type(
    parse: Parse, type_: str, cast: str, dtype: Any, shape: Any
):
    """The numbers for each channel are converted in the body."""
    body = f"""^bb0(%p: f32, %h: {type_}, %o: f32):
      %s = {cast} to f32
      %y = arith.mulf %p, %s : f32
      linalg.yield %y : f32"""
    tensor = f"tensor<{'x'.join(map(str, shape))}x{type_}>"
    index = "d" if len(shape) == 1 else "0, d"
    text = program(f"%t: {tensor}", f"%c, %t : {RESULT}, {tensor}", index, body)
    x, w, t = numbers(1, 6, 6, 4), numbers(3, 3, 4, 8), numbers(8)
    check_fold(parse, text, convolution(x, w) * t, x, w, t.reshape(shape).astype(dtype))


def test_scale_that_is_selected(parse: Parse):
    """A comparison of numbers for each channel gives truth values."""
    body = """^bb0(%p: f32, %h: f32, %o: f32):
      %k = arith.cmpf ogt, %h, %z : f32
      %s = arith.select %k, %h, %z : f32
      %y = arith.mulf %p, %s : f32
      linalg.yield %y : f32"""
    tensor = "tensor<8xf32>"
    text = program(f"%t: {tensor}", f"%c, %t : {RESULT}, {tensor}", "d", body)
    x, w, t = numbers(1, 6, 6, 4), numbers(3, 3, 4, 8), numbers(8)
    check_fold(parse, text, convolution(x, w) * np.maximum(t, 0), x, w, t)


def test_index_of_the_channel(parse: Parse):
    """An index has a meaning inside of the op alone."""
    body = """^bb0(%p: f32, %h: f32, %o: f32):
      %y = arith.mulf %p, %h : f32
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i32
      %s = arith.sitofp %j : i32 to f32
      %q = arith.addf %y, %s : f32
      linalg.yield %q : f32"""
    tensor = "tensor<8xf32>"
    text = program(f"%t: {tensor}", f"%c, %t : {RESULT}, {tensor}", "d", body)
    x, w, t = numbers(1, 6, 6, 4), numbers(3, 3, 4, 8), numbers(8)
    check_fold(parse, text, convolution(x, w) * t + np.arange(8), x, w, t)
