// RUN: xdsl-opt -t mlir-22 -p pack-convolutions,propagate-pack-and-unpack,tile-convolutions --split-input-file %s | filecheck %s

// An image of 4.4 MiB is packed tile by tile, here a whole block of channels.
// CHECK-LABEL: @packed_in_tiles
// CHECK-NOT:     linalg.pack {{.*}}x28x28x32xf32>
// CHECK:         scf.forall (%[[N:.*]], %[[K:.*]], %{{.*}}) = (0, 0, 0) to (20, 2, 14) step (1, 1, 14)
// CHECK:           %[[CHANNEL:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[K]])
// CHECK:           tensor.empty() : tensor<29x30x32xf32>
// The border at the left, and rows of the border above.
// CHECK:           linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<29x1x32xf32>)
// CHECK:           scf.for
// CHECK:             linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<28x32xf32>)
// Rows of the image.
// CHECK:           scf.for
// CHECK:             tensor.extract_slice %{{.*}}[%[[N]], %[[CHANNEL]], %{{.*}}, 0] [1, 32, 1, 28] [1, 1, 1, 1] : tensor<20x64x28x28xf32> to tensor<32x28xf32>
// CHECK:             linalg.transpose ins(%{{.*}} : tensor<32x28xf32>) outs(%{{.*}} : tensor<28x32xf32>) permutation = [1, 0]
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<29x30x32xf32>, tensor<3x3x32xf32>)
func.func @packed_in_tiles(%i: tensor<20x64x28x28xf32>, %f: tensor<64x3x3xf32>, %o: tensor<20x64x14x14xf32>) -> tensor<20x64x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %i low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<20x64x28x28xf32> to tensor<20x64x30x30xf32>
  %1 = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>} ins(%0, %f : tensor<20x64x30x30xf32>, tensor<64x3x3xf32>) outs(%o : tensor<20x64x14x14xf32>) -> tensor<20x64x14x14xf32>
  return %1 : tensor<20x64x14x14xf32>
}

// -----

// Without a border, all rows of a tile are transposed at once.
// CHECK-LABEL: @without_border
// CHECK:         scf.forall {{.*}} to (1, 2, 112) step (1, 1, 4)
// CHECK:           linalg.transpose ins(%{{.*}} : tensor<32x6x114xf32>) outs(%{{.*}} : tensor<6x114x32xf32>) permutation = [1, 2, 0]
func.func @without_border(%i: tensor<1x64x114x114xf32>, %f: tensor<64x3x3xf32>, %o: tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32> {
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%i, %f : tensor<1x64x114x114xf32>, tensor<64x3x3xf32>) outs(%o : tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32>
  return %0 : tensor<1x64x112x112xf32>
}

// -----

// All channels are one block, which one tile reads.
// CHECK-LABEL: @one_block
// CHECK:         scf.forall {{.*}} to (4, 112, 1) step (1, 8, 1)
// CHECK:           linalg.transpose ins(%{{.*}} : tensor<24x10x114xf32>) outs(%{{.*}} : tensor<10x114x24xf32>) permutation = [1, 2, 0]
func.func @one_block(%i: tensor<4x24x114x114xf32>, %f: tensor<24x24x3x3xf32>, %o: tensor<4x24x112x112xf32>) -> tensor<4x24x112x112xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<4x24x114x114xf32>, tensor<24x24x3x3xf32>) outs(%o : tensor<4x24x112x112xf32>) -> tensor<4x24x112x112xf32>
  return %0 : tensor<4x24x112x112xf32>
}

// -----

// A small image stays in the cache, and is packed once.
// CHECK-LABEL: @small
// CHECK:         linalg.pack {{.*}} : tensor<1x64x30x30xf32> -> tensor<1x2x30x30x32xf32>
// CHECK:         scf.forall
func.func @small(%i: tensor<1x64x30x30xf32>, %f: tensor<64x3x3xf32>, %o: tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> {
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%i, %f : tensor<1x64x30x30xf32>, tensor<64x3x3xf32>) outs(%o : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

// -----

// Each block of the output reads all channels of the image, which is packed once.
// CHECK-LABEL: @all_channels
// CHECK:         linalg.pack {{.*}} : tensor<20x64x30x30xf32> -> tensor<20x2x30x30x32xf32>
// CHECK:         scf.forall
func.func @all_channels(%i: tensor<20x64x30x30xf32>, %f: tensor<64x64x3x3xf32>, %o: tensor<20x64x28x28xf32>) -> tensor<20x64x28x28xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<20x64x30x30xf32>, tensor<64x64x3x3xf32>) outs(%o : tensor<20x64x28x28xf32>) -> tensor<20x64x28x28xf32>
  return %0 : tensor<20x64x28x28xf32>
}
