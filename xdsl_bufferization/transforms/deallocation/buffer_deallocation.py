"""The pass `buffer-deallocation`: free every buffer, by the strategy asked for.

    buffer-deallocation                        // ownership
    buffer-deallocation{strategy=ownership}

`ownership_based_buffer_deallocation.py` has the only strategy that is here so far, and
shows what it does.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.transforms.deallocation import (
    ownership_based_buffer_deallocation as ownership,
)


@dataclass(frozen=True)
class BufferDeallocationPass(ModulePass):
    """Free every buffer, by the strategy asked for."""

    name = "buffer-deallocation"

    strategy: str = "ownership"
    """How to find out what to free, and where."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        if self.strategy != "ownership":
            fail_at(
                op,
                f"buffer-deallocation has no strategy '{self.strategy}'; "
                "use strategy=ownership",
            )
        ownership.deallocate_by_ownership(op)
