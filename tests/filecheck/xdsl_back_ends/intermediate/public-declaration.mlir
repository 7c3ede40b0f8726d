// A function of a library is declared as it is there: public.
//
// MLIR refuses: symbol declaration cannot have public visibility

// RUN: xdsl-opt -p 'canonicalize,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline,convert-func-to-riscv-func' %s | filecheck %s

// CHECK:       riscv_func.func public @fill_with_zeros(!riscv.reg<a0>) -> ()
// CHECK:       riscv_func.call @fill_with_zeros
func.func @fill_with_zeros(memref<4xf32>)
func.func @f(%x: memref<4xf32>) {
  call @fill_with_zeros(%x) : (memref<4xf32>) -> ()
  return
}
