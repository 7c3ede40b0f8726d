// RUN: xbuf opt -p 'one-shot-bufferize{use-encoding-for-memory-space=true}' --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: "tensor.empty"
// CHECK: 3.000000e+00 : f32 cannot be a memory space
func.func @no_memory_space(%i: index) -> f32 {
  %0 = tensor.empty() : tensor<4xf32, 3.0 : f32>
  %1 = tensor.extract %0[%i] : tensor<4xf32, 3.0 : f32>
  return %1 : f32
}
