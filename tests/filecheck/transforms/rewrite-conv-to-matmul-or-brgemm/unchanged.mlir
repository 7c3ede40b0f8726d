// RUN: xdsl-opt -t mlir-22 -p rewrite-conv-to-matmul-or-brgemm{explain} %s 2>&1 | filecheck %s

// CHECK: remark: 'linalg.conv_2d_nchw_fchw' is not rewritten: its last two dimensions are not those of a product of matrices

// CHECK-LABEL: @channels_first
// CHECK-NEXT:    linalg.conv_2d_nchw_fchw
func.func @channels_first(%x: tensor<2x3x6x6xf32>, %f: tensor<8x3x3x3xf32>, %c: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %f : tensor<2x3x6x6xf32>, tensor<8x3x3x3xf32>) outs(%c : tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  return %0 : tensor<2x8x4x4xf32>
}

// CHECK-LABEL: @no_conv
// CHECK-NEXT:    linalg.matmul
func.func @no_conv(%a: tensor<16x8xf32>, %b: tensor<8x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x8xf32>, tensor<8x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// CHECK-LABEL: @buffers
// CHECK-NEXT:    linalg.conv_2d_nhwc_hwcf
func.func @buffers(%x: memref<2x6x5x3xf32>, %f: memref<1x1x3x8xf32>, %c: memref<2x6x5x8xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %f : memref<2x6x5x3xf32>, memref<1x1x3x8xf32>) outs(%c : memref<2x6x5x8xf32>)
  return
}
