import dataclasses
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from xdsl.utils.exceptions import ParseError, VerifyException

import xdsl_bufferization
from xdsl_bufferization import bufferize, compile, deallocate, parse
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_options import OneShotOptions
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.support.errors import OperationError

PROGRAM = """
func.func @entry(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.insert %x into %t[%c1] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_from_text_to_a_function():
    module = parse(PROGRAM)
    deallocate(bufferize(module, bufferize_function_boundaries=True))
    entry = compile(module)["entry"]
    t = np.arange(4, dtype=np.float32)
    assert entry(t.copy(), 9.0).tolist() == [0, 9, 2, 3]


@pytest.mark.parametrize("name", ["bufferize", "deallocate", "compile", "explain"])
def test_what_takes_a_module_says_how_to_make_one(name: str):
    function: Any = getattr(xdsl_bufferization, name)
    message = (
        rf"{name} takes a module of xDSL, not str; call {name}\(parse\(program\)\)"
    )
    with pytest.raises(TypeError, match=message):
        function("scale.mlir")


@pytest.mark.parametrize("name", ["scale.mlr", "scale", "/tmp/net.pt", "C:\\x\\y.txt"])
def test_a_string_that_is_no_program_but_the_name_of_a_file(name: str):
    with pytest.raises(ValueError, match=r"no program, and a file .* ends in \.mlir"):
        parse(name)


def test_an_option_that_the_pass_does_not_have():
    options: Any = {"copy_before_writes": True}
    with pytest.raises(TypeError, match="do you mean 'copy_before_write'"):
        bufferize(parse(PROGRAM), **options)


def test_options_are_those_of_the_pass():
    options: OneShotOptions = {
        "bufferize_function_boundaries": True,
        "function_boundary_type_conversion": "identity-layout-map",
    }
    module = bufferize(parse(PROGRAM), **options)
    assert "%t: memref<4xf32> {" in str(module)
    with pytest.raises(TypeError, match="copy_all"):
        bufferize(
            parse(PROGRAM),
            copy_all=True,  # pyright: ignore[reportCallIssue]
        )


def test_a_file_is_named_by_a_path_or_by_its_ending(tmp_path: Path):
    file = tmp_path / "a.mlir"
    file.write_text(PROGRAM)
    assert str(parse(file)) == str(parse(str(file))) == str(parse(PROGRAM))


def test_errors_are_those_of_xdsl_and_say_where(tmp_path: Path):
    with pytest.raises(ParseError) as error:
        parse(PROGRAM.replace("into", "onto"))
    assert str(error.value.span.get_location()) == "<string>:4:25"
    with pytest.raises(VerifyException):
        parse(PROGRAM.replace("return %0 : tensor<4xf32>", "return"))
    with pytest.raises(FileNotFoundError):
        parse(tmp_path / "missing.mlir")
    text = PROGRAM.replace("tensor.insert %x into %t[%c1] :", '"test.op"() : () ->')
    with pytest.raises(OperationError) as failure:
        bufferize(parse(text), bufferize_function_boundaries=True)
    assert failure.value.op.name == "test.op"


BUILT = """
import sys
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import IndexType, ModuleOp, TensorType, f32
import xdsl_bufferization as xbuf

t = TensorType(f32, [4])
f = func.FuncOp("f", ([t, f32, IndexType()], [t]))
put = tensor.InsertOp(f.args[1], f.args[0], [f.args[2]])
f.body.block.add_ops([put, func.ReturnOp(put)])
module = ModuleOp([f])
"""


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("print(xbuf.explain(module).functions[0].name)", "f\n"),
        ("print(xbuf.check_model(put))", "[]\n"),
        ("print(xbuf.check_model_by_execution(put))", "[]\n"),
        (
            "import numpy\nprint(xbuf.jit(module)(numpy.zeros(4, 'f'), 5, 1).tolist())",
            "[0.0, 5.0, 0.0, 0.0]\n",
        ),
    ],
)
def test_a_module_built_in_python_is_taken_at_once(code: str, output: str):
    result = subprocess.run(
        [sys.executable, "-c", BUILT + code], capture_output=True, text=True, check=True
    )
    assert result.stdout == output


def test_bufferize_has_the_defaults_of_the_tool():
    module = bufferize(parse(PROGRAM))
    assert "memref<4xf32>" in str(module)
    assert "tensor" not in str(module)
    boundaries = bufferize(parse(PROGRAM), bufferize_function_boundaries=False)
    assert "%t: tensor<4xf32>" in str(boundaries)


def test_arithmetic_on_tensors_is_bufferized():
    text = """
    func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = math.exp %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }"""
    exp = compile(deallocate(bufferize(parse(text))))["exp"]
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_allclose(exp(x), np.exp(x), rtol=1e-5)


def test_a_forgotten_step_is_named():
    with pytest.raises(OperationError) as failure:
        compile(parse(PROGRAM))
    assert failure.value.message == (
        "function @entry is still on tensors, tensor<4xf32>; call bufferize first, or "
        "run one-shot-bufferize"
    )
    text = """
    func.func @f(%x: f32) -> f32 {
      %buffer = memref.alloc() : memref<f32>
      memref.store %x, %buffer[] : memref<f32>
      %y = memref.load %buffer[] : memref<f32>
      return %y : f32
    }"""
    with pytest.warns(UserWarning, match="call deallocate before compile") as warned:
        compile(parse(text))
    assert str(warned[0].message) == (
        "the buffer %buffer of 'memref.alloc' in @f is never freed; call deallocate "
        "before compile"
    )
    compile(deallocate(parse(text)))
    # A caller frees what it is given.
    compile(bufferize(parse(PROGRAM)))


def test_a_compiled_module_shows_its_functions():
    module = compile(deallocate(bufferize(parse(PROGRAM))))
    assert repr(module) == (
        "<compiled module\n"
        "  entry(t: f32[4] read and written in a copy, x: f32) -> (f32[4])>"
    )


def test_the_keywords_of_compile_are_those_of_the_stage():
    parameters = inspect.signature(compile_module).parameters
    keywords = [p.name for p in parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert list(get_type_hints(CompileOptions)) == keywords
    hints = get_type_hints(compile_module)
    assert get_type_hints(CompileOptions) == {name: hints[name] for name in keywords}


def test_importing_the_package_loads_nothing():
    code = (
        "import sys, xdsl_bufferization\n"
        "print({'numpy', 'llvmlite', 'xdsl'} & set(sys.modules))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "set()\n"


def test_other_names_are_not_there():
    assert not hasattr(xdsl_bufferization, "nothing")


def test_the_keywords_of_bufferize_are_the_fields_of_the_pass():
    fields = {
        field.name: field.type for field in dataclasses.fields(OneShotBufferizePass)
    }
    fields.pop("name", None)
    assert get_type_hints(OneShotOptions) == fields


def test_bytes_that_are_no_text_are_refused_where_they_are(tmp_path: Path) -> None:
    file = tmp_path / "bad.mlir"
    file.write_bytes(b"func.func private @f()\n\xc3\xa4\xff")
    with pytest.raises(ParseError, match="not UTF-8 text") as error:
        parse(file)
    location = error.value.span.get_location()
    assert (location.line, location.col) == (2, 2)


def test_a_device_that_never_ends_is_no_program() -> None:
    with pytest.raises(OSError, match="may never end"):
        parse(Path("/dev/zero"))
