// RUN: xdsl-opt %s | filecheck %s

// Programs on buffers that mlir-opt refuses: layouts that are not yet there, parts that
// are larger than the whole, operands that are too few.

func.func @subviews(%m: memref<4x4xf32>) {
  %0 = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32>
  %1 = memref.subview %m[0, 0] [8, 2] [1, 1] : memref<4x4xf32> to memref<8x2xf32, strided<[4, 1]>>
  %2 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>, 1 : i32>
  %3 = "memref.subview"(%m) <{static_offsets = array<i64: 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (memref<4x4xf32>) -> memref<2x2xf32, strided<[4, 1]>>
  return
}

func.func @casts(%m: memref<4xf32>, %n: memref<4xf32, 1 : i32>) {
  %0 = "memref.cast"(%m) : (memref<4xf32>) -> memref<8xf32>
  %1 = "memref.cast"(%n) : (memref<4xf32, 1 : i32>) -> memref<4xf32>
  %2 = "memref.memory_space_cast"(%m) : (memref<4xf32>) -> memref<4xf32>
  %3 = memref.reinterpret_cast %m to offset: [4], sizes: [2, 2], strides: [2, 1] : memref<4xf32> to memref<2x2xf32>
  return
}

func.func @shapes(%t: tensor<4x4xf32>) {
  %0 = "tensor.collapse_shape"(%t) <{reassociation = [[0 : i64], [1 : i64]]}> : (tensor<4x4xf32>) -> tensor<16xf32>
  %1 = "tensor.empty"() : () -> tensor<?xf32>
  return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @subviews(%m: memref<4x4xf32>) {
// CHECK-NEXT:     %0 = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32>
// CHECK-NEXT:     %1 = memref.subview %m[0, 0] [8, 2] [1, 1] : memref<4x4xf32> to memref<8x2xf32, strided<[4, 1]>>
// CHECK-NEXT:     %2 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>, 1 : i32>
// CHECK-NEXT:     %3 = memref.subview %m[0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @casts(%m: memref<4xf32>, %n: memref<4xf32, 1 : i32>) {
// CHECK-NEXT:     %0 = "memref.cast"(%m) : (memref<4xf32>) -> memref<8xf32>
// CHECK-NEXT:     %1 = "memref.cast"(%n) : (memref<4xf32, 1 : i32>) -> memref<4xf32>
// CHECK-NEXT:     %2 = "memref.memory_space_cast"(%m) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:     %3 = memref.reinterpret_cast %m to offset: [4], sizes: [2, 2], strides: [2, 1] : memref<4xf32> to memref<2x2xf32>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @shapes(%t: tensor<4x4xf32>) {
// CHECK-NEXT:     %0 = tensor.collapse_shape %t {{\[\[}}0 : i64], [1 : i64]] : tensor<4x4xf32> into tensor<16xf32>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<?xf32>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
