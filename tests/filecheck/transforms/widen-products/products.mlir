// RUN: xdsl-opt -t mlir-22 -p widen-products %s | filecheck %s

// CHECK-LABEL: @matmul
// CHECK-NEXT:    %[[A:.*]] = arith.extf %a : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK-NEXT:    %[[B:.*]] = arith.extf %b : tensor<8x6xbf16> to tensor<8x6xf32>
// CHECK-NEXT:    linalg.matmul ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>)
func.func @matmul(%a: tensor<4x8xbf16>, %b: tensor<8x6xbf16>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// The factors may differ, and sizes may be open.
// CHECK-LABEL: @mixed
// CHECK-NEXT:    %[[A:.*]] = arith.extf %a
// CHECK-NEXT:    linalg.batch_matmul ins(%[[A]], %b : tensor<?x?x8xf32>, tensor<?x8x6xf32>)
func.func @mixed(%a: tensor<?x?x8xf16>, %b: tensor<?x8x6xf32>, %c: tensor<?x?x6xf32>) -> tensor<?x?x6xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x?x8xf16>, tensor<?x8x6xf32>) outs(%c : tensor<?x?x6xf32>) -> tensor<?x?x6xf32>
  return %0 : tensor<?x?x6xf32>
}

// Attributes stay.
// CHECK-LABEL: @convolution
// CHECK:         %[[K:.*]] = arith.extf %k
// CHECK-NEXT:    linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%{{.*}}, %[[K]] : tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>)
func.func @convolution(%a: tensor<1x3x9x9xf16>, %k: tensor<4x3x3x3xf16>, %c: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %k : tensor<1x3x9x9xf16>, tensor<4x3x3x3xf16>) outs(%c : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// The payload of a generic op is converted with its operands.

#a = affine_map<(i, k) -> (i, k)>
#v = affine_map<(i, k) -> (k)>
#o = affine_map<(i, k) -> (i)>
// CHECK-LABEL: @generic
// CHECK:         ^bb0(%x: f32, %y: f32, %z: f32):
// CHECK-NEXT:    %[[M:.*]] = arith.mulf %x, %y : f32
// CHECK-NEXT:    %[[S:.*]] = arith.addf %z, %[[M]] : f32
// CHECK-NEXT:    linalg.yield %[[S]] : f32
func.func @generic(%a: tensor<4x8xbf16>, %v: tensor<8xbf16>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #v, #o], iterator_types = ["parallel", "reduction"]} ins(%a, %v : tensor<4x8xbf16>, tensor<8xbf16>) outs(%c : tensor<4xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %z, %m : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A square, of which each factor is the same tensor.
// CHECK-LABEL: @square
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x8xf32>, tensor<8x8xf32>)
func.func @square(%a: tensor<8x8xf16>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf16>, tensor<8x8xf16>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// No sum of products, no sum in f32, and no tensors.
// CHECK-LABEL: @others
// CHECK-NOT:     arith.extf
func.func @others(%a: tensor<8x8xf16>, %c: tensor<8x8xf32>, %d: tensor<8x8xf64>, %m: memref<8x8xf16>, %n: memref<8x8xf32>) -> (tensor<8x8xf16>, tensor<8x8xf64>, tensor<8x8xf16>) {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf16>, tensor<8x8xf16>) outs(%a : tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = linalg.matmul ins(%a, %a : tensor<8x8xf16>, tensor<8x8xf16>) outs(%d : tensor<8x8xf64>) -> tensor<8x8xf64>
  %2 = linalg.add ins(%a, %a : tensor<8x8xf16>, tensor<8x8xf16>) outs(%a : tensor<8x8xf16>) -> tensor<8x8xf16>
  linalg.matmul ins(%m, %m : memref<8x8xf16>, memref<8x8xf16>) outs(%n : memref<8x8xf32>)
  return %0, %1, %2 : tensor<8x8xf16>, tensor<8x8xf64>, tensor<8x8xf16>
}
