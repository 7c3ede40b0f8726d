// RUN: xdsl-opt -t mlir-22 -p conv-init-simplify %s | filecheck %s

// CHECK-LABEL: @bias
// CHECK-NOT:     linalg.broadcast
// CHECK:         %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<2x4x4x8xf32>
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%[[Z]] : f32) outs(%[[E]] :
// CHECK-NEXT:    %[[C:.*]] = linalg.conv_2d_nhwc_hwcf ins(%x, %f : {{.*}}) outs(%[[F]] :
// CHECK-NEXT:    %[[R:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
// CHECK-SAME:    ins(%bias : tensor<8xf32>) outs(%[[C]] :
// CHECK:         arith.addf
// CHECK:         return %[[R]]
func.func @bias(%x: tensor<2x6x6x3xf32>, %f: tensor<3x3x3x8xf32>, %bias: tensor<8xf32>, %e: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %0 = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<2x4x4x8xf32>) dimensions = [0, 1, 2]
  %1 = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<2x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%0 : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %1 : tensor<2x4x4x8xf32>
}

// A generic that only copies is a broadcast as well.

// CHECK-LABEL: @generic
// CHECK:         linalg.fill
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK:         arith.addf
func.func @generic(%x: tensor<2x3x6x6xf32>, %f: tensor<8x3x3x3xf32>, %bias: tensor<8xf32>, %e: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<8xf32>) outs(%e : tensor<2x8x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x4x4xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%x, %f : tensor<2x3x6x6xf32>, tensor<8x3x3x3xf32>) outs(%0 : tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  return %1 : tensor<2x8x4x4xf32>
}

// Nothing is added that starts with an argument; a product is no convolution.

// CHECK-LABEL: @others
// CHECK-NEXT:    linalg.conv_2d_nhwc_hwcf {{.*}} outs(%e :
// CHECK-NEXT:    linalg.broadcast
// CHECK-NEXT:    linalg.matmul
// CHECK-NEXT:    return
func.func @others(%x: tensor<2x6x6x3xf32>, %f: tensor<3x3x3x8xf32>, %e: tensor<2x4x4x8xf32>, %a: tensor<8x8xf32>, %bias: tensor<8xf32>) -> (tensor<2x4x4x8xf32>, tensor<8x8xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<2x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%e : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %1 = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%a : tensor<8x8xf32>) dimensions = [0]
  %2 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %2 : tensor<2x4x4x8xf32>, tensor<8x8xf32>
}
