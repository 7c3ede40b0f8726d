// RUN: xdsl-opt -t mlir-22 -p fold-xsmm-flags %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p fold-xsmm-flags %s | filecheck %s --check-prefix BETA

// BETA-NOT: beta_0

// CHECK-LABEL: func.func @another_matrix
// CHECK: xsmm.unary zero(
func.func @another_matrix(%a: memref<8x16xf32>, %b: memref<16x4xf32>) -> (memref<8x4xf32>, memref<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x4xf32>
  %d = memref.alloc() : memref<8x4xf32>
  %z = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %z, %zero, %d) : (i64, f32, memref<8x4xf32>) -> ()
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
  xsmm.gemm(data_type = f32, %0, %a, %b, %c) : (i64, memref<8x16xf32>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  return %c, %d : memref<8x4xf32>, memref<8x4xf32>
}

// If the caller passes the output as a factor, that is zero here.
// CHECK-LABEL: func.func @factor_may_be_the_zeros
// CHECK: xsmm.unary zero(
func.func @factor_may_be_the_zeros(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = xsmm.unary.dispatch zero [4, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %z, %zero, %c) : (i64, f32, memref<4x4xf32>) -> ()
  %0 = xsmm.gemm.dispatch [4, 4, 4, 4, 4, 4] flags = (none) data_type = f32
  xsmm.gemm(data_type = f32, %0, %a, %b, %c) : (i64, memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @written_in_between
// CHECK: xsmm.unary zero(
func.func @written_in_between(%a: memref<8x16xf32>, %b: memref<16x4xf32>, %x: f32) -> memref<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %c = memref.alloc() : memref<8x4xf32>
  %z = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %z, %zero, %c) : (i64, f32, memref<8x4xf32>) -> ()
  memref.store %x, %c[%i, %i] : memref<8x4xf32>
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
  xsmm.gemm(data_type = f32, %0, %a, %b, %c) : (i64, memref<8x16xf32>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  return %c : memref<8x4xf32>
}

// CHECK-LABEL: func.func @read_in_between
// CHECK: xsmm.unary zero(
func.func @read_in_between(%a: memref<8x16xf32>, %b: memref<16x4xf32>) -> (memref<8x4xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %c = memref.alloc() : memref<8x4xf32>
  %z = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %z, %zero, %c) : (i64, f32, memref<8x4xf32>) -> ()
  %x = memref.load %c[%i, %i] : memref<8x4xf32>
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
  xsmm.gemm(data_type = f32, %0, %a, %b, %c) : (i64, memref<8x16xf32>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  return %c, %x : memref<8x4xf32>, f32
}

// The product adds to all of the matrix, of which only a part is zero.
// CHECK-LABEL: func.func @zeros_in_a_part
// CHECK: xsmm.unary zero(
func.func @zeros_in_a_part(%a: memref<8x16xf32>, %b: memref<16x4xf32>, %c: memref<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %part = memref.subview %c[0, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  %z = xsmm.unary.dispatch zero [4, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %z, %zero, %part) : (i64, f32, memref<4x4xf32, strided<[4, 1]>>) -> ()
  %0 = xsmm.gemm.dispatch [8, 4, 16, 16, 4, 4] flags = (none) data_type = f32
  xsmm.gemm(data_type = f32, %0, %a, %b, %c) : (i64, memref<8x16xf32>, memref<16x4xf32>, memref<8x4xf32>) -> ()
  return
}
