// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true test-analysis-only=true}' %s | filecheck %s

// The init of a loop is written; a value that is read later must be copied.

// CHECK-LABEL: @init_is_read_later
// CHECK: {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
func.func @init_is_read_later(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (tensor<4xf32>, f32) {
  %0 = scf.for %i = %s to %n step %s iter_args(%c = %t) -> (tensor<4xf32>) {
    %1 = tensor.insert %v into %c[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %2 = tensor.extract %t[%n] : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, f32
}

// A write in one iteration spoils a read in the next.

// CHECK-LABEL: @read_in_next_iteration
// CHECK: tensor.extract {{.*}} ["true", "none"]
// CHECK: tensor.insert {{.*}} ["none", "false", "none"]
func.func @read_in_next_iteration(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> f32 {
  %0 = scf.for %i = %s to %n step %s iter_args(%sum = %v) -> (f32) {
    %1 = tensor.extract %t[%i] : tensor<4xf32>
    %2 = tensor.insert %sum into %t[%i] : tensor<4xf32>
    %3 = tensor.extract %2[%s] : tensor<4xf32>
    %4 = arith.addf %1, %3 : f32
    scf.yield %4 : f32
  }
  return %0 : f32
}

// Buffers that change places are not the ones that the loop was given.

// CHECK-LABEL: @swap
// CHECK: scf.yield {__inplace_operands_attr__ = ["true", "true"]}
// CHECK-NOT: __equivalent_func_args__
func.func @swap(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @while_loop
// CHECK: scf.condition{{.*}} {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: tensor.insert {{.*}} ["none", "true", "none"]
// CHECK: scf.yield {__inplace_operands_attr__ = ["true"]}
// CHECK: return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0]}
func.func @while_loop(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = scf.while (%x = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = tensor.extract %x[%i] : tensor<4xf32>
    %2 = arith.cmpf olt, %1, %v : f32
    scf.condition(%2) %x : tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>):
    %1 = tensor.insert %v into %x[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Bounds that prove an iteration, and a body that overwrites, leave the init unread.

// CHECK-LABEL: @init_is_not_read
// CHECK-SAME: bufferization.access = "write"
func.func @init_is_not_read(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%c = %t) -> (tensor<4xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @switch_and_region
// CHECK: tensor.insert {{.*}} ["none", "true", "none"]
// CHECK: return {{.*}}__equivalent_func_args__ = [0]
func.func @switch_and_region(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = scf.index_switch %i -> tensor<4xf32>
  case 2 {
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  default {
    scf.yield %t : tensor<4xf32>
  }
  %2 = scf.execute_region -> tensor<4xf32> {
    scf.yield %0 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}
