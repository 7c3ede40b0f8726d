// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// Every iteration writes its own part of the output, in the buffer of the output.

// CHECK-LABEL: @own_part
// CHECK: tensor.extract_slice {{.*}} {__inplace_operands_attr__ = ["true", "none"]}
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: tensor.parallel_insert_slice {{.*}} {__inplace_operands_attr__ = ["true", "true", "none"]}
// CHECK: } {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: __equivalent_func_args__ = [0]
func.func @own_part(%t: tensor<8xf32>, %v: f32, %n: index) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @output_is_read_later
// CHECK: } {__inplace_operands_attr__ = ["false"]}
func.func @output_is_read_later(%t: tensor<8xf32>, %s: tensor<1xf32>, %j: index) -> (tensor<8xf32>, f32) {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  %1 = tensor.extract %t[%j] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, f32
}

// A tensor from outside is the same for all iterations: one that is written is copied.

// CHECK-LABEL: @private_copy
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @private_copy(%t: tensor<8xf32>, %out: tensor<8xf32>, %v: f32, %j: index) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %out) -> (tensor<8xf32>) {
    %1 = tensor.insert %v into %t[%i] : tensor<8xf32>
    %2 = tensor.extract_slice %1[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @private_even_if_undefined
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "false"]}
func.func @private_even_if_undefined(%out: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<1xf32>
  %0 = scf.forall (%i) in (8) shared_outs(%o = %out) -> (tensor<8xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%empty : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @not_private_if_never_read
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @not_private_if_never_read(%t: tensor<8xf32>, %v: f32) {
  %empty = tensor.empty() : tensor<8xf32>
  scf.forall (%i) in (8) {
    %1 = linalg.fill ins(%v : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    %2 = tensor.insert %v into %1[%i] : tensor<8xf32>
  }
  return
}

// There is but one iteration, so that nothing runs at the same time.

// CHECK-LABEL: @one_iteration
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: } {__inplace_operands_attr__ = ["true"]}
func.func @one_iteration(%t: tensor<8xf32>, %out: tensor<8xf32>, %v: f32, %j: index) -> tensor<8xf32> {
  %0 = scf.forall (%i, %k) = (0, 2) to (4, 3) step (4, 1) shared_outs(%o = %out) -> (tensor<8xf32>) {
    %1 = tensor.insert %v into %t[%j] : tensor<8xf32>
    %2 = tensor.extract_slice %1[%k] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// The inner loop's output belongs to an iteration of the outer one.

// CHECK-LABEL: @nested
// CHECK: tensor.extract_slice {{.*}} {__inplace_operands_attr__ = ["true", "none"]}
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK: } {__inplace_operands_attr__ = ["true"]}
// CHECK: } {__inplace_operands_attr__ = ["true"]}
func.func @nested(%t: tensor<4x4xf32>, %v: f32) -> tensor<4x4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4x4xf32>) {
    %row = tensor.extract_slice %o[%i, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
    %1 = scf.forall (%j) in (4) shared_outs(%p = %row) -> (tensor<4xf32>) {
      %e = tensor.extract_slice %p[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %f = linalg.fill ins(%v : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %p[%j] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
    }
  }
  return %0 : tensor<4x4xf32>
}

// The output of the inner loop would be shared by the iterations of the outer one.

// CHECK-LABEL: @nested_output_from_outside
// CHECK: } {__inplace_operands_attr__ = ["false"]}
func.func @nested_output_from_outside(%t: tensor<4xf32>, %out: tensor<4xf32>, %s: tensor<1xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %out) -> (tensor<4xf32>) {
    %1 = scf.forall (%j) in (4) shared_outs(%p = %t) -> (tensor<4xf32>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %p[%j] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    %2 = tensor.extract_slice %1[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @carried_by_a_loop
// CHECK: } {__inplace_operands_attr__ = ["true"]}
// CHECK: scf.yield {__inplace_operands_attr__ = ["true"]}
func.func @carried_by_a_loop(%t: tensor<8xf32>, %s: tensor<1xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %0 = scf.forall (%i) in (8) shared_outs(%o = %a) -> (tensor<8xf32>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      }
    }
    scf.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
