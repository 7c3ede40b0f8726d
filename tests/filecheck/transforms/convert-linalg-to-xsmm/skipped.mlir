// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-xsmm{skip-operations=fill,matmul} %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-xsmm{skip-operations=copy,unary,transpose,brgemm,binary} %s | filecheck %s --check-prefix OTHERS
// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-xsmm{skip-operations=all} %s | filecheck %s --check-prefix ALL
// RUN: not xdsl-opt -p convert-linalg-to-xsmm{skip-operations=fills} %s 2>&1 | filecheck %s --check-prefix UNKNOWN

// UNKNOWN: skip-operations has fills, which is none of fill, transpose, unary, binary, brgemm, matmul, copy, vnni and all

// CHECK-LABEL: @kinds
// CHECK-NOT:     xsmm.unary zero
// CHECK:         linalg.fill
// CHECK:         xsmm.unary identity
// CHECK:         xsmm.unary transpose
// CHECK:         xsmm.binary add
// CHECK:         linalg.matmul
// CHECK:         xsmm.brgemm

// OTHERS-LABEL: @kinds
// OTHERS:         xsmm.unary zero
// OTHERS:         linalg.copy
// OTHERS:         linalg.transpose
// OTHERS:         linalg.add
// OTHERS:         xsmm.gemm
// OTHERS:         linalg.batch_reduce_matmul

// ALL-LABEL: @kinds
// ALL-NOT:     xsmm
// ALL:         linalg.batch_reduce_matmul
// ALL-NOT:     xsmm
// ALL:         return
func.func @kinds(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<2x32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<32x32xf32>)
  linalg.copy ins(%a : memref<32x32xf32>) outs(%b : memref<32x32xf32>)
  linalg.transpose ins(%a : memref<32x32xf32>) outs(%b : memref<32x32xf32>) permutation = [1, 0]
  linalg.add ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%b : memref<32x32xf32>)
  linalg.matmul ins(%a, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%b : memref<32x32xf32>)
  linalg.batch_reduce_matmul ins(%c, %c : memref<2x32x32xf32>, memref<2x32x32xf32>) outs(%a : memref<32x32xf32>)
  return
}
