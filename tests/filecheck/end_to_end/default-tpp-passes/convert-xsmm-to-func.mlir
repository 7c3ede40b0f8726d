// RUN: xbuf gen --bias --relu | xdsl-opt -t mlir-22 -p 'default-tpp-passes{block-factors=32,32,32},convert-xsmm-to-func' | filecheck %s
// RUN: xbuf gen --bias --relu | xbuf run - --check --pipeline 'default-tpp-passes{block-factors=32,32,32},convert-xsmm-to-func' | filecheck %s --check-prefix=SPLAT
// RUN: xbuf gen --bias --relu --seed 7 --batch 64 --layers 64,64,64 | xbuf run - --check --pipeline 'default-tpp-passes{block-factors=32,32,32},convert-xsmm-to-func' | filecheck %s --check-prefix=REAL

// Pass Analysis, `convert-xsmm-to-func`: a kernel is a call that dispatches it before the
// loop, and one in the loop that gets, for each matrix, its aligned pointer and offset.
// Pointers have no element type today.

// CHECK:      func.func private @xsmm_fused_brgemm_dispatch(
// CHECK:      func.func private @xsmm_fused_brgemm_invoke(i64, i64, !llvm.ptr {{.*}}, index, !llvm.ptr {{.*}}, index, !llvm.ptr, index, !llvm.ptr {{.*}}, index, i64)
// CHECK:      func.func @entry(%[[X:.*]]: memref<256x128xf32>) -> memref<256x512xf32> {
// CHECK-NOT:    xsmm.
// CHECK:        %[[F32:.*]] = arith.constant 1 : i64
// CHECK:        %[[LAYER0:.*]] = func.call @xsmm_fused_brgemm_dispatch(
// CHECK-NEXT:   scf.parallel
// CHECK:          %[[A:.*]] = memref.subview
// CHECK:          %{{.*}}, %[[A_OFFSET:[0-9]+]], %{{[0-9]+}}, {{.*}} = memref.extract_strided_metadata %[[A]] :
// CHECK-NEXT:     %[[A_INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[A]] :
// CHECK-NEXT:     %[[A_INT:.*]] = arith.index_cast %[[A_INDEX]] : index to i64
// CHECK-NEXT:     %[[A_PTR:.*]] = llvm.inttoptr %[[A_INT]] : i64 to !llvm.ptr
// CHECK:          func.call @xsmm_fused_brgemm_invoke(%[[F32]], %[[LAYER0]],
// CHECK-NEXT:     scf.reduce
// CHECK:        %[[LAYER1:.*]] = func.call @xsmm_fused_brgemm_dispatch(
// CHECK-NEXT:   scf.parallel
// CHECK:          func.call @xsmm_fused_brgemm_invoke(%[[F32]], %[[LAYER1]],
// CHECK-NEXT:     scf.reduce
// CHECK-NOT:    xsmm.
// CHECK:        func.return

// One buffer besides the result, freed, and no copies.

// SPLAT:      max_rel_error   {{[0-9.]+e-0[6-9]|0}}
// SPLAT:      allocs          2
// SPLAT-NEXT: frees           1
// SPLAT-NEXT: live_bytes      0
// SPLAT:      copies          0

// REAL:       max_rel_error   {{[0-9.]+e-0[6-9]|0}}
// REAL:       allocs          2
// REAL-NEXT:  frees           1
// REAL-NEXT:  live_bytes      0
// REAL:       copies          0
