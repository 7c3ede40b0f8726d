"""The resources at the end of a file, in a process that reads several files."""

import gc

import numpy as np
import pytest
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import Builtin, DenseResourceAttr, ModuleOp
from xdsl.dialects.memref import GlobalOp
from xdsl.utils.exceptions import ParseError

import xdsl_bufferization as xbuf
from xdsl_bufferization.dialects.common.resources import resource_bytes
from xdsl_bufferization.dialects.text import resources

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


def names_of(module: ModuleOp) -> list[str]:
    return [
        op.initial_value.resource_handle.data
        for op in module.ops
        if isinstance(op, GlobalOp) and isinstance(op.initial_value, DenseResourceAttr)
    ]


def kept() -> int:
    """How many resources of the builtin dialect there are."""
    gc.collect()
    interface = Builtin.get_interface(OpAsmDialectInterface)
    assert interface is not None
    return len(vars(interface)["_blob_storage"])


def test_data_are_forgotten_with_the_last_program_that_has_them() -> None:
    before = kept()
    module = xbuf.parse(globals_and_resources({"forgotten": 1.0}))
    copy = module.clone()
    del module
    assert kept() == before + 1
    (name,) = names_of(copy)
    value = next(op for op in copy.ops if isinstance(op, GlobalOp)).initial_value
    assert isinstance(value, DenseResourceAttr)
    assert resource_bytes(value) == np.float32(1.0).tobytes()
    del copy, value, name
    assert kept() == before


def test_a_program_that_is_read_again_has_the_same_names() -> None:
    text = globals_and_resources({"again": 1.0, "again_0": 2.0})
    for _ in range(3):
        assert names_of(xbuf.parse(text)) == ["again", "again_0"]
    first, second = xbuf.parse(text), xbuf.parse(text)
    assert not set(names_of(first)) & set(names_of(second))


def test_data_outlive_a_program_whose_data_were_cleared_away() -> None:
    interface = Builtin.get_interface(OpAsmDialectInterface)
    assert interface is not None
    text = globals_and_resources({"cleared": 1.0})
    old = xbuf.parse(text)
    vars(interface)["_blob_storage"].clear()
    new = xbuf.parse(text)
    assert names_of(old) == names_of(new) == ["cleared"]
    del old
    gc.collect()
    assert interface.lookup("cleared") == blob(1.0)


def test_nothing_is_kept_of_a_text_that_is_refused() -> None:
    before = kept()
    for _ in range(3):
        with pytest.raises(ParseError):
            xbuf.parse(globals_and_resources({"refused": 1.0}).removesuffix("#-}"))
    assert kept() == before


def test_garbage_is_collected_before_it_has_much_data(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resources, "_COLLECTED_AFTER", 10 * len(blob(0.0)))
    before = kept()
    gc.disable()
    try:
        for number in range(100):
            xbuf.parse(globals_and_resources({f"much_{number}": 1.0}))
        interface = Builtin.get_interface(OpAsmDialectInterface)
        assert len(vars(interface)["_blob_storage"]) <= before + 11
    finally:
        gc.enable()


@pytest.mark.parametrize("key", ["1st", "ä", "a b", "$x", ".", "", "\\22", "a\\0Ab"])
def test_a_name_can_be_read_where_it_is_printed(key: str) -> None:
    data = f'{{-# dialect_resources: {{ builtin: {{ "{key}": "{blob(1.0)}" }} }} #-}}'
    text = f'memref.global @g : memref<1xf32> = dense_resource<"{key}">\n{data}'
    name = str(names_of(xbuf.parse(text))[0])
    again = globals_and_resources({name: 2.0})
    assert names_of(xbuf.parse(again)) == [name]
