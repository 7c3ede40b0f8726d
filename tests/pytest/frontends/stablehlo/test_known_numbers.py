"""Integers that sizes are computed with, against the compiled program."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import jit
from xdsl_bufferization.dialects.stablehlo.shapes import ConstantOp
from xdsl_bufferization.frontends.stablehlo.stablehlo_refine_shapes import (
    stablehlo_refine_shapes,
)

Parse = Callable[[str], ModuleOp]

BINARY = (
    *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"),
    *("and", "or", "xor"),
)
NUMBERS = {
    "i32": [7, -7, 7, -7, 0, 5, -(2**31), 2**31 - 1],
    "i8": [7, -7, 7, -7, 0, 5, -128, 127],
    "ui32": [7, 2**32 - 1, 0, 5, 2**31, 1, 3, 9],
    "i64": [7, -7, 2**40, -(2**40), 0, 5, -(2**63), 1],
}
OTHERS = {
    "i32": [2, 2, -2, -2, 3, 0, -1, 2],
    "i8": [2, 2, -2, -2, 3, 0, -1, 2],
    "ui32": [2, 2, 3, 0, 5, 2**32 - 1, 2, 4],
    "i64": [2, 2, -2, 3, 3, 0, -1, -1],
}


def program(type_: str, body: str, *, known: bool) -> str:
    """A function of two vectors: constants, or arguments."""
    vector = f"tensor<8x{type_}>"
    constants = "".join(
        f"%{name} = stablehlo.constant dense<{numbers[type_]}> : {vector}\n"
        for name, numbers in (("a", NUMBERS), ("b", OTHERS))
    )
    arguments = "" if known else f"%a: {vector}, %b: {vector}"
    return f"""
    func.func @f({arguments}) -> {vector} {{
      {constants if known else ""}
      {body}
      return %r : {vector}
    }}"""


def bodies(type_: str) -> dict[str, str]:
    """What is computed of both vectors, by name."""
    vector = f"tensor<8x{type_}>"
    both = f"({vector}, {vector})"
    found = {name: f"%r = stablehlo.{name} %a, %b : {vector}" for name in BINARY}
    for direction in ("LT", "GE", "EQ"):
        found[direction] = f"""
        %p = stablehlo.compare {direction}, %a, %b : {both} -> tensor<8xi1>
        %n = stablehlo.not %p : tensor<8xi1>
        %r = stablehlo.select %n, %a, %b : tensor<8xi1>, {vector}"""
    found["shapes"] = f"""
        %t = stablehlo.concatenate %a, %b, dim = 0
            : {both} -> tensor<16x{type_}>
        %u = stablehlo.reshape %t : (tensor<16x{type_}>) -> tensor<4x4x{type_}>
        %v = stablehlo.transpose %u, dims = [1, 0]
            : (tensor<4x4x{type_}>) -> tensor<4x4x{type_}>
        %w = stablehlo.slice %v [1:4:2, 0:4]
            : (tensor<4x4x{type_}>) -> tensor<2x4x{type_}>
        %i = stablehlo.iota dim = 1 : tensor<2x4x{type_}>
        %x = stablehlo.add %w, %i : tensor<2x4x{type_}>
        %s = stablehlo.slice %a [0:1] : (tensor<8x{type_}>) -> tensor<1x{type_}>
        %y = stablehlo.broadcast_in_dim %s, dims = [0]
            : (tensor<1x{type_}>) -> tensor<2x4x{type_}>
        %z = stablehlo.clamp %y, %x, %y : tensor<2x4x{type_}>
        %q = stablehlo.maximum %z, %x : tensor<2x4x{type_}>
        %r = stablehlo.reshape %q : (tensor<2x4x{type_}>) -> tensor<8x{type_}>"""
    return found


@pytest.mark.parametrize("type_", NUMBERS)
def test_known_numbers_are_those_of_the_program(parse: Parse, type_: str) -> None:
    dtype = np.dtype(type_.replace("i", "int"))
    a, b = (np.array(numbers[type_], dtype) for numbers in (NUMBERS, OTHERS))
    for name, body in bodies(type_).items():
        module = parse(program(type_, body, known=True))
        (function,) = module.ops
        stablehlo_refine_shapes(module, function)  # pyright: ignore[reportArgumentType]
        value: Any = function.regions[0].block.last_op
        constant = value.operands[0].owner
        assert isinstance(constant, ConstantOp), name
        given: Any = jit(program(type_, body, known=False))(a, b)
        numbers: Any = constant.value
        computed = np.array([*numbers.get_values()])
        np.testing.assert_array_equal(computed, given, err_msg=name)
