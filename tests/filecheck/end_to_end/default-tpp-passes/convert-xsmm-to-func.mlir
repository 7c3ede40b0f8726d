// RUN: xbuf gen --bias --relu | xdsl-opt -p default-tpp-passes,convert-xsmm-to-func | filecheck %s
// RUN: xbuf gen --bias --relu | xbuf run - --check --pipeline default-tpp-passes,convert-xsmm-to-func | filecheck %s --check-prefix=SPLAT
// RUN: xbuf gen --bias --relu --seed 7 --batch 64 --layers 64,64,64 | xbuf run - --check --pipeline default-tpp-passes,convert-xsmm-to-func | filecheck %s --check-prefix=REAL

// Pass Analysis, `convert-xsmm-to-func`: a kernel is a call that dispatches it before the
// loop, and one in the loop that gets, for each matrix, its aligned pointer and offset.
// Pointers have no element type today.

// CHECK:      func.func private @xsmm_unary_dispatch(i64, i64, i64, i64, i64, i64, i64) -> i64
// CHECK:      func.func private @xsmm_unary_invoke(i64, i64, !llvm.ptr {{.*}}, index, !llvm.ptr, index)
// CHECK:      func.func private @xsmm_fused_brgemm_dispatch(
// CHECK:      func.func private @xsmm_fused_brgemm_invoke(
// CHECK:      func.func @entry(%[[X:.*]]: memref<256x128xf32>) -> memref<256x512xf32> {
// CHECK-NOT:    xsmm.
// CHECK:        %[[F32:.*]] = arith.constant 1 : i64
// CHECK:        %[[KERNEL:.*]] = func.call @xsmm_unary_dispatch({{.*}}) : (i64, i64, i64, i64, i64, i64, i64) -> i64
// CHECK-NEXT:   scf.parallel
// CHECK:          %[[FROM:.*]] = memref.subview %[[X]]
// CHECK-NEXT:     %[[TO:.*]] = memref.subview
// CHECK-NEXT:     %{{.*}}, %[[FROM_OFFSET:[0-9]+]], %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} = memref.extract_strided_metadata %[[FROM]] :
// CHECK-NEXT:     %[[FROM_INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[FROM]] :
// CHECK-NEXT:     %[[FROM_INT:.*]] = arith.index_cast %[[FROM_INDEX]] : index to i64
// CHECK-NEXT:     %[[FROM_PTR:.*]] = llvm.inttoptr %[[FROM_INT]] : i64 to !llvm.ptr
// CHECK-NEXT:     %{{.*}}, %[[TO_OFFSET:[0-9]+]], %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} = memref.extract_strided_metadata %[[TO]] :
// CHECK:          %[[TO_PTR:.*]] = llvm.inttoptr
// CHECK-NEXT:     func.call @xsmm_unary_invoke(%[[F32]], %[[KERNEL]], %[[FROM_PTR]], %[[FROM_OFFSET]], %[[TO_PTR]], %[[TO_OFFSET]]) : (i64, i64, !llvm.ptr, index, !llvm.ptr, index) -> ()
// CHECK-NEXT:     scf.reduce
// CHECK:        %[[LAYER0:.*]] = func.call @xsmm_fused_brgemm_dispatch(
// CHECK-NEXT:   scf.parallel
// CHECK:          func.call @xsmm_fused_brgemm_invoke(%[[F32]], %[[LAYER0]],
// CHECK-NEXT:     scf.reduce
// CHECK:        %[[LAYER1:.*]] = func.call @xsmm_fused_brgemm_dispatch(
// CHECK-NEXT:   scf.parallel
// CHECK:          func.call @xsmm_fused_brgemm_invoke(%[[F32]], %[[LAYER1]],
// CHECK-NEXT:     scf.reduce
// CHECK-NOT:    xsmm.
// CHECK:        func.return

// Two buffers besides the result, both freed, and no copies. The packed input is freed
// before the result is there.

// SPLAT:      max_rel_error   {{[0-9.]+e-0[6-9]|0}}
// SPLAT:      allocs          3
// SPLAT-NEXT: frees           2
// SPLAT-NEXT: live_bytes      0
// SPLAT:      copies          0

// REAL:       max_rel_error   {{[0-9.]+e-0[6-9]|0}}
// REAL:       allocs          3
// REAL-NEXT:  frees           2
// REAL-NEXT:  live_bytes      0
// REAL:       copies          0
