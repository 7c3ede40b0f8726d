"""Encodings of MLIR's sparse_tensor dialect, kept as text.

    tensor<8x8xf32, #sparse_tensor.encoding<{
      map = (i, j) -> (i : dense, j : compressed)
    }>>

xDSL 0.74 lacks the dialect. Passes of this package read no encoding: a tensor that has
one is read and printed as it is. Only the names of dimensions become MLIR's, `d0` and
`d1`, so that encodings that mean the same are equal. An encoding with symbols, slices
or names of levels keeps its names.

Source: https://mlir.llvm.org/docs/Dialects/SparseTensorOps/
"""

import re

from typing_extensions import override
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .text.dialect_symbols import read_bracketed_text

_MAP = re.compile(
    r"\bmap ?= ?\((?P<names> ?\w+ ?(?:, ?\w+ ?)*)\) ?-> ?"
    r"\((?P<levels>(?:[^()]|\([^()]*\))*)\)"
)
"""The map from dimensions to levels, where it has neither symbols nor slices."""

_LEVEL = re.compile(
    r" ?((?:[^:,()]|\([^()]*\))+?) ?: ?"
    r"((?:[^:,()\[\]]|\([^()]*\)|\[[^\[\]]*\])+?) ?(?:,|$)"
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPERATORS = {"ceildiv", "floordiv", "mod"}


def _with_names_of_mlir(text: str) -> str:
    """Call the dimensions of the map d0, d1 and so on, as MLIR prints them."""
    inner = text.removeprefix("{").removesuffix("}").strip()
    return f"{{ {_MAP.sub(_renamed, inner)} }}"


def _renamed(found: re.Match[str]) -> str:
    written = [name.strip() for name in found["names"].split(",")]
    names = {name: f"d{number}" for number, name in enumerate(written)}
    levels = found["levels"]
    if len(names) < len(written) or names.keys() & _OPERATORS:
        return found[0]
    if _LEVEL.sub("", levels):
        return found[0]

    def rename(level: re.Match[str]) -> str:
        loop = _NAME.sub(lambda name: names.get(name[0], name[0]), level[1])
        return f"{loop} : {level[2]}"

    return (
        f"map = ({', '.join(names.values())}) -> "
        f"({', '.join(map(rename, _LEVEL.finditer(levels)))})"
    )


@irdl_attr_definition
class EncodingAttr(Data[str]):
    """How the elements of a sparse tensor are stored."""

    name = "sparse_tensor.encoding"

    @classmethod
    @override
    def parse_parameter(cls, parser: AttrParser) -> str:
        return _with_names_of_mlir(" ".join(read_bracketed_text(parser).split()))

    @override
    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)
