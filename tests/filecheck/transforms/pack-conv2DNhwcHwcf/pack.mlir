// RUN: xdsl-opt -t mlir-22 -p pack-conv2DNhwcHwcf %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-conv2DNhwcHwcf{block-factors=16,8}' %s | filecheck %s --check-prefix=FACTORS

// CHECK:      func.func @strided
// CHECK:        %[[IMAGE:.*]] = linalg.pack %i outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3] inner_tiles = [32] {{.*}} : tensor<1x9x9x64xf32> -> tensor<1x2x9x9x32xf32>
// CHECK:        %[[FILTER:.*]] = linalg.pack %f outer_dims_perm = [3, 2, 0, 1] inner_dims_pos = [2, 3] inner_tiles = [32, 32] {{.*}} : tensor<3x3x64x96xf32> -> tensor<3x2x3x3x32x32xf32>
// CHECK:        %[[OUTPUT:.*]] = linalg.pack %o outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3] inner_tiles = [32] {{.*}} : tensor<1x4x4x96xf32> -> tensor<1x3x4x4x32xf32>
// CHECK:        linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d5, d2 * 2 + d6, d3 * 2 + d7, d8)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1, d5, d6, d7, d8, d4)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%[[IMAGE]], %[[FILTER]] : {{.*}}) outs(%[[OUTPUT]] : tensor<1x3x4x4x32xf32>)
// CHECK:        linalg.unpack %{{.*}} outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3] inner_tiles = [32] {{.*}} -> tensor<1x4x4x96xf32>

// FACTORS:      func.func @strided
// FACTORS:        linalg.pack %i {{.*}} -> tensor<1x8x9x9x8xf32>
// FACTORS:        linalg.pack %f {{.*}} -> tensor<6x8x3x3x8x16xf32>
// FACTORS:        linalg.pack %o {{.*}} -> tensor<1x6x4x4x16xf32>
func.func @strided(%i: tensor<1x9x9x64xf32>, %f: tensor<3x3x64x96xf32>, %o: tensor<1x4x4x96xf32>) -> tensor<1x4x4x96xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%i, %f : tensor<1x9x9x64xf32>, tensor<3x3x64x96xf32>) outs(%o : tensor<1x4x4x96xf32>) -> tensor<1x4x4x96xf32>
  return %0 : tensor<1x4x4x96xf32>
}

// Only the channels need to be static.

// CHECK:      func.func @dynamic
// CHECK:        linalg.pack %i {{.*}} -> tensor<?x2x?x9x32xf32>
func.func @dynamic(%i: tensor<?x?x9x64xf32>, %f: tensor<3x3x64x96xf32>, %o: tensor<?x?x7x96xf32>) -> tensor<?x?x7x96xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%i, %f : tensor<?x?x9x64xf32>, tensor<3x3x64x96xf32>) outs(%o : tensor<?x?x7x96xf32>) -> tensor<?x?x7x96xf32>
  return %0 : tensor<?x?x7x96xf32>
}
