// A product of tensors becomes vector instructions for x86 by xDSL's own back end. The
// result is accumulated in the buffer of the third argument.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},test-vectorize-matmul,convert-vector-to-ptr,convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,canonicalize,convert-func-to-x86-func,convert-vector-to-x86{arch=avx2},convert-ptr-to-x86{arch=avx2},convert-arith-to-x86,reconcile-unrealized-casts,canonicalize,x86-infer-broadcast,dce,x86-allocate-registers,canonicalize' -t x86-asm %s | filecheck %s

// CHECK:       matmul:
// CHECK-NEXT:      mov rcx, rdi
// CHECK-NEXT:      mov rbx, rsi
// CHECK-NEXT:      mov rax, rdx
// CHECK:           vbroadcastsd {{.*}}, [rcx]
// CHECK-COUNT-8:   vfmadd231pd
// CHECK:           vmovapd [rax], ymm1
// CHECK-NEXT:      vmovapd [rax+32], ymm0
// CHECK-NEXT:      ret
func.func public @matmul(%a: tensor<2x4xf64>, %b: tensor<4x4xf64>, %c: tensor<2x4xf64>) -> tensor<2x4xf64> {
  %product = linalg.matmul ins(%a, %b : tensor<2x4xf64>, tensor<4x4xf64>) outs(%c : tensor<2x4xf64>) -> tensor<2x4xf64>
  return %product : tensor<2x4xf64>
}
