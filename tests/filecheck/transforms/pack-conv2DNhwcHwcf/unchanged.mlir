// RUN: xdsl-opt -t mlir-22 -p pack-conv2DNhwcHwcf %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-conv2DNhwcHwcf{explain}' %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// CHECK-NOT: linalg.pack

// CHECK:     func.func @three_channels
// REMARK:      remark: 'linalg.conv_2d_nhwc_hwcf' is not packed: the number of channels, 3, is not a multiple of the block factor 32; set block-factors
func.func @three_channels(%i: tensor<1x9x9x3xf32>, %f: tensor<3x3x3x96xf32>, %o: tensor<1x7x7x96xf32>) -> tensor<1x7x7x96xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%i, %f : tensor<1x9x9x3xf32>, tensor<3x3x3x96xf32>) outs(%o : tensor<1x7x7x96xf32>) -> tensor<1x7x7x96xf32>
  return %0 : tensor<1x7x7x96xf32>
}

// CHECK:     func.func @dynamic_channels
// REMARK-NEXT: remark: 'linalg.conv_2d_nhwc_hwcf' is not packed: the number of channels is dynamic; make it static
func.func @dynamic_channels(%i: tensor<1x9x9x?xf32>, %f: tensor<3x3x?x96xf32>, %o: tensor<1x7x7x96xf32>) -> tensor<1x7x7x96xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%i, %f : tensor<1x9x9x?xf32>, tensor<3x3x?x96xf32>) outs(%o : tensor<1x7x7x96xf32>) -> tensor<1x7x7x96xf32>
  return %0 : tensor<1x7x7x96xf32>
}

// Other layouts are another pass's business.

// REMARK-NOT: remark

// CHECK:     func.func @channels_first
func.func @channels_first(%i: tensor<1x64x9x9xf32>, %f: tensor<96x64x3x3xf32>, %o: tensor<1x96x7x7xf32>) -> tensor<1x96x7x7xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x64x9x9xf32>, tensor<96x64x3x3xf32>) outs(%o : tensor<1x96x7x7xf32>) -> tensor<1x96x7x7xf32>
  return %0 : tensor<1x96x7x7xf32>
}

// CHECK:     func.func @buffers
func.func @buffers(%i: memref<1x9x9x64xf32>, %f: memref<3x3x64x96xf32>, %o: memref<1x7x7x96xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%i, %f : memref<1x9x9x64xf32>, memref<3x3x64x96xf32>) outs(%o : memref<1x7x7x96xf32>)
  return
}
