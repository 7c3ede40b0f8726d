"""A sample of what `deallocation_mutants` runs in large numbers."""

import pytest
from harness.oracles.decisions import parse
from harness.running.memory_machine import MemoryFaultError, run
from harness.volume.deallocation_mutants import FORMS, Tally
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)

PARTS = 40
PART = 10


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_wrong_in_a_run_is_found(part: int) -> None:
    """Each part in another form; programs without a change are found to be right."""
    form = list(FORMS)[part % len(FORMS)]
    tally = Tally()
    for number in range(1000 + part * PART, 1000 + (part + 1) * PART):
        tally.check(number, form)
    assert not tally.failures, tally.failures[0]
    assert tally.programs >= PART - 3
    assert tally.wrong.total() >= PART // 2
    assert tally.undecided.total() <= 1


def test_a_mutant_that_is_missed_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test above would say of a proof that finds nothing."""
    from harness.volume import deallocation_mutants

    from xdsl_bufferization.bufferization.analyses.deallocation_proof.findings import (
        Findings,
    )

    def find_nothing(_module: ModuleOp) -> Findings:
        return Findings()

    monkeypatch.setattr(deallocation_mutants, "prove_deallocation", find_nothing)
    tally = Tally()
    for number in range(1000, 1005):
        tally.check(number, "pipeline")
    assert any("missed" in each for each in tally.failures)


STALE = """
func.func @main(%m: memref<8xf32>, %n: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  memref.dealloc %a : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %q = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
  %e = arith.cmpi ne, %p, %q : index
  scf.if %e {
    memref.dealloc %b : memref<8xf32>
  }
  return
}
"""


def test_an_address_may_be_given_out_again() -> None:
    """Whether it is depends on the heap: the machine shows both."""
    module = parse(STALE)
    outcomes = {bool(run(module, "main", seed, 2).leaked) for seed in range(30)}
    assert outcomes == {True, False}
    (fault,) = prove_deallocation(module).faults
    assert "is never freed" in fault.message


def test_the_case_of_a_fault_is_one_in_which_it_happens() -> None:
    module = parse(
        """
        func.func private @choose() -> i1
        func.func @main(%m: memref<8xf32>, %n: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          %c = func.call @choose() : () -> i1
          %d = func.call @choose() : () -> i1
          scf.if %c { memref.dealloc %a : memref<8xf32> }
          scf.if %d { memref.dealloc %a : memref<8xf32> }
          %e = arith.ori %c, %d : i1
          %true = arith.constant true
          %f = arith.xori %e, %true : i1
          scf.if %f { memref.dealloc %a : memref<8xf32> }
          return
        }
        """
    )
    (fault,) = prove_deallocation(module).faults
    assert {value.name_hint: truth for value, truth in fault.case.items()} == {
        "c": True,
        "d": True,
    }
    with pytest.raises(MemoryFaultError, match="freed twice"):
        for seed in range(20):
            run(module, "main", seed, 2)
