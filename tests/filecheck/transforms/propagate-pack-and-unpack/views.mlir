// RUN: xdsl-opt -t mlir-22 -p propagate-pack-and-unpack %s | filecheck %s

// Pixels get a dimension of one row, and channels lose it. Channels stay cut.

// CHECK-LABEL: func.func @expand
// CHECK:         [[X:%.*]] = tensor.expand_shape %p {{\[\[}}0], [1], [2, 3], [4]] output_shape [1, 4, 1, 99, 32] : tensor<1x4x99x32xf32> into tensor<1x4x1x99x32xf32>
// CHECK:         linalg.unpack [[X]] inner_dims_pos = [1] inner_tiles = [32] into %{{.*}} : tensor<1x4x1x99x32xf32> -> tensor<1x128x1x99xf32>
func.func @expand(%p: tensor<1x4x99x32xf32>) -> tensor<1x128x1x99xf32> {
  %e = tensor.empty() : tensor<1x128x99xf32>
  %0 = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [32] into %e : tensor<1x4x99x32xf32> -> tensor<1x128x99xf32>
  %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [1, 128, 1, 99] : tensor<1x128x99xf32> into tensor<1x128x1x99xf32>
  return %1 : tensor<1x128x1x99xf32>
}

// CHECK-LABEL: func.func @collapse
// CHECK:         [[X:%.*]] = tensor.collapse_shape %p {{\[\[}}0], [1, 2], [3], [4]] : tensor<1x4x1x99x32xf32> into tensor<1x4x99x32xf32>
// CHECK:         linalg.unpack [[X]] inner_dims_pos = [1] inner_tiles = [32] into %{{.*}} : tensor<1x4x99x32xf32> -> tensor<1x128x99xf32>
func.func @collapse(%p: tensor<1x4x1x99x32xf32>) -> tensor<1x128x99xf32> {
  %e = tensor.empty() : tensor<1x128x1x99xf32>
  %0 = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [32] into %e : tensor<1x4x1x99x32xf32> -> tensor<1x128x1x99xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2], [3]] : tensor<1x128x1x99xf32> into tensor<1x128x99xf32>
  return %1 : tensor<1x128x99xf32>
}

// Blocks of channels are put behind each other.

// CHECK-LABEL: func.func @concat
// CHECK:         [[X:%.*]] = tensor.concat dim(2) %p, %q : (tensor<1x9x2x32xf32>, tensor<1x9x1x32xf32>) -> tensor<1x9x3x32xf32>
// CHECK:         linalg.unpack [[X]] outer_dims_perm = [0, 2, 1] inner_dims_pos = [1] inner_tiles = [32] into %{{.*}} : tensor<1x9x3x32xf32> -> tensor<1x96x9xf32>
func.func @concat(%p: tensor<1x9x2x32xf32>, %q: tensor<1x9x1x32xf32>) -> tensor<1x96x9xf32> {
  %d = tensor.empty() : tensor<1x64x9xf32>
  %e = tensor.empty() : tensor<1x32x9xf32>
  %0 = linalg.unpack %p outer_dims_perm = [0, 2, 1] inner_dims_pos = [1] inner_tiles = [32] into %d : tensor<1x9x2x32xf32> -> tensor<1x64x9xf32>
  %1 = linalg.unpack %q outer_dims_perm = [0, 2, 1] inner_dims_pos = [1] inner_tiles = [32] into %e : tensor<1x9x1x32xf32> -> tensor<1x32x9xf32>
  %2 = tensor.concat dim(1) %0, %1 : (tensor<1x64x9xf32>, tensor<1x32x9xf32>) -> tensor<1x96x9xf32>
  return %2 : tensor<1x96x9xf32>
}

// What is cut would be two dimensions, or blocks of several sizes. Dimensions that become
// one are not next to each other.

// CHECK-LABEL: func.func @unchanged
// CHECK-NOT:     linalg.pack
// CHECK:         tensor.expand_shape %{{.*}} : tensor<128x9xf32> into tensor<8x16x9xf32>
// CHECK:         tensor.concat {{.*}} -> tensor<192x9xf32>
// CHECK:         tensor.collapse_shape {{.*}} : tensor<64x9x3xf32> into tensor<64x27xf32>
func.func @unchanged(%p: tensor<4x9x32xf32>, %q: tensor<4x9x16xf32>, %r: tensor<2x3x9x32xf32>) -> (tensor<8x16x9xf32>, tensor<192x9xf32>, tensor<64x27xf32>) {
  %d = tensor.empty() : tensor<128x9xf32>
  %e = tensor.empty() : tensor<64x9xf32>
  %f = tensor.empty() : tensor<64x9x3xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [32] into %d : tensor<4x9x32xf32> -> tensor<128x9xf32>
  %1 = linalg.unpack %q inner_dims_pos = [0] inner_tiles = [16] into %e : tensor<4x9x16xf32> -> tensor<64x9xf32>
  %2 = linalg.unpack %r outer_dims_perm = [0, 2, 1] inner_dims_pos = [0] inner_tiles = [32] into %f : tensor<2x3x9x32xf32> -> tensor<64x9x3xf32>
  %3 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [8, 16, 9] : tensor<128x9xf32> into tensor<8x16x9xf32>
  %4 = tensor.concat dim(0) %0, %1 : (tensor<128x9xf32>, tensor<64x9xf32>) -> tensor<192x9xf32>
  %5 = tensor.collapse_shape %2 [[0], [1, 2]] : tensor<64x9x3xf32> into tensor<64x27xf32>
  return %3, %4, %5 : tensor<8x16x9xf32>, tensor<192x9xf32>, tensor<64x27xf32>
}
