// RUN: xbuf opt -p 'one-shot-bufferize{bufferize-function-boundaries}' --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: Yield operand #0 is not equivalent to the corresponding iter bbArg
func.func @other_buffer(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %0 = affine.for %i = 0 to 4 iter_args(%x = %t) -> (tensor<4xf32>) {
    affine.yield %u : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
