// RUN: xdsl-opt -t mlir-22 -p expand-strided-metadata %s | filecheck %s

// What the type says is a constant.
// CHECK-LABEL: func.func @of_type
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[B:.*]], %{{.*}}, %[[S:.*]], %{{.*}}, %[[T:.*]], %{{.*}} = memref.extract_strided_metadata %m
// CHECK-NEXT: func.return %[[B]], %[[C3]], %[[S]], %[[C8]], %[[T]], %[[C1]]
func.func @of_type(%m: memref<?x8xf32, strided<[?, 1], offset: 3>>)
    -> (memref<f32>, index, index, index, index, index) {
  %b, %o, %s0, %s1, %t0, %t1 = memref.extract_strided_metadata %m
    : memref<?x8xf32, strided<[?, 1], offset: 3>> -> memref<f32>, index, index, index, index, index
  func.return %b, %o, %s0, %s1, %t0, %t1 : memref<f32>, index, index, index, index, index
}

// Those of a view come from its source.
// CHECK-LABEL: func.func @of_view
// CHECK-NEXT: %[[B:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %m
// CHECK-NEXT: %[[O:.*]] = affine.apply affine_map<()[s0] -> (s0 * 8 + 1)>()[%i]
// CHECK-NEXT: %[[T:.*]] = arith.constant 16 : index
// CHECK-NEXT: func.return %[[B]], %[[O]], %[[T]]
func.func @of_view(%m: memref<8x8xf32>, %i: index) -> (memref<f32>, index, index) {
  %v = memref.subview %m[%i, 1] [4, 4] [2, 2]
    : memref<8x8xf32> to memref<4x4xf32, strided<[16, 2], offset: ?>>
  %c = memref.cast %v : memref<4x4xf32, strided<[16, 2], offset: ?>>
    to memref<4x4xf32, strided<[?, ?], offset: ?>>
  %b, %o, %s0, %s1, %t0, %t1 = memref.extract_strided_metadata %c
    : memref<4x4xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  func.return %b, %o, %t0 : memref<f32>, index, index
}

// CHECK-LABEL: func.func @of_allocation
// CHECK-NEXT: %v = memref.alloc(%n)
// CHECK-NEXT: %[[B:.*]] = memref.reinterpret_cast %v to offset: [0], sizes: [], strides: []
// CHECK-NEXT: %[[T:.*]] = arith.constant 4 : index
// CHECK-NEXT: func.return %[[B]], %n, %[[T]]
func.func @of_allocation(%n: index) -> (memref<f32>, index, index) {
  %v = memref.alloc(%n) : memref<?x4xf32>
  %b, %o, %s0, %s1, %t0, %t1 = memref.extract_strided_metadata %v
    : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  func.return %b, %s0, %t0 : memref<f32>, index, index
}

// CHECK-LABEL: func.func @of_reinterpret_cast
// CHECK-NEXT: %[[B:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %m
// CHECK-NEXT: func.return %[[B]], %i, %i
func.func @of_reinterpret_cast(%m: memref<8x8xf32>, %i: index) -> (memref<f32>, index, index) {
  %v = memref.reinterpret_cast %m to offset: [%i], sizes: [4], strides: [%i]
    : memref<8x8xf32> to memref<4xf32, strided<[?], offset: ?>>
  %b, %o, %s, %t = memref.extract_strided_metadata %v
    : memref<4xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  func.return %b, %o, %t : memref<f32>, index, index
}

// CHECK-LABEL: func.func @pointer
// CHECK-NEXT: memref.extract_aligned_pointer_as_index %m : memref<8x8xf32>
// CHECK-NEXT: func.return
func.func @pointer(%m: memref<8x8xf32>, %i: index) -> index {
  %v = memref.subview %m[%i, 1] [4, 4] [2, 2]
    : memref<8x8xf32> to memref<4x4xf32, strided<[16, 2], offset: ?>>
  %p = memref.extract_aligned_pointer_as_index %v
    : memref<4x4xf32, strided<[16, 2], offset: ?>> -> index
  func.return %p : index
}

// An access is no view.
// CHECK-LABEL: func.func @access
// CHECK-NEXT: memref.load %m[%i]
func.func @access(%m: memref<8xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<8xf32>
  func.return %x : f32
}
