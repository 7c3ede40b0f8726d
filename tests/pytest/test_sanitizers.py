"""Objects of random programs use memory as they may, and threads do not race.

`harness/volume/sanitizers.py` checks hundreds of programs. Here: some of them, and
programs with an error, to see that an error is found.
"""

import pytest
from harness.oracles.tools import find_oracle
from harness.volume.sanitizers import TOOLS, check, parallel_text, sequential_text

pytestmark = pytest.mark.oracle

PAST_THE_END = """
func.func @main(%m: memref<?xf32>) -> f32 {
  %c8 = arith.constant 8 : index
  %x = memref.load %m[%c8] : memref<?xf32>
  return %x : f32
}"""

RACE = """
func.func @main(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %m[%i] : memref<?xf32>
    memref.store %x, %m[%c0] : memref<?xf32>
    scf.reduce
  }
  return
}"""

SHARED_BY_CALLERS = """
memref.global "private" @count : memref<1xf32> = dense<0.0>
func.func @main(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @count : memref<1xf32>
  %x = memref.load %g[%c0] : memref<1xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %g[%c0] : memref<1xf32>
  return
}"""


@pytest.fixture(autouse=True)
def tools() -> None:
    for name in ("valgrind", "gcc", "llvm-link-22", "opt-22", "llc-22"):
        find_oracle(name)


@pytest.mark.parametrize(
    ("tool", "text", "reported"),
    [
        ("valgrind", PAST_THE_END, "Invalid read of size 4"),
        ("asan", PAST_THE_END, "heap-buffer-overflow"),
        ("tsan", RACE, "data race"),
        ("tsan", SHARED_BY_CALLERS, "data race"),
    ],
    ids=["valgrind", "asan", "a loop", "callers"],
)
def test_an_error_is_found(tool: str, text: str, reported: str) -> None:
    (report,) = check([0], lambda _: text, tool).values()
    assert reported in report


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("tool", TOOLS)
def test_random_programs_have_none(tool: str, seed: int) -> None:
    make = parallel_text if tool == "tsan" else sequential_text
    assert check([seed], make, tool) == {}
