// RUN: xdsl-opt -t mlir-22 -p fold-memref-alias-ops %s | filecheck %s

// CHECK-LABEL: func.func @expand
// CHECK-NEXT: %[[I:.*]] = affine.linearize_index disjoint [%j, %i] by (%k, 4) : index
// CHECK-NEXT: memref.load %m[%[[I]], %j] : memref<?x?xf32>
func.func @expand(%m: memref<?x?xf32>, %i: index, %j: index, %n: index, %k: index) -> f32 {
  %v = memref.expand_shape %m [[0, 1], [2]] output_shape [%k, 4, %n]
    : memref<?x?xf32> into memref<?x4x?xf32>
  %x = memref.load %v[%j, %i, %j] : memref<?x4x?xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @collapse
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}, %[[SIZE:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %m
// CHECK-NEXT: %[[A:.*]], %[[B:.*]] = affine.delinearize_index %i into (4, %[[SIZE]]) : index, index
// CHECK-NEXT: memref.store %x, %m[%[[A]], %[[B]], %j] : memref<4x?x?xf32>
func.func @collapse(%m: memref<4x?x?xf32>, %i: index, %j: index, %x: f32) {
  %v = memref.collapse_shape %m [[0, 1], [2]] : memref<4x?x?xf32> into memref<?x?xf32>
  memref.store %x, %v[%i, %j] : memref<?x?xf32>
  func.return
}

// CHECK-LABEL: func.func @to_a_number
// CHECK: memref.load %m[%{{.*}}, %{{.*}}] : memref<1x1xf32>
func.func @to_a_number(%m: memref<1x1xf32>) -> f32 {
  %v = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>
  %x = memref.load %v[] : memref<f32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @view_of_a_view
// CHECK-NEXT: %[[I:.*]] = affine.linearize_index disjoint [%i, %j] by (2, 2) : index
// CHECK-NEXT: %[[J:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%i, %[[I]]]
// CHECK-NEXT: memref.load %m[%[[J]]] : memref<8xf32>
func.func @view_of_a_view(%m: memref<8xf32>, %i: index, %j: index) -> f32 {
  %v = memref.subview %m[%i] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %w = memref.expand_shape %v [[0, 1]] output_shape [2, 2]
    : memref<4xf32, strided<[1], offset: ?>> into memref<2x2xf32, strided<[2, 1], offset: ?>>
  %x = memref.load %w[%i, %j] : memref<2x2xf32, strided<[2, 1], offset: ?>>
  func.return %x : f32
}

// A view that somebody else needs stays.
// CHECK-LABEL: func.func @still_used
// CHECK: memref.collapse_shape
// CHECK: memref.load %m
func.func @still_used(%m: memref<2x2xf32>, %i: index) -> (f32, memref<4xf32>) {
  %v = memref.collapse_shape %m [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %x = memref.load %v[%i] : memref<4xf32>
  func.return %x, %v : f32, memref<4xf32>
}
