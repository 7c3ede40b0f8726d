// RUN: xdsl-opt -t mlir-22 -p linalg-generalize-named-ops,linalg-degeneralize-generic-ops %s | filecheck %s

// What has a name gets it back, with the operands it had.

// CHECK-LABEL: @names
// CHECK-NEXT:    linalg.matmul ins(%a, %a :
// CHECK-NEXT:    linalg.batch_matmul ins(%b, %b :
// CHECK-NEXT:    linalg.batch_reduce_matmul ins(%b, %b :
// CHECK-NEXT:    linalg.matvec ins(%a, %v :
// CHECK-NEXT:    linalg.vecmat ins(%v, %a :
// CHECK-NEXT:    linalg.dot ins(%v, %v :
func.func @names(%a: tensor<4x4xf32>, %b: tensor<2x4x4xf32>, %v: tensor<4xf32>, %s: tensor<f32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.batch_matmul ins(%b, %b : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%b : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %2 = linalg.batch_reduce_matmul ins(%b, %b : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.matvec ins(%a, %v : tensor<4x4xf32>, tensor<4xf32>) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.vecmat ins(%v, %a : tensor<4xf32>, tensor<4x4xf32>) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %5 = linalg.dot ins(%v, %v : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return
}

// Numbers are brought to the type of the output.

// CHECK-LABEL: @widened
// CHECK-NEXT:    linalg.matmul ins(%a, %a : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%c : tensor<4x4xf32>)
func.func @widened(%a: tensor<4x4xbf16>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
