// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// New tensors are written in place; what they are made of is read, and stays.

// CHECK-LABEL: @made_of_others
// CHECK-SAME: %a: tensor<2x?xf32> {bufferization.access = "read"}
// CHECK-SAME: %b: tensor<3x?xf32> {bufferization.access = "read"}
// CHECK: tensor.concat {{.*}} {__inplace_operands_attr__ = ["true", "true"]}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none", "none"]}
// CHECK: } {__inplace_operands_attr__ = ["true", "none"]}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none", "none"]}
func.func @made_of_others(%a: tensor<2x?xf32>, %b: tensor<3x?xf32>, %v: f32, %i: index) -> (tensor<5x?xf32>, tensor<?x?xf32>) {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x?xf32>, tensor<3x?xf32>) -> tensor<5x?xf32>
  %1 = tensor.insert %v into %0[%i, %i] : tensor<5x?xf32>
  %2 = tensor.pad %a low[%i, 0] high[0, 0] {
  ^bb0(%j: index, %k: index):
    tensor.yield %v : f32
  } : tensor<2x?xf32> to tensor<?x?xf32>
  %3 = tensor.insert %v into %2[%i, %i] : tensor<?x?xf32>
  return %1, %3 : tensor<5x?xf32>, tensor<?x?xf32>
}

// The writes come before the operand is overwritten, or it is copied.

// CHECK-LABEL: @overwritten_later
// CHECK: tensor.concat {{.*}} {__inplace_operands_attr__ = ["true", "true"]}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @overwritten_later(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = tensor.concat dim(0) %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// CHECK-LABEL: @overwritten_before
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @overwritten_before(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = tensor.concat dim(0) %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %1, %0 : tensor<8xf32>, tensor<4xf32>
}

// CHECK-LABEL: @made_of_numbers
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: tensor.rank {{.*}} {__inplace_operands_attr__ = ["true"]}
func.func @made_of_numbers(%v: f32, %i: index) -> (tensor<2xf32>, tensor<?xf32>, index) {
  %0 = tensor.from_elements %v, %v : tensor<2xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<2xf32>
  %2 = tensor.splat %v[%i] : tensor<?xf32>
  %3 = tensor.insert %v into %2[%i] : tensor<?xf32>
  %4 = tensor.rank %3 : tensor<?xf32>
  return %1, %3, %4 : tensor<2xf32>, tensor<?xf32>, index
}
