// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries no-analysis-func-filter=careful}' %s | filecheck %s

// CHECK-LABEL: @careful
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    memref.copy
// CHECK-NEXT:    memref.store
func.func @careful(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @analyzed
// CHECK-NEXT:    memref.store
// CHECK-NOT:     memref.copy
func.func @analyzed(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Nothing is known of what it does to its arguments.

// CHECK-LABEL: @caller
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         memref.copy %t, %[[A]]
// CHECK:         func.call @careful
func.func @caller(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = call @careful(%t, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
