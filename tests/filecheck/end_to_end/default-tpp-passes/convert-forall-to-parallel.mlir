// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks,bufferize,convert-memref-to-xsmm,convert-linalg-to-xsmm,combine-xsmm-op-optimization,fold-xsmm-flags,convert-forall-to-parallel \
// RUN: | filecheck %s

// Pass Analysis, `convert-forall-to-parallel`: each `scf.forall` is an `scf.parallel` with
// the same bounds and body. What ends one is `scf.reduce` today, not `scf.yield`.

// CHECK:      func.func @entry
// CHECK-NOT:    scf.forall
// CHECK:        %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:   %[[ROWS:.*]] = arith.constant 8 : index
// CHECK-NEXT:   %[[COLUMNS:.*]] = arith.constant 4 : index
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:   scf.parallel (%{{.*}}, %{{.*}}) = (%[[ZERO]], %[[ZERO]]) to (%[[ROWS]], %[[COLUMNS]]) step (%[[ONE]], %[[ONE]]) {
// CHECK:          xsmm.unary identity
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }
// CHECK:        %[[BLOCKS:.*]] = arith.constant 8 : index
// CHECK:        scf.parallel ({{.*}}) = ({{.*}}) to (%[[BLOCKS]], %[[BLOCKS]]) step
// CHECK:          xsmm.fused_brgemm.dispatch
// CHECK-NEXT:     xsmm.fused_brgemm(
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }
// CHECK:        %[[ROWS1:.*]] = arith.constant 8 : index
// CHECK-NEXT:   %[[COLUMNS1:.*]] = arith.constant 16 : index
// CHECK:        scf.parallel ({{.*}}) = ({{.*}}) to (%[[ROWS1]], %[[COLUMNS1]]) step
// CHECK:          xsmm.fused_brgemm(
// CHECK-NEXT:     scf.reduce
// CHECK-NOT:    scf.forall
// CHECK:        func.return
