// RUN: xdsl-opt -t mlir-22 -p verify-xsmm-calls %s | filecheck %s

// CHECK: xsmm.brgemm(
// CHECK: xsmm.unary relu(
func.func @f(%a: memref<2x8x16xf32, strided<[128, 16, 1], offset: ?>>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32, strided<[128, 16, 1], offset: ?>>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  %1 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.unary relu(data_type = f32, %1, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// A call may use the first matrices only.

// CHECK-LABEL: @some_matrices
// CHECK:         xsmm.brgemm(
func.func @some_matrices(%a: memref<3x8x16xf32>, %b: memref<3x16x4xf32>, %c: memref<8x4xf32>) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<3x8x16xf32>, memref<3x16x4xf32>, memref<8x4xf32>, i64) -> ()
  return
}
