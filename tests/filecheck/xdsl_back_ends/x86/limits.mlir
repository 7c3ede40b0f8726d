// Where plain xDSL stops on the way to x86, with the same buffers: numbers that are not
// integers, outside of vectors. The second command is xDSL without any pass of this package.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions}' %s -o %t.mlir
// RUN: filecheck %s --check-prefix=BUFFERS < %t.mlir
// RUN: not xdsl-opt -p 'convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,convert-func-to-x86-func,convert-ptr-to-x86{arch=avx2},convert-arith-to-x86' %t.mlir 2>&1 | filecheck %s

// BUFFERS:     memref.store %one, %x[%i] : memref<8xf64>
// CHECK:       | Error while applying pattern: Lowering of arith.constant is only implemented for integers
func.func public @set(%x: tensor<8xf64>, %i: index) -> tensor<8xf64> {
  %one = arith.constant 1.0 : f64
  %result = tensor.insert %one into %x[%i] : tensor<8xf64>
  return %result : tensor<8xf64>
}
