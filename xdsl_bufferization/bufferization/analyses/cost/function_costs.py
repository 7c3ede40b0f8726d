"""What the functions of a bufferized program cost: allocations, copies, bytes.

    %0 = memref.alloc() : memref<4xf32>     allocations 1, 16 bytes, peak 16
    memref.copy %a, %0                      copies 1, 16 bytes

Each op counts once, however often it runs. A size that only the running program knows
counts as 0 bytes. Beside that there is an estimate over all iterations of loops. Cost:
that of `memory_profile.py`, and linear in the ops.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import TypeIs
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.dialects.memref.sizes import (
    count_bytes,
    estimate_bytes,
)
from xdsl_bufferization.dialects.xsmm import UnaryOp
from xdsl_bufferization.support.algorithms.program_points import ProgramPoints
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.region_branch import get_region_branch
from ..tensor_facts.trips import EstimatedTrips
from .memory_profile import FunctionMemory, MemoryProfile, profile_module


@dataclass(frozen=True)
class Copies:
    """The ops of a function that copy a buffer."""

    count: int
    dynamic: int
    """Those among them of unknown size."""

    bytes: int
    """The sum over the others."""


@dataclass(frozen=True)
class FunctionCost:
    """What a function costs."""

    memory: FunctionMemory
    copies: Copies


def measure_costs(
    module: ModuleOp, profiles: Sequence[MemoryProfile] | None = None
) -> dict[str, FunctionCost]:
    """The cost of each function with a body, by name; `profiles` are those of it.

    Not of functions in a module inside of `module`, which may have the same names.
    """
    found: dict[str, FunctionCost] = {}
    for profile in profile_module(module) if profiles is None else profiles:
        function = profile.uses.aliases.flow.root
        assert isinstance(function, FuncOp)
        if function.parent_op() is module:
            name = function.sym_name.data
            found[name] = FunctionCost(profile.summarize(), count_copies(function))
    return found


def is_copy(op: Operation) -> TypeIs[memref.CopyOp | UnaryOp]:
    """Whether an op copies a buffer; a kernel may."""
    return isinstance(op, memref.CopyOp) or (
        isinstance(op, UnaryOp) and op.copied_bytes is not None
    )


def count_copies(function: FuncOp) -> Copies:
    """The copies of buffers in a function."""
    sizes = [
        count_bytes(op.source.type)
        if isinstance(op, memref.CopyOp)
        else op.copied_bytes
        for op in ops_inside(function)
        if is_copy(op)
    ]
    known = [size for size in sizes if size is not None]
    return Copies(len(sizes), len(sizes) - len(known), sum(known))


def estimate_bytes_copied(function: FuncOp) -> int:
    """The bytes that a call of a function copies itself, over all iterations.

    Loops and extents that only the running program knows are guessed.
    """
    copies = [op for op in ops_inside(function) if isinstance(op, memref.CopyOp)]
    if not copies:
        return 0
    points, trips = ProgramPoints(function, is_repetitive), EstimatedTrips()
    return sum(
        estimate_bytes(op.source.type) * trips.of_block(points.of_op(op).block)
        for op in copies
    )


def is_repetitive(op: Operation, number: int) -> bool:
    """Whether a region, given by op and number, may run several times for one run."""
    branch = get_region_branch(op)
    if branch is None:
        return not op.has_trait(IsolatedFromAbove, value_if_unregistered=False)
    return branch.is_repetitive_region(op, number)
