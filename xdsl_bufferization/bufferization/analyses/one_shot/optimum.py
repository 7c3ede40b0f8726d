"""What a search for the best decisions found, and how far off it can be.

decided with 3 copies of 96 bytes; no decisions copy fewer bytes
decided with 3 copies of 96 bytes; at least 64 bytes are needed
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Optimum:
    """The best decisions that were found, and the bound.

    Bytes are over all iterations: see `tensor_facts/trips.py`.
    """

    plan: tuple[bool, ...]
    """For each tensor operand, in the order of the analysis, whether it is in place."""

    bytes_copied: int
    bytes_allocated: int
    copies: int
    """Operands out of place with contents, and later copies; each counts once."""

    at_least: int
    """No decisions copy fewer bytes."""

    orders: tuple[tuple[str, int], ...]
    """The bytes that each order copies which was tried before."""

    permutes_buffers: bool
    """Whether loops were taken to permute buffers where they can."""

    has_solver: bool
    """Whether `highspy` was there to search with."""

    @property
    def is_proven(self) -> bool:
        """Whether no decisions copy fewer bytes."""
        return self.bytes_copied <= self.at_least

    def in_words(self) -> str:
        """One sentence, for reports."""
        if not self.copies:
            return "decided without a copy"
        number = "1 copy" if self.copies == 1 else f"{self.copies} copies"
        found = f"decided with {number} of {self.bytes_copied} bytes"
        if self.is_proven:
            return f"{found}; no decisions copy fewer bytes"
        why = "" if self.has_solver else " (install highspy for a better bound)"
        return f"{found}; at least {self.at_least} bytes are needed{why}"
