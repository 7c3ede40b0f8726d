// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers{tile-sizes=16,32} %s | filecheck %s

// Sizes that do not divide: the last tile is smaller.

// CHECK-LABEL: @partial
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (40, 64) step (16, 32)
// CHECK-NEXT:      %[[M:.*]] = affine.min affine_map<(d0) -> (-d0 + 40, 16)>(%[[I]])
// CHECK:           tensor.extract_slice %a[%[[I]], 0] [%[[M]], 8] [1, 1] : tensor<40x8xf32> to tensor<?x8xf32>
// CHECK:           linalg.matmul
// CHECK:           tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[I]], %[[J]]] [%[[M]], 32]
func.func @partial(%a: tensor<40x8xf32>, %b: tensor<8x64xf32>, %c: tensor<40x64xf32>) -> tensor<40x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<40x8xf32>, tensor<8x64xf32>) outs(%c : tensor<40x64xf32>) -> tensor<40x64xf32>
  return %0 : tensor<40x64xf32>
}

// Sizes that are not known: so is that of the last tile.

// CHECK-LABEL: @dynamic
// CHECK:         %[[M:.*]] = tensor.dim %a
// CHECK:         %[[N:.*]] = tensor.dim %b
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (%[[M]], %[[N]]) step (16, 32)
// CHECK:           affine.min affine_map<(d0, d1) -> (-d0 + d1, 16)>(%[[I]], %[[M]])
// CHECK:           affine.min affine_map<(d0, d1) -> (-d0 + d1, 32)>(%[[J]], %[[N]])
func.func @dynamic(%a: tensor<?x8xf32>, %b: tensor<8x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
