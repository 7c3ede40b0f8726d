"""Faults of deallocations, shown by a run on the counting heap."""

import pytest
from harness.oracles.decisions import parse

from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)
from xdsl_bufferization.pipelines.replay.replay import replay


def texts(program: str) -> list[str]:
    """What is said of each fault, in their order."""
    module = parse(program)
    before = str(module)
    replays = list(replay(module))
    assert str(module) == before
    assert len(replays) == len(prove_deallocation(module).faults)
    assert all(each.happens == each.text.startswith("replayed: ") for each in replays)
    return [each.text for each in replays]


DOUBLE_FREE = """
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
"""


def test_a_double_free_happens_under_its_condition() -> None:
    assert texts(DOUBLE_FREE) == ["replayed: @f(%c = true): freed twice"]


def test_a_use_of_freed_memory_and_a_leak_in_one_branch() -> None:
    assert texts("""
        func.func @f(%c: i1, %x: f32) {
          %i = arith.constant 0 : index
          %a = memref.alloc() : memref<4xf32>
          scf.if %c {
            memref.dealloc %a : memref<4xf32>
          }
          memref.store %x, %a[%i] : memref<4xf32>
          return
        }
    """) == [
        "replayed: @f(%c = true, %x = 0.0): used after it was freed",
        "replayed: @f(%c = false, %x = 0.0): never freed, 16 bytes are left",
    ]


def test_bounds_of_loops_and_comparisons_are_found() -> None:
    """The loop has to reach iteration 10, and must not reach it twice."""
    assert texts("""
        func.func @f(%n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c10 = arith.constant 10 : index
          %a = memref.alloc() : memref<4xf32>
          scf.for %i = %c0 to %n step %c1 {
            %is_ten = arith.cmpi eq, %i, %c10 : index
            scf.if %is_ten {
              memref.dealloc %a : memref<4xf32>
            }
          }
          memref.dealloc %a : memref<4xf32>
          return
        }
    """) == ["replayed: @f(%n = 11): freed twice"]


def test_a_buffer_that_an_iteration_loses() -> None:
    (text,) = texts("""
        func.func @f(%n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 {
            %a = memref.alloc() : memref<4xf32>
            scf.yield
          }
          return
        }
    """)
    assert text == "replayed: @f(%n = 1): never freed, 16 bytes are left"


@pytest.mark.parametrize(
    ("make", "end"),
    [
        ("%b = memref.alloca() : memref<4xf32>", "memref.dealloc %b : memref<4xf32>"),
        (
            "%b = memref.cast %m : memref<4xf32> to memref<4xf32>",
            "memref.dealloc %b : memref<4xf32>",
        ),
        ("", "bufferization.dealloc (%m : memref<4xf32>) if (%c)"),
    ],
    ids=["stack", "argument", "by a condition"],
)
def test_memory_of_somebody_else_is_freed(make: str, end: str) -> None:
    (text,) = texts(f"""
        func.func @f(%m: memref<4xf32>, %c: i1) {{
          {make}
          {end}
          return
        }}
    """)
    assert text == "replayed: @f(%c = true): freed, and not from the heap"


def test_results_that_the_caller_cannot_own() -> None:
    assert texts("""
        func.func @twice() -> (memref<4xf32>, memref<4xf32>) {
          %a = memref.alloc() : memref<4xf32>
          return %a, %a : memref<4xf32>, memref<4xf32>
        }
        func.func @argument(%m: memref<?xf32>) -> memref<?xf32> {
          return %m : memref<?xf32>
        }
        func.func @freed() -> memref<4xf32> {
          %a = memref.alloc() : memref<4xf32>
          memref.dealloc %a : memref<4xf32>
          return %a : memref<4xf32>
        }
    """) == [
        "replayed: @twice(): returned twice",
        "replayed: @argument(): returned, and not the function's own",
        "replayed: @freed(): used after it was freed",
    ]


def test_a_tensor_whose_buffer_is_freed() -> None:
    """What `one-shot-bufferize` of MLIR leaves without function boundaries."""
    (text,) = texts("""
        func.func @f() -> tensor<4xf32> {
          %a = memref.alloc() : memref<4xf32>
          %t = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
          memref.dealloc %a : memref<4xf32>
          return %t : tensor<4xf32>
        }
    """)
    assert text == "replayed: @f(): used after it was freed"


