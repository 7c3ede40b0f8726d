"""The pass `buffer-deallocation`: free every buffer, by the strategy asked for.

    buffer-deallocation                        // ownership, MLIR's of 2023
    buffer-deallocation{strategy=clone}        // MLIR's of 2021
    buffer-deallocation{strategy=copy}         // MLIR's of 2020

`ownership_based_buffer_deallocation.py`, `deallocation_with_clones.py` and
`deallocation_with_copies.py` show what each of them does.

`ownership` leaves `bufferization.dealloc` to `lower-deallocations`. `ownership` and
`clone` leave `bufferization.clone` to `convert-bufferization-to-memref`.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.errors import fail_at

from ..mlir_pass import MLIRPass
from . import ownership_based_buffer_deallocation as ownership
from .deallocation_with_clones import deallocate_with_clones
from .deallocation_with_copies import deallocate_with_copies


@dataclass(frozen=True)
class BufferDeallocationPass(MLIRPass):
    """Free every buffer, by the strategy asked for."""

    name = "buffer-deallocation"

    strategy: str = "ownership"
    """How to find out what to free, and where."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        match self.strategy:
            case "ownership":
                ownership.deallocate_by_ownership(op)
            case "clone":
                deallocate_with_clones(op)
            case "copy":
                deallocate_with_copies(op)
            case _:
                fail_at(
                    op,
                    f"buffer-deallocation has no strategy '{self.strategy}'; "
                    "use strategy=ownership, clone or copy",
                )
