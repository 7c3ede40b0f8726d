// A loop that changes a tensor, element by element, becomes x86 assembly by xDSL's own back
// end. The loop carries no buffer: all iterations write the buffer of the second argument.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},canonicalize,drop-equivalent-buffer-results{modify-public-functions},buffer-deallocation-pipeline,convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,canonicalize,convert-func-to-x86-func,convert-scf-to-x86-scf,convert-ptr-to-x86{arch=avx2},convert-arith-to-x86,reconcile-unrealized-casts,canonicalize,x86-allocate-registers,convert-x86-scf-to-x86,canonicalize' -t x86-asm %s | filecheck %s

// CHECK:       accumulate:
// CHECK-NEXT:      mov [[X:r..]], rdi
// CHECK-NEXT:      mov [[SUM:r..]], rsi
// CHECK:       scf_body_0_for:
// CHECK:           mov [[FROM:r..]], [[X]]
// CHECK:           mov {{.*}}, [[SUM]]
// CHECK:           mov [[ELEMENT:r..]], {{\[}}[[ELEMENT]]{{\]}}
// CHECK-NEXT:      add [[ELEMENT]], [[FROM]]
// CHECK:           mov [{{r..}}], [[ELEMENT]]
// CHECK:           jl scf_body_0_for
// CHECK:           ret
func.func public @accumulate(%x: tensor<8xi64>, %sum: tensor<8xi64>) -> tensor<8xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %result = scf.for %i = %c0 to %c8 step %c1 iter_args(%sums = %sum) -> tensor<8xi64> {
    %element = tensor.extract %x[%i] : tensor<8xi64>
    %old = tensor.extract %sums[%i] : tensor<8xi64>
    %new = arith.addi %element, %old : i64
    %next = tensor.insert %new into %sums[%i] : tensor<8xi64>
    scf.yield %next : tensor<8xi64>
  }
  return %result : tensor<8xi64>
}
