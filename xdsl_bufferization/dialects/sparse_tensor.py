"""Encodings of MLIR's sparse_tensor dialect, kept as text.

    tensor<8x8xf32, #sparse_tensor.encoding<{
      map = (i, j) -> (i : dense, j : compressed)
    }>>

xDSL 0.74 lacks the dialect. Passes of this package read no encoding: a tensor that has
one is read and printed as it is. Source: https://mlir.llvm.org/docs/Dialects/SparseTensorOps/
"""

from typing_extensions import override
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class EncodingAttr(Data[str]):
    """How the elements of a sparse tensor are stored."""

    name = "sparse_tensor.encoding"

    @classmethod
    @override
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            # Balanced text up to the bracket that ends it.
            body = parser._parse_unregistered_attr_body(None)  # pyright: ignore[reportPrivateUsage] # noqa: SLF001
        return " ".join(body.split())

    @override
    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)
