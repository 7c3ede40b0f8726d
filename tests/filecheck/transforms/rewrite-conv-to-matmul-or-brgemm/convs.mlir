// RUN: xdsl-opt -t mlir-22 -p rewrite-conv-to-matmul-or-brgemm %s | filecheck %s

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// A window of 1x1: a product for each row.

// CHECK-LABEL: @pointwise
// CHECK:         scf.forall (%[[N:.*]], %[[H:.*]]) in (2, 6) shared_outs(%[[O:.*]] = %c)
// CHECK:           linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<5x3xf32>, tensor<3x8xf32>) outs(%{{.*}} : tensor<5x8xf32>)
func.func @pointwise(%x: tensor<2x6x5x3xf32>, %f: tensor<1x1x3x8xf32>, %c: tensor<2x6x5x8xf32>) -> tensor<2x6x5x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<2x6x5x3xf32>, tensor<1x1x3x8xf32>) outs(%c : tensor<2x6x5x8xf32>) -> tensor<2x6x5x8xf32>
  return %0 : tensor<2x6x5x8xf32>
}

// The rows of a window are the batch; strides are those of slices. The fill before and
// the ReLU after are computed with each row.

// CHECK-LABEL: @strided
// CHECK:         scf.forall (%[[N:.*]], %[[H:.*]]) in (2, 4)
// CHECK-NEXT:      %[[Y:.*]] = affine.apply affine_map<(d0) -> (d0 * 2)>(%[[H]])
// CHECK:           %[[F:.*]] = linalg.fill {{.*}} -> tensor<4x8xf32>
// CHECK:           %[[ROWS:.*]] = tensor.extract_slice %x[%[[N]], %[[Y]], 0, 0] [1, 3, 10, 3] [1, 1, 1, 1]
// CHECK:           %[[G:.*]] = scf.for %[[W:.*]] = %{{.*}} iter_args(%[[C:.*]] = %[[F]]) -> (tensor<4x8xf32>) {
// CHECK-NEXT:        %[[A:.*]] = tensor.extract_slice %[[ROWS]][0, %[[W]], 0] [3, 4, 3] [1, 2, 1]
// CHECK-NEXT:        %[[B:.*]] = tensor.extract_slice %f[0, %[[W]], 0, 0] [3, 1, 3, 8]
// CHECK-NEXT:        %[[P:.*]] = linalg.batch_reduce_matmul ins(%[[A]], %[[B]] : tensor<3x4x3xf32>, tensor<3x3x8xf32>) outs(%[[C]] : tensor<4x8xf32>)
// CHECK-NEXT:        scf.yield %[[P]]
// CHECK:           linalg.generic {{.*}} outs(%[[G]] : tensor<4x8xf32>)
func.func @strided(%x: tensor<2x10x10x3xf32>, %f: tensor<3x3x3x8xf32>) -> tensor<2x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x4x4x8xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %f : tensor<2x10x10x3xf32>, tensor<3x3x3x8xf32>) outs(%1 : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %3 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%2 : tensor<2x4x4x8xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<2x4x4x8xf32>
  return %3 : tensor<2x4x4x8xf32>
}

// Packed: the blocks of channels are the batch, as there are more than rows.

// CHECK-LABEL: @packed
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (2, 3, 4)
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               linalg.batch_reduce_matmul ins(%{{.*}}, %{{.*}} : tensor<4x4x8xf32>, tensor<4x8x16xf32>)
func.func @packed(%x: tensor<2x4x6x6x8xf32>, %f: tensor<3x4x3x3x8x16xf32>, %c: tensor<2x3x4x4x16xf32>) -> tensor<2x3x4x4x16xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k, p, q, kk, c, r, s, cc) -> (n, c, p + r, q + s, cc)>, affine_map<(n, k, p, q, kk, c, r, s, cc) -> (k, c, r, s, cc, kk)>, affine_map<(n, k, p, q, kk, c, r, s, cc) -> (n, k, p, q, kk)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%x, %f : tensor<2x4x6x6x8xf32>, tensor<3x4x3x3x8x16xf32>) outs(%c : tensor<2x3x4x4x16xf32>) {
  ^bb0(%in: f32, %w: f32, %out: f32):
    %m = arith.mulf %in, %w : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x4x16xf32>
  return %0 : tensor<2x3x4x4x16xf32>
}
