"""Constants of equal positive numbers, made random: `--splat-to-random` of tpp-run.

    arith.constant dense<1.0> : tensor<4x8xf32>     32 numbers by --init-type and --seed
    arith.constant dense<0.0> : tensor<4x8xf32>     as it is: what a ReLU compares with

A program that is tested with weights of 1 does not notice rows that are exchanged.
"""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    ModuleOp,
)
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.text.splats import splat_of
from xdsl_bufferization.runtime.xsmm_matrices import BFLOAT16
from xdsl_bufferization.support.traversal import ops_inside

from .initial_numbers import InitialNumbers

Array = NDArray[Any]

_FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
_INTEGERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}


def randomize_splats(module: ModuleOp, numbers: InitialNumbers) -> None:
    """Replace splats of positive numbers, first those of globals."""
    ops = ops_inside(module)
    for op in ops:
        if isinstance(op, memref.GlobalOp):
            _randomize(op, "initial_value", numbers)
    for op in ops:
        if isinstance(op, arith.ConstantOp):
            _randomize(op, "value", numbers)


def initial_array(
    shape: tuple[int, ...], element: str, numbers: InitialNumbers
) -> Array:
    """An array of an element type such as `f32`; numbers of bf16 are in float32.

    Raises `ValueError` for other elements than floating-point numbers and integers.
    """
    size = prod(shape)
    if element == "bf16":
        rounded = BFLOAT16.from_floats(numbers.floats(size, element))
        return BFLOAT16.to_floats(rounded).reshape(shape)
    if (float_ := _FLOATS.get(element)) is not None:
        return numbers.floats(size, element).astype(float_).reshape(shape)
    if (integer := _INTEGERS.get(element)) is not None:
        return numbers.integers(size, element).astype(integer).reshape(shape)
    raise ValueError(f"--init-type has no numbers of type {element}")


def _randomize(op: Operation, name: str, numbers: InitialNumbers) -> None:
    constant = op.properties.get(name)
    if not isa(constant, DenseIntOrFPElementsAttr):
        return
    type_ = constant.type
    element = str(type_.element_type)
    if not _is_positive_splat(constant, element):
        return
    array = initial_array(type_.get_shape(), element, numbers)
    data = BFLOAT16.from_floats(array) if element == "bf16" else array
    op.properties[name] = DenseIntOrFPElementsAttr(type_, BytesAttr(data.tobytes()))


def _is_positive_splat(constant: "DenseIntOrFPElementsAttr[Any]", element: str) -> bool:
    repeated = splat_of(constant)
    if repeated is None:
        return False
    if element == "bf16":
        bits = np.frombuffer(repeated.element, np.uint16)
        return bool(BFLOAT16.to_floats(bits)[0] > 0)
    dtype = _FLOATS.get(element) or _INTEGERS.get(element)
    return dtype is not None and bool(np.frombuffer(repeated.element, dtype)[0] > 0)
