// RUN: xdsl-opt -t mlir-22 -p optimize-allocation-liveness %s --allow-unregistered-dialect | filecheck %s

// CHECK-LABEL: func.func @in_both_branches
// CHECK: scf.if
// CHECK-NEXT: "test.use"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.work"
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.work"
// CHECK-NEXT: }
// CHECK-NEXT: "test.last"
// CHECK-NEXT: return
func.func @in_both_branches(%flag: i1) {
  %a = memref.alloc() : memref<2xf32>
  scf.if %flag {
    "test.use"(%a) : (memref<2xf32>) -> ()
    "test.work"() : () -> ()
  } else {
    "test.work"() : () -> ()
  }
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// CHECK-LABEL: func.func @branch_that_is_not_there
// CHECK: "test.use"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.work"
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @branch_that_is_not_there(%flag: i1) {
  %a = memref.alloc() : memref<2xf32>
  scf.if %flag {
    "test.use"(%a) : (memref<2xf32>) -> ()
    "test.work"() : () -> ()
  }
  memref.dealloc %a : memref<2xf32>
  return
}

// Nothing is gained by two deallocations.
// CHECK-LABEL: func.func @last_in_every_branch
// CHECK: "test.use"(%a)
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.last"
func.func @last_in_every_branch(%flag: i1) {
  %a = memref.alloc() : memref<2xf32>
  scf.if %flag {
    "test.use"(%a) : (memref<2xf32>) -> ()
  }
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// CHECK-LABEL: func.func @cases
// CHECK: case 0 {
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.work"
// CHECK: default {
// CHECK-NEXT: "test.use"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK: "test.last"
// CHECK-NEXT: return
func.func @cases(%number: index) {
  %a = memref.alloc() : memref<2xf32>
  scf.index_switch %number
  case 0 {
    "test.work"() : () -> ()
    scf.yield
  }
  default {
    "test.use"(%a) : (memref<2xf32>) -> ()
    scf.yield
  }
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// CHECK-LABEL: func.func @before_a_loop
// CHECK: "test.use"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: scf.for
func.func @before_a_loop(%n: index) {
  %a = memref.alloc() : memref<2xf32>
  "test.use"(%a) : (memref<2xf32>) -> ()
  scf.for %i = %n to %n step %n {
    "test.work"() : () -> ()
  }
  memref.dealloc %a : memref<2xf32>
  return
}

// CHECK-LABEL: func.func @used_in_each_iteration
// CHECK: "test.use"(%a)
// CHECK-NEXT: "test.work"
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.last"
func.func @used_in_each_iteration(%n: index) {
  %a = memref.alloc() : memref<2xf32>
  scf.for %i = %n to %n step %n {
    "test.use"(%a) : (memref<2xf32>) -> ()
    "test.work"() : () -> ()
  }
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// The loop that follows hands the buffer on; its result is used later.
// CHECK-LABEL: func.func @handed_on_by_a_loop
// CHECK: "test.use"(%r)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.last"
func.func @handed_on_by_a_loop(%n: index) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (memref<2xf32>) {
    "test.work"() : () -> ()
    scf.yield %x : memref<2xf32>
  }
  "test.use"(%r) : (memref<2xf32>) -> ()
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// What leaves a branch under another name is not dead there.
// CHECK-LABEL: func.func @yielded
// CHECK: scf.yield %a
// CHECK: "test.use"(%r)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: memref.dealloc %b
// CHECK-NEXT: "test.last"
func.func @yielded(%flag: i1) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %r = scf.if %flag -> (memref<2xf32>) {
    "test.work"() : () -> ()
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %b : memref<2xf32>
  }
  "test.use"(%r) : (memref<2xf32>) -> ()
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  memref.dealloc %b : memref<2xf32>
  return
}
