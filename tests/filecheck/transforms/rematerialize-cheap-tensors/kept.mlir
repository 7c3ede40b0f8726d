// RUN: xdsl-opt -t mlir-22 -p rematerialize-cheap-tensors %s | filecheck %s

// What needs no copy stays as it is.

// CHECK-LABEL: @no_copy
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT:     linalg.fill
func.func @no_copy(%a: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %0[%i] : tensor<4xf32>
  %1 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %x : tensor<4xf32>, f32
}

// A sum reads two tensors to write one. A copy reads one.

// CHECK-LABEL: @sum
// CHECK-COUNT-1: linalg.add
// CHECK-NOT:     linalg.add
func.func @sum(%a: tensor<4xf32>, %b: tensor<4xf32>, %f: f32, %i: index, %j: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert %f into %s[%i] : tensor<4xf32>
  %1 = tensor.insert %f into %s[%j] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The row is not used any more: to broadcast it again would keep it in memory.

// CHECK-LABEL: @row_is_gone
// CHECK-COUNT-1: linalg.broadcast
// CHECK-NOT:     linalg.broadcast
func.func @row_is_gone(%n: tensor<8xf32>, %f: f32, %i: index, %j: index) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %d = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%n : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%r : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %0 = tensor.insert %f into %b[%i, %i] : tensor<4x8xf32>
  %1 = tensor.insert %f into %b[%j, %i] : tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// The row has changed by then: to broadcast it again would need a copy of the row.

// CHECK-LABEL: @row_is_overwritten
// CHECK-COUNT-1: linalg.broadcast
// CHECK-NOT:     linalg.broadcast
func.func @row_is_overwritten(%r: tensor<8xf32>, %f: f32, %i: index, %j: index) -> (tensor<4x8xf32>, tensor<4x8xf32>, f32) {
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%r : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %w = tensor.insert %f into %r[%i] : tensor<8xf32>
  %x = tensor.extract %w[%j] : tensor<8xf32>
  %0 = tensor.insert %f into %b[%i, %i] : tensor<4x8xf32>
  %1 = tensor.insert %x into %b[%j, %i] : tensor<4x8xf32>
  return %0, %1, %x : tensor<4x8xf32>, tensor<4x8xf32>, f32
}
