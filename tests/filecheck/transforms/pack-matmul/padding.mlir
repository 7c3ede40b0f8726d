// RUN: xdsl-opt -t mlir-22 -p 'pack-matmul{allow-padding}' %s | filecheck %s

// Zeros fill up the blocks at the ends; where all are full there are none.

// CHECK:      func.func @padded
// CHECK-NEXT:   %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %1 = tensor.empty() : tensor<2x1x32x32xf32>
// CHECK-NEXT:   %2 = linalg.pack %a padding_value(%0 : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %1 : tensor<33x32xf32> -> tensor<2x1x32x32xf32>
// CHECK-NEXT:   %3 = tensor.empty() : tensor<2x1x32x32xf32>
// CHECK-NEXT:   %4 = linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos
// CHECK:        linalg.pack %c padding_value
// CHECK:        linalg.unpack {{.*}} : tensor<2x2x32x32xf32> -> tensor<33x64xf32>
func.func @padded(%a: tensor<33x32xf32>, %b: tensor<32x64xf32>, %c: tensor<33x64xf32>) -> tensor<33x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<33x32xf32>, tensor<32x64xf32>) outs(%c : tensor<33x64xf32>) -> tensor<33x64xf32>
  return %0 : tensor<33x64xf32>
}

// Any number of rows, in as many blocks as it takes.

// CHECK:      func.func @dynamic
// CHECK:        %[[ROWS:.*]] = tensor.dim %a, %{{.*}} : tensor<?x32xf32>
// CHECK:        %[[BLOCKS:.*]] = affine.apply affine_map<(d0) -> (d0 ceildiv 32)>(%[[ROWS]])
// CHECK:        %[[EMPTY:.*]] = tensor.empty(%[[BLOCKS]]) : tensor<?x1x32x32xf32>
// CHECK:        linalg.pack %a padding_value(%{{.*}} : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %[[EMPTY]] : tensor<?x32xf32> -> tensor<?x1x32x32xf32>
// CHECK:        linalg.unpack {{.*}} into %c : tensor<?x2x32x32xf32> -> tensor<?x64xf32>
func.func @dynamic(%a: tensor<?x32xf32>, %b: tensor<32x64xf32>, %c: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x32xf32>, tensor<32x64xf32>) outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
