// RUN: xdsl-opt -t mlir-22 -p shape-bufferize %s | filecheck %s

// CHECK:      func.func @assuming(%w: !shape.witness, %t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:   %0, %1 = shape.assuming %w -> (f32, memref<4xf32>) {
// CHECK-NEXT:     %2 = tensor.insert %f into %t[%i] : tensor<4xf32>
// CHECK-NEXT:     %3 = bufferization.to_buffer %2 {bufferization.core} : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:     shape.assuming_yield %f, %3 : f32, memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %4 = bufferization.to_tensor %1 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:   func.return %4 : tensor<4xf32>
// CHECK-NEXT: }
func.func @assuming(%w: !shape.witness, %t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0:2 = shape.assuming %w -> (f32, tensor<4xf32>) {
    %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
    shape.assuming_yield %f, %1 : f32, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
