// RUN: xdsl-opt -t mlir-22 -p 'remove-read-only-copies{known-strides}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p remove-read-only-copies %s | filecheck %s --check-prefix ANY

// The strides of %a are known at run time only.

// CHECK-LABEL: func.func @unknown
// CHECK:         memref.copy %a, %m
// ANY-LABEL: func.func @unknown
// ANY-NOT:     memref.copy
// ANY:         memref.load %a
func.func @unknown(%a: memref<8x8xf32, strided<[?, 1], offset: ?>>, %i: index) -> f32 {
  %m = memref.alloc() : memref<8x8xf32>
  memref.copy %a, %m : memref<8x8xf32, strided<[?, 1], offset: ?>> to memref<8x8xf32>
  %y = memref.load %m[%i, %i] : memref<8x8xf32>
  return %y : f32
}

// CHECK-LABEL: func.func @known
// CHECK-NOT:     memref.copy
// CHECK:         memref.load %a
func.func @known(%a: memref<8x8xf32, strided<[64, 1], offset: ?>>, %i: index) -> f32 {
  %m = memref.alloc() : memref<8x8xf32>
  memref.copy %a, %m : memref<8x8xf32, strided<[64, 1], offset: ?>> to memref<8x8xf32>
  %y = memref.load %m[%i, %i] : memref<8x8xf32>
  return %y : f32
}
