// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks \
// RUN: | filecheck %s

// Pass Analysis, `lower-packs-unpacks`: the one pack that is left, of the input, is a
// parallel loop that copies blocks. The block of row i and column j goes to [i, j]: the
// answer to the document's NOTE is no, only weights have their blocks by columns.

// CHECK:      func.func @entry
// CHECK-NOT:    linalg.
// CHECK:        %[[EMPTY:.*]] = tensor.empty() : tensor<8x4x32x32xf32>
// CHECK-NEXT:   %[[PACKED:.*]] = scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 4) shared_outs(%[[OUT:.*]] = %[[EMPTY]]) -> (tensor<8x4x32x32xf32>) {
// CHECK-NEXT:     %[[ROW:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[I]])
// CHECK-NEXT:     %[[COLUMN:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[J]])
// CHECK-NEXT:     %[[BLOCK:.*]] = tensor.extract_slice %arg0[%[[ROW]], %[[COLUMN]]] [32, 32] [1, 1] : tensor<256x128xf32> to tensor<32x32xf32>
// CHECK-NEXT:     scf.forall.in_parallel {
// CHECK-NEXT:       tensor.parallel_insert_slice %[[BLOCK]] into %[[OUT]][%[[I]], %[[J]], 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<32x32xf32> into tensor<8x4x32x32xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK:        scf.forall ({{.*}}) in (8, 8)
// CHECK:          tensor.extract_slice %[[PACKED]][{{.*}}, 0, 0, 0] [1, 4, 32, 32]
// CHECK:        scf.forall ({{.*}}) in (8, 16)
// CHECK-NOT:    linalg.{{pack|unpack}}
// CHECK:        func.return
