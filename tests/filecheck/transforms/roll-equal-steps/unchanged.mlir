// RUN: xdsl-opt -t mlir-22 -p "roll-equal-steps{least-steps=3}" %s | filecheck %s

// Element-wise ops become one loop elsewhere.
// CHECK-LABEL: func.func @elementwise
// CHECK-NOT:     scf.for
func.func @elementwise(%h: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %h0 = linalg.exp ins(%h : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %h1 = linalg.exp ins(%h0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %h2 = linalg.exp ins(%h1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %h3 = linalg.exp ins(%h2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %h4 = linalg.exp ins(%h3 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %h4 : tensor<4xf32>
}

// Each layer has weights of its own.
// CHECK-LABEL: func.func @layers
// CHECK-NOT:     scf.for
func.func @layers(%h: tensor<1x4xf32>, %z: tensor<1x4xf32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %d: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %h0 = linalg.matmul ins(%h, %a : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %b : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h1, %c : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h2, %d : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h3 : tensor<1x4xf32>
}

// A step in the middle is read behind the steps.
// CHECK-LABEL: func.func @read_elsewhere
// CHECK-NOT:     scf.for
func.func @read_elsewhere(%h: tensor<1x4xf32>, %z: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %h0 = linalg.matmul ins(%h, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h1, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h2, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h1, %h3 : tensor<1x4xf32>, tensor<1x4xf32>
}

// Each step reads what the first one made.
// CHECK-LABEL: func.func @first
// CHECK-NOT:     scf.for
func.func @first(%h: tensor<1x4xf32>, %z: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %h0 = linalg.matmul ins(%h, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h0, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h0, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h3 : tensor<1x4xf32>
}

// Too few steps.
// CHECK-LABEL: func.func @few
// CHECK-NOT:     scf.for
func.func @few(%h: tensor<1x4xf32>, %z: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %h0 = linalg.matmul ins(%h, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h1 : tensor<1x4xf32>
}
