// RUN: xdsl-opt -t mlir-22 -p split-concats %s | filecheck %s

// A skip connection is padded by itself, and multiplied with its part of the filter.
// CHECK-LABEL: func.func @skip
// CHECK-NOT:     tensor.concat
// CHECK:         [[F:%.*]] = tensor.extract_slice %f[0, 0, 0, 0] [4, 2, 3, 3] [1, 1, 1, 1]
// CHECK:         [[P:%.*]] = tensor.pad %s low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK:         %r = linalg.conv_2d_nchw_fchw ins([[P]], [[F]] : tensor<1x2x8x8xf32>, tensor<4x2x3x3xf32>) outs(%o
// CHECK:         [[G:%.*]] = tensor.extract_slice %f[0, 2, 0, 0] [4, 3, 3, 3] [1, 1, 1, 1]
// CHECK:         [[Q:%.*]] = tensor.pad %b low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK:         %r_1 = linalg.conv_2d_nchw_fchw ins([[Q]], [[G]] : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%r
// CHECK:         return %r_1, %s
func.func @skip(%a: tensor<1x2x6x6xf32>, %b: tensor<1x3x6x6xf32>, %f: tensor<4x5x3x3xf32>, %o: tensor<1x4x6x6xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x2x6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x6x6xf32>
  %s = linalg.exp ins(%a : tensor<1x2x6x6xf32>) outs(%e : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %c = tensor.concat dim(1) %s, %b : (tensor<1x2x6x6xf32>, tensor<1x3x6x6xf32>) -> tensor<1x5x6x6xf32>
  %p = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%0: index, %1: index, %2: index, %3: index):
    tensor.yield %zero : f32
  } : tensor<1x5x6x6xf32> to tensor<1x5x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %f : tensor<1x5x8x8xf32>, tensor<4x5x3x3xf32>) outs(%o : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %r, %s : tensor<1x4x6x6xf32>, tensor<1x2x6x6xf32>
}

// Channels come last.
// CHECK-LABEL: func.func @channels_last
// CHECK-NOT:     tensor.concat
// CHECK:         tensor.extract_slice %f[0, 0, 2, 0] [1, 1, 2, 4] [1, 1, 1, 1]
func.func @channels_last(%a: tensor<1x6x6x2xf32>, %f: tensor<1x1x4x4xf32>, %o: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %c = tensor.concat dim(3) %a, %a : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%c, %f : tensor<1x6x6x4xf32>, tensor<1x1x4x4xf32>) outs(%o : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}

// Parts that nothing else reads live about as long as each other. What is put together
// along another dimension, for other ops as well, or for each channel by itself, stays.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT:     extract_slice
// CHECK-LABEL: func.func @end
func.func @unchanged(%a: tensor<1x2x6x6xf32>, %b: tensor<1x2x6x6xf32>, %d: tensor<1x2x6x6xf32>, %f: tensor<4x4x1x1xf32>, %g: tensor<4x2x1x1xf32>, %h: tensor<4x1x1xf32>, %o: tensor<1x4x6x6xf32>, %w: tensor<1x4x6x12xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x12xf32>, tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (tensor<1x2x6x6xf32>, tensor<1x2x6x6xf32>) -> tensor<1x4x6x6xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %f : tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) outs(%o : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %e = tensor.empty() : tensor<1x2x6x6xf32>
  %s = linalg.exp ins(%d : tensor<1x2x6x6xf32>) outs(%e : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %2 = tensor.concat dim(3) %s, %s : (tensor<1x2x6x6xf32>, tensor<1x2x6x6xf32>) -> tensor<1x2x6x12xf32>
  %3 = linalg.conv_2d_nchw_fchw ins(%2, %g : tensor<1x2x6x12xf32>, tensor<4x2x1x1xf32>) outs(%w : tensor<1x4x6x12xf32>) -> tensor<1x4x6x12xf32>
  %4 = tensor.concat dim(1) %s, %s : (tensor<1x2x6x6xf32>, tensor<1x2x6x6xf32>) -> tensor<1x4x6x6xf32>
  %5 = linalg.depthwise_conv_2d_nchw_chw ins(%4, %h : tensor<1x4x6x6xf32>, tensor<4x1x1xf32>) outs(%o : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %6 = linalg.conv_2d_nchw_fchw ins(%4, %f : tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) outs(%o : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %1, %3, %5, %6 : tensor<1x4x6x6xf32>, tensor<1x4x6x12xf32>, tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>
}

func.func @end() {
  return
}
