// RUN: xbuf opt --transform-interpreter --split-input-file --verify-diagnostics %s

func.func @reads(%t: tensor<8xf32>, %i: index) -> f32 {
  %r = tensor.extract %t[%i] : tensor<8xf32>
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.extract"]} in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{failed to bufferize operation: 'tensor.extract' writes to no tensor}}
    %buffer, %new = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["builtin.module"]} in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{alloc_op is none of memref.alloc, memref.alloca}}
    %buffer, %new = transform.structured.bufferize_to_allocation %module {alloc_op = "memref.store"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    // expected-error @below {{incompatible payload operation name}}
    %c = transform.cast %module : !transform.any_op to !transform.op<"func.func">
    transform.yield
  }
}

// -----

// expected-error @below {{could not find a nested named sequence with name: __transform_main}}
module attributes {transform.with_named_sequence} {
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{cannot be interpreted}}
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match interface{LinalgOp} in %module : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected one of InferLayoutMap, IdentityLayoutMap, FullyDynamicLayoutMap}}
    %1 = transform.bufferization.one_shot_bufferize layout{Dense} %module : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
