// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers{explain} %s 2>&1 | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers{tile-sizes=0,0,2\ explain} %s 2>&1 | filecheck %s --check-prefix REDUCTION

// By default only complete tiles are made.

// CHECK:     remark: 'linalg.matmul' is not tiled: no loop has more than one tile
// REDUCTION: remark: 'linalg.matmul' is not tiled: a loop to be tiled is a reduction, whose iterations are not independent

// CHECK-LABEL: @odd
// CHECK-NEXT:    linalg.matmul
// CHECK-NEXT:    return
// REDUCTION-LABEL: @odd
// REDUCTION-NEXT:    linalg.matmul
func.func @odd(%a: tensor<40x8xf32>, %b: tensor<8x31xf32>, %c: tensor<40x31xf32>) -> tensor<40x31xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<40x8xf32>, tensor<8x31xf32>) outs(%c : tensor<40x31xf32>) -> tensor<40x31xf32>
  return %0 : tensor<40x31xf32>
}

// What is a tile already stays one.

// CHECK-LABEL: @in_forall
// CHECK:         scf.forall
// CHECK-NEXT:      linalg.matmul
func.func @in_forall(%a: tensor<64x8xf32>, %b: tensor<8x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = scf.forall (%i) in (2) shared_outs(%o = %c) -> (tensor<64x64xf32>) {
    %1 = linalg.matmul ins(%a, %b : tensor<64x8xf32>, tensor<8x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
    }
  }
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: @no_product
// CHECK-NEXT:    linalg.add
func.func @no_product(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.add ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: @buffers
// CHECK-NEXT:    linalg.matmul
func.func @buffers(%a: memref<64x8xf32>, %b: memref<8x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x8xf32>, memref<8x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
