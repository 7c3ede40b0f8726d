"""Dense constants whose elements are all one value: splats, however large they are.

xDSL 0.74 makes a list of all elements to read and to write a splat, which takes minutes
for the weights of a model. It also takes zeros of two signs for one value, and so
writes another constant than it has read. Here a splat is one to the bit, and costs what
its bytes cost.

    dense<[0.0, -0.0]> : tensor<2xf32>              # xDSL 0.74: dense<0.000000e+00>
    dense<0.0> : tensor<51200x2048xbf16>            # xDSL 0.74: minutes

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#denseintorfpelementsattr
"""

import re
from functools import cache
from typing import Any

from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    RankedStructure,
    TensorType,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer

_ONE_VALUE = re.compile(r'<\s*[^\s\[">/]')
"""How a literal starts that is no list, not empty and no text of bytes."""

_parse_element = vars(AttrParser)["_parse_tensor_literal_element"]
_parse_type = vars(AttrParser)["_parse_dense_literal_type"]
_parse_in_xdsl = AttrParser.parse_dense_int_or_fp_elements_attr
_print_in_xdsl = DenseIntOrFPElementsAttr.print_without_type


@cache
def amend_splats() -> None:
    """Make xDSL read, recognize and write splats by one element; once in a process."""
    AttrParser.parse_dense_int_or_fp_elements_attr = _parse
    DenseIntOrFPElementsAttr.is_splat = _is_splat
    DenseIntOrFPElementsAttr.print_without_type = _print


def _parse(
    self: AttrParser, type: RankedStructure[AnyDenseElement] | None = None
) -> DenseIntOrFPElementsAttr[Any]:
    if not _ONE_VALUE.match(self.lexer.input.content, self.pos):
        return _parse_in_xdsl(self, type)
    with self.in_angle_brackets():
        element = _parse_element(self)
    if type is None:
        self.parse_punctuation(":", " in dense attribute")
    of: RankedStructure[Any] = _parse_type(self) if type is None else type
    value = element.to_type(self, of.element_type)
    return DenseIntOrFPElementsAttr.from_list(of, [value])


def _is_splat(self: DenseIntOrFPElementsAttr[Any]) -> bool:
    """Whether all elements are one value, to the bit; no elements are none."""
    data = self.data.data
    size = self.get_element_type().compile_time_size
    # Shifted by one element it is the same.
    return len(data) > 0 and data[size:] == data[:-size]


def _print(self: DenseIntOrFPElementsAttr[Any], printer: Printer) -> None:
    type_ = self.get_element_type()
    if self.is_splat():
        element = BytesAttr(self.data.data[: type_.compile_time_size])
        self = DenseIntOrFPElementsAttr(TensorType(type_, [1]), element)
    _print_in_xdsl(self, printer)
