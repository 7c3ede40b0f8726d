"""Arguments for a run: drawn at random, or read from an .npz file.

func.func @f(%a: tensor<4xf32>, %n: i32)   ->   [4 normal floats, a small integer]
"""

import re
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    ComplexType,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument

from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.runtime.xsmm_matrices import BFLOAT16
from xdsl_bufferization.support.errors import fail_at

from ..common.diagnostics import UserError
from .archive import Archive, ArrayHeader
from .initial_numbers import InitialNumbers
from .random_splats import initial_array

Array = NDArray[Any]

SMALLEST, LARGEST = -8, 7
"""Random integers lie between these, so that few operations overflow."""

_FLOATS: dict[type[Attribute], type[np.floating[Any]]] = {
    Float16Type: np.float16,
    BFloat16Type: np.float32,
    Float32Type: np.float32,
    Float64Type: np.float64,
}
_COMPLEX: dict[type[Attribute], type[np.complexfloating[Any]]] = {
    Float32Type: np.complex64,
    Float64Type: np.complex128,
}
_INTEGERS = {1: np.bool_, 8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}


def initial_arguments(function: FuncOp, numbers: InitialNumbers) -> list[Array]:
    """Arguments by `--init-type`; shapes must be static, and elements numbers."""
    return [_initial(function, argument, numbers) for argument in function.args]


def _initial(
    function: FuncOp, argument: BlockArgument, numbers: InitialNumbers
) -> Array:
    shape = _shape(argument.type)
    if DYNAMIC_INDEX in shape:
        _fail(function, argument, "has dynamic sizes; give it with --inputs")
    try:
        return initial_array(shape, str(_element(argument.type)), numbers)
    except ValueError as error:
        _fail(function, argument, f"cannot be initialized: {error}")


def random_arguments(function: FuncOp, seed: int) -> list[Array]:
    """Normal numbers, small integers; shapes must be static, and index is refused."""
    rng = np.random.default_rng(seed)
    return [_random(function, argument, rng) for argument in function.args]


def _random(
    function: FuncOp, argument: BlockArgument, rng: np.random.Generator
) -> Array:
    dtype, shape = _dtype(function, argument), _shape(argument.type)
    if DYNAMIC_INDEX in shape:
        _fail(function, argument, "has dynamic sizes; give it with --inputs")
    if isinstance(_element(argument.type), IndexType):
        _fail(function, argument, "is an index; give it with --inputs")
    if dtype.kind == "f":
        numbers = np.asarray(rng.normal(size=shape)).astype(dtype)
        return round_to_bf16(numbers) if is_bf16(argument.type) else numbers
    if dtype.kind == "c":
        parts = rng.normal(size=shape), rng.normal(size=shape)
        return np.asarray(parts[0] + 1j * parts[1]).astype(dtype)
    if dtype.kind == "b":
        return np.asarray(rng.integers(0, 2, shape)).astype(dtype)
    return np.asarray(rng.integers(SMALLEST, LARGEST + 1, shape)).astype(dtype)


def read_arguments(function: FuncOp, file: str) -> list[Array]:
    """`arg0`, `arg1`, ... of an .npz file, checked against the function's types.

    The file may also hold `result0`, ..., to compare with.
    """
    with Archive(file) as archive:
        names = [n for n in archive.names if not re.fullmatch(r"result\d+", n)]
        expected = [f"arg{index}" for index in range(len(function.args))]
        if unknown := sorted(set(names) - set(expected)):
            wanted = ", ".join(expected) or "no arguments"
            raise UserError(
                file,
                f"'{unknown[0]}' is no argument of @{function.sym_name.data}, "
                f"which takes {wanted}",
            )
        for name in expected:
            if name not in names:
                raise UserError(file, f"there is no '{name}'")
        arguments = list(zip(expected, function.args, strict=True))
        # All are looked at before the first is read, which may be large.
        for name, argument in arguments:
            _check(function, argument, archive.header(name), f"'{name}' of {file}")
        return [
            _converted(function, argument, archive.read(name))
            for name, argument in arguments
        ]


def _check(
    function: FuncOp, argument: BlockArgument, header: ArrayHeader, source: str
) -> None:
    dtype, shape = _dtype(function, argument), _shape(argument.type)
    # Integers have no sign in MLIR: both readings of the bits are accepted.
    given = header.dtype.newbyteorder("=")
    same_bits = dtype.kind == "i" and given == np.dtype(f"u{dtype.itemsize}")
    fits = len(shape) == len(header.shape) and all(
        size in (DYNAMIC_INDEX, actual)
        for size, actual in zip(shape, header.shape, strict=True)
    )
    if not fits or not (given == dtype or same_bits):
        actual = "x".join([*map(str, header.shape), header.dtype.name])
        _fail(function, argument, f"is not a {actual}, which {source} is")


def _converted(function: FuncOp, argument: BlockArgument, array: Array) -> Array:
    array = np.array(array, _dtype(function, argument), order="C")
    return round_to_bf16(array) if is_bf16(argument.type) else array


def is_bf16(type_: Attribute) -> bool:
    """Whether a tensor, buffer or number is of bf16: float32 in NumPy."""
    return isinstance(_element(type_), BFloat16Type)


def round_to_bf16(numbers: Array) -> Array:
    """The nearest numbers that are bf16."""
    return BFLOAT16.to_floats(BFLOAT16.from_floats(numbers))


def _element(type_: Attribute) -> Attribute:
    return type_.element_type if _is_shaped(type_) else type_


def _shape(type_: Attribute) -> tuple[int, ...]:
    return type_.get_shape() if _is_shaped(type_) else ()


def _is_shaped(
    type_: Attribute,
) -> TypeIs[TensorType[Attribute] | MemRefType[Attribute]]:
    return isinstance(type_, TensorType | MemRefType)


def _dtype(function: FuncOp, argument: BlockArgument) -> np.dtype[Any]:
    element = _element(argument.type)
    if (floating := _FLOATS.get(type(element))) is not None:
        return np.dtype(floating)
    if isinstance(element, IndexType):
        return np.dtype(np.int64)
    if isinstance(element, ComplexType):
        parts = cast("ComplexType", element).element_type
        if (number := _COMPLEX.get(type(parts))) is not None:
            return np.dtype(number)
    if isinstance(element, IntegerType):
        integer = _INTEGERS.get(cast(IntegerType, element).width.data)
        if integer is not None:
            return np.dtype(integer)
    return _fail(
        function,
        argument,
        "cannot be given as a NumPy array; use tensors, memrefs or numbers "
        "of f16, bf16, f32, f64, complex<f32>, complex<f64>, i1, i8, i16, i32, i64 "
        "or index",
    )


def _fail(function: FuncOp, argument: BlockArgument, message: str) -> NoReturn:
    name = f" (%{argument.name_hint})" if argument.name_hint else ""
    what = f"argument {argument.index}{name} of @{function.sym_name.data}"
    text = f"{what}, {argument.type}, {message}"
    if (place := locate(function)) is not None:
        raise UserError(place, text)
    fail_at(function, text)
