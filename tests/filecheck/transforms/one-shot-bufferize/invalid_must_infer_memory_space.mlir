// RUN: xbuf opt -p 'one-shot-bufferize{bufferize-function-boundaries must-infer-memory-space}' --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: could not infer memory space of a tensor of 'tensor.empty'; allocate it by a bufferization.alloc_tensor with a memory_space, or unset must-infer-memory-space
func.func @empty(%i: index) -> f32 {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// CHECK: could not infer memory space of a tensor of 'arith.constant'
func.func @constant(%i: index) -> f32 {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// CHECK: could not infer memory space of a tensor of 'tensor.from_elements'
func.func @new_tensor(%f: f32, %i: index) -> f32 {
  %0 = tensor.from_elements %f : tensor<1xf32>
  %1 = tensor.extract %0[%i] : tensor<1xf32>
  return %1 : f32
}

// -----

// CHECK: could not infer memory space of a tensor of 'func.func'
func.func @argument(%t: tensor<4xf32>, %i: index) -> f32 {
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}
