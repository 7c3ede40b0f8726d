"""Bytes that are one element over and over, without room for all of them.

Repeated(bytes([1]), 200_000_000)     200 MB, kept as one byte
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Repeated:
    """An element that stands `count` times."""

    element: bytes
    count: int

    @property
    def size(self) -> int:
        """How many bytes these are."""
        return len(self.element) * self.count

    def whole(self) -> bytes:
        """All the bytes; raises a `MemoryError` where there is no room for them."""
        try:
            return self.element * self.count
        except OverflowError:
            raise MemoryError from None

    def is_zero(self) -> bool:
        """Whether all bytes are zero."""
        return not any(self.element)
