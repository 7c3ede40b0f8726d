// Where plain xDSL stops on the way to RISC-V, with the same buffers: copies. Its
// `convert-memref-to-riscv` leaves a memref.copy as it is, so that casts to buffers stay.
// The second command is xDSL without any pass of this package.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{modify-public-functions hoist-static-allocs}' %s -o %t.mlir
// RUN: filecheck %s --check-prefix=BUFFERS < %t.mlir
// RUN: not xdsl-opt -p convert-memref-to-riscv,convert-arith-to-riscv,convert-func-to-riscv-func,reconcile-unrealized-casts %t.mlir 2>&1 | filecheck %s

// BUFFERS:     "memref.copy"(%x, %new) : (memref<4xi32>, memref<4xi32>) -> ()
// CHECK:       Unable to remove cast UnrealizedConversionCastOp(%x = builtin.unrealized_conversion_cast
func.func @keep_old(%x: tensor<4xi32>, %v: i32, %i: index) -> (tensor<4xi32>, i32) {
  %new = tensor.insert %v into %x[%i] : tensor<4xi32>
  %old = tensor.extract %x[%i] : tensor<4xi32>
  return %new, %old : tensor<4xi32>, i32
}
