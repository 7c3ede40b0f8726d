// RUN: xdsl-opt -t mlir-22 -p eliminate-empty-tensors %s | filecheck %s

// The source has more dimensions than what is computed.

// CHECK-LABEL: @expanded
// CHECK-NEXT:    tensor.empty
func.func @expanded(%t: tensor<1x10xf32>, %f: f32) -> tensor<1x10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 5] : tensor<5xf32> into tensor<1x5xf32>
  %3 = tensor.insert_slice %2 into %t[0, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<1x10xf32>
  return %3 : tensor<1x10xf32>
}

// A size is not known.

// CHECK-LABEL: @collapsed_dynamic
// CHECK-NEXT:    tensor.empty
func.func @collapsed_dynamic(%t: tensor<10xf32>, %f: f32, %n: index, %m: index) -> tensor<10xf32> {
  %0 = tensor.empty(%n) : tensor<?x5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x5xf32>) -> tensor<?x5xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x5xf32> into tensor<?xf32>
  %3 = tensor.insert_slice %2 into %t[0] [%m] [1] : tensor<?xf32> into tensor<10xf32>
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
