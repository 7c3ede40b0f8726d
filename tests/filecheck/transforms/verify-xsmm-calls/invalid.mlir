// RUN: xbuf opt -p verify-xsmm-calls --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: the handle does not come from a dispatch, so that nothing is known of the kernel; dispatch it in the same function
func.func @handle(%h: i64, %c: memref<8x4xf32>) {
  xsmm.unary relu(data_type = f32, %h, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

// CHECK: the strides of 'memref<8x4xf32, strided<[?, 1]>>' are dynamic, so that they may not be those of the dispatch; cast it to a type with static strides
func.func @strides(%c: memref<8x4xf32, strided<[?, 1]>>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.unary relu(data_type = f32, %0, %c, %c) : (i64, memref<8x4xf32, strided<[?, 1]>>, memref<8x4xf32, strided<[?, 1]>>) -> ()
  return
}

// -----

// CHECK: the batch is 3, but A and B have 2 matrices
func.func @batch(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>) {
  %n = arith.constant 3 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  return
}

// -----

// CHECK: the batch is not a constant, but A and B have 2 matrices
func.func @dynamic_batch(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>, %n: i64) {
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  return
}
