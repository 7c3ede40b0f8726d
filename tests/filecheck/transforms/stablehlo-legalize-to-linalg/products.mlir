// RUN: xbuf opt -p stablehlo-legalize-to-linalg,canonicalize %s | filecheck %s

// Both operands are transposed and collapsed for one kind of product.
// CHECK-LABEL: func.func @dot_general(
// CHECK-NEXT:     %0 = tensor.empty() : tensor<2x5x4xf32>
// CHECK-NEXT:     %1 = linalg.transpose ins(%b : tensor<2x4x5xf32>) outs(%0 : tensor<2x5x4xf32>) permutation = [0, 2, 1]
// CHECK-NEXT:     %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %3 = tensor.empty() : tensor<2x3x4xf32>
// CHECK-NEXT:     %4 = linalg.fill ins(%2 : f32) outs(%3 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:     %5 = linalg.batch_matmul ins(%a, %1 : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%4 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:     func.return %5 : tensor<2x3x4xf32>
func.func @dot_general(%a: tensor<2x3x5xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x5xf32>, tensor<2x4x5xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @convolution(
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = tensor.empty() : tensor<1x6x6x4xf32>
// CHECK-NEXT:     %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
// CHECK-NEXT:     %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %k : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%2 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
// CHECK-NEXT:     func.return %3 : tensor<1x6x6x4xf32>
func.func @convolution(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}
