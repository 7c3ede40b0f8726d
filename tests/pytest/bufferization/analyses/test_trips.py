"""How often an op counts as running."""

import pytest
from harness.oracles.decisions import parse

from xdsl_bufferization.bufferization.analyses.cost.function_costs import is_repetitive
from xdsl_bufferization.bufferization.analyses.tensor_facts.trips import EstimatedTrips
from xdsl_bufferization.support.algorithms.program_points import ProgramPoints

BODIES = {
    "no loop": ('"test.op"() : () -> ()', 1),
    "constant bounds": (
        """scf.for %i = %c2 to %c9 step %c3 {
          "test.op"() : () -> ()
        }""",
        3,
    ),
    "unknown bounds": (
        """scf.for %i = %c2 to %n step %c3 {
          "test.op"() : () -> ()
        }""",
        10,
    ),
    "a loop that never runs": (
        """scf.for %i = %c9 to %c2 step %c3 {
          "test.op"() : () -> ()
        }""",
        1,
    ),
    "a loop in a loop": (
        """scf.for %i = %c2 to %c9 step %c3 {
          scf.for %j = %c2 to %n step %c3 {
            "test.op"() : () -> ()
          }
        }""",
        30,
    ),
    "a branch": (
        """scf.if %p {
          "test.op"() : () -> ()
        }""",
        1,
    ),
    "a parallel loop": (
        """scf.forall (%i, %j) in (4, %n) {
          "test.op"() : () -> ()
          scf.forall.in_parallel {}
        }""",
        40,
    ),
    "blocks that lead to each other": (
        """cf.br ^again
      ^again:
        "test.op"() : () -> ()
        cf.cond_br %p, ^again, ^end
      ^end:""",
        10,
    ),
}


@pytest.mark.parametrize(("body", "trips"), BODIES.values(), ids=BODIES)
def test_trips(body: str, trips: int) -> None:
    module = parse(
        f"""\
      func.func @f(%n: index, %p: i1) {{
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c9 = arith.constant 9 : index
        {body}
        return
      }}"""
    )
    (function,) = module.ops
    points = ProgramPoints(function, is_repetitive)
    (op,) = (op for op in function.walk() if op.name == "test.op")
    assert EstimatedTrips().of_block(points.of_op(op).block) == trips
