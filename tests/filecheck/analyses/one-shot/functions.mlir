// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// CHECK-LABEL: @write
// CHECK-SAME: bufferization.access = "read-write"
// CHECK: return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0]}
func.func private @write(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @second
// CHECK-SAME: bufferization.access = "none"
// CHECK-SAME: bufferization.access = "read"
// CHECK: return {__inplace_operands_attr__ = ["none", "true"], __equivalent_func_args__ = [-1, 1]}
func.func private @second(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32) -> (f32, tensor<4xf32>) {
  return %v, %u : f32, tensor<4xf32>
}

func.func private @look(tensor<4xf32> {bufferization.access = "read"})
func.func private @anything(tensor<4xf32>) -> tensor<4xf32>

// A call writes what its callee writes.

// CHECK-LABEL: @calls
// CHECK: call @write{{.*}} {__inplace_operands_attr__ = ["false", "none", "none"]}
// CHECK: call @look{{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: call @second{{.*}} {__inplace_operands_attr__ = ["true", "true", "none"]}
// CHECK: call @write{{.*}} {__inplace_operands_attr__ = ["true", "none", "none"]}
func.func @calls(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = func.call @write(%t, %v, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  func.call @look(%t) : (tensor<4xf32>) -> ()
  %1:2 = func.call @second(%0, %t, %v) : (tensor<4xf32>, tensor<4xf32>, f32) -> (f32, tensor<4xf32>)
  %2 = func.call @write(%1#1, %v, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}

// Nothing is known of a function without a body.

// CHECK-LABEL: @call_of_declaration
// CHECK: call @anything{{.*}} {__inplace_operands_attr__ = ["false"]}
func.func @call_of_declaration(%t: tensor<4xf32>, %i: index) -> (f32, f32) {
  %0 = func.call @anything(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %1, %2 : f32, f32
}
