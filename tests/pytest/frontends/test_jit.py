"""One call from a program to a function: what goes in, and what comes out."""

import gc
import pickle
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError

import xdsl_bufferization as xbuf
from xdsl_bufferization.frontends import compilation
from xdsl_bufferization.pipelines.entry import EntryError
from xdsl_bufferization.runtime import ArgumentError
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

SCALE = """
func.func @scale_first(%m: tensor<4x8xf32>, %f: f32) -> (tensor<4x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %first = tensor.extract %m[%c0, %c0] : tensor<4x8xf32>
  %scaled = arith.mulf %first, %f : f32
  %new = tensor.insert %scaled into %m[%c0, %c0] : tensor<4x8xf32>
  %again = tensor.extract %m[%c0, %c0] : tensor<4x8xf32>
  return %new, %again : tensor<4x8xf32>, f32
}
"""
DOUBLE = """
func.func @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = arith.addf %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
"""
EXP = """
func.func @exp(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = math.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
"""
FILL = """
func.func @fill(%m: memref<4xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  return
}
"""


def sum_of(x: Attribute, y: Attribute) -> ModuleOp:
    """Add two values of one type."""
    function = func.FuncOp("sum_of", ([x, y], [x]))
    total = arith.AddfOp(function.args[0], function.args[1])
    function.body.block.add_ops([total, func.ReturnOp(total)])
    return ModuleOp([function])


def count_compilations(monkeypatch: pytest.MonkeyPatch) -> list[ModuleOp]:
    compiled: list[ModuleOp] = []
    compile_object = compilation.compile_object

    def count(module: ModuleOp, **options: Any) -> Any:
        compiled.append(module)
        return compile_object(module, **options)

    monkeypatch.setattr(compilation, "compile_object", count)
    return compiled


@pytest.mark.parametrize("optimize", [True, False])
def test_a_call_leaves_its_arguments_and_names_its_results(optimize: bool):
    scale_first = xbuf.jit(SCALE, optimize=optimize)
    matrix = np.ones((4, 8), np.float32)
    results = scale_first(matrix, 3.0)
    assert (results.new[0, 0], results.again) == (3, 1)
    new, again = results
    assert new is results.new
    assert type(again) is np.float32
    assert (matrix == 1).all()
    assert scale_first(f=2.0, m=matrix).new[0, 0] == 2
    assert scale_first(matrix, f=2.0).new[0, 0] == 2


def test_a_program_is_a_file_text_or_a_module(tmp_path: Path):
    file = tmp_path / "double.mlir"
    file.write_text(DOUBLE)
    module = xbuf.parse(DOUBLE)
    before = str(module)
    for program in (file, str(file), DOUBLE, module):
        assert xbuf.jit(program)(np.ones(3, np.float32)).tolist() == [2, 2, 2]
    assert str(module) == before
    with pytest.raises(TypeError, match="a program is a path, text, a module"):
        xbuf.jit(3)  # pyright: ignore[reportCallIssue, reportArgumentType]


def test_nothing_is_read_or_compiled_before_the_first_call(tmp_path: Path):
    double = xbuf.jit(tmp_path / "missing.mlir")
    assert repr(double) == "<jit function missing.mlir, not compiled yet>"
    with pytest.raises(FileNotFoundError):
        double(1)


def test_a_program_is_compiled_once_for_all_sizes(monkeypatch: pytest.MonkeyPatch):
    compiled = count_compilations(monkeypatch)
    double = xbuf.jit(DOUBLE)
    for size in (0, 1, 5, 5):
        assert double(np.ones(size, np.float32)).tolist() == [2] * size
    assert len(compiled) == 1


def test_a_function_builds_a_program_for_each_set_of_types(
    monkeypatch: pytest.MonkeyPatch,
):
    compiled = count_compilations(monkeypatch)
    add = xbuf.jit(sum_of)
    assert (add.__name__, add.__doc__) == ("sum_of", "Add two values of one type.")
    x = np.ones((2, 3), np.float32)
    for _ in range(2):
        assert (add(x, x) == 2).all()
        assert (add(y=x, x=x) == 2).all()
        assert add(x[0], x[0]).shape == (3,)
        assert add(1.0, 2.5) == 3.5
        assert type(add(np.float32(1), np.float32(2))) is np.float32
    assert len(compiled) == 4
    assert repr(add).count("sum_of") == 4
    with pytest.raises(TypeError, match="missing a required argument"):
        add(x=x)
    with pytest.raises(ArgumentError, match=r"expected a number or an array.* str"):
        add("a", "b")


