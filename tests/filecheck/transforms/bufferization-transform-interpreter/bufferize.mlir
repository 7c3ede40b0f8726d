// RUN: xbuf opt --transform-interpreter --split-input-file %s | filecheck %s

// Functions are bufferized one by one, with the options of the transform op.
// CHECK-LABEL: func.func @with_layout
// CHECK-SAME: (%t: memref<8xf32>, %x: f32, %i: index) -> memref<8xf32>
// CHECK-NEXT: memref.store %x, %t[%i] : memref<8xf32>
func.func @with_layout(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %f {bufferize_function_boundaries = true}
    %1 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %f {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Copies may be those of linalg.
// CHECK-LABEL: func.func @with_linalg_copy
// CHECK-NOT: memref.copy
// CHECK: linalg.copy ins(%{{.*}} : memref<8xf32, strided<[?], offset: ?>>) outs(%{{.*}} : memref<8xf32>)
func.func @with_linalg_copy(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %1 = transform.bufferization.one_shot_bufferize %module {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @eliminates
// CHECK-NOT: tensor.empty
// CHECK: %[[part:.*]] = tensor.extract_slice %t[2] [4] [1]
// CHECK: linalg.fill ins(%x : f32) outs(%[[part]] : tensor<4xf32>)
func.func @eliminates(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %f into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.structured.eliminate_empty_tensors %f : !transform.any_op
    transform.bufferization.eliminate_empty_tensors %f : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @hoists
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: scf.for
func.func @hoists(%n: index, %one: index, %x: f32) {
  scf.for %i = %one to %n step %one {
    %m = memref.alloc() : memref<8xf32>
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @allocates_tensor
// CHECK: bufferization.alloc_tensor(%n) : tensor<?xf32>
func.func @allocates_tensor(%n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.bufferization.buffer_loop_hoisting %f : !transform.any_op
    %e = transform.structured.match ops{["tensor.empty"]} in %module : (!transform.any_op) -> !transform.any_op
    %c = transform.cast %e : !transform.any_op to !transform.op<"tensor.empty">
    %a = transform.bufferization.empty_tensor_to_alloc_tensor %c : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    transform.yield
  }
}
