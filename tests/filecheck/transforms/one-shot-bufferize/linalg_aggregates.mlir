// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s

// CHECK-LABEL: @softmax
// CHECK-SAME: (%[[T:.*]]: memref<2x4xf32>, %[[D:.*]]: memref<2x4xf32>)
// CHECK-NEXT: linalg.softmax dimension(1) ins(%[[T]] : memref<2x4xf32>) outs(%[[D]] : memref<2x4xf32>)
// CHECK-NEXT: return %[[D]]
func.func @softmax(%t: tensor<2x4xf32>, %d: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.softmax dimension(1) ins(%t : tensor<2x4xf32>) outs(%d : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @pack
// CHECK-SAME: (%[[T:.*]]: memref<4x6xf32>, %[[D:.*]]: memref<2x3x2x2xf32>)
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[T]] : memref<4x6xf32>) outs(%[[D]] : memref<2x3x2x2xf32>)
// CHECK: return %[[D]]
func.func @pack(%t: tensor<4x6xf32>, %d: tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32> {
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x6xf32> -> tensor<2x3x2x2xf32>
  return %0 : tensor<2x3x2x2xf32>
}
