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

// CHECK-LABEL: @transposed
// CHECK:         scf.forall (%{{.*}}) in (4)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x16xf32>, tensor<8x32xf32>)
func.func @transposed(%a: tensor<4x8x16xf32>, %b: tensor<4x8x32xf32>, %c: tensor<4x16x32xf32>) -> tensor<4x16x32xf32> {
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%a, %b : tensor<4x8x16xf32>, tensor<4x8x32xf32>) outs(%c : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  return %0 : tensor<4x16x32xf32>
}

// Two loops over batches, and dimensions in another order.

// CHECK-LABEL: @heads
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) in (2, 3)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<17x8xf32>, tensor<19x8xf32>) outs(%{{.*}} : tensor<17x19xf32>)
func.func @heads(%q: tensor<2x17x3x8xf32>, %k: tensor<2x19x3x8xf32>, %c: tensor<2x3x17x19xf32>) -> tensor<2x3x17x19xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, h, q, k, d) -> (b, q, h, d)>, affine_map<(b, h, q, k, d) -> (b, k, h, d)>, affine_map<(b, h, q, k, d) -> (b, h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x17x3x8xf32>, tensor<2x19x3x8xf32>) outs(%c : tensor<2x3x17x19xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x17x19xf32>
  return %0 : tensor<2x3x17x19xf32>
}

// A batch on one side: of several loops over rows, the last one stays.

// CHECK-LABEL: @rows_of_rows
// CHECK:         scf.forall (%{{.*}}) in (2)
// CHECK:         linalg.matmul ins(%{{.*}}, %b : tensor<17x8xf32>, tensor<8x32xf32>)
func.func @rows_of_rows(%a: tensor<2x17x8xf32>, %b: tensor<8x32xf32>, %c: tensor<2x17x32xf32>) -> tensor<2x17x32xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x17x8xf32>, tensor<8x32xf32>) outs(%c : tensor<2x17x32xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x17x32xf32>
  return %0 : tensor<2x17x32xf32>
}
