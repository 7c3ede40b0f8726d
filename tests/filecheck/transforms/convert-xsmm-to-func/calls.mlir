// RUN: xdsl-opt -t mlir-22 -p convert-xsmm-to-func %s | filecheck %s

// Constants are shared, and so are pointers within a call.
// CHECK-DAG: func.func private @xsmm_unary_dispatch(i64, i64, i64, i64, i64, i64, i64) -> i64
// CHECK-DAG: func.func private @xsmm_unary_invoke(i64, i64, !llvm.ptr {llvm.readonly}, index, !llvm.ptr, index)
// CHECK-LABEL: func.func @unary
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : i64
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i64
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
// CHECK-DAG: %[[C6:.*]] = arith.constant 6 : i64
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
// CHECK: %[[RELU:.*]] = func.call @xsmm_unary_dispatch(%[[C5]], %[[C1]], %[[C8]], %[[C4]], %[[C6]], %[[C4]], %[[C0]])
// CHECK-NEXT: %{{.*}} = memref.extract_strided_metadata %in
// CHECK-NEXT: %[[PTR:.*]] = memref.extract_aligned_pointer_as_index %in : memref<8x4xf32, strided<[6, 1], offset: ?>> -> index
// CHECK-NEXT: %[[INT:.*]] = arith.index_cast %[[PTR]] : index to i64
// CHECK-NEXT: %[[IN:.*]] = llvm.inttoptr %[[INT]] : i64 to !llvm.ptr
// CHECK-NEXT: %{{.*}} = memref.extract_strided_metadata %out
// CHECK: %[[OUT:.*]] = llvm.inttoptr
// CHECK-NEXT: func.call @xsmm_unary_invoke(%[[C1]], %[[RELU]], %[[IN]], %{{.*}}, %[[OUT]], %{{.*}})
// CHECK-NOT: xsmm.unary
func.func @unary(%in: memref<8x4xf32, strided<[6, 1], offset: ?>>, %out: memref<8x4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 6, 4] flags = (none) data_type = f32
  xsmm.unary relu(data_type = f32, %0, %in, %out) : (i64, memref<8x4xf32, strided<[6, 1], offset: ?>>, memref<8x4xf32>) -> ()
  xsmm.unary relu(data_type = f32, %0, %in, %out) : (i64, memref<8x4xf32, strided<[6, 1], offset: ?>>, memref<8x4xf32>) -> ()
  return
}

// The input of zero is ignored: no memory for the number.
// CHECK-LABEL: func.func @zero
// CHECK: %[[OUT:.*]] = llvm.inttoptr
// CHECK-NEXT: func.call @xsmm_unary_invoke(%{{.*}}, %{{.*}}, %[[OUT]], %[[OFF:.*]], %[[OUT]], %[[OFF]])
func.func @zero(%out: memref<8x4xf32>) {
  %x = arith.constant 0.0 : f32
  %0 = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
  xsmm.unary zero(data_type = f32, %0, %x, %out) : (i64, f32, memref<8x4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @number
// CHECK: %[[SLOT:.*]] = memref.alloca() : memref<f32>
// CHECK-NEXT: memref.store %x, %[[SLOT]][] : memref<f32>
// CHECK: func.call @xsmm_binary_invoke
func.func @number(%x: f32, %m: memref<8x4xf32>) {
  %0 = xsmm.binary.dispatch add [8, 4, 4, 1, 4] flags = (bcast_scalar_in1) data_type = f32
  xsmm.binary add(data_type = f32, %0, %m, %x, %m) : (i64, memref<8x4xf32>, f32, memref<8x4xf32>) -> ()
  return
}

// Data type, sizes, distances; then gemm, unary and binary flags and kinds; then ldd.
// CHECK-LABEL: func.func @fused
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i64
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i64
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : i64
// CHECK-DAG: %[[C48:.*]] = arith.constant 48 : i64
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : i64
// CHECK: %[[D:.*]] = func.call @xsmm_fused_brgemm_dispatch(%[[C1]], %[[C8]], %[[C3]], %[[C16]], %[[C16]], %[[C3]], %[[C3]], %[[C128]], %[[C48]], %[[C4]], %[[C0]], %[[C5]], %[[C4]], %[[C1]], %[[C3]])
// CHECK: func.call @xsmm_fused_brgemm_invoke(%[[C1]], %[[D]], {{.*}}, %n)
func.func @fused(%a: memref<2x8x16xf32>, %b: memref<2x16x3xf32>, %c: memref<8x3xf32>, %d: memref<3xf32>) {
  %n = arith.constant 2 : i64
  %0 = xsmm.fused_brgemm.dispatch [8, 3, 16, 16, 3, 3, 128, 48] [add, relu] flags = (beta_0) binary_flags = (bcast_col_in0) unary_flags = (none) data_type = f32
  xsmm.fused_brgemm(data_type = f32, %0, %a, %b, %c, %d, %n) : (i64, memref<2x8x16xf32>, memref<2x16x3xf32>, memref<8x3xf32>, memref<3xf32>, i64) -> ()
  return
}

// CHECK-LABEL: func.func @products
// CHECK: func.call @xsmm_gemm_dispatch
// CHECK: func.call @xsmm_gemm_invoke
// CHECK: func.call @xsmm_brgemm_dispatch
// CHECK: func.call @xsmm_brgemm_invoke
func.func @products(%a: memref<2x8x16xf32>, %b: memref<2x16x3xf32>, %c: memref<8x3xf32>, %d: memref<8x16xf32>, %e: memref<16x3xf32>) {
  %n = arith.constant 2 : i64
  %0 = xsmm.gemm.dispatch [8, 3, 16, 16, 3, 3] flags = (none) data_type = f32
  xsmm.gemm(data_type = f32, %0, %d, %e, %c) : (i64, memref<8x16xf32>, memref<16x3xf32>, memref<8x3xf32>) -> ()
  %1 = xsmm.brgemm.dispatch [8, 3, 16, 16, 3, 3, 128, 48] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %1, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x3xf32>, memref<8x3xf32>, i64) -> ()
  return
}
