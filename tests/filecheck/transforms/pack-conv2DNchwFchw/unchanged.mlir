// RUN: xdsl-opt -t mlir-22 -p pack-conv2DNchwFchw %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-conv2DNchwFchw{explain}' %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// CHECK-NOT: linalg.pack

// CHECK:     func.func @ten_outputs
// REMARK:      remark: 'linalg.conv_2d_nchw_fchw' is not packed: the number of channels, 10, is not a multiple of the block factor 32; set block-factors
func.func @ten_outputs(%i: tensor<1x64x9x9xf32>, %f: tensor<10x64x3x3xf32>, %o: tensor<1x10x7x7xf32>) -> tensor<1x10x7x7xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x64x9x9xf32>, tensor<10x64x3x3xf32>) outs(%o : tensor<1x10x7x7xf32>) -> tensor<1x10x7x7xf32>
  return %0 : tensor<1x10x7x7xf32>
}
