// RUN: xdsl-opt -t mlir-22 -p pack-vnni %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-vnni{factor=4}' %s | filecheck %s --check-prefix=FOUR

// CHECK:      func.func @blocks
// CHECK-NEXT:   %0 = tensor.expand_shape %a {{\[\[0\], \[1\], \[2\], \[3, 4\]\]}} output_shape [8, 4, 32, 16, 2] : tensor<8x4x32x32xbf16> into tensor<8x4x32x16x2xbf16>
// CHECK-NEXT:   %1 = tensor.empty() : tensor<16x4x16x32x2xbf16>
// CHECK-NEXT:   %2 = linalg.pack %b inner_dims_pos = [2] inner_tiles = [2] into %1 : tensor<16x4x32x32xbf16> -> tensor<16x4x16x32x2xbf16>
// CHECK-NEXT:   %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d2, d5, d4, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3, d4)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction", "reduction"]} ins(%0, %2 : tensor<8x4x32x16x2xbf16>, tensor<16x4x16x32x2xbf16>) outs(%c : tensor<8x16x32x32xbf16>)
// CHECK:        func.return %3

// FOUR:       func.func @blocks
// FOUR:         tensor.expand_shape {{.*}} into tensor<8x4x32x8x4xbf16>
// FOUR:         linalg.pack %b inner_dims_pos = [2] inner_tiles = [4] {{.*}} -> tensor<16x4x8x32x4xbf16>
func.func @blocks(%a: tensor<8x4x32x32xbf16>, %b: tensor<16x4x32x32xbf16>, %c: tensor<8x16x32x32xbf16>) -> tensor<8x16x32x32xbf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x4x32x32xbf16>, tensor<16x4x32x32xbf16>) outs(%c : tensor<8x16x32x32xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %z: bf16):
    %1 = arith.mulf %x, %y : bf16
    %2 = arith.addf %z, %1 : bf16
    linalg.yield %2 : bf16
  } -> tensor<8x16x32x32xbf16>
  return %0 : tensor<8x16x32x32xbf16>
}

// The number of rows does not matter; sums may be wider.

// CHECK:      func.func @matmul
// CHECK:        %[[ROWS:.*]] = tensor.dim %a, %{{.*}} : tensor<?x8xbf16>
// CHECK:        tensor.expand_shape %a {{\[\[0\], \[1, 2\]\]}} output_shape [%[[ROWS]], 4, 2] : tensor<?x8xbf16> into tensor<?x4x2xbf16>
// CHECK:        linalg.pack %b inner_dims_pos = [0] inner_tiles = [2] {{.*}} : tensor<8x6xbf16> -> tensor<4x6x2xbf16>
// CHECK:        iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @matmul(%a: tensor<?x8xbf16>, %b: tensor<8x6xbf16>, %c: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xbf16>, tensor<8x6xbf16>) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// CHECK:      func.func @batch_reduce_matmul
// CHECK:        linalg.pack %b inner_dims_pos = [1] inner_tiles = [2] {{.*}} : tensor<3x8x6xbf16> -> tensor<3x4x6x2xbf16>
func.func @batch_reduce_matmul(%a: tensor<3x4x8xbf16>, %b: tensor<3x8x6xbf16>, %c: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x4x8xbf16>, tensor<3x8x6xbf16>) outs(%c : tensor<4x6xbf16>) -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}
