// RUN: xdsl-opt -p verify-deallocation %s | filecheck %s
// RUN: xbuf opt -p verify-deallocation %s 2>&1 | filecheck %s --check-prefix=SILENT

// SILENT-NOT: remark

// An indicator travels with the buffer through a loop.

// CHECK-LABEL: @indicator
func.func @indicator(%n: index, %i: index, %m: memref<4xf32>) {
  %false = arith.constant false
  %true = arith.constant true
  %0:2 = scf.for %j = %i to %n step %n iter_args(%old = %m, %own = %false) -> (memref<4xf32>, i1) {
    %new = memref.alloc() : memref<4xf32>
    bufferization.dealloc (%old : memref<4xf32>) if (%own)
    scf.yield %new, %true : memref<4xf32>, i1
  }
  bufferization.dealloc (%0#0 : memref<4xf32>) if (%0#1)
  return
}

// Two pointers are exchanged in each iteration.

// CHECK-LABEL: @exchange
func.func @exchange(%n: index, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %0:2 = scf.for %j = %i to %n step %n iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %0#0 : memref<4xf32>
  memref.dealloc %0#1 : memref<4xf32>
  return
}

// A loop passes on a buffer that was freed, and nobody reads it.

// CHECK-LABEL: @passed_on
func.func @passed_on(%n: index, %i: index, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %0:2 = scf.for %j = %i to %n step %n iter_args(%x = %a, %y = %m) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %m : memref<4xf32>, memref<4xf32>
  }
  return
}

// The addresses of two live buffers differ, and that of a freed one may come again.

// CHECK-LABEL: @addresses
func.func @addresses(%c: i1) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  %2 = arith.select %c, %0, %1 : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %0 : memref<4xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %2 : memref<4xf32> -> index
  memref.dealloc %2 : memref<4xf32>
  %e = arith.cmpi eq, %p, %q : index
  scf.if %e {
    memref.dealloc %1 : memref<4xf32>
  } else {
    memref.dealloc %0 : memref<4xf32>
  }
  return
}

// A loop that ends in its middle.

func.func private @choose() -> i1

// CHECK-LABEL: @while
func.func @while(%a: memref<4xf32>) -> memref<4xf32> {
  %first = memref.alloc() : memref<4xf32>
  %0 = scf.while (%old = %first) : (memref<4xf32>) -> memref<4xf32> {
    %c = func.call @choose() : () -> i1
    scf.condition(%c) %old : memref<4xf32>
  } do {
  ^bb0(%old: memref<4xf32>):
    memref.dealloc %old : memref<4xf32>
    %new = memref.alloc() : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  return %0 : memref<4xf32>
}

// Arguments may be one buffer: whether they are is a condition as any other.

// CHECK-LABEL: @arguments
func.func @arguments(%a: memref<4xf32>, %b: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
  %e = arith.cmpi eq, %p, %q : index
  scf.if %e {
    memref.dealloc %0 : memref<4xf32>
  }
  %n = arith.cmpi ne, %q, %p : index
  scf.if %n {
    memref.dealloc %0 : memref<4xf32>
  }
  return
}

// A loop with two entries, and a buffer for each iteration.

// CHECK-LABEL: @two_entries
func.func @two_entries(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = memref.alloc() : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  cf.br ^bb2
^bb2:
  %1 = memref.alloc() : memref<4xf32>
  %d = func.call @choose() : () -> i1
  memref.dealloc %1 : memref<4xf32>
  cf.cond_br %d, ^bb1, ^bb3
^bb3:
  return
}

// The inner loop of blocks is left at two places with a buffer of its last iteration.
// The outer loop may be left before that buffer is allocated.

// CHECK-LABEL: @left_twice
func.func @left_twice(%n: i32) {
  %true = arith.constant true
  %false = arith.constant false
  %first = memref.alloc() : memref<4xf32>
  cf.br ^outer(%first, %false : memref<4xf32>, i1)
^outer(%old: memref<4xf32>, %own: i1):
  %c = func.call @choose() : () -> i1
  cf.cond_br %c, ^inner, ^end
^inner:
  %new = memref.alloc() : memref<4xf32>
  %k = func.call @count() : () -> i32
  cf.switch %k : i32, [
    default: ^again,
    0: ^replace(%new : memref<4xf32>),
    1: ^leave
  ]
^again:
  memref.dealloc %new : memref<4xf32>
  cf.br ^inner
^leave:
  memref.dealloc %new : memref<4xf32>
  cf.br ^end
^replace(%next: memref<4xf32>):
  scf.if %own {
    memref.dealloc %old : memref<4xf32>
  }
  cf.br ^outer(%next, %true : memref<4xf32>, i1)
^end:
  scf.if %own {
    memref.dealloc %old : memref<4xf32>
  }
  memref.dealloc %first : memref<4xf32>
  return
}

func.func private @count() -> i32

// The buffer is freed in the one iteration whose number is 10.

// CHECK-LABEL: @tenth
func.func @tenth(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c20 = arith.constant 20 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c20 step %c1 {
    %is_ten = arith.cmpi eq, %i, %c10 : index
    scf.if %is_ten {
      memref.copy %m, %a : memref<4xf32> to memref<4xf32>
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// There may be such an iteration, or none.

// CHECK-LABEL: @sought
func.func @sought(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %freed = scf.for %i = %c0 to %n step %c1 iter_args(%old = %false) -> (i1) {
    %is_k = arith.cmpi eq, %i, %k : index
    scf.if %is_k {
      memref.dealloc %a : memref<4xf32>
    }
    %new = arith.ori %old, %is_k : i1
    scf.yield %new : i1
  }
  scf.if %freed {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// The first iteration frees what the others do not use.

// CHECK-LABEL: @first
func.func @first(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %last = scf.for %i = %c0 to %c20 step %c1 iter_args(%old = %a) -> memref<4xf32> {
    %later = arith.cmpi ne, %i, %c0 : index
    scf.if %later {
      memref.copy %b, %m : memref<4xf32> to memref<4xf32>
    } else {
      memref.dealloc %old : memref<4xf32>
    }
    scf.yield %b : memref<4xf32>
  }
  memref.dealloc %b : memref<4xf32>
  return
}

// What is compared in a loop, and computed before it, is the same in each iteration.

// CHECK-LABEL: @invariant
func.func @invariant(%c: i1, %lb: index, %ub: index, %st: index) {
  %a = memref.alloc() : memref<4xf32>
  %false = arith.constant false
  %true = arith.constant true
  %r:2 = scf.for %i = %lb to %ub step %st iter_args(%f = %false, %g = %false) -> (i1, i1) {
    %few = arith.cmpi slt, %ub, %st : index
    %many = arith.xori %few, %true : i1
    scf.if %many {
      memref.copy %a, %a : memref<4xf32> to memref<4xf32>
    }
    %first = arith.xori %f, %true : i1
    %due = arith.andi %few, %first : i1
    %free = arith.andi %due, %c : i1
    scf.if %free {
      memref.dealloc %a : memref<4xf32>
    }
    %f1 = arith.ori %f, %free : i1
    scf.yield %f1, %c : i1, i1
  }
  %left = arith.xori %r#0, %true : i1
  scf.if %left {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
