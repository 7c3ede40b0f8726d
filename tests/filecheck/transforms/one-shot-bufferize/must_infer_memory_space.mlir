// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{must-infer-memory-space}' %s | filecheck %s

// CHECK-LABEL: @told_by_allocations
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32, 3>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() {{.*}} : memref<4xf32, 5>
// CHECK-NEXT:    memref.copy %[[A]], %[[B]]
func.func @told_by_allocations(%i: index) -> f32 {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  %1 = bufferization.alloc_tensor() copy(%0) {memory_space = 5 : i64} : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  return %2 : f32
}

// CHECK-LABEL: @told_by_buffers
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32, 5>
// CHECK-NEXT:    memref.copy %m, %[[A]]
func.func @told_by_buffers(%m: memref<4xf32, 5 : i64>, %f: f32, %i: index) -> f32 {
  %0 = bufferization.to_tensor %m restrict : memref<4xf32, 5 : i64> to tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  return %2 : f32
}
