// RUN: xdsl-opt -p bufferize %s | filecheck %s

// From tensors to buffers that are freed after their last use; functions take and return
// buffers of identity layout.

// CHECK-LABEL: @two_products
// CHECK-SAME:    (%x: memref<4x4xf32>) -> memref<4x4xf32>
// CHECK:         %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.fill ins(%c : f32) outs(%[[FIRST]]
// CHECK-NEXT:    linalg.matmul ins(%x, %x : {{.*}}) outs(%[[FIRST]]
// CHECK-NEXT:    %[[SECOND:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.fill ins(%c : f32) outs(%[[SECOND]]
// CHECK-NEXT:    linalg.matmul ins(%[[FIRST]], %x : {{.*}}) outs(%[[SECOND]]
// CHECK-NEXT:    memref.dealloc %[[FIRST]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return %[[SECOND]]
func.func @two_products(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  // One fill for both: each product gets its own.
  %zeros = linalg.fill ins(%c : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
