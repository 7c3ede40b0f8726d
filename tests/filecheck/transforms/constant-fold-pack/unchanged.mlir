// RUN: xdsl-opt -t mlir-22 -p constant-fold-pack %s | filecheck %s

// CHECK:      func.func @argument
// CHECK:        linalg.pack
func.func @argument(%t: tensor<64x48xf32>) -> tensor<2x3x32x16xf32> {
  %e = tensor.empty() : tensor<2x3x32x16xf32>
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<64x48xf32> -> tensor<2x3x32x16xf32>
  return %0 : tensor<2x3x32x16xf32>
}

// CHECK:      func.func @unknown_padding
// CHECK:        linalg.pack
func.func @unknown_padding(%p: f32) -> tensor<2x2x2xf32> {
  %c = arith.constant dense<1.0> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %0 = linalg.pack %c padding_value(%p : f32) inner_dims_pos = [1] inner_tiles = [2] into %e : tensor<2x3xf32> -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

// CHECK:      func.func @other_padding
// CHECK:        linalg.pack
func.func @other_padding() -> tensor<2x3x32x16xf32> {
  %z = arith.constant 0.0 : f32
  %p = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<63x48xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<63x48xf32>) -> tensor<63x48xf32>
  %f = tensor.empty() : tensor<2x3x32x16xf32>
  %1 = linalg.pack %0 padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<63x48xf32> -> tensor<2x3x32x16xf32>
  return %1 : tensor<2x3x32x16xf32>
}

// A file without the data of a resource does not say what the elements are.

// CHECK:      func.func @missing_resource
// CHECK:        linalg.pack
func.func @missing_resource() -> tensor<2x1x2xf32> {
  %c = arith.constant dense_resource<nothing> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x1x2xf32>
  %0 = linalg.pack %c outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<2x2xf32> -> tensor<2x1x2xf32>
  return %0 : tensor<2x1x2xf32>
}
