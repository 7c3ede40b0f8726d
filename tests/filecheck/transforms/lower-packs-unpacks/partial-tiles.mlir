// RUN: xdsl-opt -t mlir-22 -p lower-packs-unpacks %s | filecheck %s

// The last tile of each row is filled up.

// CHECK:      func.func @padded
// CHECK-NEXT:   %[[FILLED:.*]] = linalg.fill ins(%z : f32) outs(%d : tensor<2x4x32x16xf32>) -> tensor<2x4x32x16xf32>
// CHECK-NEXT:   scf.forall (%[[I:.*]], %[[J:.*]]) in (2, 4) shared_outs(%[[OUT:.*]] = %[[FILLED]])
// CHECK-DAG:      %[[SIZE:.*]] = affine.min affine_map<(d0) -> (16, d0 * -16 + 60)>(%[[J]])
// CHECK:          %[[TILE:.*]] = tensor.extract_slice %t[%{{.*}}, %{{.*}}] [32, %[[SIZE]]] [1, 1] : tensor<64x60xf32> to tensor<32x?xf32>
// CHECK:          tensor.parallel_insert_slice %[[TILE]] into %[[OUT]][%[[I]], %[[J]], 0, 0] [1, 1, 32, %[[SIZE]]] [1, 1, 1, 1]
func.func @padded(%t: tensor<64x60xf32>, %d: tensor<2x4x32x16xf32>, %z: f32) -> tensor<2x4x32x16xf32> {
  %0 = linalg.pack %t padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<64x60xf32> -> tensor<2x4x32x16xf32>
  return %0 : tensor<2x4x32x16xf32>
}

// A padding value that no tile needs is not used.

// CHECK:      func.func @not_padded
// CHECK-NOT:    linalg.fill
// CHECK-NOT:    affine.min
func.func @not_padded(%t: tensor<64x64xf32>, %d: tensor<2x4x32x16xf32>, %z: f32) -> tensor<2x4x32x16xf32> {
  %0 = linalg.pack %t padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<64x64xf32> -> tensor<2x4x32x16xf32>
  return %0 : tensor<2x4x32x16xf32>
}

// CHECK:      func.func @unpack
// CHECK:          %[[SIZE:.*]] = affine.min affine_map<(d0) -> (32, d0 * -32 + 40)>(%[[I:.*]])
// CHECK:          %[[TILE:.*]] = tensor.extract_slice %p[%[[I]], 0] [1, %[[SIZE]]] [1, 1] : tensor<2x32xf32> to tensor<?xf32>
// CHECK:          tensor.parallel_insert_slice %[[TILE]] into %{{.*}}[%{{.*}}] [%[[SIZE]]] [1] : tensor<?xf32> into tensor<40xf32>
func.func @unpack(%p: tensor<2x32xf32>, %d: tensor<40xf32>) -> tensor<40xf32> {
  %0 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [32] into %d : tensor<2x32xf32> -> tensor<40xf32>
  return %0 : tensor<40xf32>
}

// The number of tiles is that of the packed tensor, wherever it comes from.

// CHECK:      func.func @dynamic
// CHECK-DAG:    %[[TILES:.*]] = tensor.dim %d, %{{.*}} : tensor<?x32xf32>
// CHECK-DAG:    %[[SIZE:.*]] = tensor.dim %t, %{{.*}} : tensor<?xf32>
// CHECK:        scf.forall (%[[I:.*]]) in (%[[TILES]])
// CHECK:          affine.min affine_map<(d0, d1) -> (32, d0 * -32 + d1)>(%[[I]], %[[SIZE]])
func.func @dynamic(%t: tensor<?xf32>, %d: tensor<?x32xf32>, %z: f32) -> tensor<?x32xf32> {
  %0 = linalg.pack %t padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [32] into %d : tensor<?xf32> -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}
