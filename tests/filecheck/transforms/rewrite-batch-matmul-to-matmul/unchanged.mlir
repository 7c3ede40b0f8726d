// RUN: xdsl-opt -t mlir-22 -p rewrite-batch-matmul-to-matmul %s | filecheck %s

// CHECK-LABEL: @matmul
// CHECK-NEXT:    linalg.matmul
func.func @matmul(%a: tensor<16x8xf32>, %b: tensor<8x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x8xf32>, tensor<8x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// Two sums.

// CHECK-LABEL: @two_sums
// CHECK-NEXT:    linalg.batch_reduce_matmul
func.func @two_sums(%a: tensor<4x16x8xf32>, %b: tensor<4x8x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<4x16x8xf32>, tensor<4x8x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// CHECK-LABEL: @buffers
// CHECK-NEXT:    linalg.batch_matmul
func.func @buffers(%a: memref<4x16x8xf32>, %b: memref<4x8x32xf32>, %c: memref<4x16x32xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<4x16x8xf32>, memref<4x8x32xf32>) outs(%c : memref<4x16x32xf32>)
  return
}