def test_a_buffer_need_not_start_where_its_memory_does() -> None:
    (text,) = texts("""
        func.func @f() -> memref<4xf32> {
          %a = memref.alloc() {alignment = 65536 : i64} : memref<4xf32>
          memref.dealloc %a : memref<4xf32>
          return %a : memref<4xf32>
        }
    """)
    assert text.startswith("replayed: @f(): ")


def test_a_private_function_is_called_by_itself() -> None:
    """Callee and caller own an argument. Source: llvm-project, issue 77096."""
    assert texts("""
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
    """) == ["replayed: @callee(%own = true): freed, and not from the heap"]


def test_a_pass_that_ran_twice() -> None:
    """Source: llvm-project, issue 86467."""
    assert "replayed: @main(): freed twice" in texts("""
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
    """)


def test_what_ends_by_itself_only_for_some_arguments() -> None:
    """A run that does not end is given up, and so is one that leaves a buffer."""
    assert texts("""
        func.func @blocks(%c: i1) {
          %a = memref.alloc() : memref<4xf32>
          cf.br ^again
        ^again:
          cf.cond_br %c, ^again, ^end
        ^end:
          return
        }
        func.func @calls(%c: i1) {
          scf.if %c {
            func.call @calls(%c) : (i1) -> ()
          }
          %a = memref.alloc() : memref<4xf32>
          return
        }
        func.func @indices(%m: memref<?xf32>, %i: index) -> f32 {
          %a = memref.alloc() : memref<4xf32>
          %x = memref.load %m[%i] : memref<?xf32>
          return %x : f32
        }
    """) == [
        "replayed: @blocks(%c = false): never freed, 16 bytes are left",
        "replayed: @calls(%c = false): never freed, 16 bytes are left",
        "replayed: @indices(%i = 0): never freed, 16 bytes are left",
    ]


EXTERNAL = """
func.func private @choose() -> i1
func.func @f() {
  %c = func.call @choose() : () -> i1
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
"""

MEMORY = """
func.func @f(%m: memref<i32>) {
  %n = memref.load %m[] : memref<i32>
  %c77 = arith.constant 77 : i32
  %c = arith.cmpi ne, %n, %c77 : i32
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
"""

UNKNOWN_TYPE = """
func.func @f(%v: vector<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return
}
"""

NESTED = """
memref.global @beside : memref<4xf32>
module @inner {
  func.func @f() {
    %a = memref.alloc() : memref<4xf32>
    return
  }
}
"""


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (NESTED, "only functions of the outermost module run, and @f is not one"),
        (EXTERNAL, "@choose is called, which has no body"),
        (MEMORY, "%c comes from memory, by 'memref.load' at line 3"),
        (UNKNOWN_TYPE, "vector<4xf32>"),
    ],
    ids=["nested", "external", "memory", "type"],
)
def test_what_cannot_be_replayed(program: str, why: str) -> None:
    (text,) = texts(program)
    assert text.startswith("cannot be replayed: ")
    assert why in text


def test_a_view_is_freed_as_a_whole() -> None:
    (text,) = texts("""
        func.func @f() {
          %a = memref.alloc() : memref<4xf32>
          %v = memref.subview %a[2] [2] [1]
              : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
          memref.dealloc %v : memref<2xf32, strided<[1], offset: 2>>
          return
        }
    """)
    assert text == "not confirmed: compiled here, the view's buffer is freed as a whole"


def test_memory_that_shrinks_stays_where_it_is() -> None:
    (text, _) = texts("""
        func.func @f(%a: memref<4xf32>) {
          %b = memref.realloc %a : memref<4xf32> to memref<2xf32>
          return
        }
    """)
    assert text == (
        "not confirmed: compiled here, a buffer that need not grow stays where it is"
    )


def test_many_arguments_take_some_calls_only() -> None:
    arguments = ", ".join(f"%a{number}: i32" for number in range(20))
    (text,) = texts(f"""
        func.func @f({arguments}) {{
          %c0 = arith.constant 0 : i32
          %sum = arith.addi %a0, %a19 : i32
          %c = arith.cmpi eq, %sum, %c0 : i32
          %a = memref.alloc() : memref<4xf32>
          scf.if %c {{
          }} else {{
            memref.dealloc %a : memref<4xf32>
          }}
          return
        }}
    """)
    assert text.startswith("replayed: @f(")
