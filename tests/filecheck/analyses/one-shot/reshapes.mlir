// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// The elements stay where they are: a write is seen under both shapes.

// CHECK-LABEL: @collapse_and_expand
// CHECK: tensor.collapse_shape {{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: tensor.expand_shape {{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: return {{.*}}__equivalent_func_args__ = [0]
func.func @collapse_and_expand(%t: tensor<4x4xf32>, %v: f32) -> tensor<4x4xf32> {
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %filled = linalg.fill ins(%v : f32) outs(%flat : tensor<16xf32>) -> tensor<16xf32>
  %square = tensor.expand_shape %filled [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  return %square : tensor<4x4xf32>
}

// A shape that is needed after the write costs a copy.

// CHECK-LABEL: @both_shapes
// CHECK: tensor.collapse_shape {{.*}} {__inplace_operands_attr__ = ["false"]}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: tensor.extract {{.*}} {__inplace_operands_attr__ = ["true", "none", "none"]}
func.func @both_shapes(%t: tensor<4x4xf32>, %v: f32, %i: index) -> (tensor<16xf32>, f32) {
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %new = tensor.insert %v into %flat[%i] : tensor<16xf32>
  %old = tensor.extract %t[%i, %i] : tensor<4x4xf32>
  return %new, %old : tensor<16xf32>, f32
}

// Collapsing may copy, and therefore reads; expanding and reshaping do not count as
// reading.

// CHECK-LABEL: @sizes
// CHECK-SAME: %a: tensor<4x?xf32> {bufferization.access = "read"}
// CHECK-SAME: %b: tensor<?xf32> {bufferization.access = "none"}
// CHECK-SAME: %c: tensor<4xf32> {bufferization.access = "none"}
// CHECK-SAME: %s: tensor<1xindex> {bufferization.access = "read"}
func.func @sizes(%a: tensor<4x?xf32>, %b: tensor<?xf32>, %c: tensor<4xf32>, %s: tensor<1xindex>, %n: index) -> (index, index, index) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<4x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %b [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %2 = tensor.reshape %c(%s) : (tensor<4xf32>, tensor<1xindex>) -> tensor<?xf32>
  %3 = tensor.dim %0, %n : tensor<?xf32>
  %4 = tensor.dim %1, %n : tensor<?x4xf32>
  %5 = tensor.dim %2, %n : tensor<?xf32>
  return %3, %4, %5 : index, index, index
}

// CHECK-LABEL: @reshape
// CHECK: tensor.reshape {{.*}} {__inplace_operands_attr__ = ["false", "true"]}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @reshape(%t: tensor<8xf32>, %s: tensor<2xi32>, %v: f32, %i: index) -> (tensor<8xf32>, tensor<?x?xf32>) {
  %0 = tensor.reshape %t(%s) : (tensor<8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = tensor.insert %v into %t[%i] : tensor<8xf32>
  return %1, %0 : tensor<8xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: @round_trip_of_a_slice
// CHECK: tensor.extract_slice {{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: tensor.collapse_shape {{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: tensor.expand_shape {{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: tensor.insert_slice {{.*}} {__inplace_operands_attr__ = ["true", "true"]}
func.func @round_trip_of_a_slice(%t: tensor<8x8xf32>, %v: f32) -> tensor<8x8xf32> {
  %slice = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %flat = tensor.collapse_shape %slice [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %filled = linalg.fill ins(%v : f32) outs(%flat : tensor<16xf32>) -> tensor<16xf32>
  %square = tensor.expand_shape %filled [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %back = tensor.insert_slice %square into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  return %back : tensor<8x8xf32>
}
