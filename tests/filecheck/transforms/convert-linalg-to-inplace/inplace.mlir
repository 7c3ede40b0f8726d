// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-inplace %s | filecheck %s

// CHECK-LABEL: @add
// CHECK-NEXT:    %[[P:.*]] = linalg.matmul
// CHECK-NEXT:    linalg.generic {{.*}} ins(%bias : tensor<8x8xf32>) outs(%[[P]] : tensor<8x8xf32>) {
// CHECK-NEXT:    ^{{.*}}(%[[B:.*]]: f32, %[[X:.*]]: f32):
// CHECK-NEXT:      arith.subf %[[X]], %[[B]]
func.func @add(%a: tensor<8x8xf32>, %bias: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = tensor.empty() : tensor<8x8xf32>
  %2 = linalg.sub ins(%0, %bias : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// CHECK-LABEL: @square
// CHECK:         linalg.generic
// CHECK-SAME:    outs(%{{.*}} : tensor<8x8xf32>) {
// CHECK-NEXT:    ^{{.*}}(%[[X:.*]]: f32):
// CHECK-NEXT:      arith.mulf %[[X]], %[[X]]
func.func @square(%a: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = tensor.empty() : tensor<8x8xf32>
  %2 = linalg.mul ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
