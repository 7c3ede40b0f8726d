"""Deallocated programs mean to mlir-opt what they mean here.

Each reads and lowers what the other prints, and ours compares pointers no more often.
Whether memory is freed rightly only execution shows: see
`tests/pytest/bufferization/deallocation/test_random_programs.py`.
"""

from collections.abc import Callable

import pytest

pytestmark = pytest.mark.oracle

STAGES = (
    "ownership-based-buffer-deallocation",
    "ownership-based-buffer-deallocation,buffer-deallocation-simplification",
    "buffer-deallocation-pipeline",
)

MLIR_PIPELINE = (
    "--ownership-based-buffer-deallocation",
    "--canonicalize",
    "--buffer-deallocation-simplification",
    "--bufferization-lower-deallocations",
    "--cse",
    "--canonicalize",
)

PROGRAMS = {
    "straight-line": """
!view = memref<2xf32, strided<[1], offset: 1>>
func.func @f(%arg: !view) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.subview %a[1] [2] [1] : memref<4xf32> to !view
  memref.copy %arg, %v : !view to !view
  return
}""",
    "for": """
func.func @f(%l: index, %u: index, %s: index, %arg: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %l to %u step %s iter_args(%x = %a) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  memref.copy %a, %arg : memref<4xf32> to memref<4xf32>
  return %r : memref<4xf32>
}""",
    "if": """
func.func @f(%c: i1, %arg: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r, %arg : memref<4xf32>, memref<4xf32>
}""",
    "while": """
func.func private @choose() -> i1
func.func @f(%arg: memref<4xf32>) {
  %r = scf.while (%x = %arg) : (memref<4xf32>) -> memref<4xf32> {
    %c = func.call @choose() : () -> i1
    scf.condition(%c) %x : memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>):
    %b = memref.alloc() : memref<4xf32>
    memref.copy %y, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  memref.copy %r, %arg : memref<4xf32> to memref<4xf32>
  return
}""",
    "call": """
func.func private @make() -> memref<4xf32>
func.func @f(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %a = func.call @make() : () -> memref<4xf32>
  %b = func.call @make() : () -> memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  return %a, %s : memref<4xf32>, memref<4xf32>
}""",
    "tensor": """
func.func @f(%c: i1) -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  %t = bufferization.to_tensor %s : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}""",
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_mlir_reads_the_result(
    name: str, stage: str, xdsl_opt: Callable[..., str], mlir_opt: Callable[..., str]
) -> None:
    mlir_opt(xdsl_opt(PROGRAMS[name], stage))


@pytest.mark.parametrize("name", PROGRAMS)
def test_mlir_lowers_our_ownership(
    name: str, xdsl_opt: Callable[..., str], mlir_opt: Callable[..., str]
) -> None:
    owned = xdsl_opt(PROGRAMS[name], "ownership-based-buffer-deallocation")
    lowered = mlir_opt(owned, *MLIR_PIPELINE[1:])
    assert "bufferization.dealloc " not in lowered


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "tensor"])
def test_we_lower_the_ownership_of_mlir(
    name: str, xdsl_opt: Callable[..., str], mlir_opt: Callable[..., str]
) -> None:
    owned = mlir_opt(PROGRAMS[name], *MLIR_PIPELINE[:2])
    lowered = xdsl_opt(
        owned, "buffer-deallocation-simplification,convert-bufferization-to-memref"
    )
    assert "bufferization." not in lowered
    mlir_opt(lowered)


# mlir-opt frees the memory of the tensor.
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "tensor"])
def test_we_build_no_more_checks_than_mlir(
    name: str, xdsl_opt: Callable[..., str], mlir_opt: Callable[..., str]
) -> None:
    ours = mlir_opt(
        xdsl_opt(PROGRAMS[name], "buffer-deallocation-pipeline"), "--canonicalize"
    )
    theirs = mlir_opt(PROGRAMS[name], *MLIR_PIPELINE)
    assert ours.count("arith.cmpi") <= theirs.count("arith.cmpi")
