// The result of a branch has a memory space already, and what the branches yield has none.
// MLIR's patterns would put one in the place of the other.
//
// MLIR refuses: along control flow edge from

// RUN: xdsl-opt -p 'canonicalize,buffer-hoisting,canonicalize,cse,licm' %s | filecheck %s

// CHECK:       %0 = scf.if %c -> (memref<4xf32, "L1">) {
// CHECK-NEXT:    scf.yield %x : memref<4xf32>
// CHECK-NEXT:  } else {
// CHECK-NEXT:    scf.yield %x : memref<4xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return %0 : memref<4xf32, "L1">
func.func @f(%c: i1, %x: memref<4xf32>) -> memref<4xf32, "L1"> {
  %0 = scf.if %c -> (memref<4xf32, "L1">) {
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  return %0 : memref<4xf32, "L1">
}
