// RUN: xdsl-opt -t mlir-22 -p riscv64-verify-supported %s | filecheck %s

// What can be compiled rightly goes on as it is.

// CHECK-LABEL: func.func @static_loops
// CHECK:         memref.alloc
// CHECK:         scf.for
// CHECK:           arith.maximumf
func.func @static_loops(%x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %1 = memref.load %x[%i] : memref<4xf32>
    %2 = arith.maximumf %1, %1 : f32
    memref.store %2, %0[%i] : memref<4xf32>
  }
  return %0 : memref<4xf32>
}
