// RUN: xbuf opt -p 'one-shot-bufferize{bufferize-function-boundaries=true}' --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: scf.yield
// CHECK: Yield operand #0 is not equivalent to the corresponding iter bbArg; set allow-return-allocs-from-loops to yield another buffer
func.func @new_buffer_each_time(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%c = %t) -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// CHECK: Condition arg #0 is not equivalent to the corresponding iter bbArg
func.func @while(%t: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %0 = scf.while (%x = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = tensor.empty() : tensor<4xf32>
    scf.condition(%flag) %1 : tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>):
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// CHECK: "test.op"
// CHECK: op was not bufferized: no model says how to bufferize 'test.op'; attach one, or set allow-unknown-ops to leave it on tensors
func.func @unknown_op(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: bufferization.to_tensor
// CHECK: to_tensor ops without `restrict` are not supported by One-Shot Analysis
func.func @unrestricted(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// CHECK: 'bufferization.materialize_in_destination' operand #1 cannot be copied but would write to a read-only buffer
func.func @read_only_destination(%t: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = bufferization.materialize_in_destination %t in %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK: copying unranked tensors is not supported; cast it to a ranked tensor before
func.func @unranked(%t: tensor<*xf32> {bufferization.writable = false}) -> tensor<*xf32> {
  %0 = func.call @write(%t) : (tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
func.func private @write(tensor<*xf32>) -> tensor<*xf32>

// -----

// CHECK: bufferization.buffer_layout of argument 0 is no layout for tensor<4xf32>
func.func @no_layout(%t: tensor<4xf32> {bufferization.buffer_layout = "dense"}) {
  return
}

// -----

// CHECK: scf.yield
// CHECK: 'scf.yield' bufferizes to inconsistent memory spaces: memref<4xf32, 2 : i64> and memref<4xf32, strided<[?], offset: ?>, 3 : i64>; copy one of the tensors to the other memory space with bufferization.alloc_tensor
func.func @branches_in_two_memory_spaces(%i: index, %c: i1) -> f32 {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  %1 = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  %2 = scf.if %c -> (tensor<4xf32>) {
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %1 : tensor<4xf32>
  }
  %3 = tensor.extract %2[%i] : tensor<4xf32>
  return %3 : f32
}

// -----

// CHECK: 'arith.select' bufferizes to inconsistent memory spaces
func.func @select_in_two_memory_spaces(%i: index, %c: i1) -> f32 {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  %1 = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  %2 = arith.select %c, %0, %1 : tensor<4xf32>
  %3 = tensor.extract %2[%i] : tensor<4xf32>
  return %3 : f32
}

// -----

// CHECK: "bufferization.alloc_tensor"
// CHECK: 3.000000e+00 : f32 cannot be a memory space; use an integer, a string, a dictionary or an attribute of another dialect
func.func @no_memory_space(%i: index) -> f32 {
  %0 = bufferization.alloc_tensor() {memory_space = 3.0 : f32} : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// CHECK: the operands are in different memory spaces: 3 : i64, none; copy them to one of them with bufferization.alloc_tensor
func.func @concat_from_two_memory_spaces(%i: index) -> f32 {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  %1 = bufferization.alloc_tensor() : tensor<4xf32>
  %2 = tensor.concat dim(0) %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %3 = tensor.extract %2[%i] : tensor<8xf32>
  return %3 : f32
}

// -----

// CHECK: "tensor.insert"
// CHECK: is in a block that cannot be reached; remove unreachable blocks before bufferization, with canonicalize
func.func @unreachable_block(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  return %t : tensor<4xf32>
^nowhere:
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: "test.termop"
// CHECK: no model says what 'test.termop' passes to which block; attach a BranchOpInterface to it, or use the branches of the cf dialect
func.func @unknown_branch(%t: tensor<4xf32>) -> tensor<4xf32> {
  "test.termop"() [^end] : () -> ()
^end:
  return %t : tensor<4xf32>
}

// -----

// CHECK: "arith.select"
// CHECK: only i1 condition values are supported; run convert-elementwise-to-linalg before
func.func @select_by_element(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: "ml_program.global"
// CHECK: a global of type tensor<?xi64> cannot be bufferized; its sizes must be static
ml_program.global private mutable @seed(dense<0> : tensor<1xi64>) : tensor<?xi64>
func.func @global_of_any_size(%i: index) -> i64 {
  %0 = ml_program.global_load @seed : tensor<?xi64>
  %1 = tensor.extract %0[%i] : tensor<?xi64>
  return %1 : i64
}

// -----

// CHECK: tensor.pad
// CHECK: a negative amount of padding cannot be bufferized; leave elements out with tensor.extract_slice
func.func @negative_padding(%t: tensor<4xf32>, %f: f32) -> tensor<3xf32> {
  %0 = tensor.pad %t low[0] high[-1] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: ub.poison
// CHECK: poison of type tensor<?xf32> has no sizes; give it a static one
func.func @poison_of_any_size() -> tensor<?xf32> {
  %0 = ub.poison : tensor<?xf32>
  return %0 : tensor<?xf32>
}
