// RUN: xdsl-opt %s | filecheck %s

// The dialect `shape` of this project: other formats, types and attributes than MLIR's.

func.func @shapes(%t: tensor<?x4xf32>, %m: memref<4xf32, 2 : i64>) -> index {
  %0 = shape.const_shape [2, 4] is !shape.extents<2>
  %1 = shape.const_shape [2, 4] stored <array<i64: 1, 0>> {pad = 1.28715802e+09 : f32} is !shape.extents<2>
  %2 = shape.shape_of %t as !shape.extents<2> : tensor<?x4xf32>
  %3 = shape.shape_of %m as !shape.extents<1> : memref<4xf32, 2 : i64>
  %4 = shape.extent 1 of %2 : !shape.extents<2>
  "test.op"() {layout = #shape.layout<array<i64: 0>>} : () -> ()
  return %4 : index
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @shapes(%t: tensor<?x4xf32>, %m: memref<4xf32, 2 : i64>) -> index {
// CHECK-NEXT:     %0 = shape.const_shape [2, 4] is !shape.extents<2>
// CHECK-NEXT:     %1 = shape.const_shape [2, 4] stored <array<i64: 1, 0>> {pad = 1.28715802e+09 : f32} is !shape.extents<2>
// CHECK-NEXT:     %2 = shape.shape_of %t as !shape.extents<2> : tensor<?x4xf32>
// CHECK-NEXT:     %3 = shape.shape_of %m as !shape.extents<1> : memref<4xf32, 2 : i64>
// CHECK-NEXT:     %4 = shape.extent 1 of %2 : !shape.extents<2>
// CHECK-NEXT:     "test.op"() {layout = #shape.layout<array<i64: 0>>} : () -> ()
// CHECK-NEXT:     func.return %4 : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
