// RUN: xdsl-opt -t mlir-22 -p simplify-pack %s | filecheck %s

// CHECK:      func.func @there_and_back(%t: tensor<64x96xf32>, %p: tensor<2x6x32x16xf32>) -> (tensor<64x96xf32>, tensor<2x6x32x16xf32>) {
// CHECK-NEXT:   func.return %t, %p
func.func @there_and_back(%t: tensor<64x96xf32>, %p: tensor<2x6x32x16xf32>) -> (tensor<64x96xf32>, tensor<2x6x32x16xf32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %f = tensor.empty() : tensor<2x6x32x16xf32>
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<64x96xf32> -> tensor<2x6x32x16xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %2 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %3 = linalg.pack %2 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<64x96xf32> -> tensor<2x6x32x16xf32>
  return %1, %3 : tensor<64x96xf32>, tensor<2x6x32x16xf32>
}

// A chain of pairs goes at once.

// CHECK:      func.func @nested(%t: tensor<64x96xf32>) -> tensor<64x96xf32> {
// CHECK-NEXT:   func.return %t
func.func @nested(%t: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %f = tensor.empty() : tensor<2x6x32x16xf32>
  %g = tensor.empty() : tensor<2x6x16x16x2xf32>
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<64x96xf32> -> tensor<2x6x32x16xf32>
  %1 = linalg.pack %0 inner_dims_pos = [2] inner_tiles = [2] into %g : tensor<2x6x32x16xf32> -> tensor<2x6x16x16x2xf32>
  %2 = linalg.unpack %1 inner_dims_pos = [2] inner_tiles = [2] into %f : tensor<2x6x16x16x2xf32> -> tensor<2x6x32x16xf32>
  %3 = linalg.unpack %2 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  return %3 : tensor<64x96xf32>
}

// CHECK:      func.func @empty() -> tensor<2x6x32x16xf32> {
// CHECK-NEXT:   %[[EMPTY:.*]] = tensor.empty() : tensor<2x6x32x16xf32>
// CHECK-NEXT:   func.return %[[EMPTY]]
func.func @empty() -> tensor<2x6x32x16xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %f = tensor.empty() : tensor<2x6x32x16xf32>
  %0 = linalg.pack %e inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<64x96xf32> -> tensor<2x6x32x16xf32>
  return %0 : tensor<2x6x32x16xf32>
}

// Where the elements stay in order, nothing needs to be copied.

// CHECK:      func.func @one_dimension
// CHECK-NEXT:   tensor.expand_shape %b {{\[\[0, 1\]\]}} output_shape [6, 16] : tensor<96xf32> into tensor<6x16xf32>
func.func @one_dimension(%b: tensor<96xf32>) -> tensor<6x16xf32> {
  %f = tensor.empty() : tensor<6x16xf32>
  %0 = linalg.pack %b inner_dims_pos = [0] inner_tiles = [16] into %f : tensor<96xf32> -> tensor<6x16xf32>
  return %0 : tensor<6x16xf32>
}

// CHECK:      func.func @one_column_of_blocks
// CHECK-NEXT:   %[[P:.*]] = tensor.expand_shape %t {{\[\[0, 1, 2\], \[3\]\]}} output_shape [2, 1, 32, 32] : tensor<64x32xf32> into tensor<2x1x32x32xf32>
// CHECK-NEXT:   %[[T:.*]] = tensor.collapse_shape %p {{\[\[0, 1, 2\], \[3\]\]}} : tensor<2x1x32x32xf32> into tensor<64x32xf32>
func.func @one_column_of_blocks(%t: tensor<64x32xf32>, %p: tensor<2x1x32x32xf32>) -> (tensor<2x1x32x32xf32>, tensor<64x32xf32>) {
  %f = tensor.empty() : tensor<2x1x32x32xf32>
  %e = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %f : tensor<64x32xf32> -> tensor<2x1x32x32xf32>
  %1 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %e : tensor<2x1x32x32xf32> -> tensor<64x32xf32>
  return %0, %1 : tensor<2x1x32x32xf32>, tensor<64x32xf32>
}

// CHECK:      func.func @dimension_of_size_one
// CHECK-NEXT:   tensor.expand_shape %t {{\[\[0\], \[1, 2, 3\]\]}} output_shape [1, 6, 1, 16] : tensor<1x96xf32> into tensor<1x6x1x16xf32>
func.func @dimension_of_size_one(%t: tensor<1x96xf32>) -> tensor<1x6x1x16xf32> {
  %f = tensor.empty() : tensor<1x6x1x16xf32>
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [1, 16] into %f : tensor<1x96xf32> -> tensor<1x6x1x16xf32>
  return %0 : tensor<1x6x1x16xf32>
}

// Whatever the destination held is overwritten.

// CHECK:      func.func @filled
// CHECK-NEXT:   %[[EMPTY:.*]] = tensor.empty() : tensor<64x96xf32>
// CHECK-NEXT:   linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %[[EMPTY]]
func.func @filled(%p: tensor<2x6x32x16xf32>, %z: f32) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %1 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %0 : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// One tile as a row of one, and that as a tile, is the tile.

// CHECK:      func.func @one_tile(%t: tensor<32x32xf32>) -> tensor<32x32xf32> {
// CHECK-NEXT:   func.return %t
func.func @one_tile(%t: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %e = tensor.empty() : tensor<1x1x32x32xf32>
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %e : tensor<32x32xf32> -> tensor<1x1x32x32xf32>
  %1 = tensor.extract_slice %0[0, 0, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<1x1x32x32xf32> to tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
