// RUN: xdsl-opt -t mlir-22 -p propagate-pack-and-unpack %s | filecheck %s

// An element-wise op works on tiles; all its operands are packed alike.

// CHECK:      func.func @bias
// CHECK:        %[[UNPACKED:.*]] = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
// CHECK-NEXT:   %[[EMPTY1:.*]] = tensor.empty() : tensor<2x6x32x16xf32>
// CHECK-NEXT:   %[[BIAS:.*]] = linalg.pack %b inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %[[EMPTY1]] : tensor<64x96xf32> -> tensor<2x6x32x16xf32>
// CHECK-NEXT:   %[[EMPTY2:.*]] = tensor.empty() : tensor<2x6x32x16xf32>
// CHECK-NEXT:   %[[PACKED:.*]] = linalg.pack %[[UNPACKED]] inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %[[EMPTY2]] : tensor<64x96xf32> -> tensor<2x6x32x16xf32>
// CHECK-NEXT:   %[[SUM:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[BIAS]] : tensor<2x6x32x16xf32>) outs(%[[PACKED]] : tensor<2x6x32x16xf32>) {
// CHECK:        } -> tensor<2x6x32x16xf32>
// CHECK-NEXT:   %[[RESULT:.*]] = linalg.unpack %[[SUM]] inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e :
// CHECK-NEXT:   func.return %[[RESULT]]
func.func @bias(%p: tensor<2x6x32x16xf32>, %b: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<64x96xf32>) outs(%0 : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// What is the same for all rows is packed along its one dimension.

// CHECK:      func.func @row
// CHECK:        %[[ROW:.*]] = linalg.pack %b inner_dims_pos = [0] inner_tiles = [16] into %{{.*}} : tensor<96xf32> -> tensor<6x16xf32>
// CHECK:        linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], {{.*}} ins(%[[ROW]] : tensor<6x16xf32>)
func.func @row(%p: tensor<2x6x32x16xf32>, %b: tensor<96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<96xf32>) outs(%0 : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// A named op becomes a generic one. What it overwrites is not packed.

// CHECK:      func.func @named
// CHECK:        %[[PACKED:.*]] = linalg.pack %{{.*}} into %{{.*}} : tensor<64x96xf32> -> tensor<2x6x32x16xf32>
// CHECK-NEXT:   %[[EMPTY:.*]] = tensor.empty() : tensor<2x6x32x16xf32>
// CHECK-NEXT:   linalg.generic {{.*}} ins(%[[PACKED]] : tensor<2x6x32x16xf32>) outs(%[[EMPTY]] : tensor<2x6x32x16xf32>)
func.func @named(%p: tensor<2x6x32x16xf32>, %c: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %1 = linalg.exp ins(%0 : tensor<64x96xf32>) outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// Loops come in the order of the tiles, so that maps are identities.

// CHECK:      func.func @columns
// CHECK:        linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 32] {{.*}} -> tensor<6x2x16x32xf32>
// CHECK:        linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
func.func @columns(%p: tensor<6x2x16x32xf32>, %b: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 32] into %e : tensor<6x2x16x32xf32> -> tensor<64x96xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<64x96xf32>) outs(%0 : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// Dimensions that are not cut may be dynamic.

// CHECK:      func.func @dynamic
// CHECK:        %[[BATCH:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?x96xf32>
// CHECK:        tensor.empty(%[[BATCH]]) : tensor<?x6x16xf32>
// CHECK:        linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
func.func @dynamic(%p: tensor<?x6x16xf32>, %e: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %0 = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [16] into %e : tensor<?x6x16xf32> -> tensor<?x96xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<?x96xf32>) {
  ^bb0(%y: f32):
    %2 = arith.addf %y, %y : f32
    linalg.yield %2 : f32
  } -> tensor<?x96xf32>
  return %1 : tensor<?x96xf32>
}

// Parts that have all channels are put together on the packed side.

// CHECK:      func.func @parts
// CHECK:        %[[NEW:.*]] = tensor.empty() : tensor<2x8x32xf32>
// CHECK-NEXT:   %[[EVEN:.*]] = tensor.insert_slice %p into %[[NEW]][0, 0, 0] [2, 4, 32] [1, 2, 1] : tensor<2x4x32xf32> into tensor<2x8x32xf32>
// CHECK:        %[[BOTH:.*]] = tensor.insert_slice %q into %[[EVEN]][0, 1, 0] [2, 4, 32] [1, 2, 1] : tensor<2x4x32xf32> into tensor<2x8x32xf32>
// CHECK-NEXT:   %[[RESULT:.*]] = linalg.unpack %[[BOTH]] inner_dims_pos = [0] inner_tiles = [32] into %{{.*}} : tensor<2x8x32xf32> -> tensor<64x8xf32>
// CHECK-NEXT:   func.return %[[RESULT]]
func.func @parts(%p: tensor<2x4x32xf32>, %q: tensor<2x4x32xf32>) -> tensor<64x8xf32> {
  %e = tensor.empty() : tensor<64x4xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [32] into %e : tensor<2x4x32xf32> -> tensor<64x4xf32>
  %1 = linalg.unpack %q inner_dims_pos = [0] inner_tiles = [32] into %e : tensor<2x4x32xf32> -> tensor<64x4xf32>
  %2 = tensor.empty() : tensor<64x8xf32>
  %3 = tensor.insert_slice %0 into %2[0, 0] [64, 4] [1, 2] : tensor<64x4xf32> into tensor<64x8xf32>
  %4 = tensor.insert_slice %1 into %3[0, 1] [64, 4] [1, 2] : tensor<64x4xf32> into tensor<64x8xf32>
  return %4 : tensor<64x8xf32>
}

// So are parts of whole tiles.

// CHECK:      func.func @channels
// CHECK:        tensor.insert_slice %p into %{{.*}}[1, 0, 0] [1, 4, 32] [1, 1, 1] : tensor<1x4x32xf32> into tensor<2x4x32xf32>
func.func @channels(%p: tensor<1x4x32xf32>) -> tensor<64x4xf32> {
  %e = tensor.empty() : tensor<32x4xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [32] into %e : tensor<1x4x32xf32> -> tensor<32x4xf32>
  %1 = tensor.empty() : tensor<64x4xf32>
  %2 = tensor.insert_slice %0 into %1[32, 0] [32, 4] [1, 1] : tensor<32x4xf32> into tensor<64x4xf32>
  return %2 : tensor<64x4xf32>
}

// Half a tile is no part of the packed side: nothing moves.

// CHECK:      func.func @half
// CHECK:        tensor.insert_slice %{{.*}} : tensor<32x4xf32> into tensor<64x4xf32>
func.func @half(%p: tensor<1x4x32xf32>) -> tensor<64x4xf32> {
  %e = tensor.empty() : tensor<32x4xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [32] into %e : tensor<1x4x32xf32> -> tensor<32x4xf32>
  %1 = tensor.empty() : tensor<64x4xf32>
  %2 = tensor.insert_slice %0 into %1[16, 0] [32, 4] [1, 1] : tensor<32x4xf32> into tensor<64x4xf32>
  return %2 : tensor<64x4xf32>
}

// The sums of the pixels of each channel: channels are cut, and pixels are not.

// CHECK-LABEL: func.func @sums_of_images(
// CHECK:         [[SUMS:%.*]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]
// CHECK-SAME:      ins({{.*}} : tensor<1x2x7x7x32xf32>) outs({{.*}} : tensor<1x2x1x1x32xf32>)
// CHECK:         linalg.unpack [[SUMS]]
func.func @sums_of_images(%p: tensor<1x2x7x7x32xf32>, %e: tensor<1x64x7x7xf32>, %s: tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32> {
  %x = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [32] into %e : tensor<1x2x7x7x32xf32> -> tensor<1x64x7x7xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, 0, 0)>],
                          iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<1x64x7x7xf32>) outs(%s : tensor<1x64x1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x64x1x1xf32>
  return %sums : tensor<1x64x1x1xf32>
}
