// RUN: xbuf opt -p 'tensor-bufferize,one-shot-bufferize{allow-unknown-ops dialect-filter=linalg}' --verify-diagnostics --split-input-file %s | filecheck %s
// RUN: xbuf opt -p 'func-bufferize,one-shot-bufferize' --verify-diagnostics --split-input-file %s | filecheck %s --check-prefix FUNC

// One-Shot Bufferize has to run first: %t is still read when it could be overwritten.
// CHECK: "bufferization.to_buffer"(%t)
// CHECK: was left by a pass that bufferizes one dialect, after which One-Shot Analysis cannot see who reads the buffer; run one-shot-bufferize before such passes
// FUNC: "bufferization.to_tensor"(%t)
// FUNC: to_tensor ops without `restrict` are not supported by One-Shot Analysis
func.func @read_later(%t: tensor<4xf32>, %f: f32, %i: index) -> (f32, f32) {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %1, %2 : f32, f32
}
