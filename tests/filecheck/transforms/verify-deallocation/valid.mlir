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
