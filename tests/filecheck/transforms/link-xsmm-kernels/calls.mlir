// RUN: xdsl-opt -t mlir-22 -p convert-xsmm-to-func,link-xsmm-kernels %s | filecheck %s

// The name says all that a kernel does, and the runtime is not asked.

// CHECK-NOT:   dispatch
// CHECK:       func.func private @xsmm_unary_5_1_4_8_8_16_0(!llvm.ptr, !llvm.ptr)
// CHECK-NEXT:  func.func private @xsmm_brgemm_2_4_8_16_16_8_8_64_128_4(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64)
// CHECK-NOT:   invoke

// An offset of 0 needs no op, a known one no operand.

// CHECK-LABEL: @elements_have_four_bytes
// CHECK:         %{{[0-9]+}}, %[[OFFSET:[0-9]+]], {{.*}} = memref.extract_strided_metadata %in
// CHECK:         %[[IN:.*]] = llvm.inttoptr
// CHECK-NOT:     memref.extract_strided_metadata
// CHECK:         %[[OUT:.*]] = llvm.inttoptr
// CHECK-NEXT:    %[[DISTANCE:.*]] = arith.index_cast %[[OFFSET]]
// CHECK-NEXT:    %[[FIRST:.*]] = llvm.getelementptr %[[IN]][%[[DISTANCE]]] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:    call @xsmm_unary_5_1_4_8_8_16_0(%[[FIRST]], %[[OUT]]) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK:         memref.extract_aligned_pointer_as_index %part
// CHECK:         %[[PART:.*]] = llvm.inttoptr
// CHECK:         %[[FIRST:.*]] = llvm.getelementptr %[[PART]][64] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK-NEXT:    call @xsmm_unary_5_1_4_8_8_16_0(%{{.*}}, %[[FIRST]]) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:    return
func.func @elements_have_four_bytes(%in: memref<4x8xf32, strided<[8, 1], offset: ?>>, %out: memref<4x8xf32, strided<[16, 1]>>, %part: memref<4x8xf32, strided<[16, 1], offset: 64>>) {
  %0 = xsmm.unary.dispatch relu [4, 8, 8, 16] flags = (none) data_type = f32
  xsmm.unary relu(data_type = f32, %0, %in, %out) : (i64, memref<4x8xf32, strided<[8, 1], offset: ?>>, memref<4x8xf32, strided<[16, 1]>>) -> ()
  xsmm.unary relu(data_type = f32, %0, %in, %part) : (i64, memref<4x8xf32, strided<[8, 1], offset: ?>>, memref<4x8xf32, strided<[16, 1], offset: 64>>) -> ()
  return
}

// CHECK-LABEL: @one_kernel_is_called_twice
// CHECK:         arith.constant 2 : i64
// CHECK:         call @xsmm_brgemm_2_4_8_16_16_8_8_64_128_4(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK:         scf.for
// CHECK:           call @xsmm_brgemm_2_4_8_16_16_8_8_64_128_4(
func.func @one_kernel_is_called_twice(%a: memref<2x4x16xbf16>, %b: memref<2x16x8xbf16>, %c: memref<4x8xbf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batch = arith.constant 2 : i64
  %0 = xsmm.brgemm.dispatch [4, 8, 16, 16, 8, 8, 64, 128] flags = (beta_0) data_type = bf16
  xsmm.brgemm(data_type = bf16, %0, %a, %b, %c, %batch) : (i64, memref<2x4x16xbf16>, memref<2x16x8xbf16>, memref<4x8xbf16>, i64) -> ()
  scf.for %i = %c0 to %n step %c1 {
    xsmm.brgemm(data_type = bf16, %0, %a, %b, %c, %batch) : (i64, memref<2x4x16xbf16>, memref<2x16x8xbf16>, memref<4x8xbf16>, i64) -> ()
  }
  return
}
