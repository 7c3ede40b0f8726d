"""Random programs: operands are in place here exactly where mlir-opt 22 has them.

Every kind of program, and every option that mlir-opt has; `compare_many.py` does the
same with as many programs as one likes.
"""

import pytest
from harness.volume.compare_many import BAD, COPY_BEFORE_WRITE, KINDS, OPTIONS, Batch

pytestmark = pytest.mark.oracle

PROGRAMS = 42
"""Of each kind, three for each option."""

DECIDED = [name for name in OPTIONS if name != COPY_BEFORE_WRITE]


@pytest.mark.parametrize("number", range(len(KINDS)), ids=KINDS)
def test_decisions_are_those_of_mlir_opt(number: int) -> None:
    batch = Batch(number, PROGRAMS)
    verdicts: list[str] = []
    for n, name in enumerate(DECIDED):
        part = slice(n, None, len(DECIDED))
        found = list(batch.compare(name, part))
        for text, verdict in zip(batch.texts[part], found, strict=True):
            assert verdict not in BAD, f"{name}:\n{text}"
        verdicts += found
    assert len(verdicts) == PROGRAMS
    assert verdicts.count("same") >= PROGRAMS // 4
