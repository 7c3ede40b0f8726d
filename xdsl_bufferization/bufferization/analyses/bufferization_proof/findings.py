"""What a proof of a bufferization ends in: reads that find other elements, and gaps.

'tensor.extract' reads %0, whose buffer holds other elements by then:
'tensor.insert' wrote there, in an earlier iteration, if %c
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.errors import op_name

from ...interfaces.operands import OpOperand
from ...interfaces.region_branch import get_region_branch


class Kind(Enum):
    """What is wrong."""

    LOST = auto()
    """What is read has been overwritten."""

    AT_ONCE = auto()
    """An op reads what it writes meanwhile."""

    CONSTANT = auto()
    """An op writes a buffer that nobody may write."""

    LEFT_OUT = auto()
    """An insertion copies nothing, and its source lies elsewhere."""


@dataclass(frozen=True)
class Finding:
    """A read that does not find its elements; or a write that is not allowed."""

    read: OpOperand
    write: OpOperand
    kind: Kind = Kind.LOST

    @override
    def __str__(self) -> str:
        """One sentence for each: what is read, what is found, and how that came."""
        op, name = op_name(self.read.owner), _described(self.read)
        if self.kind is Kind.CONSTANT:
            return (
                f"'{op}' writes the buffer of {name}, which must not be written: it is "
                "that of a constant, or the caller keeps it; the operand needs a copy"
            )
        if self.kind is Kind.LEFT_OUT:
            return (
                f"'{op}' does not copy {name}, as if its elements were in the buffer "
                f"of {_described(self.write)} already, and they are elsewhere"
            )
        if self.kind is Kind.AT_ONCE:
            return (
                f"'{op}' reads {name} while it writes the same buffer by "
                f"{_described(self.write)}; one of the two needs a copy"
            )
        writer = op_name(self.write.owner)
        return (
            f"'{op}' reads {name}, whose buffer does not hold its elements any more: "
            f"'{writer}' has written there by {_described(self.write)}"
            f"{describe_path(self.write.owner, self.read.owner)}"
        )


@dataclass(frozen=True)
class Undecided:
    """An op about which nothing is proven, and why."""

    op: Operation
    reason: str

    @override
    def __str__(self) -> str:
        return f"'{op_name(self.op)}' is not decided: {self.reason}"


@dataclass
class Verdict:
    """What is known of a module in the end."""

    findings: dict[Finding, None] = field(default_factory=dict[Finding, None])
    undecided: dict[Undecided, None] = field(default_factory=dict[Undecided, None])

    @property
    def is_proven(self) -> bool:
        """Whether the decisions keep the meaning, whatever the arguments are."""
        return not self.findings and not self.undecided


def describe_path(write: Operation, read: Operation) -> str:
    """Which way leads from a write to a read, as far as regions tell."""
    common = set(_around(read))
    inside = [op for op in _around(write) if op not in common]
    parts = [
        f", if {_condition(op.cond)}" + ("" if number == 0 else " is false")
        for op, number in _regions_of(write)
        if op in inside and isinstance(op, scf.IfOp)
    ]
    loop = next((op for op in _around(read) if op in _around(write)), None)
    while loop is not None and not _is_loop(loop):
        loop = loop.parent_op()
    if loop is not None and not _comes_before(write, read):
        parts.append(", in an earlier iteration")
    return "".join(parts)


def _is_loop(op: Operation) -> bool:
    regions = get_region_branch(op)
    return regions is not None and any(
        regions.is_repetitive_region(op, number) for number in range(len(op.regions))
    )


def _around(op: Operation) -> list[Operation]:
    ops: list[Operation] = []
    around = op.parent_op()
    while around is not None:
        ops.append(around)
        around = around.parent_op()
    return ops


def _regions_of(op: Operation) -> list[tuple[Operation, int]]:
    """The ops around `op`, each with the number of the region that `op` is in."""
    found: list[tuple[Operation, int]] = []
    region, around = op.parent_region(), op.parent_op()
    while around is not None and region is not None:
        found.append((around, around.regions.index(region)))
        region, around = around.parent_region(), around.parent_op()
    return found


def _comes_before(first: Operation, second: Operation) -> bool:
    """Whether `first` runs before `second` in one iteration of what is around both."""
    chain = {op.parent: op for op in (first, *_around(first))}
    other: Operation | None = second
    while other is not None and other.parent not in chain:
        other = other.parent_op()
    if other is None:
        return True
    one = chain[other.parent]
    return one is not other and one.is_before_in_block(other)


def _described(operand: OpOperand) -> str:
    name = operand.value.name_hint
    return f"operand {operand.number}, %{name}" if name else f"operand {operand.number}"


def _condition(value: SSAValue) -> str:
    return f"%{value.name_hint}" if value.name_hint else "its condition"
