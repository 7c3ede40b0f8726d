// RUN: xdsl-opt -t mlir-22 -p conv-init-simplify %s | filecheck %s

// The start of a grouped convolution is an expanded broadcast: so is its bias.

// CHECK-LABEL: func.func @groups
// CHECK:         %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x2x2x3x6xf32>)
// CHECK:         %[[BIAS:.*]] = tensor.expand_shape %bias {{\[\[}}0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
// CHECK:         %[[CONV:.*]] = linalg.conv_2d_ngchw_gfchw {{.*}} outs(%[[ZEROS]] : tensor<1x2x2x3x6xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[BIAS]] : tensor<2x2xf32>) outs(%[[CONV]] : tensor<1x2x2x3x6xf32>)
// CHECK-NOT:     linalg.broadcast
func.func @groups(%x: tensor<1x2x3x4x7xf32>, %w: tensor<2x2x3x2x2xf32>,
                  %bias: tensor<4xf32>) -> tensor<1x2x2x3x6xf32> {
  %0 = tensor.empty() : tensor<1x4x3x6xf32>
  %1 = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%0 : tensor<1x4x3x6xf32>)
      dimensions = [0, 2, 3]
  %2 = tensor.expand_shape %1 [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 3, 6]
      : tensor<1x4x3x6xf32> into tensor<1x2x2x3x6xf32>
  %3 = linalg.conv_2d_ngchw_gfchw
      {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x2x3x4x7xf32>, tensor<2x2x3x2x2xf32>)
      outs(%2 : tensor<1x2x2x3x6xf32>) -> tensor<1x2x2x3x6xf32>
  return %3 : tensor<1x2x2x3x6xf32>
}
