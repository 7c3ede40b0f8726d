// RUN: xdsl-opt -t mlir-22 -p fold-xsmm-flags %s | filecheck %s

// CHECK-LABEL: func.func @brgemm
// CHECK-NOT: xsmm.unary zero
// CHECK: %[[BRGEMM:.*]] = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (beta_0) data_type = f32
// CHECK-NEXT: xsmm.brgemm(data_type = f32, %[[BRGEMM]], %a, %b, %c, %n)
// CHECK-NEXT: return
func.func @brgemm(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>) -> memref<8x4xf32> {
  %n = arith.constant 2 : i64
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x4xf32>
  %z = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %z, %zero, %c) : (i64, f32, memref<8x4xf32>) -> ()
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  return %c : memref<8x4xf32>
}

// Other flags stay, and so does a dispatch that something else needs.
// CHECK-LABEL: func.func @gemm
// CHECK: xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (vnni_b) data_type = bf16
// CHECK-NOT: xsmm.unary zero
// CHECK: %[[GEMM:.*]] = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (beta_0, vnni_b) data_type = bf16
// CHECK-NEXT: xsmm.gemm(data_type = bf16, %[[GEMM]], %a, %b, %c)
// CHECK-NEXT: xsmm.gemm(
func.func @gemm(%a: memref<8x16xbf16>, %b: memref<8x4x2xbf16>) -> memref<8x4xbf16> {
  %zero = arith.constant 0.0 : bf16
  %c = memref.alloc() : memref<8x4xbf16>
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (vnni_b) data_type = bf16
  %z = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = bf16
  xsmm.unary zero(data_type = bf16, %z, %zero, %c) : (i64, bf16, memref<8x4xbf16>) -> ()
  xsmm.gemm(data_type = bf16, %0, %a, %b, %c) : (i64, memref<8x16xbf16>, memref<8x4x2xbf16>, memref<8x4xbf16>) -> ()
  xsmm.gemm(data_type = bf16, %0, %a, %b, %c) : (i64, memref<8x16xbf16>, memref<8x4x2xbf16>, memref<8x4xbf16>) -> ()
  return %c : memref<8x4xbf16>
}

// CHECK-LABEL: func.func @fused_brgemm
// CHECK-NOT: xsmm.unary zero
// CHECK: xsmm.fused_brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] [add, relu] flags = (beta_0) binary_flags = (bcast_col_in0)
func.func @fused_brgemm(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %d: memref<4xf32>) -> memref<8x4xf32> {
  %n = arith.constant 2 : i64
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x4xf32>
  %z = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %z, %zero, %c) : (i64, f32, memref<8x4xf32>) -> ()
  %0 = xsmm.fused_brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] [add, relu] flags = (none) binary_flags = (bcast_col_in0) unary_flags = (none) data_type = f32
  xsmm.fused_brgemm(data_type = f32, %0, %a, %b, %c, %d, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, memref<4xf32>, i64) -> ()
  return %c : memref<8x4xf32>
}

// A buffer that is freed in between is not in the way of another.
// CHECK-LABEL: func.func @freed_in_between
// CHECK-NOT: xsmm.unary zero
// CHECK: memref.dealloc %x
// CHECK: xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (beta_0) data_type = f32
func.func @freed_in_between(%a: memref<8x16xf32>, %b: memref<16x4xf32>) -> memref<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<8x4xf32>
  %c = memref.alloc() : memref<8x4xf32>
  %z = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %z, %zero, %c) : (i64, f32, memref<8x4xf32>) -> ()
  memref.dealloc %x : memref<8x4xf32>
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
  xsmm.gemm(data_type = f32, %0, %a, %b, %c) : (i64, memref<8x16xf32>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  return %c : memref<8x4xf32>
}
