// Functions that C can call, in x86 assembly by xDSL's own back end. `cse` is needed twice,
// so that equal constants share one register: xDSL moves nothing from registers to memory.
// `x86-prologue-epilogue-insertion` saves the registers that belong to the caller.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline,convert-linalg-to-loops,lower-affine,convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,canonicalize,cse,convert-func-to-x86-func,convert-scf-to-x86-scf,convert-ptr-to-x86{arch=avx2},convert-arith-to-x86,reconcile-unrealized-casts,canonicalize,cse,x86-allocate-registers,x86-prologue-epilogue-insertion,convert-x86-scf-to-x86,canonicalize' -t x86-asm %s | filecheck %s

// CHECK:       .globl add
// CHECK-NEXT:  add:
// CHECK-NEXT:      push
// CHECK:       scf_body_0_for:
// CHECK:           add {{r..}}, {{r..}}
// CHECK:           mov [{{r..}}], {{r..}}
// CHECK:           jl scf_body_0_for
// CHECK:           pop
// CHECK:           ret
func.func public @add(%x: tensor<8xi64>, %y: tensor<8xi64>) -> tensor<8xi64> {
  %empty = tensor.empty() : tensor<8xi64>
  %sum = linalg.add ins(%x, %y : tensor<8xi64>, tensor<8xi64>) outs(%empty : tensor<8xi64>) -> tensor<8xi64>
  return %sum : tensor<8xi64>
}

// CHECK:       .globl double_at
// CHECK-NEXT:  double_at:
// CHECK:           mov [{{r..}}], {{r..}}
// CHECK-NEXT:      ret
func.func public @double_at(%x: tensor<8xi64>, %i: index) -> tensor<8xi64> {
  %old = tensor.extract %x[%i] : tensor<8xi64>
  %twice = arith.addi %old, %old : i64
  %new = tensor.insert %twice into %x[%i] : tensor<8xi64>
  return %new : tensor<8xi64>
}
