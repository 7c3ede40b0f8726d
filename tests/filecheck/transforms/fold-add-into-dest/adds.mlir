// RUN: xdsl-opt -t mlir-22 -p fold-add-into-dest %s | filecheck %s

// CHECK-LABEL: @two_products
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK-NEXT:    %[[P:.*]] = linalg.matmul ins(%a, %b : {{.*}}) outs(%[[F]] :
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    %[[S:.*]] = linalg.matmul ins(%b, %a : {{.*}}) outs(%[[P]] :
// CHECK-NEXT:    return %[[S]]
func.func @two_products(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x8xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = tensor.empty() : tensor<8x8xf32>
  %5 = linalg.add ins(%2, %3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%4 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}

// The product is moved behind what it is now added to.

// CHECK-LABEL: @product_first
// CHECK:         %[[E:.*]] = linalg.exp
// CHECK:         %[[S:.*]] = linalg.matmul ins(%a, %b : {{.*}}) outs(%[[E]] :
// CHECK-NEXT:    return %[[S]]
func.func @product_first(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = linalg.add ins(%2, %3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}
