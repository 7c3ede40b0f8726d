"""Say how much memory each function allocates, and how much it needs.

May run anywhere after bufferization, and says most after deallocation. Nothing is
changed. The figures go to the standard error output, as those of MLIR's analysis
passes, or into a file.

    memory-stats                         // @f: 2 allocations, 96 bytes; peak 96, ...
    memory-stats{format=json file=stats.json}

If the peak is above the lower bound, `optimize-allocation-liveness`, `buffer-sinking`
and `buffer-reuse` can bring it down.
"""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.cost.memory_profile import (
    FunctionMemory,
    profile_module,
)
from xdsl_bufferization.bufferization.mlir_pass import MLIRPass
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.escaping import in_terminal
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside
from xdsl_bufferization.support.whole_files import write_text

from .tm_tensor_to_loops import with_tm_tensor_as_loops


@without_garbage_collection()
def measure_memory(module: ModuleOp) -> list[FunctionMemory]:
    """The figures of each function with a body, in the order of the program.

    What an op of tm_tensor allocates for itself counts.
    """
    module = with_tm_tensor_as_loops(module)
    found = {
        profile.uses.aliases.flow.root: profile.summarize()
        for profile in profile_module(module)
    }
    return [found[op] for op in ops_inside(module) if op in found]


def format_as_text(functions: Iterable[FunctionMemory]) -> str:
    """A line for each function."""
    return "".join(f"{in_terminal(_describe(function))}\n" for function in functions)


def _describe(function: FunctionMemory) -> str:
    notes = [
        f"{count} {what}"
        for count, what in (
            (function.dynamic_allocations, "of unknown size"),
            (function.never_freed, "never freed"),
        )
        if count
    ]
    noted = f" ({', '.join(notes)})" if notes else ""
    plural = "" if function.allocations == 1 else "s"
    return (
        f"@{function.name}: {function.allocations} allocation{plural}{noted}, "
        f"{function.total_bytes} bytes; peak {function.peak_bytes} bytes, "
        f"lower bound {function.lower_bound_bytes} bytes"
    )


def format_as_json(functions: Iterable[FunctionMemory]) -> str:
    """A list of objects, one for each function."""
    return json.dumps([asdict(function) for function in functions], indent=2) + "\n"


_FORMATS = {"text": format_as_text, "json": format_as_json}


@dataclass(frozen=True)
class MemoryStatsPass(MLIRPass):
    """Say how much memory each function allocates, and how much it needs."""

    name = "memory-stats"

    format: str = "text"
    """`text` for people, `json` for programs."""

    file: str = ""
    """Where to write the figures; empty for the standard error output."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        if self.format not in _FORMATS:
            known = ", ".join(_FORMATS)
            fail_at(op, f"memory-stats has no format '{self.format}'; use {known}")
        text = _FORMATS[self.format](measure_memory(op))
        if not self.file:
            sys.stderr.write(text)
            return
        try:
            write_text(self.file, text)
        except OSError as error:
            fail_at(op, f"memory-stats cannot write '{self.file}': {error.strerror}")
