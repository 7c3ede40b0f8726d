// Where plain xDSL stops on the way to x86, with the same buffers: its `convert-vector-to-ptr`
// knows vector.load and vector.store, but not vector.transfer_read. The second command is
// xDSL without any pass of this package.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions}' %s | not xdsl-opt -p 'convert-vector-to-ptr,convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,canonicalize,convert-func-to-x86-func,convert-vector-to-x86{arch=avx2},convert-ptr-to-x86{arch=avx2},convert-arith-to-x86,reconcile-unrealized-casts,canonicalize,x86-infer-broadcast,dce,x86-allocate-registers,canonicalize' 2>&1 | filecheck %s

// CHECK:       | Error
func.func public @first_half(%x: tensor<8xf64>, %y: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %half = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : tensor<8xf64>, vector<4xf64>
  %result = vector.transfer_write %half, %y[%c0] {in_bounds = [true]} : vector<4xf64>, tensor<8xf64>
  return %result : tensor<8xf64>
}
