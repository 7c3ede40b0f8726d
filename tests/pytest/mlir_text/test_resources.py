"""The resources at the end of a file, in a process that reads several files."""

import numpy as np
import pytest
from xdsl.dialects.builtin import DenseResourceAttr
from xdsl.dialects.memref import GlobalOp
from xdsl.utils.exceptions import ParseError

import xdsl_bufferization as xbuf
from xdsl_bufferization.dialects.common.resources import resource_bytes

ALIGNMENT = "04000000"


def blob(number: float) -> str:
    return f"0x{ALIGNMENT}{np.float32(number).tobytes().hex()}"


def globals_and_resources(numbers: dict[str, float]) -> str:
    lines = [
        f"memref.global @g{n} : memref<1xf32> = dense_resource<{key}>"
        for n, key in enumerate(numbers)
    ]
    data = [f'{key}: "{blob(number)}"' for key, number in numbers.items()]
    return "\n".join(
        [*lines, f"{{-# dialect_resources: {{ builtin: {{ {', '.join(data)} }} }} #-}}"]
    )


def test_a_new_name_may_be_a_key_of_the_same_file() -> None:
    """The second file's `collides` is renamed to a key that it has as well."""
    first = {"collides": 1.0, "collides_0": 2.0}
    second = {"collides": 3.0, "collides_1": 4.0, "collides_0": 5.0}
    for numbers in first, second, second:
        module = xbuf.parse(globals_and_resources(numbers))
        found = [
            resource_bytes(op.initial_value)
            for op in module.ops
            if isinstance(op, GlobalOp)
            and isinstance(op.initial_value, DenseResourceAttr)
        ]
        assert found == [np.float32(number).tobytes() for number in numbers.values()]


def program(key: str, rest: str) -> str:
    return f"""
func.func @f() -> tensor<1xf32> {{
  %0 = arith.constant dense_resource<{key}> : tensor<1xf32>
  return %0 : tensor<1xf32>
}}
{{-# {rest} #-}}
"""


def result(text: str) -> np.ndarray:
    module = xbuf.parse(text)
    xbuf.bufferize(module, bufferize_function_boundaries=True)
    return xbuf.compile(module)["f"]()


def test_keys_are_words_or_strings() -> None:
    resources = f'dialect_resources: {{ builtin: {{ "a key": "{blob(2.0)}" }} }}'
    np.testing.assert_array_equal(result(program('"a key"', resources)), [2.0])


def test_resources_of_other_tools_are_left_out() -> None:
    resources = f"""
      external_resources: {{
        mlir_reproducer: {{
          pipeline: "builtin.module(canonicalize)", disable_threading: true
        }},
        "another tool": {{}}
      }},
      dialect_resources: {{ builtin: {{ key: "{blob(2.0)}" }} }}"""
    np.testing.assert_array_equal(result(program("key", resources)), [2.0])


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (f"{ALIGNMENT}0000803F", "0x and pairs of hexadecimal digits"),
        (f"0x{ALIGNMENT}0000803z", "0x and pairs of hexadecimal digits"),
        (f"0x{ALIGNMENT}0000803", "0x and pairs of hexadecimal digits"),
        (f"0x{ALIGNMENT} 0000803F", "0x and pairs of hexadecimal digits"),
        ("0x", "begin with its alignment"),
        ("0x0400", "begin with its alignment"),
        ("0x050000000000803F", "begin with its alignment"),
        ("0x00000000", "begin with its alignment"),
    ],
)
def test_what_is_no_data_is_refused_where_it_stands(data: str, problem: str) -> None:
    resources = f'dialect_resources: {{ builtin: {{ key: "{data}" }} }}'
    with pytest.raises(ParseError, match=problem) as error:
        xbuf.parse(program("key", resources))
    assert error.value.span.text.strip() == f'"{data}"'
