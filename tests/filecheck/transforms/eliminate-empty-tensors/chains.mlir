// RUN: xdsl-opt -t mlir-22 -p eliminate-empty-tensors %s | filecheck %s

// CHECK-LABEL: @fill_in_place
// CHECK-NEXT:    %[[S:.*]] = tensor.extract_slice %t[%i] [5] [1] : tensor<10xf32> to tensor<5xf32>
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%f : f32) outs(%[[S]] : tensor<5xf32>)
// CHECK-NEXT:    tensor.insert_slice %[[F]] into %t[%i] [5] [1]
func.func @fill_in_place(%t: tensor<10xf32>, %f: f32, %i: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %2 = tensor.insert_slice %1 into %t[%i] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %2 : tensor<10xf32>
}

// CHECK-LABEL: @drop_a_dimension
// CHECK-NEXT:    tensor.extract_slice %t[0, %i] [1, 5] [1, 1] : tensor<1x10xf32> to tensor<5xf32>
func.func @drop_a_dimension(%t: tensor<1x10xf32>, %f: f32, %i: index) -> tensor<1x10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %2 = tensor.insert_slice %1 into %t[0, %i] [1, 5] [1, 1] : tensor<5xf32> into tensor<1x10xf32>
  return %2 : tensor<1x10xf32>
}

// CHECK-LABEL: @through_casts
// CHECK-NEXT:    %[[S:.*]] = tensor.extract_slice %t[%n] [5] [1]
// CHECK-NEXT:    %[[C:.*]] = tensor.cast %[[S]] : tensor<5xf32> to tensor<?xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%[[C]] : tensor<?xf32>)
func.func @through_casts(%t: tensor<10xf32>, %f: f32, %n: index) -> tensor<10xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<5xf32>
  %3 = tensor.insert_slice %2 into %t[%n] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// All uses in between are replaced.

// CHECK-LABEL: @in_both_branches
// CHECK:         %[[A:.*]] = tensor.extract_slice %t[0] [5] [1]
// CHECK:         %[[B:.*]] = tensor.extract_slice %t[0] [5] [1]
// CHECK-NOT:     tensor.empty
// CHECK:         scf.if
// CHECK:           linalg.fill ins(%f : f32) outs(%{{[0-9]+}} : tensor<5xf32>)
// CHECK:           scf.yield
// CHECK:           scf.yield %{{[0-9]+}} : tensor<5xf32>
func.func @in_both_branches(%t: tensor<10xf32>, %f: f32, %c: i1) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = scf.if %c -> (tensor<5xf32>) {
    %2 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %2 : tensor<5xf32>
  } else {
    scf.yield %0 : tensor<5xf32>
  }
  %3 = tensor.insert_slice %1 into %t[0] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// CHECK-LABEL: @loop
// CHECK:         %[[S:.*]] = tensor.extract_slice %t[0] [5] [1]
// CHECK-NEXT:    scf.for {{.*}} iter_args(%a = %[[S]])
func.func @loop(%t: tensor<10xf32>, %f: f32, %n: index, %one: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = scf.for %i = %one to %n step %one iter_args(%a = %0) -> (tensor<5xf32>) {
    %2 = tensor.insert %f into %a[%i] : tensor<5xf32>
    scf.yield %2 : tensor<5xf32>
  }
  %3 = tensor.insert_slice %1 into %t[0] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// The empty tensor is outside of the loop, the destination inside.

// CHECK-LABEL: @destination_in_a_loop
// CHECK:         scf.for
// CHECK-NEXT:      tensor.extract_slice %a[%i] [5] [1]
// CHECK-NEXT:      linalg.fill
func.func @destination_in_a_loop(%t: tensor<10xf32>, %f: f32, %n: index, %one: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = scf.for %i = %one to %n step %one iter_args(%a = %t) -> (tensor<10xf32>) {
    %2 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
    %3 = tensor.insert_slice %2 into %a[%i] [5] [1] : tensor<5xf32> into tensor<10xf32>
    scf.yield %3 : tensor<10xf32>
  }
  return %1 : tensor<10xf32>
}

// A block is put together in its place, and so are its parts.

// CHECK-LABEL: @nested
// CHECK-NEXT:    %[[BLOCK:.*]] = tensor.extract_slice %t[%i] [5] [1]
// CHECK-NEXT:    %[[PART:.*]] = tensor.extract_slice %[[BLOCK]][0] [2] [1]
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%f : f32) outs(%[[PART]] : tensor<2xf32>)
// CHECK-NEXT:    %[[B:.*]] = tensor.insert_slice %[[F]] into %[[BLOCK]][0] [2] [1]
// CHECK-NEXT:    tensor.insert_slice %[[B]] into %t[%i] [5] [1]
func.func @nested(%t: tensor<10xf32>, %f: f32, %i: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = tensor.empty() : tensor<2xf32>
  %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<2xf32>) -> tensor<2xf32>
  %3 = tensor.insert_slice %2 into %0[0] [2] [1] : tensor<2xf32> into tensor<5xf32>
  %4 = tensor.insert_slice %3 into %t[%i] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %4 : tensor<10xf32>
}

// What is computed has more dimensions: the part is expanded.

// CHECK-LABEL: @collapsed
// CHECK-NEXT:    %[[S:.*]] = tensor.extract_slice %t[%i, 0] [6, 4] [1, 1]
// CHECK-NEXT:    %[[E:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 4]
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%[[E]] : tensor<2x3x4xf32>)
// CHECK-NEXT:    tensor.collapse_shape
// CHECK-NEXT:    tensor.insert_slice
func.func @collapsed(%t: tensor<10x4xf32>, %f: f32, %i: index) -> tensor<10x4xf32> {
  %0 = tensor.empty() : tensor<2x3x4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %3 = tensor.insert_slice %2 into %t[%i, 0] [6, 4] [1, 1] : tensor<6x4xf32> into tensor<10x4xf32>
  return %3 : tensor<10x4xf32>
}
