// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected 4 inputs (m, n, ldi, ldo), but got 3
  %0 = xsmm.unary.dispatch relu [8, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected input m to be positive, but got 0
  %0 = xsmm.unary.dispatch relu [0, 4, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldi = 2 is smaller than n = 4
  %0 = xsmm.unary.dispatch relu [8, 4, 2, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldo = 3 is smaller than n = 4
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 3] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldi = 1 is smaller than n = 4
  %0 = xsmm.unary.dispatch identity [8, 4, 1, 4] flags = (bcast_col) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldo = 4 is smaller than m = 8
  %0 = xsmm.unary.dispatch transpose [8, 4, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: kind transpose takes no flags, but got (bcast_row)
  %0 = xsmm.unary.dispatch transpose [8, 4, 4, 8] flags = (bcast_row) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: kind vnni_2 needs data_type bf16, but got f32
  %0 = xsmm.unary.dispatch vnni_2 [8, 4, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: kind vnni_2 needs an even number of rows, but m = 7
  %0 = xsmm.unary.dispatch vnni_2 [7, 4, 4, 4] flags = (none) data_type = bf16
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: 'none' flags conflicts with others: (none, bcast_row)
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none, bcast_row) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected flags to be unique: (bcast_row, bcast_row)
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (bcast_row, bcast_row) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: bcast_row and bcast_col both say how the input is repeated
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (bcast_row, bcast_col) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected flags, or (none)
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = () data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: Expected `none`, `identity`, `zero`, `relu`, `tanh`, `sigmoid`, `gelu`, `exp`, `vnni_2`, or `transpose`.
  %0 = xsmm.unary.dispatch softmax [8, 4, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: Expected `none`, `bcast_row`, `bcast_col`, or `bcast_scalar`.
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (beta_0) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: Expected `f32`, `f64`, or `bf16`.
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f16
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected 5 inputs (m, n, ldi_lhs, ldi_rhs, ldo), but got 4
  %0 = xsmm.binary.dispatch add [8, 4, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldi_lhs = 2 is smaller than n = 4
  %0 = xsmm.binary.dispatch add [8, 4, 2, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldi_rhs = 2 is smaller than n = 4
  %0 = xsmm.binary.dispatch add [8, 4, 4, 2, 4] flags = (bcast_scalar_in0) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldo = 2 is smaller than n = 4
  %0 = xsmm.binary.dispatch add [8, 4, 4, 4, 2] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: bcast_row_in0 and bcast_col_in0 both say how lhs is repeated
  %0 = xsmm.binary.dispatch add [8, 4, 4, 4, 4] flags = (bcast_row_in0, bcast_col_in0) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: 'none' flags conflicts with others: (none, bcast_col_in1)
  %0 = xsmm.binary.dispatch add [8, 4, 4, 4, 4] flags = (none, bcast_col_in1) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension lda = 8 is smaller than k = 16
  %0 = xsmm.gemm.dispatch [8, 4, 16, 8, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldb = 2 is smaller than n = 4
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 2, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension ldc = 2 is smaller than n = 4
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 2] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: VNNI flags (vnni_b) need data_type bf16, but got f32
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (vnni_b) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: VNNI flags (vnni_b) need an even k, but k = 15
  %0 = xsmm.gemm.dispatch [8, 4, 15, 16, 4, 4] flags = (vnni_b) data_type = bf16
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: 'none' flags conflicts with others: (beta_0, none)
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (beta_0, none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected 8 inputs (m, n, k, lda, ldb, ldc, stride_a, stride_b), but got 6
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected input stride_a to be positive, but got -1
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, -1, 64] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: invalid binary flags for kind none: expected (none), but got (bcast_col_in0)
  %0 = xsmm.fused_brgemm.dispatch [8, 4, 4, 4, 4, 4, 32, 16] [none, relu] flags = (none) binary_flags = (bcast_col_in0) unary_flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: D is in0 of the fused binary kernel; flags of in1, which is the product, are not: (bcast_col_in1)
  %0 = xsmm.fused_brgemm.dispatch [8, 4, 4, 4, 4, 4, 32, 16] [add, relu] flags = (none) binary_flags = (bcast_col_in1) unary_flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: the product that the fused unary kernel maps is not repeated: expected unary_flags (none), but got (bcast_row)
  %0 = xsmm.fused_brgemm.dispatch [8, 4, 4, 4, 4, 4, 32, 16] [add, relu] flags = (none) binary_flags = (none) unary_flags = (bcast_row) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: unary kind transpose cannot be fused
  %0 = xsmm.fused_brgemm.dispatch [8, 4, 4, 4, 4, 4, 32, 16] [add, transpose] flags = (none) binary_flags = (none) unary_flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: operand 'dispatch' at position 0 does not verify:
  xsmm.unary relu(data_type = f32, %i, %m, %m) : (index, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: Expected 3 operands, but got 2
  xsmm.unary relu(data_type = f32, %h, %m) : (i64, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected the output to be a memref, but got 'f32'
  xsmm.unary relu(data_type = f32, %h, %m, %f) : (i64, memref<8x4xf32>, f32) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected the output to have the element type of data_type f32, but got 'memref<8x4xbf16>'
  xsmm.unary relu(data_type = f32, %h, %m, %b) : (i64, memref<8x4xf32>, memref<8x4xbf16>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected the output to have a static shape, got 'memref<?x4xf32>'
  xsmm.unary relu(data_type = f32, %h, %m, %d) : (i64, memref<8x4xf32>, memref<?x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected the input to have neighbouring elements in its last dimension, but got 'memref<8x4xf32, strided<[1, 8]>>'
  xsmm.unary relu(data_type = f32, %h, %s, %m) : (i64, memref<8x4xf32, strided<[1, 8]>>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: a call of a kernel has no results
  xsmm.unary relu(data_type = f32, %h, %m, %m) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> (i64)
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  // CHECK: kind tanh is not that of the dispatch, relu
  xsmm.unary tanh(data_type = f32, %0, %m, %m) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  // CHECK: data_type bf16 is not that of the dispatch, f32
  xsmm.unary relu(data_type = bf16, %0, %b, %b) : (i64, memref<8x4xbf16>, memref<8x4xbf16>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  // CHECK: expected a handle from 'xsmm.binary.dispatch', but got one from 'xsmm.unary.dispatch'
  xsmm.binary add(data_type = f32, %0, %m, %m, %m) : (i64, memref<8x4xf32>, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  // CHECK: the dispatch expects the output to be 8 by 4, but 'memref<4x8xf32>' is 4 by 8
  xsmm.unary relu(data_type = f32, %0, %m, %n) : (i64, memref<8x4xf32>, memref<4x8xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  // CHECK: the dispatch expects the input to be 8 by 4, but 'memref<4x8xf32>' is 4 by 8
  xsmm.unary relu(data_type = f32, %0, %n, %m) : (i64, memref<4x8xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  // CHECK: the dispatch expects the input to be 8 by 4, but it is a scalar: 'f32'; only bcast_scalar repeats one
  xsmm.unary relu(data_type = f32, %0, %f, %m) : (i64, f32, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 8, 4] flags = (none) data_type = f32
  // CHECK: the dispatch expects the leading dimension of the input to be 8, but it is 4
  xsmm.unary relu(data_type = f32, %0, %m, %m) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.binary.dispatch add [8, 4, 4, 4, 8] flags = (none) data_type = f32
  // CHECK: the dispatch expects the leading dimension of the output to be 8, but it is 4
  xsmm.binary add(data_type = f32, %0, %m, %m, %m) : (i64, memref<8x4xf32>, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.binary.dispatch add [8, 4, 4, 4, 4] flags = (none) data_type = f32
  // CHECK: the dispatch expects rhs to be 8 by 4, but 'memref<4xf32>' is 1 by 4
  xsmm.binary add(data_type = f32, %0, %m, %row, %m) : (i64, memref<8x4xf32>, memref<4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: A has 4 columns, but B has 8 rows: 'memref<8x4xf32>' and 'memref<8x4xf32>'
  xsmm.gemm(data_type = f32, %h, %m, %m, %m) : (i64, memref<8x4xf32>, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected C to be 8 by 8, but got 'memref<8x4xf32>'
  xsmm.gemm(data_type = f32, %h, %m, %n, %m) : (i64, memref<8x4xf32>, memref<4x8xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected A to have rank 2, but got 'memref<2x8x4xf32>'
  xsmm.gemm(data_type = f32, %h, %as, %n, %m) : (i64, memref<2x8x4xf32>, memref<4x8xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: operand 'batch' at position 4 does not verify:
  xsmm.brgemm(data_type = f32, %h, %as, %bs, %m, %i) : (i64, memref<2x8x4xf32>, memref<2x4x4xf32>, memref<8x4xf32>, index) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.brgemm.dispatch [8, 4, 4, 4, 4, 4, 32, 8] flags = (none) data_type = f32
  // CHECK: the dispatch expects stride_b, between matrices, to be 8, but it is 16
  xsmm.brgemm(data_type = f32, %0, %as, %bs, %m, %h) : (i64, memref<2x8x4xf32>, memref<2x4x4xf32>, memref<8x4xf32>, i64) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.brgemm.dispatch [8, 4, 2, 4, 4, 4, 32, 16] flags = (none) data_type = f32
  // CHECK: the dispatch expects A to be 8 by 2, but 'memref<2x8x4xf32>' is 8 by 4
  xsmm.brgemm(data_type = f32, %0, %as, %bs, %m, %h) : (i64, memref<2x8x4xf32>, memref<2x4x4xf32>, memref<8x4xf32>, i64) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.gemm.dispatch [8, 4, 4, 4, 4, 4] flags = (none) data_type = f32
  // CHECK: expected a handle from 'xsmm.brgemm.dispatch', but got one from 'xsmm.gemm.dispatch'
  xsmm.brgemm(data_type = f32, %0, %as, %bs, %m, %h) : (i64, memref<2x8x4xf32>, memref<2x4x4xf32>, memref<8x4xf32>, i64) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.gemm.dispatch [8, 8, 4, 4, 16, 8] flags = (none) data_type = f32
  // CHECK: expected C to have neighbouring elements in its last dimension, but got 'memref<8x4xf32, strided<[1, 8]>>'
  xsmm.gemm(data_type = f32, %0, %m, %n, %s) : (i64, memref<8x4xf32>, memref<4x8xf32>, memref<8x4xf32, strided<[1, 8]>>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.fused_brgemm.dispatch [8, 4, 4, 4, 4, 4, 32, 16] [add, relu] flags = (none) binary_flags = (none) unary_flags = (none) data_type = f32
  // CHECK: the dispatch expects D to be 8 by 4, but 'memref<4xf32>' is 1 by 4
  xsmm.fused_brgemm(data_type = f32, %0, %as, %bs, %m, %row, %h) : (i64, memref<2x8x4xf32>, memref<2x4x4xf32>, memref<8x4xf32>, memref<4xf32>, i64) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (vnni_b) data_type = bf16
  // CHECK: the dispatch expects A to be 8 by 16, but 'memref<8x4xbf16>' is 8 by 4
  xsmm.gemm(data_type = bf16, %0, %b, %b, %b) : (i64, memref<8x4xbf16>, memref<8x4xbf16>, memref<8x4xbf16>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected input count_3 to be positive, but got 0
  %0 = xsmm.window.dispatch add [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 0, 0, 1, 0] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: kind max reads C: there is no beta_0
  %0 = xsmm.window.dispatch max [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 0, 1, 1, 0] flags = (beta_0) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: leading dimension c_q = 16 is smaller than n = 32
  %0 = xsmm.window.dispatch add [4, 7, 32, 144, 16, 224, 16, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 0, 1, 1, 0] flags = (none) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: the dispatch expects A to go on for 37 elements after the first one, but 'memref<8x4xf32>' ends after 31
  %0 = xsmm.window.dispatch add [1, 8, 4, 0, 4, 0, 4, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 3, 3, 0] flags = (none) data_type = f32
  xsmm.window add(data_type = f32, %0, %m, %m, %m, %m, %m) : (i64, memref<8x4xf32>, memref<8x4xf32>, memref<8x4xf32>, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected input loop to be the number of a loop over rows of A, but got 4
  %0 = xsmm.window.dispatch product [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 1536, 48, 1, 32, 0, 0, 0, 0, 4, 144, 720] flags = (beta_0) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: expected input loop to be the number of a loop over rows of A, but got 0
  %0 = xsmm.window.dispatch product [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 1536, 48, 1, 32, 0, 0, 0, 0, 0, 144, 720] flags = (beta_0) data_type = f32
  return
}

// -----

func.func @f(%h: i64, %m: memref<8x4xf32>, %n: memref<4x8xf32>, %f: f32, %b: memref<8x4xbf16>, %d: memref<?x4xf32>, %s: memref<8x4xf32, strided<[1, 8]>>, %i: index, %as: memref<2x8x4xf32>, %bs: memref<2x4x4xf32>, %row: memref<4xf32>) {
  // CHECK: rows of zeros are left out of products that start with 0: expected kind product and flag beta_0
  %0 = xsmm.window.dispatch product [4, 7, 32, 144, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 3, 144, 1536, 48, 1, 32, 0, 0, 0, 0, 2, 144, 720] flags = (none) data_type = f32
  return
}
