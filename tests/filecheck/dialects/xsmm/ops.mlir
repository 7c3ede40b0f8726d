// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%in: memref<32x32xf32, strided<[128, 1], offset: ?>>, %out: memref<32x32xf32, strided<[32, 1], offset: ?>>, %row: memref<32xf32>, %column: memref<32x1xf32>, %f: f32) {
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch identity [32, 32, 128, 32] flags = (none) data_type = f32
  %0 = xsmm.unary.dispatch identity [32, 32, 128, 32] flags = (none) data_type = f32
  // CHECK-NEXT: xsmm.unary identity(data_type = f32, %{{.*}}, %in, %out) : (i64, memref<32x32xf32, strided<[128, 1], offset: ?>>, memref<32x32xf32, strided<[32, 1], offset: ?>>) -> ()
  xsmm.unary identity(data_type = f32, %0, %in, %out) : (i64, memref<32x32xf32, strided<[128, 1], offset: ?>>, memref<32x32xf32, strided<[32, 1], offset: ?>>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch zero [32, 32, 1, 32] flags = (bcast_scalar) data_type = f32
  %1 = xsmm.unary.dispatch zero [32, 32, 1, 32] flags = (bcast_scalar) data_type = f32
  // CHECK-NEXT: xsmm.unary zero(data_type = f32, %{{.*}}, %f, %out) : (i64, f32, memref<32x32xf32, strided<[32, 1], offset: ?>>) -> ()
  xsmm.unary zero(data_type = f32, %1, %f, %out) : (i64, f32, memref<32x32xf32, strided<[32, 1], offset: ?>>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch relu [32, 32, 32, 32] flags = (none) data_type = f32
  %2 = xsmm.unary.dispatch relu [32, 32, 32, 32] flags = (none) data_type = f32
  // CHECK-NEXT: xsmm.unary relu(data_type = f32, %{{.*}}, %out, %out) {hint} :
  xsmm.unary relu(data_type = f32, %2, %out, %out) {hint} : (i64, memref<32x32xf32, strided<[32, 1], offset: ?>>, memref<32x32xf32, strided<[32, 1], offset: ?>>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch identity [32, 32, 32, 32] flags = (bcast_col) data_type = f32
  %3 = xsmm.unary.dispatch identity [32, 32, 32, 32] flags = (bcast_col) data_type = f32
  // CHECK-NEXT: xsmm.unary identity(data_type = f32, %{{.*}}, %row, %out) :
  xsmm.unary identity(data_type = f32, %3, %row, %out) : (i64, memref<32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch exp [32, 32, 1, 32] flags = (bcast_row) data_type = f32 {hint}
  %4 = xsmm.unary.dispatch exp [32, 32, 1, 32] flags = (bcast_row) data_type = f32 {hint}
  // CHECK-NEXT: xsmm.unary exp(data_type = f32, %{{.*}}, %column, %out) :
  xsmm.unary exp(data_type = f32, %4, %column, %out) : (i64, memref<32x1xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch tanh [8, 4, 4, 4] flags = (none) data_type = f32
  %5 = xsmm.unary.dispatch tanh [8, 4, 4, 4] flags = (none) data_type = f32
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch gelu [8, 4, 4, 4] flags = (none) data_type = bf16
  %6 = xsmm.unary.dispatch gelu [8, 4, 4, 4] flags = (none) data_type = bf16
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch sigmoid [8, 4, 4, 4] flags = (none) data_type = f32
  %7 = xsmm.unary.dispatch sigmoid [8, 4, 4, 4] flags = (none) data_type = f32
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch none [8, 4, 4, 4] flags = (none) data_type = f32
  %8 = xsmm.unary.dispatch none [8, 4, 4, 4] flags = (none) data_type = f32
  return
}

// CHECK-LABEL: func.func @moves
func.func @moves(%in: memref<8x4xf32>, %out: memref<4x8xf32>, %b: memref<8x4xbf16>, %pairs: memref<4x4x2xbf16>) {
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch transpose [8, 4, 4, 8] flags = (none) data_type = f32
  %0 = xsmm.unary.dispatch transpose [8, 4, 4, 8] flags = (none) data_type = f32
  // CHECK-NEXT: xsmm.unary transpose(data_type = f32, %{{.*}}, %in, %out) : (i64, memref<8x4xf32>, memref<4x8xf32>) -> ()
  xsmm.unary transpose(data_type = f32, %0, %in, %out) : (i64, memref<8x4xf32>, memref<4x8xf32>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.unary.dispatch vnni_2 [8, 4, 4, 4] flags = (none) data_type = bf16
  %1 = xsmm.unary.dispatch vnni_2 [8, 4, 4, 4] flags = (none) data_type = bf16
  // CHECK-NEXT: xsmm.unary vnni_2(data_type = bf16, %{{.*}}, %b, %pairs) : (i64, memref<8x4xbf16>, memref<4x4x2xbf16>) -> ()
  xsmm.unary vnni_2(data_type = bf16, %1, %b, %pairs) : (i64, memref<8x4xbf16>, memref<4x4x2xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%lhs: memref<8x4xf32>, %rhs: memref<8x4xf32, strided<[16, 1]>>, %row: memref<4xf32>, %f: f32, %handle: i64) {
  // CHECK-NEXT: %{{.*}} = xsmm.binary.dispatch add [8, 4, 4, 16, 4] flags = (none) data_type = f32
  %0 = xsmm.binary.dispatch add [8, 4, 4, 16, 4] flags = (none) data_type = f32
  // CHECK-NEXT: xsmm.binary add(data_type = f32, %{{.*}}, %lhs, %rhs, %lhs) : (i64, memref<8x4xf32>, memref<8x4xf32, strided<[16, 1]>>, memref<8x4xf32>) -> ()
  xsmm.binary add(data_type = f32, %0, %lhs, %rhs, %lhs) : (i64, memref<8x4xf32>, memref<8x4xf32, strided<[16, 1]>>, memref<8x4xf32>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.binary.dispatch mul [8, 4, 4, 1, 4] flags = (bcast_col_in0, bcast_scalar_in1) data_type = f32
  %1 = xsmm.binary.dispatch mul [8, 4, 4, 1, 4] flags = (bcast_col_in0, bcast_scalar_in1) data_type = f32
  // CHECK-NEXT: xsmm.binary mul(data_type = f32, %{{.*}}, %row, %f, %lhs) :
  xsmm.binary mul(data_type = f32, %1, %row, %f, %lhs) : (i64, memref<4xf32>, f32, memref<8x4xf32>) -> ()
  // CHECK-NEXT: xsmm.binary sub(data_type = f32, %handle, %lhs, %rhs, %lhs) :
  xsmm.binary sub(data_type = f32, %handle, %lhs, %rhs, %lhs) : (i64, memref<8x4xf32>, memref<8x4xf32, strided<[16, 1]>>, memref<8x4xf32>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.binary.dispatch div [8, 4, 1, 4, 4] flags = (bcast_row_in0) data_type = f32
  %2 = xsmm.binary.dispatch div [8, 4, 1, 4, 4] flags = (bcast_row_in0) data_type = f32
  // CHECK-NEXT: %{{.*}} = xsmm.binary.dispatch none [8, 4, 4, 4, 4] flags = (none) data_type = bf16
  %3 = xsmm.binary.dispatch none [8, 4, 4, 4, 4] flags = (none) data_type = bf16
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%a: memref<8x16xf32>, %b: memref<16x4xf32>, %c: memref<8x4xf32>, %as: memref<2x8x16xf32>, %bs: memref<2x16x4xf32>, %row: memref<4xf32>, %batch: i64) {
  // CHECK-NEXT: %{{.*}} = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
  // CHECK-NEXT: xsmm.gemm(data_type = f32, %{{.*}}, %a, %b, %c) : (i64, memref<8x16xf32>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  xsmm.gemm(data_type = f32, %0, %a, %b, %c) : (i64, memref<8x16xf32>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (beta_0) data_type = f32
  %1 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (beta_0) data_type = f32
  // CHECK-NEXT: xsmm.brgemm(data_type = f32, %{{.*}}, %as, %bs, %c, %batch) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  xsmm.brgemm(data_type = f32, %1, %as, %bs, %c, %batch) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.fused_brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] [add, relu] flags = (beta_0) binary_flags = (bcast_col_in0) unary_flags = (none) data_type = f32
  %2 = xsmm.fused_brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] [add, relu] flags = (beta_0) binary_flags = (bcast_col_in0) unary_flags = (none) data_type = f32
  // CHECK-NEXT: xsmm.fused_brgemm(data_type = f32, %{{.*}}, %as, %bs, %c, %row, %batch) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, memref<4xf32>, i64) -> ()
  xsmm.fused_brgemm(data_type = f32, %2, %as, %bs, %c, %row, %batch) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, memref<4xf32>, i64) -> ()
  return
}

// CHECK-LABEL: func.func @vnni
func.func @vnni(%a: memref<2x8x16xbf16>, %b: memref<2x8x4x2xbf16>, %c: memref<8x4xbf16>, %batch: i64) {
  // CHECK-NEXT: %{{.*}} = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (beta_0, vnni_b) data_type = bf16
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (beta_0, vnni_b) data_type = bf16
  // CHECK-NEXT: xsmm.brgemm(data_type = bf16, %{{.*}}, %a, %b, %c, %batch) :
  xsmm.brgemm(data_type = bf16, %0, %a, %b, %c, %batch) : (i64, memref<2x8x16xbf16>, memref<2x8x4x2xbf16>, memref<8x4xbf16>, i64) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (vnni_a, vnni_b, vnni_c) data_type = bf16
  %1 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (vnni_a, vnni_b, vnni_c) data_type = bf16
  return
}

// CHECK-LABEL: func.func @window
func.func @window(%a: memref<6x9x16xf32>, %b: memref<3x3x16x32xf32>, %c: memref<4x7x32xf32>, %row: memref<32xf32>) {
  // CHECK-NEXT: %{{.*}} = xsmm.window.dispatch product [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 1536, 48, 1, 32] flags = (beta_0, bias, relu) data_type = f32
  %0 = xsmm.window.dispatch product [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 1536, 48, 1, 32] flags = (beta_0, bias, relu) data_type = f32
  // CHECK-NEXT: xsmm.window product(data_type = f32, %{{.*}}, %a, %b, %c, %row, %c) : (i64, memref<6x9x16xf32>, memref<3x3x16x32xf32>, memref<4x7x32xf32>, memref<32xf32>, memref<4x7x32xf32>) -> ()
  xsmm.window product(data_type = f32, %0, %a, %b, %c, %row, %c) : (i64, memref<6x9x16xf32>, memref<3x3x16x32xf32>, memref<4x7x32xf32>, memref<32xf32>, memref<4x7x32xf32>) -> ()
  // CHECK-NEXT: %{{.*}} = xsmm.window.dispatch product [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 1536, 48, 1, 32, 0, 0, 0, 0, 2, 144, 720] flags = (beta_0) data_type = f32
  %1 = xsmm.window.dispatch product [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 1536, 48, 1, 32, 0, 0, 0, 0, 2, 144, 720] flags = (beta_0) data_type = f32
  return
}
