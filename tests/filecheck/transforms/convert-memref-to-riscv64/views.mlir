// RUN: xdsl-opt -t mlir-22 -p convert-memref-to-riscv64 %s | filecheck %s

// The part of a part begins where the part begins, and so much further.

// CHECK-LABEL: @part_of_a_part
// CHECK:         %[[X:.*]] = builtin.unrealized_conversion_cast %x : memref<8x8xf32> to !riscv.reg
// CHECK-NEXT:    %[[FAR:.*]] = rv64.li 36 : !riscv.reg
// CHECK-NEXT:    %[[PART:.*]] = riscv.add %[[X]], %[[FAR]]
// CHECK-NEXT:    %[[VIEW:.*]] = builtin.unrealized_conversion_cast %[[PART]]
// CHECK-NEXT:    %[[BASE:.*]] = builtin.unrealized_conversion_cast %[[VIEW]]
// CHECK-NEXT:    %[[FURTHER:.*]] = rv64.li 64 : !riscv.reg
// CHECK-NEXT:    riscv.add %[[BASE]], %[[FURTHER]]
func.func @part_of_a_part(%x: memref<8x8xf32>) -> memref<2x2xf32, strided<[8, 1], offset: 25>> {
  %0 = memref.subview %x[1, 1] [6, 6] [1, 1] : memref<8x8xf32> to memref<6x6xf32, strided<[8, 1], offset: 9>>
  %1 = memref.subview %0[2, 0] [2, 2] [1, 1] : memref<6x6xf32, strided<[8, 1], offset: 9>> to memref<2x2xf32, strided<[8, 1], offset: 25>>
  return %1 : memref<2x2xf32, strided<[8, 1], offset: 25>>
}

// CHECK-LABEL: @computed_place
// CHECK:         %[[SIZE:.*]] = rv64.li 64 : !riscv.reg
// CHECK:         riscv.mul %{{.*}}, %[[SIZE]]
// CHECK:         rv64.li 24 : !riscv.reg
func.func @computed_place(%x: memref<8x8xf64>, %i: index) -> memref<2x2xf64, strided<[8, 1], offset: ?>> {
  %0 = memref.subview %x[%i, 3] [2, 2] [1, 1] : memref<8x8xf64> to memref<2x2xf64, strided<[8, 1], offset: ?>>
  return %0 : memref<2x2xf64, strided<[8, 1], offset: ?>>
}

// CHECK-LABEL: @another_shape
// CHECK-NEXT:    %[[X:.*]] = builtin.unrealized_conversion_cast %x
// CHECK-NEXT:    builtin.unrealized_conversion_cast %[[X]] : !riscv.reg to memref<16xf32>
func.func @another_shape(%x: memref<4x4xf32>) -> memref<16xf32> {
  %0 = memref.collapse_shape %x [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  return %0 : memref<16xf32>
}

// CHECK-LABEL: @base
// CHECK:         memref.dealloc %{{.*}} : memref<f32>
func.func @base(%x: memref<4xf32>) {
  %0, %1, %2, %3 = memref.extract_strided_metadata %x : memref<4xf32> -> memref<f32>, index, index, index
  memref.dealloc %0 : memref<f32>
  return
}
