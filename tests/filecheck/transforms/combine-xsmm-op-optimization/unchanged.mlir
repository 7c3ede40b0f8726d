// RUN: xdsl-opt -t mlir-22 -p combine-xsmm-op-optimization %s --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p combine-xsmm-op-optimization %s --allow-unregistered-dialect | filecheck %s --check-prefix FUSED

// FUSED-NOT: fused_brgemm

// The caller may pass the product as the bias, which would then be overwritten.
// CHECK-LABEL: func.func @bias_may_be_the_product
// CHECK: xsmm.brgemm(
// CHECK: xsmm.binary add(
func.func @bias_may_be_the_product(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>, %d: memref<8x4xf32>) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %1 = xsmm.binary.dispatch add [8, 4, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.binary add(data_type = f32, %1, %d, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @bias_is_the_product
// CHECK: xsmm.brgemm(
// CHECK: xsmm.binary add(
func.func @bias_is_the_product(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>) {
  %n = arith.constant 2 : i64
  %c = memref.alloc() : memref<8x4xf32>
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %1 = xsmm.binary.dispatch add [8, 4, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.binary add(data_type = f32, %1, %c, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @difference_of_the_product
// CHECK: xsmm.brgemm(
// CHECK: xsmm.binary sub(
func.func @difference_of_the_product(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>, %x: f32) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %1 = xsmm.binary.dispatch sub [8, 4, 4, 1, 4] flags = (bcast_scalar_in1) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.binary sub(data_type = f32, %1, %c, %x, %c) : (i64, memref<8x4xf32>, f32, memref<8x4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @another_output
// CHECK: xsmm.brgemm(
// CHECK: xsmm.unary relu(
func.func @another_output(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>, %d: memref<8x4xf32>) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.unary relu(data_type = f32, %2, %c, %d) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @product_is_read_in_between
// CHECK: xsmm.brgemm(
// CHECK: xsmm.unary relu(
func.func @product_is_read_in_between(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>) -> (memref<8x4xf32>, f32) {
  %n = arith.constant 2 : i64
  %i = arith.constant 0 : index
  %c = memref.alloc() : memref<8x4xf32>
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  %x = memref.load %c[%i, %i] : memref<8x4xf32>
  xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return %c, %x : memref<8x4xf32>, f32
}

// CHECK-LABEL: func.func @factor_is_written_in_between
// CHECK: xsmm.brgemm(
// CHECK: xsmm.unary relu(
func.func @factor_is_written_in_between(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %x: f32) -> memref<8x4xf32> {
  %n = arith.constant 2 : i64
  %i = arith.constant 0 : index
  %c = memref.alloc() : memref<8x4xf32>
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  memref.store %x, %b[%i, %i, %i] : memref<2x16x4xf32>
  xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return %c : memref<8x4xf32>
}

// The fused call would come after the end of its factor.
// CHECK-LABEL: func.func @factor_is_freed_in_between
// CHECK: xsmm.brgemm(
// CHECK: xsmm.unary relu(
func.func @factor_is_freed_in_between(%b: memref<2x16x4xf32>) -> memref<8x4xf32> {
  %n = arith.constant 2 : i64
  %a = memref.alloc() : memref<2x8x16xf32>
  %c = memref.alloc() : memref<8x4xf32>
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  memref.dealloc %a : memref<2x8x16xf32>
  xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return %c : memref<8x4xf32>
}

// CHECK-LABEL: func.func @unknown_op_in_between
// CHECK: xsmm.brgemm(
// CHECK: xsmm.unary relu(
func.func @unknown_op_in_between(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  "test.op"() : () -> ()
  xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @another_block
// CHECK: xsmm.brgemm(
// CHECK: xsmm.unary relu(
func.func @another_block(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>, %p: i1) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  scf.if %p {
    xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  }
  return
}
