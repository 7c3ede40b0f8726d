"""What One-Shot Analysis finds out about one root op, most often a function."""

from dataclasses import dataclass

from xdsl.ir import Operation

from xdsl_bufferization.analyses.alias_sets import AliasSets
from xdsl_bufferization.analyses.conflicts import NotWritable, RaWConflict
from xdsl_bufferization.analyses.new_buffers import NewBuffers
from xdsl_bufferization.analyses.parallel_regions import SharedWrite
from xdsl_bufferization.analyses.tensor_facts import TensorFacts
from xdsl_bufferization.analyses.written_in_place import InsertionsInPlace
from xdsl_bufferization.interfaces.operands import OpOperand

Reason = RaWConflict | NotWritable | SharedWrite
"""Why an operand needs a copy."""


@dataclass(frozen=True)
class RootAnalysis:
    """The decisions about one root op."""

    root: Operation
    facts: TensorFacts
    alias_sets: AliasSets
    insertions: InsertionsInPlace
    new_buffers: NewBuffers
    reasons: dict[OpOperand, Reason]
    """Why operands are out of place, for those that are."""
