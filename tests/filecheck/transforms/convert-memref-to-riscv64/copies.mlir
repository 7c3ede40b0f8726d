// RUN: xdsl-opt -t mlir-22 -p convert-memref-to-riscv64 %s | filecheck %s

// CHECK-LABEL: @all_at_once
// CHECK:         %[[TO:.*]] = builtin.unrealized_conversion_cast %y
// CHECK-NEXT:    %[[FROM:.*]] = builtin.unrealized_conversion_cast %x
// CHECK-NEXT:    %[[SIZE:.*]] = rv64.li 128 : !riscv.reg
// CHECK-NEXT:    %{{.*}}, %{{.*}}, %{{.*}} = riscv.parallel_mov %[[TO]], %[[FROM]], %[[SIZE]] [64, 64, 64]
// CHECK-NEXT:    riscv_func.call @memcpy(
func.func @all_at_once(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  memref.copy %x, %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

// CHECK-LABEL: @element_by_element
// CHECK-NEXT:    linalg.generic
// CHECK-SAME:      ["parallel", "parallel"]
// CHECK-NOT:     memref.copy
func.func @element_by_element(%x: memref<4x8xf32, strided<[16, 1]>>, %y: memref<4x8xf32>) {
  memref.copy %x, %y : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
  return
}

// CHECK: riscv_func.func private @memcpy(!riscv.reg<a0>, !riscv.reg<a1>, !riscv.reg<a2>) -> !riscv.reg<a0>
