"""The programs that mlir-opt 22 gets wrong are found by reading its decisions.

Nothing is run here. `test_where_mlir_opt_is_wrong.py` runs these programs, and shows
that mlir-opt's code computes other numbers, and ours the right ones.
"""

import pytest
from harness.oracles.decisions import parse
from harness.oracles.mlir_text import ask_surely
from harness.oracles.proofs import OPTIONS, decide, decided_by_mlir_opt
from harness.programs.wrong_in_mlir import (
    CASES,
    CONSTANT_FROM_A_FUNCTION,
    CONSTANT_TO_THE_NEXT_ROUND,
    COPY_YIELDED_TO_THE_NEXT_ROUND,
    LOOP_THAT_STAYS,
    YIELDED_TO_THE_NEXT_ROUND,
)
from xdsl.dialects.builtin import ArrayAttr, StringAttr

from xdsl_bufferization.bufferization.analyses.bufferization_proof.prove import prove
from xdsl_bufferization.bufferization.analyses.bufferization_proof.questions import (
    IN_PLACE,
)
from xdsl_bufferization.dialects.scf import ForallOp

LOOPS = "allow_return_allocs_from_loops"
PROGRAMS = {
    **{name: (case.program, case.options) for name, case in CASES.items()},
    "constant from a function": (CONSTANT_FROM_A_FUNCTION, ()),
    "constant to the next iteration": (CONSTANT_TO_THE_NEXT_ROUND, (LOOPS,)),
    "yielded to the next iteration": (YIELDED_TO_THE_NEXT_ROUND, (LOOPS,)),
    "copy yielded to the next iteration": (COPY_YIELDED_TO_THE_NEXT_ROUND, (LOOPS,)),
}


@pytest.mark.parametrize("name", [*PROGRAMS, "loop that stays"])
def test_ours_are_proven(name: str) -> None:
    program = PROGRAMS[name][0] if name in PROGRAMS else LOOP_THAT_STAYS
    decided = decide(program, OPTIONS)
    assert decided is not None
    assert prove(decided.module).is_proven


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_those_of_mlir_opt_are_not(name: str) -> None:
    program, options = PROGRAMS[name]
    if "copy_before_write" in options:
        # There are no decisions to read: what the loop starts with is copied.
        module = parse(program)
        for op in module.walk():
            if isinstance(op, ForallOp):
                words = [StringAttr("false")] * len(op.operands)
                op.attributes[IN_PLACE] = ArrayAttr(words)
    else:
        module = decided_by_mlir_opt(program, *options)
    assert prove(module, loads_are_copies=False).findings


@pytest.mark.oracle
def test_decisions_as_attributes_are_read_as_well() -> None:
    flags = (
        "test-analysis-only bufferize-function-boundaries "
        "dialect-filter=bufferization,func,tensor"
    )
    (reply,) = ask_surely([LOOP_THAT_STAYS], f"--one-shot-bufferize={flags}")
    (finding,) = prove(parse(reply.printed)).findings
    assert "in an earlier iteration" in str(finding)
