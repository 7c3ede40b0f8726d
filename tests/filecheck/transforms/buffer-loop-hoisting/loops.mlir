// RUN: xdsl-opt -t mlir-22 -p buffer-loop-hoisting %s --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p buffer-hoisting,buffer-loop-hoisting %s --allow-unregistered-dialect | filecheck %s --check-prefix BOTH

// CHECK-LABEL: func.func @nested_loops
// CHECK-NEXT: %a = memref.alloc()
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: "test.use"(%a)
func.func @nested_loops(%n: index) {
  scf.for %i = %n to %n step %n {
    scf.for %j = %n to %n step %n {
      %a = memref.alloc() : memref<2xf32>
      "test.use"(%a) : (memref<2xf32>) -> ()
    }
  }
  return
}

// CHECK-LABEL: func.func @size_of_the_outer_loop
// CHECK: scf.for %i
// CHECK-NEXT: %a = memref.alloc(%i)
// CHECK-NEXT: scf.for %j
func.func @size_of_the_outer_loop(%n: index) {
  scf.for %i = %n to %n step %n {
    scf.for %j = %n to %n step %n {
      %a = memref.alloc(%i) : memref<?xf32>
      "test.use"(%a) : (memref<?xf32>) -> ()
    }
  }
  return
}

// The next iteration gets the buffer of this one.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK-NEXT: %a = memref.alloc()
func.func @carried(%n: index, %init: memref<2xf32>) -> memref<2xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %init) -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    "test.use"(%a, %x) : (memref<2xf32>, memref<2xf32>) -> ()
    scf.yield %a : memref<2xf32>
  }
  return %r : memref<2xf32>
}

// CHECK-LABEL: func.func @while_loop
// CHECK-NEXT: %a = memref.alloc()
// CHECK-NEXT: %b = memref.alloc()
// CHECK-NEXT: scf.while
func.func @while_loop() {
  scf.while : () -> () {
    %a = memref.alloc() : memref<2xf32>
    %flag = "test.use"(%a) : (memref<2xf32>) -> i1
    scf.condition(%flag)
  } do {
    %b = memref.alloc() : memref<2xf32>
    "test.use"(%b) : (memref<2xf32>) -> ()
    scf.yield
  }
  return
}

// The deallocation moves along. MLIR leaves it in the loop: freed in each iteration.
// CHECK-LABEL: func.func @freed
// CHECK-NEXT: %a = memref.alloc()
// CHECK-NEXT: scf.for
// CHECK-NEXT: "test.use"(%a)
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %a
func.func @freed(%n: index) {
  scf.for %i = %n to %n step %n {
    %a = memref.alloc() : memref<2xf32>
    "test.use"(%a) : (memref<2xf32>) -> ()
    memref.dealloc %a : memref<2xf32>
  }
  return
}

// CHECK-LABEL: func.func @freed_in_branches
// CHECK: scf.for
// CHECK-NEXT: %a = memref.alloc()
func.func @freed_in_branches(%n: index, %flag: i1) {
  scf.for %i = %n to %n step %n {
    %a = memref.alloc() : memref<2xf32>
    scf.if %flag {
      memref.dealloc %a : memref<2xf32>
    } else {
      memref.dealloc %a : memref<2xf32>
    }
  }
  return
}

// Each iteration stores a buffer of its own.
// CHECK-LABEL: func.func @stored
// CHECK: scf.for
// CHECK-NEXT: %a = memref.alloc()
func.func @stored(%n: index, %table: memref<?xmemref<2xf32>>) {
  scf.for %i = %n to %n step %n {
    %a = memref.alloc() : memref<2xf32>
    memref.store %a, %table[%i] : memref<?xmemref<2xf32>>
  }
  return
}

// CHECK-LABEL: func.func @parallel
// CHECK: scf.parallel
// CHECK-NEXT: %a = memref.alloc()
func.func @parallel(%n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %a = memref.alloc() : memref<2xf32>
    "test.use"(%a) : (memref<2xf32>) -> ()
  }
  return
}

// Results of iterations may be combined at the same time as well.
// CHECK-LABEL: func.func @reduction
// CHECK:       ^bb0(%x: f32, %y: f32):
// CHECK-NEXT:    %a = memref.alloc()
func.func @reduction(%n: index, %f: f32) -> f32 {
  %r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %a = memref.alloc() : memref<2xf32>
      "test.use"(%a) : (memref<2xf32>) -> ()
      scf.reduce.return %x : f32
    }
  }
  return %r : f32
}

// Out of the branch by the one pass, out of the loop by the other.
// CHECK-LABEL: func.func @branch_in_a_loop
// CHECK-NEXT: scf.for
// BOTH-LABEL: func.func @branch_in_a_loop
// BOTH-NEXT: %a = memref.alloc()
// BOTH-NEXT: scf.for
// BOTH-NEXT: scf.if
func.func @branch_in_a_loop(%n: index, %flag: i1, %in: memref<2xf32>) {
  scf.for %i = %n to %n step %n {
    %r = scf.if %flag -> (memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      scf.yield %a : memref<2xf32>
    } else {
      scf.yield %in : memref<2xf32>
    }
    "test.use"(%r) : (memref<2xf32>) -> ()
  }
  return
}

// Memory on the stack, too.
// CHECK-LABEL: func.func @stack
// CHECK-NEXT:  %a = memref.alloca(%n) : memref<?xf32>
// CHECK-NEXT:  scf.for
// CHECK-NEXT:    %b = memref.alloca(%i) : memref<?xf32>
func.func @stack(%n: index) {
  scf.for %i = %n to %n step %n {
    %a = memref.alloca(%n) : memref<?xf32>
    %b = memref.alloca(%i) : memref<?xf32>
    "test.use"(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  }
  return
}
