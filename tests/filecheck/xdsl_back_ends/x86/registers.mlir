// Where plain xDSL stops on the way to x86, with the same buffers: loops in loops need more
// registers than there are. The second command is xDSL without any pass of this package.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline' %s | not xdsl-opt -p 'convert-linalg-to-loops,lower-affine,convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,canonicalize,cse,convert-func-to-x86-func,convert-scf-to-x86-scf,convert-ptr-to-x86{arch=avx2},convert-arith-to-x86,reconcile-unrealized-casts,canonicalize,cse,x86-allocate-registers' 2>&1 | filecheck %s

// CHECK:       OutOfRegisters: Out of registers.
// CHECK:       | Error allocating op
func.func public @add(%x: tensor<3x5xi64>, %y: tensor<3x5xi64>) -> tensor<3x5xi64> {
  %empty = tensor.empty() : tensor<3x5xi64>
  %sum = linalg.add ins(%x, %y : tensor<3x5xi64>, tensor<3x5xi64>) outs(%empty : tensor<3x5xi64>) -> tensor<3x5xi64>
  return %sum : tensor<3x5xi64>
}
