import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from xdsl.utils.exceptions import ParseError, VerifyException

import xdsl_bufferization
from xdsl_bufferization import bufferize, compile, deallocate, parse
from xdsl_bufferization.errors import OperationError
from xdsl_bufferization.transforms.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.transforms.bufferize.one_shot_options import OneShotOptions

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
