"""Faults of deallocation passes that others have reported are found, without a run.

Each program has what such a pass leaves behind. About the same program without the
fault, nothing is said.
"""

from typing import NamedTuple

import pytest
from harness.oracles.decisions import parse

from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)


class Fault(NamedTuple):
    """A wrong program, what is said about it, and the text that makes it right."""

    program: str
    message: str
    wrong: str
    right: str


FREED_BY_BOTH = Fault(
    """
    func.func private @callee(%m: memref<f32>, %own: i1) -> (memref<f32>, i1) {
      %true = arith.constant true
      %a = memref.alloc() : memref<f32>
      bufferization.dealloc (%m : memref<f32>) if (%own)
      return %a, %true : memref<f32>, i1
    }
    func.func @caller() -> f32 {
      %true = arith.constant true
      %a = memref.alloc() : memref<f32>
      %r, %own = call @callee(%a, %true) : (memref<f32>, i1) -> (memref<f32>, i1)
      %x = memref.load %r[] : memref<f32>
      bufferization.dealloc (%a, %r : memref<f32>, memref<f32>) if (%true, %own)
      return %x : f32
    }
    """,
    "an argument is freed, which the function does not own",
    "      bufferization.dealloc (%m : memref<f32>) if (%own)\n",
    "",
)
"""Callee and caller own an argument. Source: llvm-project, issue 77096."""

FREED_BY_TWO_RUNS = Fault(
    """
    func.func @main() {
      %false = arith.constant false
      %start = memref.alloc() : memref<1xi32>
      %r = scf.while (%a = %start) : (memref<1xi32>) -> memref<1xi32> {
        memref.dealloc %a : memref<1xi32>
        %b = memref.alloc() : memref<1xi32>
        %c = bufferization.clone %b : memref<1xi32> to memref<1xi32>
        memref.dealloc %b : memref<1xi32>
        memref.dealloc %b : memref<1xi32>
        scf.condition(%false) %c : memref<1xi32>
      } do {
      ^bb0(%x: memref<1xi32>):
        memref.dealloc %x : memref<1xi32>
        %n = memref.alloc() : memref<1xi32>
        scf.yield %n : memref<1xi32>
      }
      memref.dealloc %r : memref<1xi32>
      return
    }
    """,
    "is freed twice",
    "memref.dealloc %b : memref<1xi32>\n        memref.dealloc %b : memref<1xi32>",
    "memref.dealloc %b : memref<1xi32>",
)
"""A pass has run twice on a loop. Source: llvm-project, issue 86467."""

TWO_RESULTS = Fault(
    """
    func.func @main() -> (memref<4xf32>, memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      return %a, %a : memref<4xf32>, memref<4xf32>
    }
    """,
    "result 1 is the buffer of 'memref.alloc' at line 3, which is another result, too",
    "return %a, %a :",
    """%b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
      return %a, %b :""",
)
"""The caller of a function would free one allocation for each of two results."""

TWO_VIEWS = Fault(
    """
    func.func @main() -> (memref<4xf32, strided<[1]>>,
                          memref<4xf32, strided<[1], offset: 4>>) {
      %a = memref.alloc() : memref<8xf32>
      %s = memref.subview %a[0] [4] [1]
          : memref<8xf32> to memref<4xf32, strided<[1]>>
      %t = memref.subview %a[4] [4] [1]
          : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
      return %s, %t : memref<4xf32, strided<[1]>>,
                      memref<4xf32, strided<[1], offset: 4>>
    }
    """,
    "which is another result, too",
    "%t = memref.subview %a[4]",
    """%b = memref.alloc() : memref<8xf32>
      %t = memref.subview %b[4]""",
)
"""The same, where both results are views of the allocation."""

LATE_TENSOR = Fault(
    """
    func.func @main() -> tensor<4xf32> {
      %a = memref.alloc() : memref<4xf32>
      %t = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
      memref.dealloc %a : memref<4xf32>
      return %t : tensor<4xf32>
    }
    """,
    "is used after it was freed at line 5",
    "      memref.dealloc %a : memref<4xf32>\n",
    "",
)
"""A buffer is freed although a tensor that lies there is returned."""

FAULTS = {
    "freed by both": FREED_BY_BOTH,
    "freed by two runs": FREED_BY_TWO_RUNS,
    "two results": TWO_RESULTS,
    "two views": TWO_VIEWS,
    "late tensor": LATE_TENSOR,
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_known_fault_is_found(fault: Fault) -> None:
    found = prove_deallocation(parse(fault.program))
    assert any(fault.message in each.message for each in found.faults), [
        each.message for each in found.faults
    ]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_nothing_is_said_without_the_fault(fault: Fault) -> None:
    assert fault.wrong in fault.program
    found = prove_deallocation(parse(fault.program.replace(fault.wrong, fault.right)))
    assert not found.faults
    assert not found.undecided
