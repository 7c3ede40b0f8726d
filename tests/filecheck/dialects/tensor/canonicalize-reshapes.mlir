// RUN: xbuf opt -p canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @part_of_the_way_back
// CHECK-NEXT:    %0 = tensor.expand_shape %t {{\[\[}}0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
// CHECK-NEXT:    return %0
func.func @part_of_the_way_back(%t: tensor<8xf32>) -> tensor<4x2xf32> {
  %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [2, 2, 2] : tensor<8xf32> into tensor<2x2x2xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x2x2xf32> into tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @collapsed_further
// CHECK-NEXT:    %0 = tensor.collapse_shape %t {{\[\[}}0, 1], [2, 3]] : tensor<2x3x4x5xf32> into tensor<6x20xf32>
// CHECK-NEXT:    return %0
func.func @collapsed_further(%t: tensor<2x3x4x5xf32>) -> tensor<6x20xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2, 3]] : tensor<2x3x4x5xf32> into tensor<120xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [6, 20] : tensor<120xf32> into tensor<6x20xf32>
  return %1 : tensor<6x20xf32>
}

// One size is unknown, and it is what the others leave of it.
// CHECK-LABEL: func.func @one_unknown_size
// CHECK-NEXT:    %0 = tensor.collapse_shape %t {{\[\[}}0], [1, 2], [3]] : tensor<2x?x3x5xf32> into tensor<2x?x5xf32>
// CHECK-NEXT:    return %0
func.func @one_unknown_size(%t: tensor<2x?x3x5xf32>, %n: index) -> tensor<2x?x5xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2, 3]] : tensor<2x?x3x5xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [2, %n, 5] : tensor<?xf32> into tensor<2x?x5xf32>
  return %1 : tensor<2x?x5xf32>
}

// Which of the unknown sizes is which, nobody knows.
// CHECK-LABEL: func.func @two_unknown_sizes
// CHECK-NEXT:    collapse_shape
// CHECK-NEXT:    expand_shape
func.func @two_unknown_sizes(%t: tensor<?x3x?xf32>, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<?x3x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, %n] : tensor<?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// 6 elements as 2x3 are not 3x2.
// CHECK-LABEL: func.func @transposed_sizes
// CHECK-NEXT:    collapse_shape
// CHECK-NEXT:    expand_shape
func.func @transposed_sizes(%t: tensor<2x3x1xf32>) -> tensor<3x2xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x3x1xf32> into tensor<6xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// No elements are any number of elements of size 0.
// CHECK-LABEL: func.func @no_elements
// CHECK-NEXT:    collapse_shape
// CHECK-NEXT:    expand_shape
func.func @no_elements(%t: tensor<0x?x3xf32>, %n: index) -> tensor<0x?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<0x?x3xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [0, %n] : tensor<?xf32> into tensor<0x?xf32>
  return %1 : tensor<0x?xf32>
}

// CHECK-LABEL: func.func @no_dimension
// CHECK-NEXT:    %0 = tensor.expand_shape %t [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK-NEXT:    return %t, %0
func.func @no_dimension(%t: tensor<f32>) -> (tensor<f32>, tensor<1x1xf32>) {
  %0 = tensor.expand_shape %t [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %2 = tensor.collapse_shape %1 [] : tensor<1x1xf32> into tensor<f32>
  return %2, %1 : tensor<f32>, tensor<1x1xf32>
}

// CHECK-LABEL: func.func @casts
// CHECK-NEXT:    %0 = tensor.collapse_shape %t {{\[\[}}0, 1]] : tensor<2x4xf32> into tensor<8xf32>
// CHECK-NEXT:    %1 = tensor.cast %0 : tensor<8xf32> to tensor<?xf32>
// CHECK-NEXT:    %2 = tensor.expand_shape %u {{\[\[}}0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
// CHECK-NEXT:    %3 = tensor.cast %2 : tensor<2x4xf32> to tensor<?x4xf32>
// CHECK-NEXT:    return %1, %3
func.func @casts(%t: tensor<2x4xf32>, %u: tensor<8xf32>) -> (tensor<?xf32>, tensor<?x4xf32>) {
  %c2 = arith.constant 2 : index
  %0 = tensor.cast %t : tensor<2x4xf32> to tensor<?x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %2 = tensor.cast %u : tensor<8xf32> to tensor<?xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [%c2, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %1, %3 : tensor<?xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @elements
// CHECK-NEXT:    %0 = arith.constant dense<7> : tensor<2x2xi32>
// CHECK-NEXT:    %1 = tensor.splat %x : tensor<2x2xi32>
// CHECK-NEXT:    %2 = tensor.from_elements %x, %y : tensor<1x2xi32>
// CHECK-NEXT:    return %0, %1, %2
func.func @elements(%x: i32, %y: i32) -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<1x2xi32>) {
  %0 = arith.constant dense<7> : tensor<4xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  %2 = tensor.splat %x : tensor<4xi32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  %4 = tensor.from_elements %x, %y : tensor<2xi32>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [1, 2] : tensor<2xi32> into tensor<1x2xi32>
  return %1, %3, %5 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<1x2xi32>
}

// The type of the result counts, whatever output_shape says.
// CHECK-LABEL: func.func @contradiction
// CHECK-NEXT:    collapse_shape
// CHECK-NEXT:    expand_shape
func.func @contradiction(%t: tensor<?x8x6x?xf32>, %n: index) -> tensor<?x6x?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2, 3]] : tensor<?x8x6x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [%n, 8, %n] : tensor<?xf32> into tensor<?x6x?xf32>
  return %1 : tensor<?x6x?xf32>
}

// CHECK-LABEL: func.func @to_the_same_shape
// CHECK-NEXT:    [[R:%.*]] = tensor.reshape %u(%s)
// CHECK-NEXT:    return %t, %u, [[R]]
func.func @to_the_same_shape(%t: tensor<?xf32>, %u: tensor<?x?xf32>, %o: tensor<1xindex>, %s: tensor<2xindex>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.reshape %t(%o) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %n = tensor.dim %u, %c0 : tensor<?x?xf32>
  %m = tensor.dim %u, %c1 : tensor<?x?xf32>
  %shape = tensor.from_elements %n, %m : tensor<2xindex>
  %1 = tensor.reshape %u(%shape) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %2 = tensor.reshape %u(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @size_of_reshape
// CHECK-NEXT:    %0 = tensor.extract %s[%i] : tensor<2xi32>
// CHECK-NEXT:    %1 = arith.index_cast %0 : i32 to index
// CHECK-NEXT:    return %1
func.func @size_of_reshape(%t: tensor<4xf32>, %s: tensor<2xi32>, %i: index) -> index {
  %0 = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = tensor.dim %0, %i : tensor<?x?xf32>
  return %1 : index
}
