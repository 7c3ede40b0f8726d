// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// CHECK-LABEL: @one_case_each
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: __equivalent_func_args__ = [0]
func.func @one_case_each(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  default {
    %2 = linalg.fill ins(%v : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @needed_behind_the_switch
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @needed_behind_the_switch(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  default {
    scf.yield %t : tensor<4xf32>
  }
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, f32
}

// CHECK-LABEL: @execute_region
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
// CHECK: scf.yield {__inplace_operands_attr__ = ["true", "true"]}
// CHECK: __equivalent_func_args__ = [-1, 0]
func.func @execute_region(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.execute_region -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %1, %t : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @while
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: __equivalent_func_args__ = [0]
func.func @while(%t: tensor<4xf32>, %c: i1, %v: f32, %i: index) -> tensor<4xf32> {
  %0:2 = scf.while (%a = %t, %b = %c) : (tensor<4xf32>, i1) -> (tensor<4xf32>, i1) {
    scf.condition(%b) %a, %b : tensor<4xf32>, i1
  } do {
  ^bb0(%a: tensor<4xf32>, %b: i1):
    %x = tensor.insert %v into %a[%i] : tensor<4xf32>
    scf.yield %x, %b : tensor<4xf32>, i1
  }
  return %0#0 : tensor<4xf32>
}

// CHECK-LABEL: @materialize
// CHECK: bufferization.materialize_in_destination {{.*}} {__inplace_operands_attr__ = ["true", "true"]}
// CHECK: bufferization.materialize_in_destination {{.*}} {__inplace_operands_attr__ = ["true", "none"]}
func.func @materialize(%t: tensor<4xf32>, %d: tensor<4xf32>, %v: f32, %m: memref<4xf32>) -> tensor<4xf32> {
  %0 = linalg.fill ins(%v : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = bufferization.materialize_in_destination %0 in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return %1 : tensor<4xf32>
}
