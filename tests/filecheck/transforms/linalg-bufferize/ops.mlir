// RUN: xdsl-opt -t mlir-22 -p linalg-bufferize %s | filecheck %s

// The contents of what is overwritten are not copied.
// CHECK:      func.func @fill(%t: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %t {bufferization.core} : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   %1 = arith.constant 0 : index
// CHECK-NEXT:   %2 = memref.dim %0, %1 : memref<?xf32>
// CHECK-NEXT:   %3 = memref.alloc(%2) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%3 : memref<?xf32>)
// CHECK-NEXT:   %4 = bufferization.to_tensor %3 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:   func.return %4 : tensor<?xf32>
// CHECK-NEXT: }
func.func @fill(%t: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK:      func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %b {bufferization.core} : tensor<3x4xf32> to memref<3x4xf32>
// CHECK-NEXT:   %1 = bufferization.to_buffer %a {bufferization.core} : tensor<2x3xf32> to memref<2x3xf32>
// CHECK-NEXT:   %2 = bufferization.to_buffer %c {bufferization.core} : tensor<2x4xf32> to memref<2x4xf32>
// CHECK-NEXT:   %3 = memref.alloc() {alignment = 64 : i64} : memref<2x4xf32>
// CHECK-NEXT:   memref.copy %2, %3 : memref<2x4xf32> to memref<2x4xf32>
// CHECK-NEXT:   linalg.matmul ins(%1, %0 : memref<2x3xf32>, memref<3x4xf32>) outs(%3 : memref<2x4xf32>)
// CHECK-NEXT:   %4 = bufferization.to_tensor %3 : memref<2x4xf32> to tensor<2x4xf32>
// CHECK-NEXT:   func.return %4 : tensor<2x4xf32>
// CHECK-NEXT: }
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
