// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// The old value is read after the write: the write needs a copy.

// CHECK-LABEL: @read_old_value_after_write
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
// CHECK: tensor.extract {{.*}} {__inplace_operands_attr__ = ["true", "none"]}
func.func @read_old_value_after_write(%t: tensor<?xf32>, %v: f32, %i: index, %j: index) -> (f32, f32) {
  %new = tensor.insert %v into %t[%i] : tensor<?xf32>
  %before = tensor.extract %t[%j] : tensor<?xf32>
  %after = tensor.extract %new[%j] : tensor<?xf32>
  return %before, %after : f32, f32
}

// The other way around the write can happen in place.

// CHECK-LABEL: @read_old_value_before_write
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @read_old_value_before_write(%t: tensor<?xf32>, %v: f32, %i: index, %j: index) -> (f32, f32) {
  %before = tensor.extract %t[%j] : tensor<?xf32>
  %new = tensor.insert %v into %t[%i] : tensor<?xf32>
  %after = tensor.extract %new[%j] : tensor<?xf32>
  return %before, %after : f32, f32
}

// A chain of writes needs no copy, as nothing reads what is in between.

// CHECK-LABEL: @write_twice
// CHECK-COUNT-2: tensor.insert {{.*}} ["none", "true", "none"]
// CHECK: return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0]}
func.func @write_twice(%t: tensor<?xf32>, %v: f32, %i: index, %j: index) -> tensor<?xf32> {
  %0 = tensor.insert %v into %t[%i] : tensor<?xf32>
  %1 = tensor.insert %v into %0[%j] : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// A constant is never written, and a tensor without contents is never copied.

// CHECK-LABEL: @constant_and_empty
// CHECK: tensor.insert {{.*}} ["none", "false", "none"]
// CHECK: tensor.insert {{.*}} ["none", "true", "none"]
func.func @constant_and_empty(%v: f32, %i: index) -> (f32, f32) {
  %constant = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %empty = tensor.empty() : tensor<2xf32>
  %0 = tensor.insert %v into %constant[%i] : tensor<2xf32>
  %1 = tensor.insert %v into %empty[%i] : tensor<2xf32>
  %2 = tensor.extract %0[%i] : tensor<2xf32>
  %3 = tensor.extract %1[%i] : tensor<2xf32>
  return %2, %3 : f32, f32
}

// An argument that the caller does not give away is not written.

// CHECK-LABEL: @not_writable
// CHECK: tensor.insert {{.*}} ["none", "false", "none"]
func.func @not_writable(%t: tensor<2xf32> {bufferization.writable = false}, %v: f32, %i: index) -> tensor<2xf32> {
  %0 = tensor.insert %v into %t[%i] : tensor<2xf32>
  return %0 : tensor<2xf32>
}
