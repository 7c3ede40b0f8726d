// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks,bufferize \
// RUN: | filecheck %s

// Pass Analysis, `bufferize` and the deallocation passes: constants are globals; one
// buffer for the packed input, one for layer 1 and the result; loops write to them.
// Better: no copy of a tile onto itself at the end of a loop (NOTE), no fill before layer
// 2 (NOTE), and each buffer is freed after the loop that reads it last, not at the end of
// the model (NOTE).

// CHECK:      memref.global "private" constant @[[B0:.*]] : memref<8x4x32x32xf32> = dense<1.000000e+00> {alignment = 64 : i64}
// CHECK:      func.func @entry(%[[X:.*]]: memref<256x128xf32>) -> memref<256x512xf32> {
// CHECK:        %[[PACKED:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x4x32x32xf32>
// CHECK-NEXT:   scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 4) {
// CHECK:          %[[FROM:.*]] = memref.subview %[[X]][%{{.*}}, %{{.*}}] [32, 32] [1, 1] : memref<256x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
// CHECK-NEXT:     %[[TO:.*]] = memref.subview %[[PACKED]][%[[I]], %[[J]], 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<8x4x32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
// CHECK-NEXT:     memref.copy %[[FROM]], %[[TO]]
// CHECK-NEXT:   }

// CHECK:        %[[WEIGHT:.*]] = memref.get_global @[[B0]]
// CHECK:        %[[LAYER0:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
// CHECK:        scf.forall (%[[I0:.*]], %[[J0:.*]]) in (8, 8) {
// CHECK-NEXT:     %[[C:.*]] = memref.subview %[[LAYER0]][%[[I0]], %[[J0]], 0, 0] [1, 1, 32, 32]
// CHECK-NEXT:     linalg.fill {{.*}} outs(%[[C]] :
// CHECK-NEXT:     %[[A:.*]] = memref.subview %[[PACKED]][%[[I0]], 0, 0, 0] [1, 4, 32, 32]
// CHECK-NEXT:     %[[B:.*]] = memref.subview %[[WEIGHT]][%[[J0]], 0, 0, 0] [1, 4, 32, 32]
// CHECK-NEXT:     linalg.batch_reduce_matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] :
// CHECK:          linalg.generic {{.*}} outs(%[[C]] :
// CHECK:            arith.addf
// CHECK:          linalg.generic {{.*}} outs(%[[C]] :
// CHECK:            arith.maximumf
// CHECK-NEXT:       linalg.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   memref.dealloc %[[PACKED]]

// CHECK-NOT:    linalg.
// CHECK:        %[[RESULT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<256x512xf32>
// CHECK-NEXT:   scf.forall (%[[I1:.*]], %[[J1:.*]]) in (8, 16) {
// CHECK:          %[[C1:.*]] = memref.subview %[[RESULT]][%{{.*}}, %{{.*}}] [32, 32] [1, 1] : memref<256x512xf32> to memref<32x32xf32, strided<[512, 1], offset: ?>>
// CHECK-NEXT:     linalg.fill {{.*}} outs(%[[C1]] :
// CHECK-NEXT:     memref.subview %[[LAYER0]][%[[I1]], 0, 0, 0] [1, 8, 32, 32]
// CHECK-NOT:      memref.{{copy|alloc}}
// CHECK:          linalg.batch_reduce_matmul {{.*}} outs(%[[C1]] :
// CHECK-NOT:      memref.{{copy|alloc}}
// CHECK:        memref.dealloc %[[LAYER0]]
// CHECK-NEXT:   func.return %[[RESULT]]
