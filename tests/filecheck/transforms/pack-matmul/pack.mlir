// RUN: xdsl-opt -t mlir-22 -p pack-matmul %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-matmul{block-factors=4,8,16}' %s | filecheck %s --check-prefix=FACTORS

// The second matrix is stored by columns of blocks.

// CHECK:      func.func @matmul
// CHECK-NEXT:   %0 = tensor.empty() : tensor<8x4x32x32xf32>
// CHECK-NEXT:   %1 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %0 : tensor<256x128xf32> -> tensor<8x4x32x32xf32>
// CHECK-NEXT:   %2 = tensor.empty() : tensor<16x4x32x32xf32>
// CHECK-NEXT:   %3 = linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %2 : tensor<128x512xf32> -> tensor<16x4x32x32xf32>
// CHECK-NEXT:   %4 = tensor.empty() : tensor<8x16x32x32xf32>
// CHECK-NEXT:   %5 = linalg.pack %c inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %4 : tensor<256x512xf32> -> tensor<8x16x32x32xf32>
// CHECK-NEXT:   %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%1, %3 : tensor<8x4x32x32xf32>, tensor<16x4x32x32xf32>) outs(%5 : tensor<8x16x32x32xf32>) {
// CHECK-NEXT:   ^bb0({{.*}}):
// CHECK:        %[[RESULT:.*]] = linalg.unpack %6 inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %c : tensor<8x16x32x32xf32> -> tensor<256x512xf32>
// CHECK-NEXT:   func.return %[[RESULT]]

// FACTORS:      func.func @matmul
// FACTORS:        linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 16] {{.*}} -> tensor<64x8x4x16xf32>
// FACTORS:        linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [16, 8] {{.*}} -> tensor<64x8x16x8xf32>
// FACTORS:        linalg.pack %c inner_dims_pos = [0, 1] inner_tiles = [4, 8] {{.*}} -> tensor<64x64x4x8xf32>
func.func @matmul(%a: tensor<256x128xf32>, %b: tensor<128x512xf32>, %c: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x128xf32>, tensor<128x512xf32>) outs(%c : tensor<256x512xf32>) -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}

// Whichever way an operand is stored, its blocks are the same.

// CHECK:      func.func @transposed
// CHECK:        linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] {{.*}} : tensor<64x32xf32> -> tensor<1x2x32x32xf32>
// CHECK:        linalg.pack %b inner_dims_pos = [1, 0] inner_tiles = [32, 32] {{.*}} : tensor<96x64xf32> -> tensor<3x2x32x32xf32>
// CHECK:        linalg.pack %c outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] {{.*}} : tensor<96x32xf32> -> tensor<1x3x32x32xf32>
// CHECK:        linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>]
// CHECK:        linalg.unpack %{{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] {{.*}} -> tensor<96x32xf32>
func.func @transposed(%a: tensor<64x32xf32>, %b: tensor<96x64xf32>, %c: tensor<96x32xf32>) -> tensor<96x32xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>] ins(%a, %b : tensor<64x32xf32>, tensor<96x64xf32>) outs(%c : tensor<96x32xf32>) -> tensor<96x32xf32>
  return %0 : tensor<96x32xf32>
}

// Inputs may be narrower than the sum; loops may be in any order.

// CHECK:      func.func @widened
// CHECK:        linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [32, 32] {{.*}} : tensor<32x64xbf16> -> tensor<1x2x32x32xbf16>
// CHECK:        iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]
// CHECK:          arith.extf
func.func @widened(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (k, n)>, affine_map<(k, n, m) -> (m, n)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<32x32xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.extf %y : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %z, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
