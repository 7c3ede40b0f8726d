// RUN: xdsl-opt -t mlir-22 -p expand-strided-metadata %s | filecheck %s

// What is static takes part in the arithmetic.
// CHECK-LABEL: func.func @subview
// CHECK-NEXT: %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %m
// CHECK-NEXT: %[[OFFSET:.*]] = affine.apply affine_map<()[s0] -> (s0 * 8 + 1)>()[%i]
// CHECK-NEXT: %v = memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%n, 4], strides: [16, 2]
// CHECK-NEXT: func.return %v
func.func @subview(%m: memref<8x8xf32>, %i: index, %n: index) -> memref<?x4xf32, strided<[16, 2], offset: ?>> {
  %v = memref.subview %m[%i, 1] [%n, 4] [2, 2]
    : memref<8x8xf32> to memref<?x4xf32, strided<[16, 2], offset: ?>>
  func.return %v : memref<?x4xf32, strided<[16, 2], offset: ?>>
}

// CHECK-LABEL: func.func @dynamic_layout
// CHECK-NEXT: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}, %{{.*}}, %[[S0:.*]], %[[S1:.*]] = memref.extract_strided_metadata %m
// CHECK-NEXT: %[[STRIDE:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%i, %[[S1]]]
// CHECK-NEXT: %[[MOVED:.*]] = affine.apply affine_map<()[s0, s1, s2, s3] -> (s0 + s1 * s2 + s3 * 2)>()[%[[OFFSET]], %i, %[[S0]], %[[S1]]]
// CHECK-NEXT: memref.reinterpret_cast %[[BASE]] to offset: [%[[MOVED]]], sizes: [%n], strides: [%[[STRIDE]]]
func.func @dynamic_layout(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %i: index, %n: index)
    -> memref<?xf32, strided<[?], offset: ?>> {
  %v = memref.subview %m[%i, 2] [1, %n] [1, %i]
    : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  func.return %v : memref<?xf32, strided<[?], offset: ?>>
}

// A chain of views is one view of the base, and its arithmetic one op.
// CHECK-LABEL: func.func @chain
// CHECK: %[[OFFSET:.*]] = affine.apply affine_map<()[s0, s1] -> (s1 * 8 + 2 + s0 * 8 + 1)>()[%j, %i]
// CHECK-NEXT: memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [2, 2], strides: [8, 1]
// CHECK-NEXT: func.return
func.func @chain(%m: memref<8x8xf32>, %i: index, %j: index) -> memref<2x2xf32, strided<[8, 1], offset: ?>> {
  %v = memref.subview %m[%i, 2] [4, 4] [1, 1]
    : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
  %w = memref.subview %v[%j, 1] [2, 2] [1, 1]
    : memref<4x4xf32, strided<[8, 1], offset: ?>> to memref<2x2xf32, strided<[8, 1], offset: ?>>
  func.return %w : memref<2x2xf32, strided<[8, 1], offset: ?>>
}

// CHECK-LABEL: func.func @expand
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%n, 4, 2, 4], strides: [32, 8, 4, 1]
func.func @expand(%m: memref<?x8xf32>, %n: index) -> memref<?x4x2x4xf32> {
  %v = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [%n, 4, 2, 4]
    : memref<?x8xf32> into memref<?x4x2x4xf32>
  func.return %v : memref<?x4x2x4xf32>
}

// CHECK-LABEL: func.func @collapse
// CHECK-NEXT: %[[BASE:.*]], %[[OFFSET:.*]], %[[SIZE:.*]], %{{.*}}, %{{.*}}, %[[STRIDE:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata
// CHECK-NEXT: memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[SIZE]], 32], strides: [%[[STRIDE]], 1]
func.func @collapse(%m: memref<?x4x8xf32, strided<[?, 8, 1], offset: ?>>)
    -> memref<?x32xf32, strided<[?, 1], offset: ?>> {
  %v = memref.collapse_shape %m [[0], [1, 2]]
    : memref<?x4x8xf32, strided<[?, 8, 1], offset: ?>> into memref<?x32xf32, strided<[?, 1], offset: ?>>
  func.return %v : memref<?x32xf32, strided<[?, 1], offset: ?>>
}
