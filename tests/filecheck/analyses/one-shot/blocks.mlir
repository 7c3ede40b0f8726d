// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// The argument of a block is whatever a branch passes: writing it writes that.

// CHECK-LABEL: @write_of_what_is_read_later
// CHECK: cf.br ^{{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @write_of_what_is_read_later(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, f32) {
  cf.br ^next(%t : tensor<4xf32>)
^next(%x: tensor<4xf32>):
  %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
  %1 = tensor.extract %x[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}

// A loop of blocks that carries its tensor in place.

// CHECK-LABEL: @loop
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: cf.cond_br {{.*}} {__inplace_operands_attr__ = ["none", "true"]}
func.func @loop(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> tensor<4xf32> {
  cf.br ^loop(%t : tensor<4xf32>)
^loop(%x: tensor<4xf32>):
  %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
  cf.cond_br %c, ^loop(%0 : tensor<4xf32>), ^end
^end:
  return %0 : tensor<4xf32>
}

// The read comes first in each iteration, but what it reads is older than the loop.

// CHECK-LABEL: @read_before_write_in_loop
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @read_before_write_in_loop(%v: f32, %i: index, %c: i1) -> f32 {
  %new = tensor.splat %v : tensor<4xf32>
  cf.br ^loop
^loop:
  %0 = tensor.extract %new[%i] : tensor<4xf32>
  %1 = tensor.insert %v into %new[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  %3 = arith.addf %0, %2 : f32
  cf.cond_br %c, ^loop, ^end
^end:
  return %3 : f32
}

// Without a path back, a read that dominates the write comes before it.

// CHECK-LABEL: @read_before_write
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @read_before_write(%v: f32, %i: index) -> f32 {
  %new = tensor.splat %v : tensor<4xf32>
  %0 = tensor.extract %new[%i] : tensor<4xf32>
  cf.br ^next
^next:
  %1 = tensor.insert %v into %new[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  %3 = arith.addf %0, %2 : f32
  return %3 : f32
}

// Only one side of a branch runs. That helps arguments, and results not, as in MLIR.

// CHECK-LABEL: @other_side_of_a_branch
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @other_side_of_a_branch(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> f32 {
  cf.cond_br %c, ^write, ^read
^write:
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
^read:
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  return %2 : f32
}

// CHECK-LABEL: @other_side_of_a_branch_of_a_result
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @other_side_of_a_branch_of_a_result(%v: f32, %i: index, %c: i1) -> f32 {
  %new = tensor.splat %v : tensor<4xf32>
  cf.cond_br %c, ^write, ^read
^write:
  %0 = tensor.insert %v into %new[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
^read:
  %2 = tensor.extract %new[%i] : tensor<4xf32>
  return %2 : f32
}

// The argument is the slice that is overwritten.

// CHECK-LABEL: @matching_slice_through_an_argument
// CHECK: tensor.extract_slice {{.*}} {__inplace_operands_attr__ = ["true"]}
// CHECK: tensor.insert_slice {{.*}} {__inplace_operands_attr__ = ["true", "true"]}
func.func @matching_slice_through_an_argument(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %0 = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^put(%1 : tensor<4xf32>)
^put(%x: tensor<4xf32>):
  %2 = tensor.insert_slice %x into %t[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Blocks may stand in any order.

// CHECK-LABEL: @blocks_in_any_order
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: tensor.splat
func.func @blocks_in_any_order(%v: f32, %i: index) -> tensor<4xf32> {
  cf.br ^first
^second(%x: tensor<4xf32>):
  %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
^first:
  %new = tensor.splat %v : tensor<4xf32>
  cf.br ^second(%new : tensor<4xf32>)
}

// CHECK-LABEL: @execute_region
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: scf.yield {__inplace_operands_attr__ = ["true"]}
func.func @execute_region(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> tensor<4xf32> {
  %0 = scf.execute_region -> tensor<4xf32> {
    cf.cond_br %c, ^write, ^end(%t : tensor<4xf32>)
  ^write:
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    cf.br ^end(%1 : tensor<4xf32>)
  ^end(%x: tensor<4xf32>):
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// An assertion has no tensors.

// CHECK-LABEL: @assert
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @assert(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> tensor<4xf32> {
  cf.assert %c, "must hold"
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
