// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// What a select results in may be either buffer. The write comes first, as ops are
// visited backwards, so that the select copies the one of the two that is read later.

// CHECK-LABEL: @write_selected
// CHECK: arith.select {{.*}} {__inplace_operands_attr__ = ["none", "true", "false"]}
// CHECK: tensor.insert {{.*}} ["none", "true", "none"]
func.func @write_selected(%a: tensor<4xf32>, %b: tensor<4xf32>, %flag: i1, %v: f32, %i: index) -> (f32, tensor<4xf32>) {
  %chosen = arith.select %flag, %a, %b : tensor<4xf32>
  %written = tensor.insert %v into %chosen[%i] : tensor<4xf32>
  %read = tensor.extract %b[%i] : tensor<4xf32>
  return %read, %written : f32, tensor<4xf32>
}

// CHECK-LABEL: @write_selected_unread
// CHECK: arith.select {{.*}} {__inplace_operands_attr__ = ["none", "true", "true"]}
// CHECK: tensor.insert {{.*}} ["none", "true", "none"]
func.func @write_selected_unread(%a: tensor<4xf32>, %b: tensor<4xf32>, %flag: i1, %v: f32, %i: index) -> tensor<4xf32> {
  %chosen = arith.select %flag, %a, %b : tensor<4xf32>
  %written = tensor.insert %v into %chosen[%i] : tensor<4xf32>
  return %written : tensor<4xf32>
}

// The same through the branches of an if.

// CHECK-LABEL: @write_result_of_if
// CHECK: tensor.insert {{.*}} ["none", "false", "none"]
func.func @write_result_of_if(%a: tensor<4xf32>, %b: tensor<4xf32>, %flag: i1, %v: f32, %i: index) -> (f32, tensor<4xf32>) {
  %chosen = scf.if %flag -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  %written = tensor.insert %v into %chosen[%i] : tensor<4xf32>
  %read = tensor.extract %a[%i] : tensor<4xf32>
  return %read, %written : f32, tensor<4xf32>
}
