// RUN: xdsl-opt -t mlir-22 -p pack-convolutions %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-convolutions{explain}' %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// CHECK-NOT: linalg.pack

// CHECK:     func.func @of_integers
// REMARK:      remark: 'linalg.conv_2d_nchw_fchw' is not packed: its elements are not f32
func.func @of_integers(%i: tensor<1x64x9x9xi32>, %f: tensor<32x64x3x3xi32>, %o: tensor<1x32x7x7xi32>) -> tensor<1x32x7x7xi32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x64x9x9xi32>, tensor<32x64x3x3xi32>) outs(%o : tensor<1x32x7x7xi32>) -> tensor<1x32x7x7xi32>
  return %0 : tensor<1x32x7x7xi32>
}

// CHECK:     func.func @dynamic
// REMARK:      remark: 'linalg.conv_2d_nchw_fchw' is not packed: a size besides that of the batch is dynamic; make it static
func.func @dynamic(%i: tensor<1x64x?x9xf32>, %f: tensor<32x64x3x3xf32>, %o: tensor<1x32x?x7xf32>) -> tensor<1x32x?x7xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x64x?x9xf32>, tensor<32x64x3x3xf32>) outs(%o : tensor<1x32x?x7xf32>) -> tensor<1x32x?x7xf32>
  return %0 : tensor<1x32x?x7xf32>
}

// CHECK:     func.func @smallest
// REMARK:      remark: 'linalg.pooling_nhwc_min' is not packed: it computes neither sums of products, nor sums, nor maxima
func.func @smallest(%i: tensor<1x9x9x64xf32>, %w: tensor<3x3xf32>, %o: tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32> {
  %0 = linalg.pooling_nhwc_min ins(%i, %w : tensor<1x9x9x64xf32>, tensor<3x3xf32>) outs(%o : tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
  return %0 : tensor<1x7x7x64xf32>
}
