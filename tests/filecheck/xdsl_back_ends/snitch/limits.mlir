// Where plain xDSL stops on the way to Snitch, with the same buffers: it has reductions for
// f64 only. The second command is xDSL without any pass of this package.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{modify-public-functions hoist-static-allocs}' %s | not xdsl-opt -p linalg-generalize-named-ops,test-lower-linalg-to-snitch 2>&1 | filecheck %s

// CHECK:       | Error while applying pattern: iterators other than 'parallel' are not supported yet
func.func @matmul(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %out = tensor.empty() : tensor<8x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%out : tensor<8x8xf32>) -> tensor<8x8xf32>
  %product = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %product : tensor<8x8xf32>
}
