// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

// CHECK: memref.global "private" constant @constant : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
memref.global "private" constant @constant : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global @splat : memref<2x3xi32> = dense<7>
memref.global @splat : memref<2x3xi32> = dense<7>
// CHECK-NEXT: memref.global @elsewhere : memref<2x3xf32>{{$}}
memref.global @elsewhere : memref<2x3xf32>
// CHECK-NEXT: memref.global "nested" @undefined : memref<f32, 1 : i64> = uninitialized
memref.global "nested" @undefined : memref<f32, 1> = uninitialized

// CHECK-LABEL: func.func @views
func.func @views(%m: memref<4x?xf32>, %s: memref<2xf32>, %u: memref<*xf32>, %n: index) {
  // CHECK-NEXT: memref.get_global @constant : memref<2xf32>
  %0 = memref.get_global @constant : memref<2xf32>
  // CHECK-NEXT: memref.cast %s : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.cast %s : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
  // CHECK-NEXT: memref.cast %s {hint} : memref<2xf32> to memref<*xf32>
  %2 = memref.cast %s {hint} : memref<2xf32> to memref<*xf32>
  // CHECK-NEXT: memref.memory_space_cast %s : memref<2xf32> to memref<2xf32, 1 : i64>
  %3 = memref.memory_space_cast %s : memref<2xf32> to memref<2xf32, 1>
  // CHECK-NEXT: memref.subview %m[0, %n] [2, %n] [1, 1] : memref<4x?xf32> to memref<2x?xf32, strided<[?, 1], offset: ?>>
  %4 = memref.subview %m[0, %n] [2, %n] [1, 1] : memref<4x?xf32> to memref<2x?xf32, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: memref.subview %m[1, 2] [1, 3] [1, 1] : memref<4x?xf32> to memref<3xf32, strided<[1], offset: ?>>
  %5 = memref.subview %m[1, 2] [1, 3] [1, 1] : memref<4x?xf32> to memref<3xf32, strided<[1], offset: ?>>
  // CHECK-NEXT: memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  // CHECK-NEXT: memref.reinterpret_cast %base to offset: [%offset], sizes: [4, %n], strides: [%n, 1] : memref<f32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %6 = memref.reinterpret_cast %base to offset: [%offset], sizes: [4, %n], strides: [%n, 1] : memref<f32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
  %7 = memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
  // CHECK-NEXT: memref.rank %u : memref<*xf32>
  %8 = memref.rank %u : memref<*xf32>
  return
}

// CHECK-LABEL: func.func @copies
func.func @copies(%s: memref<2xf32>, %d: memref<?xf32, strided<[?], offset: ?>>, %u: memref<*xf32>) {
  // CHECK-NEXT: memref.copy %s, %d : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.copy %s, %d : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
  // CHECK-NEXT: memref.copy %u, %u {hint} : memref<*xf32> to memref<*xf32>
  memref.copy %u, %u {hint} : memref<*xf32> to memref<*xf32>
  return
}
