// The constant is in a file that is linked to this one later.
//
// MLIR refuses: 'weights' does not reference a valid global memref

// RUN: xdsl-opt -p 'cse,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},canonicalize,buffer-deallocation-pipeline,convert-linalg-to-loops' %s | filecheck %s

// CHECK:       %w = memref.get_global @weights : memref<4xf32>
// CHECK:       scf.for
// CHECK:         memref.load %w[%{{.*}}] : memref<4xf32>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = memref.get_global @weights : memref<4xf32>
  %t = bufferization.to_tensor %w restrict : memref<4xf32> to tensor<4xf32>
  %sum = linalg.add ins(%x, %t : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