def test_a_function_without_parameters_is_called_once():
    calls: list[int] = []

    @xbuf.jit
    def double() -> str:
        calls.append(1)
        return DOUBLE

    assert [double(np.ones(n, np.float32)).size for n in (1, 2)] == [1, 2]
    assert len(calls) == 1


def test_arrays_in_another_order_are_copied():
    double = xbuf.jit(SCALE)
    matrix = np.arange(32, dtype=np.float32).reshape(8, 4)
    new, _ = double(matrix.T, 5.0)
    np.testing.assert_array_equal(new, matrix.T)
    unaligned = np.zeros(4 * 32 + 1, np.uint8)[1:].view(np.float32).reshape(4, 8)
    assert not unaligned.flags.aligned
    assert double(unaligned, 5.0).new.shape == (4, 8)


@pytest.mark.parametrize("layers", [1, 4])
def test_weights_are_passed_like_other_arguments(layers: int):
    """A pass packs weights ahead, and makes a loop of equal layers, for others."""
    rng = np.random.default_rng(0)
    x, *weights = rng.standard_normal((1 + layers, 4, 4)).astype(np.float32)
    heads = ", ".join(f"%w{n}: tensor<4x4xf32> {{xbuf.weight}}" for n in range(layers))
    lines = [
        f"%x{n + 1} = linalg.matmul ins(%x{n}, %w{n} : tensor<4x4xf32>, "
        "tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>"
        for n in range(layers)
    ]
    text = f"""
    func.func @main(%x0: tensor<4x4xf32>, {heads}) -> tensor<4x4xf32> {{
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x4xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
      {chr(10).join(lines)}
      return %x{layers} : tensor<4x4xf32>
    }}"""
    expected = x
    for weight in weights:
        expected = expected @ weight
    np.testing.assert_allclose(
        xbuf.jit(text)(x, *weights), expected, rtol=1e-4, atol=1e-4
    )


def test_a_buffer_of_the_program_is_written_in_place():
    fill = xbuf.jit(FILL)
    array = np.zeros(4, np.float32)
    assert fill(array, 3.0) is None
    assert array.tolist() == [3] * 4
    with pytest.raises(ArgumentError, match="contiguous in row-major order"):
        fill(np.zeros(8, np.float32)[::2], 3.0)


def test_one_call_may_give_away():
    scale_first = xbuf.jit(SCALE)
    matrix = np.ones((4, 8), np.float32)
    new, _ = scale_first(matrix, 3.0, donate="m")
    assert np.shares_memory(new, matrix)
    other = np.ones((4, 8), np.float32)
    new, _ = scale_first(m=other, f=3.0)
    assert not np.shares_memory(new, other)
    new, _ = scale_first(m=other, f=3.0, donate=[0])
    assert np.shares_memory(new, other)
    with pytest.raises(ArgumentError, match="there is no argument 'q' to donate"):
        scale_first(matrix, 3.0, donate="q")


def test_an_argument_may_have_the_name_donate():
    f = xbuf.jit(
        """
func.func @f(%donate: f32) -> f32 {
  %0 = arith.addf %donate, %donate : f32
  return %0 : f32
}
"""
    )
    assert f(donate=3.0) == 6


def test_what_is_donated_is_written():
    scale_first = xbuf.jit(SCALE, donate="m")
    matrix = np.ones((4, 8), np.float32)
    assert scale_first(matrix, 3.0).new[0, 0] == matrix[0, 0] == 3
    with pytest.raises(ArgumentError, match="there is no argument"):
        xbuf.jit(SCALE, donate="q")(matrix, 3.0)


def test_wrong_arguments_are_named():
    scale_first = xbuf.jit(SCALE)
    matrix = np.ones((4, 8), np.float32)
    for message, arguments, named in (
        ("expected 2 arguments, got 1", (matrix,), {}),
        ("there is no argument q; there is m, f", (matrix,), {"q": 1}),
        ("missing: f", (), {"m": matrix}),
        ("argument 0 (%m): it is given twice", (matrix, 1.0), {"m": matrix}),
        (
            "argument 0 (%m): expected f32[4x8], got float64",
            (matrix.astype("d"), 1),
            {},
        ),
        ("argument 0 (%m): expected an array", ([1], 1), {}),
        ("argument 1 (%f): expected a number of type f32", (matrix, "1"), {}),
    ):
        with pytest.raises(ArgumentError, match=re.escape(message)):
            scale_first(*arguments, **named)


