// RUN: xbuf opt --transform-interpreter --split-input-file %s | filecheck %s

// An op gets an allocation of its own, in the memory space that is asked for.
// CHECK-LABEL: func.func @insertion
// CHECK: %[[size:.*]] = tensor.dim %t
// CHECK: %[[buffer:.*]] = memref.alloc(%[[size]]) : memref<?xf32, 4>
// CHECK-NEXT: bufferization.materialize_in_destination %t in writable %[[buffer]]
// CHECK-NEXT: memref.store %x, %[[buffer]][%i]
// CHECK-NEXT: %[[r:.*]] = bufferization.to_tensor %[[buffer]] restrict writable
// CHECK-NEXT: memref.dealloc %[[buffer]]
// CHECK-NEXT: func.return %[[r]]
func.func @insertion(%t: tensor<?xf32>, %x: f32, %i: index) -> tensor<?xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<?xf32>
  return %r : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %module : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %0 {memory_space = 4, emit_dealloc} : !transform.any_op
    transform.yield
  }
}

// -----

// The destination alone: the loop stays on tensors. Nothing is copied from a new tensor.
// CHECK-LABEL: func.func @destination
// CHECK: %[[buffer:.*]] = memref.alloca() : memref<8xf32>
// CHECK-NEXT: %[[t:.*]] = bufferization.to_tensor %[[buffer]] restrict writable
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[t]])
func.func @destination(%n: index, %one: index, %x: f32) -> tensor<8xf32> {
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %r = scf.for %i = %one to %n step %one iter_args(%a = %e) -> tensor<8xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["bufferization.alloc_tensor"]} in %module : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %0 {alloc_op = "memref.alloca"} : !transform.any_op
    transform.yield
  }
}
