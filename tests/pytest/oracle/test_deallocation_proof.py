"""What the proof says of the deallocations that mlir-opt writes."""

from contextlib import suppress

import pytest
from harness.oracles.decisions import parse
from harness.oracles.tool_runs import ToolFaultError, run_tool
from harness.oracles.tools import MLIR_OPT, find_oracle
from harness.programs import buffer_programs
from harness.running.memory_machine import EndlessError, MemoryFaultError, run
from harness.volume.compare_deallocation import program_text
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.deallocation_proof.findings import Kind
from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)
from xdsl_bufferization.pipelines.replay.replay import replay

pytestmark = pytest.mark.oracle

PARTS = 20
PART = 10
PASSES = ("-ownership-based-buffer-deallocation", "-buffer-deallocation-pipeline")


def mlir_opt(text: str, *passes: str) -> str | None:
    """What mlir-opt prints; None if it refuses the program, or crashes."""
    try:
        result = run_tool([find_oracle(MLIR_OPT), *passes, "-"], text)
    except ToolFaultError:
        return None
    return None if result.returncode else result.stdout


def is_wrong_in_a_run(module: ModuleOp, entry: str) -> bool:
    for seed in range(20):
        with suppress(EndlessError):
            try:
                if run(module, entry, seed, buffer_programs.ARGUMENTS).leaked:
                    return True
            except MemoryFaultError:
                return True
    return False


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs(part: int) -> None:
    """What is right in all runs is silent, and what is wrong in one is found."""
    looked_at = 0
    for number in range(part * PART, (part + 1) * PART):
        text = f"{buffer_programs.HEADER}\n{program_text(number)}"
        written = mlir_opt(text, PASSES[part % len(PASSES)])
        if written is None:
            continue
        looked_at += 1
        module = parse(written)
        found = prove_deallocation(module)
        assert not found.undecided
        assert bool(found.faults) == is_wrong_in_a_run(module, f"p{number}_main")
    assert looked_at >= PART // 2


def test_two_results_of_one_allocation() -> None:
    """Both are handed to the caller, which frees them."""
    written = mlir_opt(
        """
        func.func @f() -> (memref<4xf32>, memref<4xf32>) {
          %0 = memref.alloc() : memref<4xf32>
          return %0, %0 : memref<4xf32>, memref<4xf32>
        }
        """,
        "-buffer-deallocation-pipeline",
    )
    assert written is not None
    (shown,) = replay(parse(written))
    assert shown.fault.kind is Kind.RESULT
    assert shown.text == "replayed: @f(): returned twice"


def test_a_tensor_of_a_freed_buffer() -> None:
    """Without function boundaries, the buffer of the result is freed first."""
    written = mlir_opt(
        """
        func.func @f(%x: f32) -> tensor<4xf32> {
          %0 = tensor.empty() : tensor<4xf32>
          %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
          return %1 : tensor<4xf32>
        }
        """,
        "-one-shot-bufferize",
        "-buffer-deallocation-pipeline",
    )
    assert written is not None
    (shown,) = replay(parse(written))
    assert shown.fault.kind is Kind.USE_AFTER_FREE
    assert shown.text.startswith("replayed: @f(")
