// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

#id = affine_map<(i) -> (i)>
#reverse = affine_map<(i) -> (3 - i)>

// Element by element, input and output can be one buffer.

// CHECK-LABEL: @elementwise
// CHECK: linalg.generic {{.*}} attrs = {__inplace_operands_attr__ = ["true", "true"]}
func.func @elementwise(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// In another order they cannot.

// CHECK-LABEL: @reversed
// CHECK: linalg.generic {{.*}} attrs = {__inplace_operands_attr__ = ["true", "false"]}
func.func @reversed(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#reverse, #id], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A product accumulates into its output, which therefore is read; a fill does not.

// CHECK-LABEL: @matmul
// CHECK-SAME: bufferization.access = "read"
// CHECK-SAME: bufferization.access = "read"
// CHECK-SAME: bufferization.access = "read-write"
// CHECK-SAME: bufferization.access = "write"
// CHECK: linalg.matmul {__inplace_operands_attr__ = ["true", "true", "true"]}
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
func.func @matmul(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %d: tensor<4x4xf32>, %v: f32) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// An input cannot be overwritten by a product.

// CHECK-LABEL: @square
// CHECK: linalg.matmul {__inplace_operands_attr__ = ["true", "true", "false"]}
func.func @square(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// An input that the payload does not use is not read.

// CHECK-LABEL: @unused_input
// CHECK-SAME: bufferization.access = "none"
// CHECK-SAME: bufferization.access = "write"
func.func @unused_input(%t: tensor<4xf32>, %out: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
