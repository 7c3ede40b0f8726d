from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.tools.common.diagnostics import UserError
from xdsl_bufferization.tools.run.arguments import random_arguments, read_arguments


def function(arguments: str) -> FuncOp:
    text = f"func.func private @f({arguments})"
    if ":" in arguments:
        text = f"func.func @f({arguments}) {{\n  return\n}}"
    (op,) = parse_module(text, "f.mlir", get_context()).ops
    assert isinstance(op, FuncOp)
    return op


def test_random_arguments_follow_from_the_seed():
    f = function(
        "%a: tensor<3x2xf32>, %b: f64, %c: tensor<4xi8>, %d: tensor<8xi1>, "
        "%e: tensor<2xcomplex<f32>>, %f: complex<f64>"
    )
    first, again, other = (random_arguments(f, seed) for seed in (1, 1, 2))
    kinds = [(array.dtype.name, array.shape) for array in first]
    assert kinds == [
        ("float32", (3, 2)),
        ("float64", ()),
        ("int8", (4,)),
        ("bool", (8,)),
        ("complex64", (2,)),
        ("complex128", ()),
    ]
    assert np.all(np.imag(first[4]) != 0)
    assert [x.tolist() for x in first] == [x.tolist() for x in again]
    assert first[0].tolist() != other[0].tolist()


@pytest.mark.parametrize(
    ("type_", "message"),
    [
        ("tensor<?xf32>", "has dynamic sizes; give it with --inputs"),
        ("index", "is an index; give it with --inputs"),
        ("tensor<4xi3>", "cannot be given as a NumPy array"),
        ("tensor<4xcomplex<f16>>", "cannot be given as a NumPy array"),
        ("tensor<4xf80>", "cannot be given as a NumPy array"),
    ],
)
def test_what_cannot_be_drawn_is_named(type_: str, message: str):
    with pytest.raises(UserError, match=message) as error:
        random_arguments(function(f"%x: f32, %n: {type_}"), 0)
    assert error.value.place == "f.mlir:1:1"
    assert error.value.message.startswith(f"argument 1 (%n) of @f, {type_}, ")


def test_arguments_are_read_by_name(tmp_path: Path):
    file = tmp_path / "in.npz"
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.savez(file, arg1=np.uint32(2**32 - 1), arg0=matrix.T, result0=matrix)
    array, number = read_arguments(function("%a: tensor<3x?xf32>, %n: i32"), str(file))
    assert array.tolist() == matrix.T.tolist()
    assert array.flags.c_contiguous
    assert (number.dtype, number) == (np.int32, -1)


@pytest.mark.parametrize(
    ("arrays", "place", "message"),
    [
        ({}, "in.npz", "there is no 'arg0'"),
        ({"arg0": np.zeros(3, "f4"), "b": 1}, "in.npz", "'b' is no argument of @f"),
        ({"arg0": np.zeros(3)}, "f.mlir:1:1", "tensor<3xf32>, is not a 3xfloat64"),
        ({"arg0": np.zeros((3, 1), "f4")}, "f.mlir:1:1", "is not a 3x1xfloat32"),
        ({"arg0": np.zeros(2, "f4")}, "f.mlir:1:1", "'arg0' of .*in.npz"),
        (
            {"arg0": np.array([None])},
            "in.npz",
            "has Python objects, which are never loaded",
        ),
    ],
)
def test_wrong_arrays_are_named(
    tmp_path: Path, arrays: dict[str, object], place: str, message: str
):
    file = tmp_path / "in.npz"
    np.savez(file, **arrays)  # pyright: ignore[reportArgumentType]: any object is wanted
    with pytest.raises(UserError, match=message) as error:
        read_arguments(function("%a: tensor<3xf32>"), str(file))
    assert error.value.place.endswith(place)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"no archive"])
def test_what_is_no_archive_is_named(tmp_path: Path, content: bytes):
    file = tmp_path / "in.npz"
    file.write_bytes(content)
    with pytest.raises(UserError, match=r"this is not an \.npz file") as error:
        read_arguments(function("%a: tensor<3xf32>"), str(file))
    assert error.value.place == str(file)


def test_a_single_array_is_no_archive(tmp_path: Path):
    file = tmp_path / "in.npy"
    np.save(file, np.zeros(3, np.float32))
    with pytest.raises(UserError, match=r"this is not an \.npz file"):
        read_arguments(function("%a: tensor<3xf32>"), str(file))


def test_a_missing_archive_is_named():
    with pytest.raises(UserError, match="No such file") as error:
        read_arguments(function("%a: tensor<3xf32>"), "missing.npz")
    assert error.value.place == "missing.npz"
