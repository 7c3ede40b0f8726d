// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers \
// RUN: | filecheck %s

// Pass Analysis, `tile-consumer-and-fuse-producers`: one `scf.forall` a layer, with zero,
// batch-reduce product, bias and relu of one tile; the last unpack is consumed, so that
// the second layer writes to the unpacked result.
// Better: the zeros of the second layer are inside of the loop and only there (a BUG in
// the document), and no whole-tensor fill comes before it (another BUG). Weights and
// biases are sliced as real ones have to be.

// CHECK:      func.func @entry
// CHECK-NOT:    linalg.fill
// CHECK:        %[[A0:.*]] = linalg.pack %arg0
// CHECK-NEXT:   %[[B0:.*]] = arith.constant {{.*}} : tensor<8x4x32x32xf32>
// CHECK-NEXT:   %[[EMPTY0:.*]] = tensor.empty() : tensor<8x8x32x32xf32>
// CHECK-NEXT:   %[[BIAS0:.*]] = arith.constant {{.*}} : tensor<8x8x32x32xf32>
// CHECK-NEXT:   %[[LAYER0:.*]] = scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 8) shared_outs(%[[OUT:.*]] = %[[EMPTY0]]) -> (tensor<8x8x32x32xf32>) {
// CHECK-NEXT:     %[[C:.*]] = tensor.extract_slice %[[OUT]][%[[I]], %[[J]], 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<8x8x32x32xf32> to tensor<32x32xf32>
// CHECK-NEXT:     %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[C]] : tensor<32x32xf32>)
// CHECK-NEXT:     %[[A:.*]] = tensor.extract_slice %[[A0]][%[[I]], 0, 0, 0] [1, 4, 32, 32] [1, 1, 1, 1] : tensor<8x4x32x32xf32> to tensor<4x32x32xf32>
// CHECK-NEXT:     %[[B:.*]] = tensor.extract_slice %[[B0]][%[[J]], 0, 0, 0] [1, 4, 32, 32] [1, 1, 1, 1] : tensor<8x4x32x32xf32> to tensor<4x32x32xf32>
// CHECK-NEXT:     %[[GEMM:.*]] = linalg.batch_reduce_matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%[[ZEROS]] : tensor<32x32xf32>)
// CHECK-NEXT:     %[[BIAS_TILE:.*]] = tensor.extract_slice %[[BIAS0]][%[[I]], %[[J]], 0, 0]
// CHECK-NEXT:     %[[BIAS:.*]] = linalg.generic {{.*}} ins(%[[BIAS_TILE]] : tensor<32x32xf32>) outs(%[[GEMM]] : tensor<32x32xf32>)
// CHECK:          %[[RELU:.*]] = linalg.generic {{.*}} outs(%[[BIAS]] : tensor<32x32xf32>)
// CHECK:          scf.forall.in_parallel {
// CHECK-NEXT:       tensor.parallel_insert_slice %[[RELU]] into %[[OUT]][%[[I]], %[[J]], 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<32x32xf32> into tensor<8x8x32x32xf32>

// CHECK-NOT:    linalg.
// CHECK:        %[[EMPTY1:.*]] = tensor.empty() : tensor<256x512xf32>
// CHECK-NEXT:   %[[LAYER1:.*]] = scf.forall (%[[I1:.*]], %[[J1:.*]]) in (8, 16) shared_outs(%[[OUT1:.*]] = %[[EMPTY1]]) -> (tensor<256x512xf32>) {
// CHECK-NEXT:     %[[ROW:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[I1]])
// CHECK-NEXT:     %[[COLUMN:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[J1]])
// CHECK-NEXT:     %[[C1:.*]] = tensor.extract_slice %[[OUT1]][%[[ROW]], %[[COLUMN]]] [32, 32] [1, 1] : tensor<256x512xf32> to tensor<32x32xf32>
// CHECK-NEXT:     %[[ZEROS1:.*]] = linalg.fill {{.*}} outs(%[[C1]] : tensor<32x32xf32>)
// CHECK-NEXT:     tensor.extract_slice %[[LAYER0]][%[[I1]], 0, 0, 0] [1, 8, 32, 32]
// CHECK:          linalg.batch_reduce_matmul {{.*}} outs(%[[ZEROS1]] : tensor<32x32xf32>)
// CHECK:            arith.addf
// CHECK:            arith.maximumf
// CHECK:          tensor.parallel_insert_slice %{{.*}} into %[[OUT1]][%[[ROW]], %[[COLUMN]]] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<256x512xf32>
// CHECK-NOT:    linalg.
// CHECK:        func.return %[[LAYER1]]
