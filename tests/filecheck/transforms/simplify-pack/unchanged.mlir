// RUN: xdsl-opt -t mlir-22 -p simplify-pack %s | filecheck %s

// CHECK:      func.func @other_tiles
// CHECK:        linalg.unpack
// CHECK:        linalg.pack
func.func @other_tiles(%p: tensor<2x6x32x16xf32>) -> tensor<4x6x16x16xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %f = tensor.empty() : tensor<4x6x16x16xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %f : tensor<64x96xf32> -> tensor<4x6x16x16xf32>
  return %1 : tensor<4x6x16x16xf32>
}

// Beyond the ends there may be something else than is asked for.

// CHECK:      func.func @padding
// CHECK:        linalg.unpack
// CHECK:        linalg.pack
func.func @padding(%p: tensor<2x6x32x16xf32>, %z: f32) -> tensor<2x6x32x16xf32> {
  %e = tensor.empty() : tensor<63x96xf32>
  %f = tensor.empty() : tensor<2x6x32x16xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<63x96xf32>
  %1 = linalg.pack %0 padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<63x96xf32> -> tensor<2x6x32x16xf32>
  return %1 : tensor<2x6x32x16xf32>
}

// CHECK:      func.func @padded_empty
// CHECK:        linalg.pack
func.func @padded_empty(%z: f32) -> tensor<2x6x32x16xf32> {
  %e = tensor.empty() : tensor<63x96xf32>
  %f = tensor.empty() : tensor<2x6x32x16xf32>
  %0 = linalg.pack %e padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<63x96xf32> -> tensor<2x6x32x16xf32>
  return %0 : tensor<2x6x32x16xf32>
}

// Both move, if only among themselves.

// CHECK:      func.func @two_columns_of_blocks
// CHECK:        linalg.pack
func.func @two_columns_of_blocks(%t: tensor<64x64xf32>) -> tensor<2x2x32x32xf32> {
  %f = tensor.empty() : tensor<2x2x32x32xf32>
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %f : tensor<64x64xf32> -> tensor<2x2x32x32xf32>
  return %0 : tensor<2x2x32x32xf32>
}

// CHECK:      func.func @transposed_tile
// CHECK:        linalg.pack
func.func @transposed_tile(%t: tensor<32x16xf32>) -> tensor<1x1x16x32xf32> {
  %f = tensor.empty() : tensor<1x1x16x32xf32>
  %0 = linalg.pack %t inner_dims_pos = [1, 0] inner_tiles = [16, 32] into %f : tensor<32x16xf32> -> tensor<1x1x16x32xf32>
  return %0 : tensor<1x1x16x32xf32>
}
