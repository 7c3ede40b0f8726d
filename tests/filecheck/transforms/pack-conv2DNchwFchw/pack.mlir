// RUN: xdsl-opt -t mlir-22 -p pack-conv2DNchwFchw %s | filecheck %s

// CHECK:      func.func @dilated
// CHECK:        %[[IMAGE:.*]] = linalg.pack %i inner_dims_pos = [1] inner_tiles = [32] {{.*}} : tensor<1x64x9x9xf32> -> tensor<1x2x9x9x32xf32>
// CHECK:        %[[FILTER:.*]] = linalg.pack %f inner_dims_pos = [1, 0] inner_tiles = [32, 32] {{.*}} : tensor<96x64x3x3xf32> -> tensor<3x2x3x3x32x32xf32>
// CHECK:        %[[OUTPUT:.*]] = linalg.pack %o inner_dims_pos = [1] inner_tiles = [32] {{.*}} : tensor<1x96x5x5xf32> -> tensor<1x3x5x5x32xf32>
// CHECK:        linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d5, d2 + d6 * 2, d3 + d7 * 2, d8)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1, d5, d6, d7, d8, d4)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2, d3, d4)>]
// CHECK:        linalg.unpack %{{.*}} inner_dims_pos = [1] inner_tiles = [32] {{.*}} -> tensor<1x96x5x5xf32>
func.func @dilated(%i: tensor<1x64x9x9xf32>, %f: tensor<96x64x3x3xf32>, %o: tensor<1x96x5x5xf32>) -> tensor<1x96x5x5xf32> {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>} ins(%i, %f : tensor<1x64x9x9xf32>, tensor<96x64x3x3xf32>) outs(%o : tensor<1x96x5x5xf32>) -> tensor<1x96x5x5xf32>
  return %0 : tensor<1x96x5x5xf32>
}
