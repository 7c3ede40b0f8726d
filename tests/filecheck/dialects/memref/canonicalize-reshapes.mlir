// RUN: xbuf opt -p canonicalize --allow-unregistered-dialect %s | filecheck %s

// CHECK-LABEL: func.func @part_of_the_way_back
// CHECK-NEXT:    %0 = memref.expand_shape %m {{\[\[}}0, 1]] output_shape [4, 2] : memref<8xf32> into memref<4x2xf32>
// CHECK-NEXT:    return %0
func.func @part_of_the_way_back(%m: memref<8xf32>) -> memref<4x2xf32> {
  %0 = memref.expand_shape %m [[0, 1, 2]] output_shape [2, 2, 2] : memref<8xf32> into memref<2x2x2xf32>
  %1 = memref.collapse_shape %0 [[0, 1], [2]] : memref<2x2x2xf32> into memref<4x2xf32>
  return %1 : memref<4x2xf32>
}

// CHECK-LABEL: func.func @beyond_the_way_back
// CHECK-NEXT:    %0 = memref.collapse_shape %m {{\[\[}}0, 1]] : memref<8x?xf32> into memref<?xf32>
// CHECK-NEXT:    return %0
func.func @beyond_the_way_back(%m: memref<8x?xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, %n] : memref<8x?xf32> into memref<2x4x?xf32>
  %1 = memref.collapse_shape %0 [[0, 1, 2]] : memref<2x4x?xf32> into memref<?xf32>
  return %1 : memref<?xf32>
}

// The size of a merged dimension is a product.
// CHECK-LABEL: func.func @unknown_sizes
// CHECK-NEXT:    [[C:%.*]] = arith.constant 3 : index
// CHECK-NEXT:    [[S:%.*]] = arith.muli %n, [[C]] : index
// CHECK-NEXT:    [[E:%.*]] = memref.expand_shape %m {{\[\[}}0, 1]] output_shape [2, [[S]]] : memref<?xf32> into memref<2x?xf32>
// CHECK-NEXT:    return [[E]]
func.func @unknown_sizes(%m: memref<?xf32>, %n: index) -> memref<2x?xf32> {
  %0 = memref.expand_shape %m [[0, 1, 2]] output_shape [2, %n, 3] : memref<?xf32> into memref<2x?x3xf32>
  %1 = memref.collapse_shape %0 [[0], [1, 2]] : memref<2x?x3xf32> into memref<2x?xf32>
  return %1 : memref<2x?xf32>
}

// The groups cut in different places.
// CHECK-LABEL: func.func @other_groups
// CHECK-NEXT:    expand_shape
// CHECK-NEXT:    collapse_shape
func.func @other_groups(%m: memref<4x6xf32>) -> memref<2x4x3xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 2, 2, 3] : memref<4x6xf32> into memref<2x2x2x3xf32>
  %1 = memref.collapse_shape %0 [[0], [1, 2], [3]] : memref<2x2x2x3xf32> into memref<2x4x3xf32>
  return %1 : memref<2x4x3xf32>
}

// CHECK-LABEL: func.func @collapse_of_cast
// CHECK-NEXT:    %0 = memref.collapse_shape %m {{\[\[}}0, 1]] : memref<2x4xf32> into memref<8xf32>
// CHECK-NEXT:    %1 = memref.cast %0 : memref<8xf32> to memref<?xf32>
// CHECK-NEXT:    return %1
func.func @collapse_of_cast(%m: memref<2x4xf32>) -> memref<?xf32> {
  %0 = memref.cast %m : memref<2x4xf32> to memref<?x4xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  return %1 : memref<?xf32>
}

// A cast that says more than its source has to stay.
// CHECK-LABEL: func.func @collapse_of_promise
// CHECK-NEXT:    memref.cast
// CHECK-NEXT:    collapse_shape
func.func @collapse_of_promise(%m: memref<?x?xf32>) -> memref<8xf32> {
  %0 = memref.cast %m : memref<?x?xf32> to memref<2x4xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  return %1 : memref<8xf32>
}

// CHECK-LABEL: func.func @expand_of_cast
// CHECK-NEXT:    %0 = memref.expand_shape %m {{\[\[}}0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
// CHECK-NEXT:    %1 = memref.cast %0 : memref<2x4xf32> to memref<?x4xf32>
// CHECK-NEXT:    return %1
func.func @expand_of_cast(%m: memref<8xf32>) -> memref<?x4xf32> {
  %c2 = arith.constant 2 : index
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%c2, 4] : memref<?xf32> into memref<?x4xf32>
  return %1 : memref<?x4xf32>
}

// The shape is read where the reshape is: the store comes later.
// CHECK-LABEL: func.func @size_of_reshape
// CHECK-NEXT:    [[C0:%.*]] = arith.constant 0 : index
// CHECK-NEXT:    [[I:%.*]] = arith.constant 0 : index
// CHECK-NEXT:    [[N:%.*]] = memref.load %shape{{\[}}[[I]]] : memref<1xi32>
// CHECK-NEXT:    [[S:%.*]] = arith.index_cast [[N]] : i32 to index
// CHECK-NEXT:    memref.store %other, %shape
// CHECK-NEXT:    return [[S]]
func.func @size_of_reshape(%m: memref<6xf32>, %shape: memref<1xi32>, %other: i32) -> index {
  %c0 = arith.constant 0 : index
  %0 = memref.reshape %m(%shape) : (memref<6xf32>, memref<1xi32>) -> memref<?xf32>
  memref.store %other, %shape[%c0] : memref<1xi32>
  %1 = memref.dim %0, %c0 : memref<?xf32>
  return %1 : index
}

// The index is not known where the reshape is.
// CHECK-LABEL: func.func @size_of_reshape_at_later_index
// CHECK:         memref.reshape
// CHECK:         memref.dim
func.func @size_of_reshape_at_later_index(%m: memref<6xf32>, %shape: memref<2xindex>) -> index {
  %0 = memref.reshape %m(%shape) : (memref<6xf32>, memref<2xindex>) -> memref<?x?xf32>
  %i = "test.index"() : () -> index
  %1 = memref.dim %0, %i : memref<?x?xf32>
  return %1 : index
}
