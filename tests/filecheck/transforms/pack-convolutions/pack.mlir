// RUN: xdsl-opt -t mlir-22 -p pack-convolutions %s | filecheck %s

// CHECK:      func.func @channels_first
// CHECK:        %[[IMAGE:.*]] = linalg.pack %i inner_dims_pos = [1] inner_tiles = [48] {{.*}} -> tensor<1x3x9x9x48xf32>
// CHECK:        %[[FILTER:.*]] = linalg.pack %f inner_dims_pos = [1, 0] inner_tiles = [48, 24] {{.*}} -> tensor<1x3x3x3x48x24xf32>
// CHECK:        linalg.generic {{.*}} ins(%[[IMAGE]], %[[FILTER]] : {{.*}} {xsmm.sums_window}
// CHECK:        linalg.unpack %{{.*}} inner_dims_pos = [1] inner_tiles = [24] {{.*}} -> tensor<1x24x7x7xf32>
func.func @channels_first(%i: tensor<1x144x9x9xf32>, %f: tensor<24x144x3x3xf32>, %o: tensor<1x24x7x7xf32>) -> tensor<1x24x7x7xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x144x9x9xf32>, tensor<24x144x3x3xf32>) outs(%o : tensor<1x24x7x7xf32>) -> tensor<1x24x7x7xf32>
  return %0 : tensor<1x24x7x7xf32>
}

// CHECK:      func.func @channels_last
// CHECK:        linalg.pack %i inner_dims_pos = [3] inner_tiles = [32] {{.*}} -> tensor<1x9x9x2x32xf32>
// CHECK:        linalg.pack %f outer_dims_perm = [3, 2, 0, 1] inner_dims_pos = [2, 3] inner_tiles = [32, 24] {{.*}} -> tensor<1x2x3x3x32x24xf32>
// CHECK:        linalg.pack %o inner_dims_pos = [3] inner_tiles = [24] {{.*}} -> tensor<1x7x7x1x24xf32>
func.func @channels_last(%i: tensor<1x9x9x64xf32>, %f: tensor<3x3x64x24xf32>, %o: tensor<1x7x7x24xf32>) -> tensor<1x7x7x24xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%i, %f : tensor<1x9x9x64xf32>, tensor<3x3x64x24xf32>) outs(%o : tensor<1x7x7x24xf32>) -> tensor<1x7x7x24xf32>
  return %0 : tensor<1x7x7x24xf32>
}

// An image that is put together has the blocks of its parts.
// CHECK:      func.func @parts
// CHECK:        linalg.pack %{{.*}} inner_dims_pos = [1] inner_tiles = [16] {{.*}} -> tensor<1x3x5x5x16xf32>
func.func @parts(%a: tensor<1x16x3x3xf32>, %b: tensor<1x32x3x3xf32>, %f: tensor<24x48x3x3xf32>, %o: tensor<1x24x3x3xf32>) -> tensor<1x24x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.concat dim(1) %a, %b : (tensor<1x16x3x3xf32>, tensor<1x32x3x3xf32>) -> tensor<1x48x3x3xf32>
  %i = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%0: index, %1: index, %2: index, %3: index):
    tensor.yield %zero : f32
  } : tensor<1x48x3x3xf32> to tensor<1x48x5x5xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x48x5x5xf32>, tensor<24x48x3x3xf32>) outs(%o : tensor<1x24x3x3xf32>) -> tensor<1x24x3x3xf32>
  return %r : tensor<1x24x3x3xf32>
}

// An image of three channels stays as it is.
// CHECK:      func.func @stem
// CHECK-NOT:    linalg.pack %i
// CHECK:        linalg.pack %f inner_dims_pos = [0] inner_tiles = [32] {{.*}} -> tensor<1x3x3x3x32xf32>
// CHECK:        linalg.generic {{.*}} ins(%i, %{{.*}} : tensor<1x3x9x9xf32>, tensor<1x3x3x3x32xf32>)
func.func @stem(%i: tensor<1x3x9x9xf32>, %f: tensor<32x3x3x3xf32>, %o: tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%i, %f : tensor<1x3x9x9xf32>, tensor<32x3x3x3xf32>) outs(%o : tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %0 : tensor<1x32x4x4xf32>
}

// CHECK:      func.func @depthwise
// CHECK:        linalg.pack %i inner_dims_pos = [1] inner_tiles = [48] {{.*}} -> tensor<1x3x9x9x48xf32>
// CHECK:        linalg.pack %f inner_dims_pos = [0] inner_tiles = [48] {{.*}} -> tensor<3x3x3x48xf32>
func.func @depthwise(%i: tensor<1x144x9x9xf32>, %f: tensor<144x3x3xf32>, %o: tensor<1x144x7x7xf32>) -> tensor<1x144x7x7xf32> {
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%i, %f : tensor<1x144x9x9xf32>, tensor<144x3x3xf32>) outs(%o : tensor<1x144x7x7xf32>) -> tensor<1x144x7x7xf32>
  return %0 : tensor<1x144x7x7xf32>
}

// CHECK:      func.func @pooling
// CHECK:        linalg.pack %i inner_dims_pos = [1] inner_tiles = [32] {{.*}} -> tensor<1x2x9x9x32xf32>
// CHECK:        linalg.generic {{.*}} ins(%{{.*}}, %w : tensor<1x2x9x9x32xf32>, tensor<3x3xf32>)
func.func @pooling(%i: tensor<1x64x9x9xf32>, %w: tensor<3x3xf32>, %o: tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32> {
  %0 = linalg.pooling_nchw_max ins(%i, %w : tensor<1x64x9x9xf32>, tensor<3x3xf32>) outs(%o : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  return %0 : tensor<1x64x7x7xf32>
}

// A window of 1x1 with a stride reads some rows: the others are not packed. Neighbours in
// a row are. The image of the second one is computed, and packed as a whole.
// CHECK:      func.func @strides
// CHECK:        %[[S:.*]] = tensor.extract_slice %i[0, 0, 0, 0] [1, 64, 5, 8] [1, 1, 2, 1] : tensor<1x64x9x8xf32> to tensor<1x64x5x8xf32>
// CHECK:        linalg.pack %[[S]] inner_dims_pos = [1] inner_tiles = [32] {{.*}} -> tensor<1x2x5x8x32xf32>
// CHECK:        (d0, d5, d2 + d6, d3 * 3 + d7, d8)
// CHECK:        linalg.pack %x inner_dims_pos = [1] inner_tiles = [32] {{.*}} -> tensor<1x2x9x8x32xf32>
// CHECK:        (d0, d5, d2 * 2 + d6, d3 * 3 + d7, d8)
func.func @strides(%i: tensor<1x64x9x8xf32>, %f: tensor<32x64x1x1xf32>, %o: tensor<1x32x5x3xf32>) -> (tensor<1x32x5x3xf32>, tensor<1x32x5x3xf32>) {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 3]> : vector<2xi64>} ins(%i, %f : tensor<1x64x9x8xf32>, tensor<32x64x1x1xf32>) outs(%o : tensor<1x32x5x3xf32>) -> tensor<1x32x5x3xf32>
  %x = linalg.exp ins(%i : tensor<1x64x9x8xf32>) outs(%i : tensor<1x64x9x8xf32>) -> tensor<1x64x9x8xf32>
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 3]> : vector<2xi64>} ins(%x, %f : tensor<1x64x9x8xf32>, tensor<32x64x1x1xf32>) outs(%o : tensor<1x32x5x3xf32>) -> tensor<1x32x5x3xf32>
  return %0, %1 : tensor<1x32x5x3xf32>, tensor<1x32x5x3xf32>
}
