"""How `jit` compiles: the options that make another function of a program."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.passes import ModulePass


@dataclass(frozen=True)
class JitOptions:
    """What a caller of `jit` said."""

    entry: str | None
    donate: tuple[str | int, ...]
    threads: int | None
    optimize: bool
    checked: bool
    verified: bool = False
    cpu: str | None = None
    passes: "str | tuple[ModulePass, ...] | None" = None
    """From tensors to buffers that are freed; None: the default ones."""


class NotProvenWarning(UserWarning):
    """`jit(..., verified=True)` cannot say of an op whether it is right, and why."""
