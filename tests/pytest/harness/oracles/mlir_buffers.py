"""A program that mlir-opt 22 has bufferized, to be compiled and counted here."""

from collections.abc import Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from harness.oracles.decisions import parse
from harness.oracles.tool_runs import run_tool
from harness.oracles.tools import MLIR_OPT, find_oracle
from xdsl_bufferization.bufferization.deallocation.convert_bufferization_to_memref import (  # noqa: E501 (the file has the name of its pass)
    lower_clones,
)


def bufferized_by_mlir_opt(passes: Sequence[str], file: Path) -> ModuleOp:
    """The program of `file` after `passes`, which are options of mlir-opt.

    Raises `CalledProcessError` where mlir-opt refuses the program, and a
    `ToolFaultError` where it crashes.
    """
    buffers = run_tool([find_oracle(MLIR_OPT), *passes, str(file)])
    buffers.check_returncode()
    module = parse(buffers.stdout)
    lower_clones(module)
    return module
