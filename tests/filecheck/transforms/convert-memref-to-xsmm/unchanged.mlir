// RUN: xdsl-opt -t mlir-22 -p convert-memref-to-xsmm %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p convert-memref-to-xsmm %s | filecheck %s --check-prefix KERNELS

// KERNELS-NOT: xsmm.

// CHECK-LABEL: func.func @integers
// CHECK-NEXT: memref.copy
func.func @integers(%a: memref<8x8xi32>, %b: memref<8x8xi32>) {
  memref.copy %a, %b : memref<8x8xi32> to memref<8x8xi32>
  return
}

// CHECK-LABEL: func.func @columns
// CHECK-NEXT: memref.copy
func.func @columns(%a: memref<8x8xf32, strided<[1, 8]>>, %b: memref<8x8xf32>) {
  memref.copy %a, %b : memref<8x8xf32, strided<[1, 8]>> to memref<8x8xf32>
  return
}

// CHECK-LABEL: func.func @dynamic
// CHECK-NEXT: memref.copy
func.func @dynamic(%a: memref<?x8xf32>, %b: memref<?x8xf32>) {
  memref.copy %a, %b : memref<?x8xf32> to memref<?x8xf32>
  return
}

// CHECK-LABEL: func.func @more_than_a_matrix
// CHECK-NEXT: memref.copy
// CHECK-NEXT: memref.copy
func.func @more_than_a_matrix(%a: memref<2x8x8xf32>, %b: memref<2x8x8xf32>, %c: memref<f32>, %d: memref<f32>) {
  memref.copy %a, %b : memref<2x8x8xf32> to memref<2x8x8xf32>
  memref.copy %c, %d : memref<f32> to memref<f32>
  return
}

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: memref.copy
func.func @nothing(%a: memref<0x8xf32>, %b: memref<0x8xf32>) {
  memref.copy %a, %b : memref<0x8xf32> to memref<0x8xf32>
  return
}
