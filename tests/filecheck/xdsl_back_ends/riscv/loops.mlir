// Tensors become assembly for RISC-V by xDSL's own back end. Our passes make buffers of
// them, and hand over results in arguments; all passes after that are xDSL's.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},canonicalize,drop-equivalent-buffer-results{modify-public-functions},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline,convert-linalg-to-loops,convert-memref-to-riscv,lower-affine,convert-scf-to-riscv-scf,convert-arith-to-riscv,convert-func-to-riscv-func,reconcile-unrealized-casts,canonicalize,riscv-allocate-registers,canonicalize,convert-riscv-scf-to-riscv-cf,riscv-lower-parallel-mov,canonicalize' -t riscv-asm %s | filecheck %s

// The product is computed in the third argument, and no memory is allocated.

// CHECK-NOT:   malloc
// CHECK:       .globl matmul
// CHECK:       matmul:
// CHECK-NEXT:      mv t5, a0
// CHECK-NEXT:      mv t4, a1
// CHECK-NEXT:      mv t3, a2
// CHECK:       scf_body_0_for:
// CHECK:           fsw ft0, {{.*}} # store float value to memref of shape (4, 2)
// CHECK:       scf_body_2_for:
// CHECK:           fmul.s
// CHECK-NEXT:      fadd.s
// CHECK:           fsw {{.*}} # store float value to memref of shape (4, 2)
// CHECK:           ret
func.func @matmul(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %product = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x2xf32>) outs(%zeros : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %product : tensor<4x2xf32>
}

// Each row is changed where it is: a slice becomes the address of its first element.

// CHECK:       rows:
// CHECK:       scf_body_{{.*}}_for:
// CHECK:           add [[ROW:t5]], t1, t5
// CHECK:       scf_body_{{.*}}_for:
// CHECK:           fadd.s
// CHECK:           fsw
// CHECK-NOT:   fsw
// CHECK:           ret
func.func @rows(%x: tensor<8x4xf32>, %y: tensor<4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %result = scf.for %i = %c0 to %c8 step %c1 iter_args(%rows = %x) -> tensor<8x4xf32> {
    %row = tensor.extract_slice %rows[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %sum = linalg.add ins(%row, %y : tensor<4xf32>, tensor<4xf32>) outs(%row : tensor<4xf32>) -> tensor<4xf32>
    %next = tensor.insert_slice %sum into %rows[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    scf.yield %next : tensor<8x4xf32>
  }
  return %result : tensor<8x4xf32>
}

// CHECK:       double_at:
// CHECK:           fadd.s
// CHECK:           fsw {{.*}} # store float value to memref of shape (8,)
// CHECK-NEXT:      ret
func.func @double_at(%x: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %old = tensor.extract %x[%i] : tensor<8xf32>
  %twice = arith.addf %old, %old : f32
  %new = tensor.insert %twice into %x[%i] : tensor<8xf32>
  return %new : tensor<8xf32>
}
