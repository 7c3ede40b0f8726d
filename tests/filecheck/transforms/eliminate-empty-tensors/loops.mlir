// RUN: xdsl-opt -t mlir-22 -p eliminate-empty-tensors %s | filecheck %s

// What an iteration yields is computed in what it was given.

// CHECK-LABEL: @element_by_element
// CHECK:         scf.for %{{.*}} iter_args(%[[A:.*]] = %init)
// CHECK-NEXT:      %[[W:.*]] = linalg.exp ins(%[[A]] : tensor<8xf32>) outs(%[[A]] : tensor<8xf32>)
// CHECK-NEXT:      scf.yield %[[W]]
func.func @element_by_element(%init: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %w = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: @after_it_was_read
// CHECK-NOT:     tensor.empty
// CHECK:         vector.transfer_write %{{.*}}, %a[%c0]
func.func @after_it_was_read(%init: tensor<8xf32>, %n: index, %pad: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> tensor<8xf32> {
    %v = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
    %s = arith.addf %v, %v : vector<8xf32>
    %w = vector.transfer_write %s, %e[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// What writes can wait until the last read.

// CHECK-LABEL: @read_later
// CHECK:         tensor.extract %a[%i]
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    %[[W:.*]] = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>)
// CHECK-NEXT:    scf.yield %[[W]]
func.func @read_later(%init: tensor<8xf32>, %n: index, %f: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init, %x = %f) -> (tensor<8xf32>, f32) {
    %e = tensor.empty() : tensor<8xf32>
    %w = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %v = tensor.extract %a[%i] : tensor<8xf32>
    %y = arith.addf %x, %v : f32
    scf.yield %w, %y : tensor<8xf32>, f32
  }
  return %r, %t : tensor<8xf32>, f32
}

// CHECK-LABEL: @two_of_one_empty_tensor
// CHECK:         linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>)
// CHECK:         linalg.abs ins(%b : tensor<8xf32>) outs(%b : tensor<8xf32>)
func.func @two_of_one_empty_tensor(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    %w = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %v = linalg.abs ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w, %v : tensor<8xf32>, tensor<8xf32>
  }
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @on_one_of_two_paths
// CHECK:         scf.if
// CHECK-NEXT:      linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>)
func.func @on_one_of_two_paths(%init: tensor<8xf32>, %n: index, %p: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> tensor<8xf32> {
    %q = scf.if %p -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %w = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    } else {
      scf.yield %a : tensor<8xf32>
    }
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: @while
// CHECK:         ^bb0(%[[A:.*]]: tensor<8xf32>)
// CHECK-NEXT:      linalg.exp ins(%[[A]] : tensor<8xf32>) outs(%[[A]] : tensor<8xf32>)
func.func @while(%init: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.while (%a = %init) : (tensor<8xf32>) -> tensor<8xf32> {
    %x = tensor.extract %a[%c0] : tensor<8xf32>
    %p = arith.cmpf olt, %x, %f : f32
    scf.condition(%p) %a : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %w = linalg.exp ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A product cannot be computed in its factor. A buffer in each iteration is cheaper than
// one for all, which would be copied in each.

// CHECK-LABEL: @one_in_each_iteration
// CHECK-NOT:     tensor.empty
// CHECK:         scf.for
// CHECK-NEXT:      %[[E:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT:      linalg.fill ins(%z : f32) outs(%[[E]] : tensor<4x4xf32>)
func.func @one_in_each_iteration(%init: tensor<4x4xf32>, %n: index, %z: f32) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> tensor<4x4xf32> {
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %w : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// What is read by nobody but in a later op stays where it is if that does not help.

// CHECK-LABEL: @as_it_was
// CHECK:           %e = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT:      linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>)
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      tensor.extract
func.func @as_it_was(%init: tensor<4x4xf32>, %n: index, %z: f32) -> (tensor<4x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init, %x = %z) -> (tensor<4x4xf32>, f32) {
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    %v = tensor.extract %a[%c0, %c0] : tensor<4x4xf32>
    scf.yield %w, %v : tensor<4x4xf32>, f32
  }
  return %r, %t : tensor<4x4xf32>, f32
}

// Nothing is refused for it: what is written to %a has to be there, so that it could
// not be read later.

// CHECK-LABEL: @has_to_be_in_place
// CHECK:           %[[E:.*]] = tensor.empty()
// CHECK:           outs(%[[E]] : tensor<8xf32>)
func.func @has_to_be_in_place(%init: tensor<8xf32>, %c: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %m = bufferization.materialize_in_destination %c in %a : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %w = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%m : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Tiles run in any order, and would read what others have written: each iteration has a
// tensor of its own.

// CHECK-LABEL: @tiles_read_the_old_tensor
// CHECK:           scf.for
// CHECK-NEXT:        %[[E:.*]] = tensor.empty()
// CHECK-NEXT:        scf.forall (%{{.*}}) in (8) shared_outs(%{{.*}} = %[[E]])
func.func @tiles_read_the_old_tensor(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %n = scf.forall (%j) in (8) shared_outs(%o = %e) -> (tensor<8xf32>) {
      %k = arith.subi %c3, %j : index
      %x = tensor.extract_slice %t[%k] [1] [1] : tensor<8xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %x into %o[%j] [1] [1] : tensor<1xf32> into tensor<8xf32>
      }
    }
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Each of the two would overwrite what the other one reads, if it comes last: both
// cannot wait for each other.

// CHECK-LABEL: @exchanged
// CHECK:         scf.for
// CHECK-NEXT:      %[[E:.*]] = tensor.empty()
// CHECK-NEXT:      %[[V:.*]] = linalg.abs ins(%b : tensor<8xf32>) outs(%[[E]] : tensor<8xf32>)
// CHECK-NEXT:      %[[W:.*]] = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>)
// CHECK-NEXT:      scf.yield %[[V]], %[[W]]
func.func @exchanged(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    %w = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %v = linalg.abs ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %v, %w : tensor<8xf32>, tensor<8xf32>
  }
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}
