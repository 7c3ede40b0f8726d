// RUN: xdsl-opt -t mlir-22 -p rewrite-batch-matmul-to-matmul %s | filecheck %s

// CHECK-LABEL: @filled
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4x16x32xf32>
// CHECK-NEXT:    scf.forall (%[[I:.*]]) in (4) shared_outs(%[[O:.*]] = %[[E]]) -> (tensor<4x16x32xf32>) {
// CHECK-NEXT:      %[[T:.*]] = tensor.extract_slice %[[O]][%[[I]], 0, 0] [1, 16, 32] [1, 1, 1] : tensor<4x16x32xf32> to tensor<16x32xf32>
// CHECK-NEXT:      %[[F:.*]] = linalg.fill {{.*}} outs(%[[T]] : tensor<16x32xf32>)
// CHECK-NEXT:      %[[A:.*]] = tensor.extract_slice %a[%[[I]], 0, 0] [1, 16, 8]
// CHECK-NEXT:      %[[B:.*]] = tensor.extract_slice %b[%[[I]], 0, 0] [1, 8, 32]
// CHECK-NEXT:      %[[G:.*]] = linalg.matmul ins(%[[A]], %[[B]] : tensor<16x8xf32>, tensor<8x32xf32>) outs(%[[F]] : tensor<16x32xf32>)
// CHECK-NEXT:      scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %[[G]] into %[[O]][%[[I]], 0, 0] [1, 16, 32]
func.func @filled(%a: tensor<4x16x8xf32>, %b: tensor<4x8x32xf32>) -> tensor<4x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x16x32xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %2 = linalg.batch_matmul ins(%a, %b : tensor<4x16x8xf32>, tensor<4x8x32xf32>) outs(%1 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  return %2 : tensor<4x16x32xf32>
}

// A generic that is the same, with sizes that are not known.

// CHECK-LABEL: @generic
// CHECK:         %[[N:.*]] = tensor.dim %a
// CHECK:         scf.forall (%{{.*}}) in (%[[N]])
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<16x8xi32>, tensor<8x32xi32>)
func.func @generic(%a: tensor<?x16x8xi32>, %b: tensor<?x8x32xi32>, %c: tensor<?x16x32xi32>) -> tensor<?x16x32xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x16x8xi32>, tensor<?x8x32xi32>) outs(%c : tensor<?x16x32xi32>) {
  ^bb0(%x: i32, %y: i32, %out: i32):
    %p = arith.muli %x, %y : i32
    %s = arith.addi %p, %out : i32
    linalg.yield %s : i32
  } -> tensor<?x16x32xi32>
  return %0 : tensor<?x16x32xi32>
}
