// RUN: xdsl-opt -t mlir-22 -p propagate-pack-and-unpack %s | filecheck %s

// Neither user leads to a pack: the tensor is unpacked once, for both.

// CHECK-LABEL: func.func @norm
// CHECK:         [[U:%.*]] = linalg.unpack %p
// CHECK-NOT:     linalg.unpack
// CHECK:         linalg.exp ins([[U]] : tensor<64x96xf32>)
// CHECK:         linalg.reduce { arith.addf } ins([[U]] : tensor<64x96xf32>)
func.func @norm(%p: tensor<2x6x32x16xf32>, %c: tensor<64xf32>) -> (tensor<64x96xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %1 = linalg.exp ins(%0 : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %2 = linalg.reduce { arith.addf } ins(%0 : tensor<64x96xf32>) outs(%c : tensor<64xf32>) dimensions = [1]
  return %1, %2 : tensor<64x96xf32>, tensor<64xf32>
}

// Behind two ops there is a pack: both are done on tiles.

// CHECK-LABEL: func.func @residual
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x6x32x16xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x6x32x16xf32>)
// CHECK:         linalg.reduce
func.func @residual(%p: tensor<2x6x32x16xf32>, %c: tensor<64xf32>) -> (tensor<2x6x32x16xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %1 = linalg.exp ins(%0 : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %2 = linalg.log ins(%1 : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %3 = linalg.reduce { arith.addf } ins(%0 : tensor<64x96xf32>) outs(%c : tensor<64xf32>) dimensions = [1]
  %d = tensor.empty() : tensor<2x6x32x16xf32>
  %4 = linalg.pack %2 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<64x96xf32> -> tensor<2x6x32x16xf32>
  return %4, %3 : tensor<2x6x32x16xf32>, tensor<64xf32>
}
