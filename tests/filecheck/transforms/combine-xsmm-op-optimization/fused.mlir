// RUN: xdsl-opt -t mlir-22 -p combine-xsmm-op-optimization %s | filecheck %s

// CHECK-LABEL: func.func @row_and_relu
// CHECK: %[[FUSED:.*]] = xsmm.fused_brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] [add, relu] flags = (none) binary_flags = (bcast_col_in0) unary_flags = (none) data_type = f32
// CHECK-NEXT: xsmm.fused_brgemm(data_type = f32, %[[FUSED]], %a, %b, %c, %d, %n)
// CHECK-NEXT: return
func.func @row_and_relu(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %d: memref<4xf32>) -> memref<8x4xf32> {
  %n = arith.constant 2 : i64
  %c = memref.alloc() : memref<8x4xf32>
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %1 = xsmm.binary.dispatch add [8, 4, 4, 4, 4] flags = (bcast_col_in0) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.binary add(data_type = f32, %1, %d, %c, %c) : (i64, memref<4xf32>, memref<8x4xf32>, memref<8x4xf32>) -> ()
  xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return %c : memref<8x4xf32>
}

// The whole matrix comes second, where the order does not matter; its rows are at
// another distance.
// CHECK-LABEL: func.func @matrix_alone
// CHECK: xsmm.fused_brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64, 6] [mul, none] flags = (beta_0) binary_flags = (none) unary_flags = (none) data_type = f32
// CHECK-NEXT: xsmm.fused_brgemm(data_type = f32, %{{.*}}, %a, %b, %c, %d, %n)
// CHECK-NEXT: return
func.func @matrix_alone(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %d: memref<8x4xf32, strided<[6, 1]>>) -> memref<8x4xf32> {
  %n = arith.constant 2 : i64
  %c = memref.alloc() : memref<8x4xf32>
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (beta_0) data_type = f32
  %1 = xsmm.binary.dispatch mul [8, 4, 4, 6, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.binary mul(data_type = f32, %1, %c, %d, %c) : (i64, memref<8x4xf32>, memref<8x4xf32, strided<[6, 1]>>, memref<8x4xf32>) -> ()
  return %c : memref<8x4xf32>
}

// CHECK-LABEL: func.func @relu_alone
// CHECK: xsmm.fused_brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] [none, relu] flags = (none) binary_flags = (none) unary_flags = (none) data_type = f32
// CHECK-NEXT: xsmm.fused_brgemm(data_type = f32, %{{.*}}, %a, %b, %c, %c, %n)
// CHECK-NEXT: return
func.func @relu_alone(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// A difference from the product has it in the second place, as the kernel does.
// CHECK-LABEL: func.func @difference
// CHECK: [sub, none] flags = (none) binary_flags = (bcast_scalar_in0)
// CHECK-NEXT: xsmm.fused_brgemm(data_type = f32, %{{.*}}, %a, %b, %c, %x, %n)
func.func @difference(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>, %x: f32) {
  %n = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %1 = xsmm.binary.dispatch sub [8, 4, 1, 4, 4] flags = (bcast_scalar_in0) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.binary sub(data_type = f32, %1, %x, %c, %c) : (i64, f32, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

memref.global "private" constant @bias : memref<8xf32> = dense<1.0>

// Nobody writes to a constant, so that the product may be memory of the caller.
// CHECK-LABEL: func.func @constant_column
// CHECK: xsmm.fused_brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64, 1] [add, none] flags = (none) binary_flags = (bcast_row_in0)
// CHECK-NEXT: xsmm.fused_brgemm(
func.func @constant_column(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>) {
  %n = arith.constant 2 : i64
  %d = memref.get_global @bias : memref<8xf32>
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  %1 = xsmm.binary.dispatch add [8, 4, 1, 4, 4] flags = (bcast_row_in0) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.binary add(data_type = f32, %1, %d, %c, %c) : (i64, memref<8xf32>, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// Ops in between that have nothing to do with it may stay in between.
// CHECK-LABEL: func.func @other_memory_in_between
// CHECK: memref.store %x, %other
// CHECK: memref.load %a
// CHECK: xsmm.fused_brgemm(
// CHECK-NEXT: return
func.func @other_memory_in_between(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %x: f32) -> (memref<8x4xf32>, memref<8x4xf32>) {
  %n = arith.constant 2 : i64
  %i = arith.constant 0 : index
  %c = memref.alloc() : memref<8x4xf32>
  %other = memref.alloc() : memref<8x4xf32>
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  memref.store %x, %other[%i, %i] : memref<8x4xf32>
  %y = memref.load %a[%i, %i, %i] : memref<2x8x16xf32>
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return %c, %other : memref<8x4xf32>, memref<8x4xf32>
}

// CHECK-LABEL: func.func @gemm
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT: %[[A:.*]] = memref.expand_shape %a {{.*}} output_shape [1, 8, 16] : memref<8x16xf32, strided<[20, 1], offset: ?>> into memref<1x8x16xf32, strided<[160, 20, 1], offset: ?>>
// CHECK-NEXT: %[[B:.*]] = memref.expand_shape %b
// CHECK-NEXT: %[[FUSED:.*]] = xsmm.fused_brgemm.dispatch [8, 4, 16, 20, 4, 4, 160, 64] [none, relu]
// CHECK-NEXT: xsmm.fused_brgemm(data_type = f32, %[[FUSED]], %[[A]], %[[B]], %c, %c, %[[ONE]])
// CHECK-NEXT: return
func.func @gemm(%a: memref<8x16xf32, strided<[20, 1], offset: ?>>, %b: memref<16x4xf32>, %c: memref<8x4xf32>) {
  %0 = xsmm.gemm.dispatch [8, 4, 16, 20, 4, 4] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.gemm(data_type = f32, %0, %a, %b, %c) : (i64, memref<8x16xf32, strided<[20, 1], offset: ?>>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  xsmm.unary relu(data_type = f32, %2, %c, %c) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}
