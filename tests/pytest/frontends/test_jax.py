"""Programs of JAX by one call: ten usual ones, and what `jit` takes from JAX."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness.programs.jax_programs import DATA

import xdsl_bufferization.frontends.jit
from xdsl_bufferization import bufferize, compile, deallocate, jit, parse
from xdsl_bufferization.frontends.saved import load
from xdsl_bufferization.runtime import ArgumentError
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.run.run import RunOptions, run

NAMES = sorted(file.stem for file in DATA.glob("*.mlir"))

TOLERANCE = 1e-5
"""Of results in f32, relative to the largest."""


@cache
def _arrays(name: str) -> dict[str, np.ndarray]:
    with np.load(DATA / f"{name}.npz") as file:
        return dict(file)


def _with_prefix(name: str, prefix: str) -> list[np.ndarray]:
    arrays = _arrays(name)
    return [arrays[key] for key in sorted(arrays) if key.startswith(prefix)]


def _check(name: str, results: Any) -> None:
    got: Any = results if type(results) is not np.ndarray else (results,)
    expected = _with_prefix(name, "result")
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if other.dtype.kind == "f":
            size = float(np.abs(other).max())
            np.testing.assert_allclose(one, other, TOLERANCE, TOLERANCE * size)
        else:
            np.testing.assert_array_equal(one, other)


def test_there_are_ten_programs() -> None:
    assert len(NAMES) == 10


@pytest.mark.volume(sample=5)
@pytest.mark.parametrize("name", NAMES)
def test_one_call_computes_what_jax_computes(name: str) -> None:
    text = (DATA / f"{name}.mlir").read_text()
    _check(name, jit(text)(*_with_prefix(name, "argument")))


@pytest.mark.parametrize("name", ["argmax", "erf", "gradient", "scan"])
def test_loops_compute_the_same(name: str) -> None:
    function = jit(DATA / f"{name}.mlir", optimize=False)
    _check(name, function(*_with_prefix(name, "argument")))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed_is_read_again(name: str) -> None:
    printed = str(parse(DATA / f"{name}.mlir"))
    assert str(parse(printed)) == printed
    assert '"stablehlo.add"' not in printed


@dataclass
class _Lowered:
    """As `jax.jit(f).lower(...)`."""

    text: str

    def as_text(self) -> str:
        return self.text


@dataclass
class _Exported:
    """As `jax.export.export(jax.jit(f))(...)`."""

    text: str

    def mlir_module(self) -> str:
        return self.text


@pytest.mark.parametrize("kind", [_Lowered, _Exported])
def test_jit_takes_what_jax_gives(kind: type[_Lowered] | type[_Exported]) -> None:
    text = (DATA / "argmax.mlir").read_text()
    _check("argmax", jit(kind(text))(*_with_prefix("argmax", "argument")))


def test_what_jax_has_not_lowered_is_no_program() -> None:
    class Jitted:
        __name__ = "step"

        def lower(self, *_: object) -> object: ...
        def __call__(self, *_: object) -> str: ...

    with pytest.raises(TypeError, match=r"pass step\.lower\(\.\.\.\) with example"):
        jit(Jitted())


def test_bufferize_lowers_stablehlo_too() -> None:
    module = parse(DATA / "argmax.mlir")
    deallocate(bufferize(module))
    function = compile(module)["main"]
    _check("argmax", function(*_with_prefix("argmax", "argument")))


@pytest.mark.parametrize("name", ["argmax", "gradient"])
def test_the_reference_in_numpy_agrees(name: str) -> None:
    result = run(RunOptions(str(DATA / f"{name}.mlir"), check=True))
    assert result.problem is None


UNSIGNED = """
module attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%x: tensor<2xui32>, %y: tensor<2xi32>)
      -> (tensor<2xui32>, tensor<2xi32>) {
    return %x, %y : tensor<2xui32>, tensor<2xi32>
  }
}
"""


def test_integers_without_a_sign_stay_so() -> None:
    x = np.array([1, 2**32 - 1], np.uint32)
    same, signed = jit(UNSIGNED)(x, x.view(np.int32))
    assert same.dtype == np.uint32
    assert same.tolist() == [1, 2**32 - 1]
    assert signed.tolist() == [1, -1]


def test_saved_code_knows_which_integers_have_no_sign(tmp_path: Path) -> None:
    x = np.array([1, 2**32 - 1], np.uint32)
    jit(UNSIGNED).save(tmp_path / "f.xbufobj")
    same, _ = load(tmp_path / "f.xbufobj")(x, x.view(np.int32))
    assert same.dtype == np.uint32


OPEN = """
func.func @main(%x: tensor<?x4xf32>, %f: tensor<f32>) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %one = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %sizes = stablehlo.concatenate %one, %four, dim = 0
      : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %f, %sizes, dims = []
      : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
"""


def test_a_program_whose_sizes_are_open_is_compiled_for_each_call() -> None:
    function = jit(OPEN)
    function(f=np.float32(1), x=np.zeros((3, 4), np.float32))
    for rows in (3, 0, 5, 3):
        x = np.arange(rows * 4, dtype=np.float32).reshape(rows, 4)
        np.testing.assert_array_equal(function(x, np.float32(2)), x * 2)
        np.testing.assert_array_equal(function(x=x, f=np.float32(3)), x * 3)
    assert len({*repr(function).split("; ")}) == 3
    assert function.explain(x, 2.0).functions
    assert "memref<3x4xf32>" in str(function.lower(x, 2.0))


def test_code_is_kept_for_some_sizes_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xdsl_bufferization.frontends.jit, "_MOST_SIZES", 2)
    function = jit(OPEN)
    for rows in (1, 2, 3, 1):
        x = np.ones((rows, 4), np.float32)
        np.testing.assert_array_equal(function(x, 2.0), x * 2)
    assert len(repr(function).split("; ")) == 2


def test_sizes_that_do_not_fit_are_refused() -> None:
    function = jit(OPEN)
    with pytest.raises(ArgumentError, match=r"expected a tensor<\?x4xf32>, got sizes"):
        function(np.zeros((3, 5), np.float32), 2.0)
    with pytest.raises(ArgumentError, match=r"%f\): it is missing"):
        function(np.zeros((3, 4), np.float32))


def test_code_for_sizes_can_be_saved(tmp_path: Path) -> None:
    x = np.ones((3, 4), np.float32)
    jit(OPEN).save(tmp_path / "f.xbufobj", x, 2.0)
    np.testing.assert_array_equal(load(tmp_path / "f.xbufobj")(x, 2.0), x * 2)


def test_who_runs_passes_alone_is_told_what_to_do() -> None:
    with pytest.raises(OperationError, match="run stablehlo-refine-shapes first"):
        bufferize(parse(OPEN))
