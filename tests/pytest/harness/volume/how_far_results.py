"""The records of `how_far`: what variants of programs copied, and what was proven."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Measured:
    """What a variant of a program did in all its runs."""

    copies: int
    """Executed, by all runs together."""

    copied: int
    """Bytes, by all runs together."""

    peak: int
    """The highest of all runs, in bytes."""


@dataclass(frozen=True)
class Proof:
    """What a search says about one function."""

    ops: int
    """Those with tensors."""

    seconds: float
    """Processor time of the search, and of what it starts from."""

    estimates: dict[str, int]
    """Estimated bytes copied, by variant, and the bound of the search."""

    is_proven: bool
    after_passes: dict[str, int]
    """As `estimates`, for the function after the two passes that save copies."""


@dataclass
class Result:
    """All about one program."""

    kind: str
    seed: int
    measured: dict[str, Measured] = field(default_factory=dict[str, Measured])
    faults: dict[str, str] = field(default_factory=dict[str, str])
    """Why a variant was not measured."""

    proofs: list[Proof] = field(default_factory=list[Proof])
    as_auto: int = 0
    """Functions for which `auto` is taken instead of what was found."""
