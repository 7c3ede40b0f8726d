"""The instructions of AMX, on registers that hold tiles of matrices.

A register holds up to 16 rows of 64 bytes. It has one of three uses:

- 16 x 16 sums in f32;
- 16 rows of A, with 32 columns of bf16;
- 16 pairs of rows of B, with 16 columns.

One instruction multiplies A by B and adds the product to the sums. Numbers below the
smallest normal one count as 0, as in AVX-512's products of bf16.

    amx = Amx(code)
    amx.configure({0: (16, 64), 1: (16, 64), 2: (16, 64)})
    amx.clear(0)
    amx.load(1, a, lda)
    amx.load(2, b, ldb)
    amx.multiply(0, 1, 2)
    amx.store(0, c, ldc)
    amx.release()

Source: Intel's "64 and IA-32 Architectures Software Developer's Manual", on AMX.
"""

import struct
from collections.abc import Mapping
from typing import Final

from .emitter import I8, VOID, Emitter, Value

REGISTERS: Final = 8

ROWS: Final = 16
"""The most rows of a tile, and the columns of a tile of C."""

DEPTH: Final = 32
"""Columns of a tile of A at most, and rows of one of B."""

Shape = tuple[int, int]
"""Rows, and bytes a row."""

_PALETTE: Final = 1
_CONFIGURABLE: Final = 16
"""Registers that a configuration has room for."""


class Amx:
    """The instructions on tiles."""

    def __init__(self, code: Emitter):
        self._code = code

    def configure(self, shapes: Mapping[int, Shape]) -> None:
        """Set the shapes of all registers, and clear them."""
        each = [shapes.get(number, (0, 0)) for number in range(_CONFIGURABLE)]
        row_bytes, rows = (bytes_ for _, bytes_ in each), (rows for rows, _ in each)
        configuration = struct.pack("<B15x16H16B", _PALETTE, *row_bytes, *rows)
        self._do("ldtilecfg", self._code.bytes(configuration))

    def release(self) -> None:
        """Be done with tiles: what a thread leaves in them has to be saved."""
        self._do("tilerelease")

    def clear(self, register: int) -> None:
        """Set to zero."""
        self._do("tilezero", self._number(register))

    def load(self, register: int, place: Value, stride: int) -> None:
        """Read rows that start `stride` bytes apart."""
        words = place, self._code.index(stride)
        self._do("tileloadd64", self._number(register), *words)

    def store(self, register: int, place: Value, stride: int) -> None:
        """Write rows that start `stride` bytes apart."""
        words = place, self._code.index(stride)
        self._do("tilestored64", self._number(register), *words)

    def multiply(self, sums: int, a: int, b: int) -> None:
        """Add the product of two registers to a third."""
        self._do("tdpbf16ps", *map(self._number, (sums, a, b)))

    def _number(self, register: int) -> Value:
        return self._code.constant(I8, register)

    def _do(self, name: str, *operands: Value) -> None:
        self._code.intrinsic(f"llvm.x86.{name}", VOID, list(operands))
