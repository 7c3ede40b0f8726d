// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-xsmm %s | filecheck %s

// CHECK-LABEL: func.func @matmul
// CHECK-NEXT: %[[GEMM:.*]] = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
// CHECK-NEXT: xsmm.gemm(data_type = f32, %[[GEMM]], %a, %b, %c)
// CHECK-NEXT: return
func.func @matmul(%a: memref<8x16xf32>, %b: memref<16x4xf32>, %c: memref<8x4xf32>) {
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x4xf32>) outs(%c : memref<8x4xf32>)
  return
}

// The distances of rows and of matrices are those of the buffers.
// CHECK-LABEL: func.func @batch_reduce_matmul
// CHECK-NEXT: %[[BATCH:.*]] = arith.constant 2 : i64
// CHECK-NEXT: %[[BRGEMM:.*]] = xsmm.brgemm.dispatch [8, 4, 16, 20, 4, 12, 200, 64] flags = (none) data_type = f32
// CHECK-NEXT: xsmm.brgemm(data_type = f32, %[[BRGEMM]], %a, %b, %c, %[[BATCH]])
// CHECK-NEXT: return
func.func @batch_reduce_matmul(%a: memref<2x8x16xf32, strided<[200, 20, 1], offset: ?>>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32, strided<[12, 1], offset: 3>>) {
  linalg.batch_reduce_matmul ins(%a, %b : memref<2x8x16xf32, strided<[200, 20, 1], offset: ?>>, memref<2x16x4xf32>) outs(%c : memref<8x4xf32, strided<[12, 1], offset: 3>>)
  return
}

// Neither the order of the loops nor that of the factors matters.
// CHECK-LABEL: func.func @generic
// CHECK: xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64]
// CHECK-NEXT: xsmm.brgemm(data_type = f32, %{{.*}}, %a, %b, %c, %{{.*}})
func.func @generic(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(k, j, b, i) -> (b, k, j)>, affine_map<(k, j, b, i) -> (b, i, k)>, affine_map<(k, j, b, i) -> (i, j)>],
      iterator_types = ["reduction", "parallel", "reduction", "parallel"]}
      ins(%b, %a : memref<2x16x4xf32>, memref<2x8x16xf32>) outs(%c : memref<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @pairs_of_rows
// CHECK: xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (vnni_b) data_type = bf16
// CHECK-NEXT: xsmm.brgemm(data_type = bf16, %{{.*}}, %a, %b, %c, %{{.*}})
func.func @pairs_of_rows(%a: memref<2x8x16xbf16>, %b: memref<2x8x4x2xbf16>, %c: memref<8x4xbf16>) {
  linalg.generic {
      indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, k floordiv 2, j, k mod 2)>, affine_map<(b, i, j, k) -> (i, j)>],
      iterator_types = ["reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x8x16xbf16>, memref<2x8x4x2xbf16>) outs(%c : memref<8x4xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  }
  return
}

// CHECK-LABEL: func.func @pairs_in_both
// CHECK: xsmm.gemm.dispatch [8, 4, 16, 20, 6, 4] flags = (vnni_a, vnni_b) data_type = bf16
// CHECK-NEXT: xsmm.gemm(data_type = bf16, %{{.*}}, %a, %b, %c)
func.func @pairs_in_both(%a: memref<8x8x2xbf16, strided<[20, 2, 1]>>, %b: memref<8x4x2xbf16, strided<[12, 2, 1]>>, %c: memref<8x4xbf16>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k, v) -> (i, k, v)>, affine_map<(i, j, k, v) -> (k, j, v)>, affine_map<(i, j, k, v) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : memref<8x8x2xbf16, strided<[20, 2, 1]>>, memref<8x4x2xbf16, strided<[12, 2, 1]>>) outs(%c : memref<8x4xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  }
  return
}
