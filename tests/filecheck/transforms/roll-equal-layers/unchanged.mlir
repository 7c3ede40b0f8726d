// RUN: xdsl-opt -t mlir-22 -p roll-equal-layers %s | filecheck %s

// Without marks, nobody would put the weights together ahead.
// CHECK-LABEL: func.func @unmarked
// CHECK-NOT:     scf.for
func.func @unmarked(%x: tensor<1x4xf32>, %z: tensor<1x4xf32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %d: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %h0 = linalg.matmul ins(%x, %a : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %b : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h1, %c : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h2, %d : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h3 : tensor<1x4xf32>
}

// The last layer has weights of another shape, so that two are equal.
// CHECK-LABEL: func.func @shapes
// CHECK-NOT:     scf.for
func.func @shapes(%x: tensor<1x4xf32>, %z: tensor<1x4xf32>, %y: tensor<1x8xf32>, %a: tensor<4x4xf32> {xbuf.weight}, %b: tensor<4x4xf32> {xbuf.weight}, %c: tensor<4x4xf32> {xbuf.weight}, %d: tensor<4x8xf32> {xbuf.weight}) -> tensor<1x8xf32> {
  %h0 = linalg.matmul ins(%x, %a : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %b : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h1, %c : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h2, %d : tensor<1x4xf32>, tensor<4x8xf32>) outs(%y : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %h3 : tensor<1x8xf32>
}
