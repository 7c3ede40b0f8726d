// RUN: xdsl-opt -t mlir-22 -p eliminate-empty-tensors %s | filecheck %s

// What is copied into a tensor is computed there to begin with.

// CHECK-LABEL: func.func @copied(%t: tensor<4xf32>, %v: f32)
// CHECK-NEXT: %0 = linalg.fill ins(%v : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %1 = linalg.copy ins(%0 : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %1
func.func @copied(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%v : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.copy ins(%0 : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// It is not computed as what it is copied to.

// CHECK-LABEL: func.func @copied_as_other_numbers
// CHECK-NEXT: tensor.empty() : tensor<4xf16>
func.func @copied_as_other_numbers(%t: tensor<4xf32>, %v: f16) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf16>
  %0 = linalg.fill ins(%v : f16) outs(%empty : tensor<4xf16>) -> tensor<4xf16>
  %1 = linalg.copy ins(%0 : tensor<4xf16>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
