// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks,bufferize,convert-memref-to-xsmm,convert-linalg-to-xsmm \
// RUN: | filecheck %s

// Pass Analysis, `convert-linalg-to-xsmm`: zero, brgemm, add and relu of a tile are one
// kernel each, dispatched where it is called. The second layer is the same, with rows of
// 512 as it writes to the unpacked result.

// CHECK:      func.func @entry
// CHECK-NOT:    linalg.
// CHECK:        scf.forall ({{.*}}) in (8, 8) {
// CHECK-NEXT:     %[[C:.*]] = memref.subview {{.*}} : memref<8x8x32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
// CHECK-NEXT:     %[[ZERO:.*]] = xsmm.unary.dispatch zero [32, 32, 1, 32] flags = (bcast_scalar) data_type = f32
// CHECK-NEXT:     xsmm.unary zero(data_type = f32, %[[ZERO]], %{{.*}}, %[[C]])
// CHECK-NEXT:     %[[A:.*]] = memref.subview
// CHECK-NEXT:     %[[B:.*]] = memref.subview
// CHECK-NEXT:     %[[BATCH:.*]] = arith.constant 4 : i64
// CHECK-NEXT:     %[[BRGEMM:.*]] = xsmm.brgemm.dispatch [32, 32, 32, 32, 32, 32, 1024, 1024] flags = (none) data_type = f32
// CHECK-NEXT:     xsmm.brgemm(data_type = f32, %[[BRGEMM]], %[[A]], %[[B]], %[[C]], %[[BATCH]])
// CHECK-NEXT:     %[[BIAS:.*]] = memref.subview
// CHECK-NEXT:     %[[ADD:.*]] = xsmm.binary.dispatch add [32, 32, 32, 32, 32] flags = (none) data_type = f32
// CHECK-NEXT:     xsmm.binary add(data_type = f32, %[[ADD]], %[[BIAS]], %[[C]], %[[C]])
// CHECK-NEXT:     %[[RELU:.*]] = xsmm.unary.dispatch relu [32, 32, 32, 32] flags = (none) data_type = f32
// CHECK-NEXT:     xsmm.unary relu(data_type = f32, %[[RELU]], %[[C]], %[[C]])
// CHECK-NEXT:   }

// CHECK-NOT:    linalg.
// CHECK:        scf.forall ({{.*}}) in (8, 16) {
// CHECK:          xsmm.unary.dispatch zero [32, 32, 1, 512] flags = (bcast_scalar) data_type = f32
// CHECK:          arith.constant 8 : i64
// CHECK-NEXT:     xsmm.brgemm.dispatch [32, 32, 32, 32, 32, 512, 1024, 1024] flags = (none) data_type = f32
// CHECK:          xsmm.binary.dispatch add [32, 32, 32, 512, 512] flags = (none) data_type = f32
// CHECK:          xsmm.unary.dispatch relu [32, 32, 512, 512] flags = (none) data_type = f32
// CHECK-NOT:    linalg.
// CHECK:        func.return
