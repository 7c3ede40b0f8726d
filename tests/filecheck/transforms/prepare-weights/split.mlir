// RUN: xdsl-opt -t mlir-22 -p prepare-weights %s | filecheck %s

// What makes a weight no larger is computed ahead; a bias that is repeated is not.

// CHECK:      func.func @layer_weights(%[[W:.*]]: tensor<128x64xf32> {xbuf.argument = 1 : i64}) -> tensor<64x128xf32>
// CHECK:        %[[T:.*]] = linalg.transpose ins(%[[W]]
// CHECK-NEXT:   func.return %[[T]]
// CHECK:      func.func @layer(%[[X:.*]]: tensor<4x64xf32> {xbuf.argument = 0 : i64}, %[[B:.*]]: tensor<128xf32> {xbuf.weight, xbuf.argument = 2 : i64}, %[[T:.*]]: tensor<64x128xf32> {xbuf.prepared = 0 : i64})
// CHECK-NOT:    linalg.transpose
// CHECK:        %[[C:.*]] = linalg.broadcast ins(%[[B]]
// CHECK:        linalg.matmul ins(%[[X]], %[[T]]
func.func @layer(%x: tensor<4x64xf32>, %w: tensor<128x64xf32> {xbuf.weight}, %b: tensor<128xf32> {xbuf.weight}) -> tensor<4x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %t = linalg.transpose ins(%w : tensor<128x64xf32>) outs(%e : tensor<64x128xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<4x128xf32>
  %c = linalg.broadcast ins(%b : tensor<128xf32>) outs(%o : tensor<4x128xf32>) dimensions = [0]
  %y = linalg.matmul ins(%x, %t : tensor<4x64xf32>, tensor<64x128xf32>) outs(%c : tensor<4x128xf32>) -> tensor<4x128xf32>
  return %y : tensor<4x128xf32>
}

// Packs may pad. Two weights may become one value.

// CHECK:      func.func @sum_weights(%{{.*}}: tensor<5xf32> {{.*}}, %{{.*}}: tensor<5xf32> {{.*}}) -> tensor<2x4xf32>
// CHECK:        linalg.add
// CHECK:        linalg.pack
// CHECK:      func.func @sum(%[[P:.*]]: tensor<2x4xf32> {xbuf.prepared = 0 : i64}) -> tensor<2x4xf32>
// CHECK-NEXT:   func.return %[[P]]
func.func @sum(%v: tensor<5xf32> {xbuf.weight}, %w: tensor<5xf32> {xbuf.weight}) -> tensor<2x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %s = linalg.add ins(%v, %w : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %d = tensor.empty() : tensor<2x4xf32>
  %p = linalg.pack %s padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<5xf32> -> tensor<2x4xf32>
  return %p : tensor<2x4xf32>
}

// A payload may read a weight at computed places, as the filter of a transposed
// convolution is read backwards.

// CHECK:      func.func @backwards_weights(%{{.*}}: tensor<8xf32> {xbuf.argument = 1 : i64}) -> tensor<8xf32>
// CHECK:        tensor.extract
// CHECK:      func.func @backwards(%{{.*}}: tensor<8xf32> {xbuf.argument = 0 : i64}, %{{.*}}: tensor<8xf32> {xbuf.prepared = 0 : i64})
// CHECK-NOT:    tensor.extract
func.func @backwards(%x: tensor<8xf32>, %w: tensor<8xf32> {xbuf.weight}) -> tensor<8xf32> {
  %last = arith.constant 7 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %last, %i : index
    %v = tensor.extract %w[%j] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %s = linalg.add ins(%x, %r : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// Equal ops are computed once, and those of another layout by themselves.

// CHECK:      func.func @steps_weights(%[[W:.*]]: tensor<128x64xf32> {{.*}}) -> (tensor<64x128xf32>, tensor<1x64x128xf32>)
// CHECK-NEXT:   tensor.empty
// CHECK-NEXT:   %[[T:.*]] = linalg.transpose
// CHECK-NEXT:   tensor.empty
// CHECK-NEXT:   %[[P:.*]] = linalg.pack %[[T]]
// CHECK-NEXT:   func.return %[[T]], %[[P]]
// CHECK:      func.func @steps(%{{.*}}: tensor<1x64xf32> {xbuf.argument = 0 : i64}, %[[A:.*]]: tensor<64x128xf32> {xbuf.prepared = 0 : i64}, %[[B:.*]]: tensor<1x64x128xf32> {xbuf.prepared = 1 : i64})
// CHECK:        linalg.matmul ins(%{{.*}}, %[[A]]
// CHECK:        linalg.matmul ins(%{{.*}}, %[[A]]
// CHECK:        func.return %{{.*}}, %[[B]]
func.func @steps(%x: tensor<1x64xf32>, %w: tensor<128x64xf32> {xbuf.weight}) -> (tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x64x128xf32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %t = linalg.transpose ins(%w : tensor<128x64xf32>) outs(%e : tensor<64x128xf32>) permutation = [1, 0]
  %f = tensor.empty() : tensor<64x128xf32>
  %u = linalg.transpose ins(%w : tensor<128x64xf32>) outs(%f : tensor<64x128xf32>) permutation = [1, 0]
  %g = tensor.empty() : tensor<1x64x128xf32>
  %p = linalg.pack %u outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [128] into %g : tensor<64x128xf32> -> tensor<1x64x128xf32>
  %o = tensor.empty() : tensor<1x128xf32>
  %y = linalg.matmul ins(%x, %t : tensor<1x64xf32>, tensor<64x128xf32>) outs(%o : tensor<1x128xf32>) -> tensor<1x128xf32>
  %z = linalg.matmul ins(%x, %u : tensor<1x64xf32>, tensor<64x128xf32>) outs(%o : tensor<1x128xf32>) -> tensor<1x128xf32>
  return %y, %z, %p : tensor<1x128xf32>, tensor<1x128xf32>, tensor<1x64x128xf32>
}
