// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries=true copy-before-write=true}' %s | filecheck %s

// Without an analysis, every write goes to a copy.

// CHECK-LABEL: @two_writes
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: %[[A:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[T]], %[[A]]
// CHECK-NEXT: memref.store %{{.*}}, %[[A]]
// CHECK-NEXT: %[[B:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[A]], %[[B]]
// CHECK-NEXT: memref.store %{{.*}}, %[[B]]
// CHECK-NEXT: return %[[B]]
func.func @two_writes(%t: tensor<4xf32>, %v: f32, %i: index, %j: index) -> tensor<4xf32> {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = tensor.insert %v into %0[%j] : tensor<4xf32>
  return %1 : tensor<4xf32>
}
