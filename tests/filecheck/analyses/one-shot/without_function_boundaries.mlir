// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{test-analysis-only=true}' %s | filecheck %s

// Arguments belong to the caller, and what is returned may be written by it.

// CHECK-LABEL: @argument
// CHECK: tensor.insert {{.*}} ["none", "false", "none"]
// CHECK: return {__inplace_operands_attr__ = ["true"]}
func.func @argument(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @part_of_argument
// CHECK: tensor.extract_slice {{.*}} ["false", "none"]
func.func @part_of_argument(%t: tensor<4xf32>, %i: index) -> tensor<2xf32> {
  %0 = tensor.extract_slice %t[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @two_names
// CHECK: tensor.cast {{.*}} ["false"]
func.func @two_names(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}

// CHECK-LABEL: @own_buffer
// CHECK: tensor.insert {{.*}} ["none", "true", "none"]
func.func @own_buffer(%v: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}
