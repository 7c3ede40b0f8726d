// With `use-encoding-for-memory-space`, the encoding of a tensor type is where its buffer
// is. Slices and loops keep it. xDSL's back end for RISC-V then takes the buffers.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries use-encoding-for-memory-space function-boundary-type-conversion=identity-layout-map},canonicalize,drop-equivalent-buffer-results{modify-public-functions}' %s | filecheck %s
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries use-encoding-for-memory-space function-boundary-type-conversion=identity-layout-map},canonicalize,drop-equivalent-buffer-results{modify-public-functions},convert-linalg-to-loops,convert-memref-to-riscv,lower-affine,convert-scf-to-riscv-scf,convert-arith-to-riscv,convert-func-to-riscv-func,reconcile-unrealized-casts,canonicalize,riscv-allocate-registers,canonicalize,convert-riscv-scf-to-riscv-cf,riscv-lower-parallel-mov' -t riscv-asm %s | filecheck %s --check-prefix=ASM

// CHECK:       func.func @add_into(%x: memref<4xf32, "L3">, %w: memref<4xf32, "L1">) {
// CHECK:         %s = memref.subview %x[%i] [1] [1] : memref<4xf32, "L3"> to memref<1xf32, strided<[1], offset: ?>, "L3">
// CHECK-NEXT:    %u = memref.subview %w[%i] [1] [1] : memref<4xf32, "L1"> to memref<1xf32, strided<[1], offset: ?>, "L1">
// CHECK-NEXT:    linalg.add {{.*}} outs(%s : memref<1xf32, strided<[1], offset: ?>, "L3">)
// CHECK-NOT:   memref.copy

// ASM:         add_into:
// ASM:             fadd.s
// ASM-NEXT:        {{.*}}
// ASM:             fsw
// ASM:             ret
func.func @add_into(%x: tensor<4xf32, "L3">, %w: tensor<4xf32, "L1">) -> tensor<4xf32, "L3"> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %result = scf.for %i = %c0 to %c4 step %c1 iter_args(%o = %x) -> tensor<4xf32, "L3"> {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32, "L3"> to tensor<1xf32, "L3">
    %u = tensor.extract_slice %w[%i] [1] [1] : tensor<4xf32, "L1"> to tensor<1xf32, "L1">
    %sum = linalg.add ins(%s, %u : tensor<1xf32, "L3">, tensor<1xf32, "L1">) outs(%s : tensor<1xf32, "L3">) -> tensor<1xf32, "L3">
    %next = tensor.insert_slice %sum into %o[%i] [1] [1] : tensor<1xf32, "L3"> into tensor<4xf32, "L3">
    scf.yield %next : tensor<4xf32, "L3">
  }
  return %result : tensor<4xf32, "L3">
}
