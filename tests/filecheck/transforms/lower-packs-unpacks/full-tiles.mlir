// RUN: xdsl-opt -t mlir-22 -p lower-packs-unpacks %s | filecheck %s

// CHECK:      func.func @pack
// CHECK-NEXT:   %{{.*}} = scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 4) shared_outs(%[[OUT:.*]] = %d) -> (tensor<8x4x32x32xf32>) {
// CHECK-NEXT:     %[[ROW:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[I]])
// CHECK-NEXT:     %[[COLUMN:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[J]])
// CHECK-NEXT:     %[[TILE:.*]] = tensor.extract_slice %t[%[[ROW]], %[[COLUMN]]] [32, 32] [1, 1] : tensor<256x128xf32> to tensor<32x32xf32>
// CHECK-NEXT:     scf.forall.in_parallel {
// CHECK-NEXT:       tensor.parallel_insert_slice %[[TILE]] into %[[OUT]][%[[I]], %[[J]], 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<32x32xf32> into tensor<8x4x32x32xf32>
func.func @pack(%t: tensor<256x128xf32>, %d: tensor<8x4x32x32xf32>) -> tensor<8x4x32x32xf32> {
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %d : tensor<256x128xf32> -> tensor<8x4x32x32xf32>
  return %0 : tensor<8x4x32x32xf32>
}

// CHECK:      func.func @unpack
// CHECK-NEXT:   %{{.*}} = scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 4) shared_outs(%[[OUT:.*]] = %d) -> (tensor<256x128xf32>) {
// CHECK-NEXT:     %[[ROW:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[I]])
// CHECK-NEXT:     %[[COLUMN:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[J]])
// CHECK-NEXT:     %[[TILE:.*]] = tensor.extract_slice %p[%[[I]], %[[J]], 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<8x4x32x32xf32> to tensor<32x32xf32>
// CHECK-NEXT:     scf.forall.in_parallel {
// CHECK-NEXT:       tensor.parallel_insert_slice %[[TILE]] into %[[OUT]][%[[ROW]], %[[COLUMN]]] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<256x128xf32>
func.func @unpack(%p: tensor<8x4x32x32xf32>, %d: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %d : tensor<8x4x32x32xf32> -> tensor<256x128xf32>
  return %0 : tensor<256x128xf32>
}

// The order of the blocks is that of the loops.

// CHECK:      func.func @blocks_by_columns
// CHECK:        scf.forall (%[[J:.*]], %[[I:.*]]) in (4, 8)
// CHECK-DAG:      %[[COLUMN:.*]] = affine.apply affine_map<(d0) -> (d0 * 16)>(%[[J]])
// CHECK-DAG:      %[[ROW:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[I]])
// CHECK:          tensor.extract_slice %t[%[[ROW]], %[[COLUMN]]] [32, 16] [1, 1]
// CHECK:          tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[J]], %[[I]], 0, 0] [1, 1, 32, 16]
func.func @blocks_by_columns(%t: tensor<256x64xf32>, %d: tensor<4x8x32x16xf32>) -> tensor<4x8x32x16xf32> {
  %0 = linalg.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<256x64xf32> -> tensor<4x8x32x16xf32>
  return %0 : tensor<4x8x32x16xf32>
}

// A tile with its dimensions in another order is transposed.

// CHECK:      func.func @transposed_tiles
// CHECK:          %[[TILE:.*]] = tensor.extract_slice %t{{.*}} to tensor<32x16xf32>
// CHECK-NEXT:     %[[INIT:.*]] = tensor.empty() : tensor<16x32xf32>
// CHECK-NEXT:     %[[TRANSPOSED:.*]] = linalg.transpose ins(%[[TILE]] : tensor<32x16xf32>) outs(%[[INIT]] : tensor<16x32xf32>) permutation = [1, 0]
// CHECK:          tensor.parallel_insert_slice %[[TRANSPOSED]] into %{{.*}} [1, 1, 16, 32]
func.func @transposed_tiles(%t: tensor<256x64xf32>, %d: tensor<8x4x16x32xf32>) -> tensor<8x4x16x32xf32> {
  %0 = linalg.pack %t inner_dims_pos = [1, 0] inner_tiles = [16, 32] into %d : tensor<256x64xf32> -> tensor<8x4x16x32xf32>
  return %0 : tensor<8x4x16x32xf32>
}

// An image goes in whole planes of 32 channels.

// CHECK:      func.func @channels
// CHECK:        scf.forall (%[[N:.*]], %[[C:.*]]) in (2, 3)
// CHECK-NEXT:     %[[CHANNEL:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[C]])
// CHECK-NEXT:     tensor.extract_slice %t[%[[N]], 0, 0, %[[CHANNEL]]] [1, 7, 5, 32] [1, 1, 1, 1] : tensor<2x7x5x96xf32> to tensor<7x5x32xf32>
// CHECK:          tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[N]], %[[C]], 0, 0, 0] [1, 1, 7, 5, 32] [1, 1, 1, 1, 1]
func.func @channels(%t: tensor<2x7x5x96xf32>, %d: tensor<2x3x7x5x32xf32>) -> tensor<2x3x7x5x32xf32> {
  %0 = linalg.pack %t outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3] inner_tiles = [32] into %d : tensor<2x7x5x96xf32> -> tensor<2x3x7x5x32xf32>
  return %0 : tensor<2x3x7x5x32xf32>
}

// CHECK:      func.func @nothing_to_cut(%t: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:   func.return %t
func.func @nothing_to_cut(%t: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.pack %t inner_dims_pos = [] inner_tiles = [] into %d : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
