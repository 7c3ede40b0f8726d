"""Strings with letters beyond ASCII are read as they are printed: as bytes of UTF-8."""

from collections.abc import Callable

import pytest
from harness.oracles.decisions import parse
from xdsl.dialects.builtin import BytesAttr, ModuleOp, StringAttr
from xdsl.parser import Parser

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import WiderParser
from xdsl_bufferization.dialects.printing import mlir_text

PROGRAM = """
func.func @"maß"(%c: i1, %x: f32) attributes {test.name = "Größe"} {
  vector.print str "é"
  cf.assert %c, "größer als 1 \\\\ \\22"
  call @"maß"(%c, %x) : (i1, f32) -> ()
  return
}
"""


def read_wider(text: str) -> ModuleOp:
    return WiderParser(get_context(), text).parse_module()


@pytest.mark.parametrize("read", (parse, read_wider))
def test_what_is_printed_is_read(read: Callable[[str], ModuleOp]) -> None:
    module = read(PROGRAM)
    printed = mlir_text(module)
    assert printed.isascii()
    assert "\\C3\\A9" in printed
    again = read(printed)
    assert again.is_structurally_equivalent(module)
    assert mlir_text(again) == printed


@pytest.mark.parametrize("parser", (Parser, WiderParser))
def test_bytes_that_are_no_letters_stay_bytes(parser: type[Parser]) -> None:
    text = '"builtin.module"() ({}) {test.a = "\\FF", test.b = "\\C3\\A9"} : () -> ()'
    attributes = parser(get_context(), text).parse_module().attributes
    assert attributes["test.a"] == BytesAttr(b"\xff")
    assert attributes["test.b"] in (StringAttr("é"), BytesAttr("é".encode()))
