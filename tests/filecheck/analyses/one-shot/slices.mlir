// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// Take a slice, overwrite it, put it back: all of it in one buffer.

// CHECK-LABEL: @round_trip
// CHECK: tensor.extract_slice {{.*}} ["true", "none"]
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: tensor.insert_slice {{.*}} ["true", "true", "none"]
func.func @round_trip(%t: tensor<16xf32>, %v: f32, %i: index) -> tensor<16xf32> {
  %slice = tensor.extract_slice %t[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%v : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %back = tensor.insert_slice %filled into %t[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %back : tensor<16xf32>
}

// Also in a loop, where only one branch writes.

// CHECK-LABEL: @round_trip_in_loop
// CHECK: tensor.extract_slice {{.*}} ["true", "none"]
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: scf.yield {__inplace_operands_attr__ = ["true"]}
// CHECK: scf.yield {__inplace_operands_attr__ = ["true"]}
// CHECK: tensor.insert_slice {{.*}} ["true", "true", "none"]
// CHECK: scf.yield {__inplace_operands_attr__ = ["true"]}
// CHECK: {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK: return {{.*}}__equivalent_func_args__ = [0]
func.func @round_trip_in_loop(%t: tensor<16xf32>, %v: f32, %n: index, %flag: i1) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %result = scf.for %i = %c0 to %n step %c4 iter_args(%carried = %t) -> (tensor<16xf32>) {
    %slice = tensor.extract_slice %carried[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %new = scf.if %flag -> (tensor<4xf32>) {
      %filled = linalg.fill ins(%v : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %filled : tensor<4xf32>
    } else {
      scf.yield %slice : tensor<4xf32>
    }
    %back = tensor.insert_slice %new into %carried[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %back : tensor<16xf32>
  }
  return %result : tensor<16xf32>
}

// Put back at another place, the slice must leave its old place as it is.

// CHECK-LABEL: @move
// CHECK: tensor.extract_slice {{.*}} ["false", "none"]
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: tensor.insert_slice {{.*}} ["true", "true", "none"]
func.func @move(%t: tensor<16xf32>, %v: f32, %i: index, %j: index) -> tensor<16xf32> {
  %slice = tensor.extract_slice %t[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%v : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %back = tensor.insert_slice %filled into %t[%j] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %back : tensor<16xf32>
}

// Constants given as values count as the numbers that they are.

// CHECK-LABEL: @constant_offset
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: tensor.insert_slice {{.*}} ["true", "true"]
func.func @constant_offset(%t: tensor<16xf32>, %v: f32) -> tensor<16xf32> {
  %c8 = arith.constant 8 : index
  %slice = tensor.extract_slice %t[%c8] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%v : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %back = tensor.insert_slice %filled into %t[8] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %back : tensor<16xf32>
}

// A destination that is overwritten as a whole is not read; otherwise it is.

// CHECK-LABEL: @overwrite
// CHECK: bufferization.access = "write"
// CHECK-SAME: bufferization.access = "read-write"
func.func @overwrite(%t: tensor<4xf32>, %u: tensor<4xf32>, %s: tensor<4xf32>, %p: tensor<3xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  %1 = tensor.insert_slice %p into %u[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Rows, and a cast that changes nothing but the type.

// CHECK-LABEL: @row_of_matrix
// CHECK: tensor.extract_slice {{.*}} ["true", "none"]
// CHECK: tensor.cast {{.*}} ["true"]
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: tensor.cast {{.*}} ["true"]
// CHECK: tensor.insert_slice {{.*}} ["true", "true", "none"]
func.func @row_of_matrix(%t: tensor<8x16xf32>, %v: f32, %i: index) -> tensor<8x16xf32> {
  %row = tensor.extract_slice %t[%i, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<16xf32>
  %dynamic = tensor.cast %row : tensor<16xf32> to tensor<?xf32>
  %filled = linalg.fill ins(%v : f32) outs(%dynamic : tensor<?xf32>) -> tensor<?xf32>
  %static = tensor.cast %filled : tensor<?xf32> to tensor<16xf32>
  %back = tensor.insert_slice %static into %t[%i, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<8x16xf32>
  return %back : tensor<8x16xf32>
}
