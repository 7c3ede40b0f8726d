// Targets of xDSL that no pass of xDSL leads to, with the same buffers. The second commands
// are xDSL without any pass of this package.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline' %s -o %t.mlir

// xDSL has ops for ARM, and no pass that makes them.

// RUN: not xdsl-opt -p convert-linalg-to-loops -t arm-asm %t.mlir 2>&1 | filecheck %s --check-prefix=ARM
// ARM:         AssertionError: FuncOp(

// Nor one that makes ops of WebAssembly or of the GPU. What is left is an empty text.

// RUN: echo begin > %t.text
// RUN: xdsl-opt -p convert-linalg-to-loops -t wat %t.mlir >> %t.text
// RUN: xdsl-opt -p convert-linalg-to-loops -t wgsl %t.mlir >> %t.text
// RUN: echo end >> %t.text
// RUN: filecheck %s --check-prefix=EMPTY < %t.text
// EMPTY:       begin
// EMPTY-NEXT:  end

// The target for Apple's GPUs is a name only.

// RUN: not xdsl-opt -p convert-linalg-to-loops -t mps %t.mlir 2>&1 | filecheck %s --check-prefix=MPS
// MPS:         NotImplementedError: MPS backend not yet implemented
func.func public @add(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %sum = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
