// RUN: xdsl-opt -t mlir-22 -p fold-broadcasts-into-products %s | filecheck %s

// CHECK-LABEL: func.func @one_matrix
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], {{.*}}} ins(%x, %w : tensor<20x4x64xf32>, tensor<64x128xf32>) outs(%o : tensor<20x4x128xf32>)
func.func @one_matrix(%x: tensor<20x4x64xf32>, %w: tensor<64x128xf32>, %o: tensor<20x4x128xf32>) -> tensor<20x4x128xf32> {
  %0 = tensor.empty() : tensor<20x64x128xf32>
  %1 = linalg.broadcast ins(%w : tensor<64x128xf32>) outs(%0 : tensor<20x64x128xf32>) dimensions = [0]
  %2 = linalg.batch_matmul ins(%x, %1 : tensor<20x4x64xf32>, tensor<20x64x128xf32>) outs(%o : tensor<20x4x128xf32>) -> tensor<20x4x128xf32>
  return %2 : tensor<20x4x128xf32>
}

// The left factor, and a broadcast that is a generic op.

// CHECK-LABEL: func.func @left
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], {{.*}}} ins(%w, %x :
func.func @left(%x: tensor<20x64x4xf32>, %w: tensor<128x64xf32>, %o: tensor<20x128x4xf32>) -> tensor<20x128x4xf32> {
  %0 = tensor.empty() : tensor<20x128x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, k) -> (m, k)>, affine_map<(b, m, k) -> (b, m, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<128x64xf32>) outs(%0 : tensor<20x128x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<20x128x64xf32>
  %2 = linalg.batch_matmul ins(%1, %x : tensor<20x128x64xf32>, tensor<20x64x4xf32>) outs(%o : tensor<20x128x4xf32>) -> tensor<20x128x4xf32>
  return %2 : tensor<20x128x4xf32>
}

// A row that is the same for all rows stays a tensor, and so does what is computed.

// CHECK-LABEL: func.func @others
// CHECK:         linalg.broadcast
// CHECK:         linalg.matmul
// CHECK:         linalg.generic
// CHECK:         linalg.batch_matmul
func.func @others(%x: tensor<64x128xf32>, %w: tensor<64xf32>, %o: tensor<4x128xf32>, %a: tensor<2x4x64xf32>, %b: tensor<64x128xf32>, %p: tensor<2x4x128xf32>) -> (tensor<4x128xf32>, tensor<2x4x128xf32>) {
  %0 = tensor.empty() : tensor<4x64xf32>
  %1 = linalg.broadcast ins(%w : tensor<64xf32>) outs(%0 : tensor<4x64xf32>) dimensions = [0]
  %2 = linalg.matmul ins(%1, %x : tensor<4x64xf32>, tensor<64x128xf32>) outs(%o : tensor<4x128xf32>) -> tensor<4x128xf32>
  %3 = tensor.empty() : tensor<2x64x128xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(b, m, k) -> (m, k)>, affine_map<(b, m, k) -> (b, m, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b : tensor<64x128xf32>) outs(%3 : tensor<2x64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<2x64x128xf32>
  %5 = linalg.batch_matmul ins(%a, %4 : tensor<2x4x64xf32>, tensor<2x64x128xf32>) outs(%p : tensor<2x4x128xf32>) -> tensor<2x4x128xf32>
  return %2, %5 : tensor<4x128xf32>, tensor<2x4x128xf32>
}

// Several dimensions of a batch that were collapsed.

// CHECK-LABEL: func.func @collapsed
// CHECK-NOT:     linalg.broadcast
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], {{.*}}} ins(%x, %w : tensor<20x4x64xf32>, tensor<64x128xf32>) outs(%o : tensor<20x4x128xf32>)
func.func @collapsed(%x: tensor<20x4x64xf32>, %w: tensor<64x128xf32>, %o: tensor<20x4x128xf32>) -> tensor<20x4x128xf32> {
  %0 = tensor.empty() : tensor<5x4x64x128xf32>
  %1 = linalg.broadcast ins(%w : tensor<64x128xf32>) outs(%0 : tensor<5x4x64x128xf32>) dimensions = [0, 1]
  %2 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<5x4x64x128xf32> into tensor<20x64x128xf32>
  %3 = linalg.batch_matmul ins(%x, %2 : tensor<20x4x64xf32>, tensor<20x64x128xf32>) outs(%o : tensor<20x4x128xf32>) -> tensor<20x4x128xf32>
  return %3 : tensor<20x4x128xf32>
}

// A dimension that is collapsed with one of the matrix stays.

// CHECK-LABEL: func.func @collapsed_with_rows
// CHECK:         linalg.broadcast
// CHECK:         linalg.batch_matmul
func.func @collapsed_with_rows(%x: tensor<5x4x256xf32>, %w: tensor<5x64x128xf32>, %o: tensor<5x4x128xf32>) -> tensor<5x4x128xf32> {
  %0 = tensor.empty() : tensor<5x4x64x128xf32>
  %1 = linalg.broadcast ins(%w : tensor<5x64x128xf32>) outs(%0 : tensor<5x4x64x128xf32>) dimensions = [1]
  %2 = tensor.collapse_shape %1 [[0], [1, 2], [3]] : tensor<5x4x64x128xf32> into tensor<5x256x128xf32>
  %3 = linalg.batch_matmul ins(%x, %2 : tensor<5x4x256xf32>, tensor<5x256x128xf32>) outs(%o : tensor<5x4x128xf32>) -> tensor<5x4x128xf32>
  return %3 : tensor<5x4x128xf32>
}
