// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// CHECK-LABEL: @read_and_write
// CHECK: vector.transfer_read {{.*}} {__inplace_operands_attr__ = ["true", "none", "none"]
// CHECK: vector.transfer_write {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]
func.func @read_and_write(%t: tensor<16xf32>, %v: f32, %i: index) -> tensor<16xf32> {
  %0 = vector.transfer_read %t[%i], %v {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
  %1 = arith.addf %0, %0 : vector<4xf32>
  %2 = vector.transfer_write %1, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  return %2 : tensor<16xf32>
}

// A tensor that a vector overwrites as a whole is not read.

// CHECK-LABEL: @overwrite
// CHECK-SAME: bufferization.access = "write"
// CHECK-SAME: bufferization.access = "read-write"
func.func @overwrite(%t: tensor<4xf32>, %u: tensor<?xf32>, %x: vector<4xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %x, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %1 = vector.transfer_write %x, %u[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}

// A transfer is a slice: what was put there before need not be kept.

// CHECK-LABEL: @over_a_slice
// CHECK: tensor.extract_slice {{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: vector.transfer_read {{.*}} {__inplace_operands_attr__ = ["true", "none", "none"]
// CHECK: vector.transfer_write {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]
func.func @over_a_slice(%t: tensor<16xf32>, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %slice = tensor.extract_slice %t[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%v : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %x = vector.transfer_read %filled[%c0], %v {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %0 = vector.transfer_write %x, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Elsewhere it must be.

// CHECK-LABEL: @beside_a_slice
// CHECK: tensor.extract_slice {{.*}} {__inplace_operands_attr__ = ["false"]}
func.func @beside_a_slice(%t: tensor<16xf32>, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %slice = tensor.extract_slice %t[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%v : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %x = vector.transfer_read %filled[%c0], %v {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %0 = vector.transfer_write %x, %t[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK-LABEL: @round_trip
// CHECK: tensor.extract_slice {{.*}} {__inplace_operands_attr__ = ["true", "none"]}
// CHECK: vector.transfer_write {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]
// CHECK: tensor.insert_slice {{.*}} {__inplace_operands_attr__ = ["true", "true", "none"]}
func.func @round_trip(%t: tensor<16xf32>, %x: vector<4xf32>, %i: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %slice = tensor.extract_slice %t[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %written = vector.transfer_write %x, %slice[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %back = tensor.insert_slice %written into %t[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %back : tensor<16xf32>
}

// CHECK-LABEL: @gather
// CHECK-SAME: bufferization.access = "read"
// CHECK: vector.gather {{.*}} {__inplace_operands_attr__ = ["true", "none", "none", "none", "none"]}
func.func @gather(%t: tensor<16xf32>, %p: vector<4xi32>, %m: vector<4xi1>, %x: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.gather %t[%c0] [%p], %m, %x : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// What a mask leaves out is kept.

// CHECK-LABEL: @mask
// CHECK-SAME: bufferization.access = "read-write"
// CHECK: vector.transfer_write {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]
// CHECK: __equivalent_func_args__ = [0]
func.func @mask(%t: tensor<16xf32>, %x: vector<16xf32>, %m: vector<16xi1>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.mask %m { vector.transfer_write %x, %t[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32> } : vector<16xi1> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
