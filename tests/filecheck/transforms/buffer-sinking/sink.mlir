// RUN: xdsl-opt -t mlir-22 -p buffer-sinking %s --allow-unregistered-dialect | filecheck %s

// CHECK-LABEL: func.func @behind_a_deallocation
// CHECK: "test.use"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: %b = memref.alloc()
// CHECK-NEXT: %v = memref.subview %b
// CHECK-NEXT: "test.use"(%v)
// CHECK-NEXT: memref.dealloc %b
func.func @behind_a_deallocation() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %v = memref.subview %b[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  "test.use"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  "test.use"(%v) : (memref<2xf32, strided<[1]>>) -> ()
  memref.dealloc %b : memref<4xf32>
  return
}

// To pass what neither frees nor allocates would bring nothing.
// CHECK-LABEL: func.func @nothing_is_freed
// CHECK: %b = memref.alloc()
// CHECK-NEXT: "test.other"
// CHECK-NEXT: "test.use"(%b)
func.func @nothing_is_freed() {
  %b = memref.alloc() : memref<4xf32>
  "test.other"() : () -> ()
  "test.use"(%b) : (memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  return
}

// Callees and loops may allocate for themselves. Two buffers keep their order.
// CHECK-LABEL: func.func @behind_calls_and_loops
// CHECK: call @callee
// CHECK-NEXT: scf.for
// CHECK: }
// CHECK-NEXT: %a = memref.alloc()
// CHECK-NEXT: %b = memref.alloc()
// CHECK-NEXT: "test.use"(%b, %a)
func.func private @callee()
func.func @behind_calls_and_loops(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  func.call @callee() : () -> ()
  scf.for %i = %n to %n step %n {
    %c = memref.alloc() : memref<4xf32>
    "test.use"(%c) : (memref<4xf32>) -> ()
    memref.dealloc %c : memref<4xf32>
  }
  "test.use"(%b, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}

// An allocation stays in its block, in front of the branch that needs it.
// CHECK-LABEL: func.func @used_in_a_branch
// CHECK: memref.dealloc %a
// CHECK-NEXT: %b = memref.alloc()
// CHECK-NEXT: scf.if
func.func @used_in_a_branch(%c: i1) {
  %b = memref.alloc() : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  scf.if %c {
    "test.use"(%b) : (memref<4xf32>) -> ()
  }
  memref.dealloc %b : memref<4xf32>
  return
}

// A choice between two buffers is a use of both, and the shape of a view is read.
// CHECK-LABEL: func.func @what_is_no_view
// CHECK: %shape = memref.alloc()
// CHECK-NEXT: %a = memref.alloc()
// CHECK-NEXT: %b = memref.alloc()
// CHECK-NEXT: arith.select
// CHECK-NEXT: memref.reshape
func.func @what_is_no_view(%c: i1, %m: memref<4xf32>) {
  %shape = memref.alloc() : memref<1xindex>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %either = arith.select %c, %a, %b : memref<4xf32>
  %reshaped = memref.reshape %m(%shape) : (memref<4xf32>, memref<1xindex>) -> memref<?xf32>
  func.call @callee() : () -> ()
  "test.use"(%either, %reshaped) : (memref<4xf32>, memref<?xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %shape : memref<1xindex>
  return
}
