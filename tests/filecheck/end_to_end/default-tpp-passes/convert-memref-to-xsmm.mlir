// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks,bufferize,convert-memref-to-xsmm \
// RUN: | filecheck %s

// Pass Analysis, `convert-memref-to-xsmm`: the copy of a block of the input is the kernel
// `identity`, from rows of 128 to rows of 32. All else is not yet a kernel.

// CHECK:      func.func @entry
// CHECK:        scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 4) {
// CHECK:          %[[FROM:.*]] = memref.subview %arg0
// CHECK-NEXT:     %[[TO:.*]] = memref.subview
// CHECK-NEXT:     %[[KERNEL:.*]] = xsmm.unary.dispatch identity [32, 32, 128, 32] flags = (none) data_type = f32
// CHECK-NEXT:     xsmm.unary identity(data_type = f32, %[[KERNEL]], %[[FROM]], %[[TO]]) : (i64, memref<32x32xf32, strided<[128, 1], offset: ?>>, memref<32x32xf32, strided<[32, 1], offset: ?>>) -> ()
// CHECK-NEXT:   }
// CHECK-NOT:    memref.copy
// CHECK-NOT:    xsmm.
// CHECK:        linalg.batch_reduce_matmul
// CHECK:        func.return
