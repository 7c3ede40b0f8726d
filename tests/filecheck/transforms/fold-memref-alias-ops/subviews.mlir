// RUN: xdsl-opt -t mlir-22 -p fold-memref-alias-ops %s | filecheck %s

// CHECK-LABEL: func.func @load
// CHECK-NEXT: %[[I:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 2)>()[%i, %j]
// CHECK-NEXT: %[[J:.*]] = affine.apply affine_map<()[s0] -> (s0 * 3 + 2)>()[%i]
// CHECK-NEXT: memref.load %m[%[[I]], %[[J]]] : memref<8x8xf32>
func.func @load(%m: memref<8x8xf32>, %i: index, %j: index) -> f32 {
  %v = memref.subview %m[%i, 2] [4, 2] [2, 3]
    : memref<8x8xf32> to memref<4x2xf32, strided<[16, 3], offset: ?>>
  %x = memref.load %v[%j, %i] : memref<4x2xf32, strided<[16, 3], offset: ?>>
  func.return %x : f32
}

// CHECK-LABEL: func.func @store_into_a_row
// CHECK-NEXT: memref.store %x, %m[%i, %j] : memref<8x8xf32>
func.func @store_into_a_row(%m: memref<8x8xf32>, %i: index, %j: index, %x: f32) {
  %v = memref.subview %m[%i, 0] [1, 8] [1, 1]
    : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  memref.store %x, %v[%j] : memref<8xf32, strided<[1], offset: ?>>
  func.return
}

// CHECK-LABEL: func.func @subview_of_subview
// CHECK-NEXT: %[[I:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%i, %j]
// CHECK-NEXT: memref.subview %m[%[[I]], 3] [2, 2] [1, 1]
// CHECK-NEXT: func.return
func.func @subview_of_subview(%m: memref<8x8xf32>, %i: index, %j: index)
    -> memref<2x2xf32, strided<[8, 1], offset: ?>> {
  %v = memref.subview %m[%i, 2] [4, 4] [1, 1]
    : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
  %w = memref.subview %v[%j, 1] [2, 2] [1, 1]
    : memref<4x4xf32, strided<[8, 1], offset: ?>> to memref<2x2xf32, strided<[8, 1], offset: ?>>
  func.return %w : memref<2x2xf32, strided<[8, 1], offset: ?>>
}

// CHECK-LABEL: func.func @subview_of_a_stepping_subview
// CHECK-COUNT-2: memref.subview
func.func @subview_of_a_stepping_subview(%m: memref<8x8xf32>, %i: index)
    -> memref<2xf32, strided<[2], offset: ?>> {
  %v = memref.subview %m[%i, 0] [1, 4] [1, 2]
    : memref<8x8xf32> to memref<4xf32, strided<[2], offset: ?>>
  %w = memref.subview %v[%i] [2] [1]
    : memref<4xf32, strided<[2], offset: ?>> to memref<2xf32, strided<[2], offset: ?>>
  func.return %w : memref<2xf32, strided<[2], offset: ?>>
}

// CHECK-LABEL: func.func @vectors
// CHECK: vector.load %m[%{{.*}}, %{{.*}}] : memref<8x8xf32>, vector<4xf32>
// CHECK: vector.maskedload %m[%{{.*}}, %{{.*}}], %k, %{{.*}} : memref<8x8xf32>
// CHECK: vector.maskedstore %m[%{{.*}}, %{{.*}}], %k, %{{.*}} : memref<8x8xf32>
// CHECK: vector.store %{{.*}}, %m[%{{.*}}, %{{.*}}] : memref<8x8xf32>
func.func @vectors(%m: memref<8x8xf32>, %i: index, %j: index, %k: vector<4xi1>) {
  %v = memref.subview %m[%i, 2] [4, 4] [2, 1]
    : memref<8x8xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  %x = vector.load %v[%j, %i] : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xf32>
  %y = vector.maskedload %v[%j, %i], %k, %x
    : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %v[%j, %i], %k, %y
    : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xi1>, vector<4xf32>
  vector.store %y, %v[%i, %j] : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xf32>
  func.return
}

// CHECK-LABEL: func.func @transfer
// CHECK: vector.transfer_write %x, %m[%{{.*}}, %{{.*}}] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xf32>, memref<8x8xf32>
func.func @transfer(%m: memref<8x8xf32>, %i: index, %j: index, %x: vector<4xf32>) {
  %v = memref.subview %m[%i, 2] [4, 1] [1, 1]
    : memref<8x8xf32> to memref<4xf32, strided<[8], offset: ?>>
  vector.transfer_write %x, %v[%j] {in_bounds = [true]}
    : vector<4xf32>, memref<4xf32, strided<[8], offset: ?>>
  func.return
}

// The bounds of a view are not those of its source.
// CHECK-LABEL: func.func @transfer_out_of_bounds
// CHECK: memref.subview
// CHECK: vector.transfer_read %v
func.func @transfer_out_of_bounds(%m: memref<8x8xf32>, %i: index) -> vector<4xf32> {
  %c = arith.constant 0.0 : f32
  %v = memref.subview %m[%i, 2] [4, 4] [1, 1]
    : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
  %x = vector.transfer_read %v[%i, %i], %c : memref<4x4xf32, strided<[8, 1], offset: ?>>, vector<4xf32>
  func.return %x : vector<4xf32>
}
