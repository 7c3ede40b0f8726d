// RUN: xdsl-opt -t mlir-22 -p lower-packs-unpacks %s | filecheck %s

// Blocks of channels are rows of what is packed: the sum reads them there.

// CHECK-LABEL: func.func @sum
// CHECK:         %[[E:.*]] = tensor.expand_shape %y {{\[\[}}0], [1], [2], [3, 4]] output_shape [1, 5, 6, 3, 32]
// CHECK-NOT:     scf.forall
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], {{.*}} ins(%[[E]] : tensor<1x5x6x3x32xf32>) outs(%x
func.func @sum(%y: tensor<1x5x6x96xf32>, %x: tensor<1x3x5x6x32xf32>) -> tensor<1x3x5x6x32xf32> {
  %e = tensor.empty() : tensor<1x3x5x6x32xf32>
  %p = linalg.pack %y outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3] inner_tiles = [32] into %e : tensor<1x5x6x96xf32> -> tensor<1x3x5x6x32xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x3x5x6x32xf32>) outs(%x : tensor<1x3x5x6x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<1x3x5x6x32xf32>
  return %s : tensor<1x3x5x6x32xf32>
}

// Channels are no rows here, and here the blocks are returned.

// CHECK-LABEL: func.func @copied
// CHECK:         scf.forall
// CHECK:         scf.forall
func.func @copied(%y: tensor<1x64x6xf32>, %z: tensor<6x64xf32>) -> (tensor<1x2x6x32xf32>, tensor<2x6x32xf32>) {
  %d = tensor.empty() : tensor<1x2x6x32xf32>
  %e = tensor.empty() : tensor<2x6x32xf32>
  %p = linalg.pack %y inner_dims_pos = [1] inner_tiles = [32] into %d : tensor<1x64x6xf32> -> tensor<1x2x6x32xf32>
  %q = linalg.pack %z outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into %e : tensor<6x64xf32> -> tensor<2x6x32xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x2x6x32xf32>) outs(%d : tensor<1x2x6x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.negf %a : f32
    linalg.yield %c : f32
  } -> tensor<1x2x6x32xf32>
  return %s, %q : tensor<1x2x6x32xf32>, tensor<2x6x32xf32>
}
