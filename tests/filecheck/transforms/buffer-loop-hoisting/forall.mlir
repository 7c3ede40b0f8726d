// RUN: xdsl-opt -t mlir-22 -p buffer-loop-hoisting %s | filecheck %s

// Iterations of scf.forall may run at once: each keeps a buffer of its own.

// CHECK-LABEL: func.func @iterations(
func.func @iterations(%m: memref<64xf32>) {
  %before = memref.alloc() : memref<64xf32>
  memref.copy %m, %before : memref<64xf32> to memref<64xf32>
  memref.dealloc %before : memref<64xf32>
  // CHECK:      scf.forall (%i) in (64) {
  // CHECK-NEXT:   %own = memref.alloc() : memref<64xf32>
  // CHECK-NEXT:   memref.copy %m, %own
  // CHECK-NEXT:   memref.dealloc %own
  scf.forall (%i) in (64) {
    %own = memref.alloc() : memref<64xf32>
    memref.copy %m, %own : memref<64xf32> to memref<64xf32>
    memref.dealloc %own : memref<64xf32>
  }
  return
}
