// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries use-encoding-for-memory-space}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries}' %s | filecheck %s --check-prefix WITHOUT

// CHECK-LABEL:   func.func @argument(%t: memref<4xf32, strided<[?], offset: ?>, 5>, %f: f32, %i: index) -> memref<4xf32, strided<[?], offset: ?>, 5>
// CHECK-NEXT:      memref.store %f, %t[%i]
// WITHOUT-LABEL: func.func @argument(%t: memref<4xf32, strided<[?], offset: ?>>,
func.func @argument(%t: tensor<4xf32, 5 : i64>, %f: f32, %i: index) -> tensor<4xf32, 5 : i64> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32, 5 : i64>
  return %0 : tensor<4xf32, 5 : i64>
}

// CHECK-LABEL: func.func @new_buffers() -> (memref<4xf32, 5>, memref<4xf32, 3>, memref<4xf32>)
// CHECK:         memref.alloc() {{.*}} : memref<4xf32, 5>
// CHECK:         memref.alloc() {{.*}} : memref<4xf32, 3>
// CHECK:         memref.alloc() {{.*}} : memref<4xf32>
func.func @new_buffers() -> (tensor<4xf32, 5 : i64>, tensor<4xf32, 5 : i64>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32, 5 : i64>
  %1 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32, 5 : i64>
  %2 = tensor.empty() : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32, 5 : i64>, tensor<4xf32, 5 : i64>, tensor<4xf32>
}
