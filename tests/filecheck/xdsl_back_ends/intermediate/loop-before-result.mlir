// The result of a loop has a memory space already, and what the loop carries has none.
// (xDSL's custom format does not show that.)
//
// MLIR refuses: have different type

// RUN: xdsl-opt --print-op-generic -p 'canonicalize,buffer-hoisting,canonicalize,cse,licm' %s | filecheck %s

// CHECK:       %0 = "scf.for"(
// CHECK:       }) : (index, index, index, memref<4xf32>) -> memref<4xf32, "L1">
// CHECK-NEXT:  "func.return"(%0) : (memref<4xf32, "L1">) -> ()
func.func @f(%x: memref<4xf32>, %n: index) -> memref<4xf32, "L1"> {
  %c0 = arith.constant 0 : index
  %0 = "scf.for"(%c0, %n, %n, %x) ({
  ^bb0(%i: index, %m: memref<4xf32>):
    scf.yield %m : memref<4xf32>
  }) : (index, index, index, memref<4xf32>) -> memref<4xf32, "L1">
  return %0 : memref<4xf32, "L1">
}
