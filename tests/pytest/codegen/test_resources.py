"""Constants that the file has at its end, as `dense_resource`."""

import numpy as np
import pytest

import xdsl_bufferization as xbuf
from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.support.errors import OperationError

PROGRAM = """
func.func @f() -> tensor<2xf32> {{
  %0 = arith.constant dense_resource<weights> : tensor<2xf32>
  return %0 : tensor<2xf32>
}}
{{-# dialect_resources: {{ builtin: {{ weights: "0x04000000{data}" }} }} #-}}
"""


def compiled(data: str) -> np.ndarray:
    module = xbuf.parse(PROGRAM.format(data=data))
    xbuf.bufferize(module, bufferize_function_boundaries=True)
    return xbuf.compile(module)["f"]()


def test_bytes_are_the_elements() -> None:
    np.testing.assert_array_equal(compiled("0000803F00000040"), [1.0, 2.0])


def test_bytes_are_as_many_as_the_type_says() -> None:
    with pytest.raises(OperationError, match=r"has 4 bytes, but .* has 8"):
        compiled("0000803F")


def test_a_constant_without_data_has_its_place() -> None:
    module = xbuf.parse(PROGRAM.replace("weights>", "nothing>").format(data=""))
    xbuf.bufferize(module, bufferize_function_boundaries=True)
    with pytest.raises(OperationError, match="has no resource nothing") as error:
        xbuf.compile(module)
    assert locate(error.value.op) == "<string>:3:8"