def test_the_function_to_call_is_chosen():
    text = DOUBLE + EXP
    with pytest.raises(EntryError, match=r"choose .* with entry=: @double, @exp"):
        xbuf.jit(text)(1)
    exp = xbuf.jit(text, entry="exp")
    x = np.arange(8, dtype=np.float32)
    np.testing.assert_allclose(exp(x), np.exp(x), rtol=1e-5)
    with pytest.raises(EntryError, match="@f; there is @double, @exp"):
        xbuf.jit(text, entry="f")(x)


def test_errors_of_the_program_come_with_the_call():
    wrong = xbuf.jit(DOUBLE.replace("arith.addf %x, %x", '"test.op"(%x, %x)'))
    with pytest.raises(ParseError):
        wrong(np.ones(2, np.float32))
    unknown = DOUBLE.replace(
        "arith.addf %x, %x : tensor<?xf32>",
        '"test.op"(%x) : (tensor<?xf32>) -> tensor<?xf32>',
    )
    with pytest.raises(OperationError):
        xbuf.jit(unknown)(np.ones(2, np.float32))


def test_options_are_checked_at_once():
    with pytest.raises(ValueError, match="threads is None, or a number from 1, not 0"):
        xbuf.jit(DOUBLE, threads=0)


def test_checked_code_says_what_is_wrong_and_where():
    text = """func.func @f(%x: tensor<4xf32>, %i: index) -> f32 {
  %y = tensor.extract %x[%i] : tensor<4xf32>
  return %y : f32
}"""
    first = xbuf.jit(text, checked=True)
    assert first(np.arange(4, dtype=np.float32), 3) == 3
    with pytest.raises(xbuf.ProgramError, match=r"^<string>:2:8: .* index 4 is out of"):
        first(np.arange(4, dtype=np.float32), 4)


def test_kernels_are_used_and_every_buffer_is_freed():
    program = mlp(MlpOptions(32, (64, 64, 64), bias=True, relu=True, seed=3))
    fast, plain = xbuf.jit(program), xbuf.jit(program, optimize=False, threads=1)
    x = np.random.default_rng(0).normal(size=(32, 64)).astype(np.float32)
    np.testing.assert_allclose(fast(x), plain(x), rtol=1e-4, atol=1e-4)
    assert "xsmm" in str(fast.lower())
    assert "xsmm" not in str(plain.lower())


def test_repr_shows_signatures_and_what_is_written():
    scale_first = xbuf.jit(SCALE)
    scale_first(np.ones((4, 8), np.float32), 1.0)
    assert repr(scale_first) == (
        "<jit function scale_first(m: f32[4x8] read and written in a copy, f: f32) -> "
        "(new: f32[4x8], again: f32)>"
    )


def test_results_without_names_are_numbered_and_pickled_as_a_tuple():
    twice = xbuf.jit(
        "func.func @f(%0: i32, %x: i32) -> (i32, i32, i32) {\n"
        "  return %0, %x, %x : i32, i32, i32\n}"
    )
    results = twice(1, x=2)
    assert results._fields == ("result0", "result1", "result2")
    assert pickle.loads(pickle.dumps(results)) == (1, 2, 2)


class Tensor:
    """What `torch.Tensor` is to us: something that DLPack moves in and out."""

    requires_grad = False

    def __init__(self, array: Any, dtype: str = "torch.float32"):
        self.array = array
        self.dtype = dtype
        self.shape = array.shape

    def __dlpack__(self, **_: Any) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()

    def view(self, dtype: str) -> "Tensor":
        return Tensor(self.array, dtype)

    def numpy(self) -> Any:
        if self.dtype == "torch.bfloat16":
            raise TypeError("NumPy has no such type")
        return self.array


