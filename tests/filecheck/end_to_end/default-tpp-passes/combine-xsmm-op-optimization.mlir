// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks,bufferize,convert-memref-to-xsmm,convert-linalg-to-xsmm,combine-xsmm-op-optimization \
// RUN: | filecheck %s --check-prefixes=CHECK,COMBINE
// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks,bufferize,convert-memref-to-xsmm,convert-linalg-to-xsmm,combine-xsmm-op-optimization,fold-xsmm-flags \
// RUN: | filecheck %s --check-prefixes=CHECK,FOLD

// Pass Analysis, `combine-xsmm-op-optimization` (of which the document shows no IR): brgemm,
// add and relu of a tile are one fused kernel, though the bias is a full matrix; then
// `fold-xsmm-flags` makes of the zeros before it the flag `beta_0`, in both layers.

// CHECK:      func.func @entry
// CHECK:        scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 8) {
// CHECK-NEXT:     %[[C:.*]] = memref.subview
// COMBINE:        xsmm.unary zero(data_type = f32, %{{.*}}, %{{.*}}, %[[C]])
// FOLD-NOT:       xsmm.unary zero
// CHECK:          %[[A:.*]] = memref.subview {{.*}} : memref<8x4x32x32xf32> to
// CHECK-NEXT:     %[[B:.*]] = memref.subview {{.*}} : memref<8x4x32x32xf32> to
// CHECK-NEXT:     %[[BATCH:.*]] = arith.constant 4 : i64
// CHECK-NEXT:     %[[BIAS:.*]] = memref.subview %{{.*}}[%[[I]], %[[J]], 0, 0] [1, 1, 32, 32]
// COMBINE-NEXT:   %[[KERNEL:.*]] = xsmm.fused_brgemm.dispatch [32, 32, 32, 32, 32, 32, 1024, 1024] [add, relu] flags = (none) binary_flags = (none) unary_flags = (none) data_type = f32
// FOLD-NEXT:      %[[KERNEL:.*]] = xsmm.fused_brgemm.dispatch [32, 32, 32, 32, 32, 32, 1024, 1024] [add, relu] flags = (beta_0) binary_flags = (none) unary_flags = (none) data_type = f32
// CHECK-NEXT:     xsmm.fused_brgemm(data_type = f32, %[[KERNEL]], %[[A]], %[[B]], %[[C]], %[[BIAS]], %[[BATCH]])
// CHECK-NEXT:   }

// CHECK:        scf.forall ({{.*}}) in (8, 16) {
// COMBINE:        xsmm.unary zero(
// FOLD-NOT:       xsmm.unary zero(
// The last number: rows of the bias are 32 apart, those of the result 512.
// COMBINE:        xsmm.fused_brgemm.dispatch [32, 32, 32, 32, 32, 512, 1024, 1024, 32] [add, relu] flags = (none)
// FOLD:           xsmm.fused_brgemm.dispatch [32, 32, 32, 32, 32, 512, 1024, 1024, 32] [add, relu] flags = (beta_0)
// CHECK-NEXT:     xsmm.fused_brgemm(
// CHECK-NEXT:   }
// CHECK-NOT:    xsmm.{{brgemm|binary}}
// CHECK:        func.return
