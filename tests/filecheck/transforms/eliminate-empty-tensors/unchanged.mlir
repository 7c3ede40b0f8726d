// RUN: xdsl-opt -t mlir-22 -p eliminate-empty-tensors %s | filecheck %s

// The source is another view of the buffer.

// CHECK-LABEL: @reshape
// CHECK-NEXT:    tensor.empty
func.func @reshape(%t: tensor<10xf32>, %f: f32) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<1x5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<1x5xf32>) -> tensor<1x5xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
  %3 = tensor.insert_slice %2 into %t[0] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// An operand that is only read does not become the source.

// CHECK-LABEL: @input
// CHECK-NEXT:    %[[E:.*]] = tensor.empty
// CHECK-NEXT:    %[[S:.*]] = tensor.extract_slice %t[0] [5] [1]
// CHECK-NEXT:    linalg.add ins(%[[E]], %[[E]] : {{.*}}) outs(%[[S]] :
func.func @input(%t: tensor<10xf32>) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = tensor.empty() : tensor<5xf32>
  %2 = linalg.add ins(%0, %0 : tensor<5xf32>, tensor<5xf32>) outs(%1 : tensor<5xf32>) -> tensor<5xf32>
  %3 = tensor.insert_slice %2 into %t[0] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// CHECK-LABEL: @no_insertion
// CHECK-NEXT:    tensor.empty
func.func @no_insertion(%f: f32) -> tensor<5xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}