@pytest.fixture(name="torch")
def fake_torch(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    torch: Any = SimpleNamespace(
        Tensor=Tensor,
        from_numpy=Tensor,
        int16="torch.int16",
        bfloat16="torch.bfloat16",
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    return torch


def test_tensors_of_pytorch_come_back_as_such(torch: ModuleType):
    scale_first = xbuf.jit(SCALE)
    matrix = np.ones((4, 8), np.float32)
    new, again = scale_first(Tensor(matrix), 3.0)
    assert type(new) is Tensor
    assert new.array[0, 0] == 3
    assert type(again) is np.float32
    assert type(scale_first(matrix, 3.0).new) is np.ndarray
    assert scale_first(matrix, Tensor(np.array(2.0, np.float32)))[0].array[0, 0] == 2
    assert (matrix == 1).all()


def test_bfloat16_of_pytorch_travels_as_integers(torch: ModuleType):
    @xbuf.jit
    def copy(x: TensorType[Attribute]) -> str:
        assert str(x) == "tensor<3xbf16>"
        return f"func.func @copy(%x: {x}) -> {x} {{\n  return %x : {x}\n}}"

    bits = np.array([0, 1, 0x3F80], np.int16)
    result = copy(Tensor(bits, "torch.bfloat16"))
    assert result.dtype == "torch.bfloat16"
    assert result.array.tolist() == bits.tolist()
    needs_gradient = Tensor(bits, "torch.bfloat16")
    needs_gradient.requires_grad = True
    with pytest.raises(ArgumentError, match=re.escape("pass tensor.detach()")):
        copy(needs_gradient)


def test_results_outlive_the_function():
    double = xbuf.jit(DOUBLE)
    result = double(np.ones(1000, np.float32))
    del double
    gc.collect()
    assert (result == 2).all()


def test_a_builder_is_given_tensors_with_sizes():
    seen: list[Attribute] = []

    @xbuf.jit
    def first(x: Attribute, n: Attribute) -> str:
        seen.extend((x, n))
        return f"func.func @first(%x: {x}, %n: {n}) -> {n} {{\n  return %n : {n}\n}}"

    assert first(np.zeros((2, 0), np.float32), True) == 1
    assert seen[0] == TensorType(f32, [2, 0])
    assert str(seen[1]) == "i1"


def test_a_function_explains_the_copies_of_its_calls(tmp_path: Path):
    file = tmp_path / "scale.mlir"
    file.write_text(SCALE)
    plain = xbuf.jit(file, optimize=False).explain()
    (scale_first,) = plain.functions
    assert (plain.file, scale_first.copies) == (str(file), 1)
    (copied,) = (each for each in scale_first.decisions if each.reasons)
    assert (copied.position.line, copied.op) == (6, "tensor.insert")
    first = "stablehlo-legalize-to-linalg,convert-perf-to-loops,convert-elementwise-to-"
    assert plain.pipeline.startswith(first)
    assert "convert-linalg-to-xsmm" in xbuf.jit(SCALE).explain().pipeline
    built = xbuf.jit(sum_of).explain(np.ones(3, np.float32), np.ones(3, np.float32))
    assert [each.name for each in built.functions] == ["sum_of"]


def test_errors_of_a_first_call_fit_on_a_screen():
    """xDSL would show the module, or the line, as a whole."""
    numbers = ", ".join(["1.0"] * 20_000)
    weights = f"arith.constant dense<[{numbers}]> : tensor<20000xf32>"
    unknown = f"""func.func @f(%x: tensor<20000xf32>) -> tensor<20000xf32> {{
      %w = {weights}
      %y = "test.op"(%w) : (tensor<20000xf32>) -> tensor<20000xf32>
      return %y : tensor<20000xf32>
    }}"""
    wrong = f"func.func @f() {{ %w = {weights} %v = }}"
    for text in (unknown, wrong):
        for ask in (xbuf.jit(text), xbuf.jit(text).lower, xbuf.jit(text).explain):
            with pytest.raises(Exception, match=r".") as caught:
                ask()
            shown = "".join(traceback.format_exception_only(caught.value))
            assert len(shown) < 2000, shown[:200]


def test_a_decorator_takes_options() -> None:
    @xbuf.jit(threads=1, optimize=False, donate="x")
    def twice(x: Attribute) -> str:
        return f"""func.func @twice(%x: {x}) -> {x} {{
          %y = arith.addf %x, %x : {x}
          return %y : {x}
        }}"""

    assert isinstance(twice, xbuf.JitFunction)
    assert twice.__name__ == "twice"
    assert twice(np.ones(2, np.float32)).tolist() == [2, 2]
    assert "donated" in repr(twice)
    with pytest.raises(TypeError, match="a program is a path, text, a module"):
        xbuf.jit(None)  # pyright: ignore
