"""What mlir-opt makes of the parts of a test, for comparison.

It may crash on a part, or not come to an end: then there is nothing to compare with.
"""

import re
import shutil
from collections import Counter
from functools import cache

from harness.oracles.tool_runs import ToolFaultError, run_tool
from run_lines import Run

MLIR_OPT = "mlir-opt-22"

_OP = re.compile(r'^\s*(?:%[\w$.#:, %-]+ = )?"?([a-z_][\w$.]*)"?', re.MULTILINE)
_DECISION = re.compile(r"__inplace_\w+_attr__ = \[.*?\]\]?|bufferization\.access = \S+")

_OUTER = re.compile(r"^(?:func|builtin)\.")
"""Dialects whose prefix MLIR leaves out."""

_MEMORY = frozenset(
    {
        "bufferization.alloc_tensor",
        "bufferization.clone",
        "bufferization.dealloc",
        "bufferization.dealloc_tensor",
        "bufferization.materialize_in_destination",
        "linalg.copy",
        "memref.alloc",
        "memref.alloca",
        "memref.copy",
        "memref.dealloc",
        "memref.realloc",
    }
)

_NOT_COUNTED = frozenset({"arith.constant", "true", "false", "dense"})
"""Constants may be shared or not."""


@cache
def _path() -> str:
    found = shutil.which(MLIR_OPT)
    if found is None:
        raise SystemExit(f"{MLIR_OPT} is not installed (Debian's mlir-22-tools)")
    return found


@cache
def output_of(run: Run, text: str) -> str | None:
    """What mlir-opt prints for a program; None if it refuses it, or crashes there."""
    for tool in run.tools:
        arguments = [
            each
            for each in tool
            if each.lstrip("-") not in ("split-input-file", "verify-diagnostics")
        ]
        try:
            done = run_tool([_path(), *arguments, "-"], text)
        except ToolFaultError:
            return None
        if done.returncode:
            return None
        text = done.stdout
    return text


def ops_in(text: str) -> Counter[str]:
    """How often each op is in a program, and each decision of the analysis."""
    names = (_OUTER.sub("", found[1]) for found in _OP.finditer(text))
    counts = Counter(name for name in names if name not in _NOT_COUNTED)
    counts.update(_DECISION.findall(text))
    return counts


def memory_in(text: str) -> Counter[str]:
    """What a program allocates, copies and frees."""
    return Counter(
        {name: count for name, count in ops_in(text).items() if name in _MEMORY}
    )
