// RUN: xdsl-opt -t mlir-22 -p simplify-pack %s | filecheck %s

// A pair goes away although its unpack, of blocks as wide as the matrix, is a reshape.

// CHECK:      func.func @one_block_wide(%p: tensor<2x1x32x32xf32>) -> tensor<2x1x32x32xf32> {
// CHECK-NEXT:   func.return %p
func.func @one_block_wide(%p: tensor<2x1x32x32xf32>) -> tensor<2x1x32x32xf32> {
  %0 = tensor.empty() : tensor<64x32xf32>
  %1 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %0 : tensor<2x1x32x32xf32> -> tensor<64x32xf32>
  %2 = tensor.empty() : tensor<2x1x32x32xf32>
  %3 = linalg.pack %1 inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %2 : tensor<64x32xf32> -> tensor<2x1x32x32xf32>
  func.return %3 : tensor<2x1x32x32xf32>
}
