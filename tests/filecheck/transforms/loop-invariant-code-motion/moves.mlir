// RUN: xdsl-opt -t mlir-22 -p loop-invariant-code-motion %s --allow-unregistered-dialect | filecheck %s

// Each op goes as far as its operands, which move before it.
// CHECK-LABEL: func.func @as_far_as_operands
// CHECK-NEXT: arith.addi %a, %a
// CHECK-NEXT: scf.for %i
// CHECK-NEXT: arith.addi %{{.*}}, %i
// CHECK-NEXT: arith.muli
// CHECK-NEXT: scf.for %j
// CHECK-NEXT: arith.addi %{{.*}}, %j
// CHECK-NEXT: "test.use"
func.func @as_far_as_operands(%a: index, %b: index) {
  scf.for %i = %a to %b step %b {
    scf.for %j = %a to %b step %b {
      %0 = arith.addi %a, %a : index
      %1 = arith.addi %0, %i : index
      %2 = arith.muli %1, %1 : index
      %3 = arith.addi %2, %j : index
      "test.use"(%3) : (index) -> ()
    }
  }
  return
}

// CHECK-LABEL: func.func @while
// CHECK-NEXT: arith.addi %a, %a
// CHECK-NEXT: scf.while
func.func @while(%a: index, %p: i1) {
  scf.while () : () -> () {
    scf.condition(%p)
  } do {
    %0 = arith.addi %a, %a : index
    "test.use"(%0) : (index) -> ()
    scf.yield
  }
  return
}

// What has effects, or may fail, stays; so does what runs in some iterations only.
// CHECK-LABEL: func.func @stays
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: scf.if
// CHECK-NEXT: arith.addi
func.func @stays(%a: index, %b: index, %m: memref<index>, %p: i1) {
  scf.for %i = %a to %b step %b {
    %0 = memref.load %m[] : memref<index>
    %1 = memref.alloc() : memref<index>
    %2 = arith.divsi %a, %b : index
    scf.if %p {
      %3 = arith.addi %a, %b : index
      "test.use"(%0, %1, %2, %3) : (index, memref<index>, index, index) -> ()
    }
  }
  return
}
