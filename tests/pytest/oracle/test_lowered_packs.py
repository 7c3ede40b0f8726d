"""Where mlir-opt's lowering of packs moves elements is where the reference moves them.

mlir-opt replaces a pack by pad, expand_shape and transpose, and an unpack by transpose,
collapse_shape and extract_slice, all of which the reference knows on their own.
"""

from collections.abc import Callable

import numpy as np
import pytest
from harness.programs.packs.relayouts import random_relayout
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.reference.evaluator import evaluate

pytestmark = pytest.mark.oracle

SCRIPT = """
module attributes {{transform.with_named_sequence}} {{
  {program}
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {{transform.readonly}}) {{
    %0 = transform.structured.match ops{{["linalg.{op}"]}} in %m
        : (!transform.any_op) -> !transform.op<"linalg.{op}">
    transform.structured.lower_{op} %0 : (!transform.op<"linalg.{op}">) -> ({results})
    transform.yield
  }}
}}
"""
RESULTS = {
    "pack": ("tensor.pad", "tensor.expand_shape", "linalg.transpose"),
    "unpack": (
        "tensor.empty",
        "linalg.transpose",
        "tensor.collapse_shape",
        "tensor.extract_slice",
    ),
}


@pytest.mark.parametrize("seed", range(8))
def test_elements_go_to_the_same_places(
    parse: Callable[[str], ModuleOp], mlir_opt: Callable[..., str], seed: int
):
    program = random_relayout(np.random.default_rng(seed), static=True)
    op = "unpack" if "linalg.unpack" in program.text else "pack"
    results = ", ".join(f'!transform.op<"{name}">' for name in RESULTS[op])
    script = SCRIPT.format(program=program.text, op=op, results=results)
    lowered = mlir_opt(
        script, "--transform-interpreter", "--test-transform-dialect-erase-schedule"
    )
    assert f"linalg.{op} " not in lowered
    (wanted,) = evaluate(parse(program.text), "f", program.arguments)
    (result,) = evaluate(parse(lowered), "f", program.arguments)
    assert np.array_equal(result, wanted)
