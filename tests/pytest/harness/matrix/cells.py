"""The answers of cells: which program is right, refused or wrong on which route.

    cells.note(program, "fold-add-into-dest (tensors)", Outcome("right"))

A cell is a program and a route.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from typing_extensions import override

from harness.matrix.around import Program
from harness.matrix.execution import REFUSED, WRONG, Outcome
from harness.matrix.refusals import is_expected
from harness.oracles.proved import without_place
from xdsl_bufferization.bufferization.verification.proofs import Proof


@dataclass(frozen=True)
class Finding:
    """A cell that is wrong."""

    program: Program
    route: str
    message: str

    @override
    def __str__(self) -> str:
        return f"{self.route}: {self.message}\n{self.program.description}"


@dataclass
class Cells:
    """The answers of cells that have been run."""

    counts: Counter[tuple[str, str, str]] = field(
        default_factory=Counter[tuple[str, str, str]]
    )
    """How many cells there are by op, route and answer."""

    findings: list[Finding] = field(default_factory=list[Finding])
    refusals: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """How often a route refuses with which message."""

    examples: dict[tuple[str, str], str] = field(
        default_factory=dict[tuple[str, str], str]
    )
    """A form that the route refuses with the message."""

    untaken: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """How many forms of an op the plain pipeline refuses, with which message."""

    executed: int = 0
    """How many codes were compiled and called."""

    proofs: Counter[str] = field(default_factory=Counter[str])
    """How many proofs each checker has ended without a fault."""

    undecided: Counter[str] = field(default_factory=Counter[str])
    """What the proofs did not decide, without names of values."""

    programs: int = 0
    ops: set[str] = field(default_factory=set[str])

    def add(self, other: "Cells") -> None:
        """Add cells that others have run."""
        self.counts.update(other.counts)
        self.refusals.update(other.refusals)
        self.examples = {**other.examples, **self.examples}
        self.findings += other.findings
        self.untaken.update(other.untaken)
        self.executed += other.executed
        self.proofs.update(other.proofs)
        self.undecided.update(other.undecided)
        self.programs += other.programs
        self.ops |= other.ops

    def note_proofs(self, proofs: Iterable[Proof]) -> None:
        """Count proofs, and what they leave open."""
        for each in proofs:
            self.proofs[each.name] += 1
            self.undecided.update(map(without_place, each.remarks))

    def note(self, program: Program, route: str, outcome: Outcome) -> None:
        """Count a cell; an error that a route may end in counts as a refusal."""
        kind = REFUSED if is_expected(route, outcome.message) else outcome.kind
        self.counts[program.form.op, route, kind] += 1
        if kind == REFUSED:
            refusal = (route, outcome.message)
            self.refusals[refusal] += 1
            self.examples.setdefault(refusal, program.description)
        elif kind == WRONG:
            self.findings.append(Finding(program, route, outcome.message))
