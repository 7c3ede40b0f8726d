// RUN: xdsl-opt -t mlir-22 -p roll-equal-layers %s | filecheck %s

// The weights of the layers lie one behind the other, and each iteration takes its part.
// The first layer reads an argument, which nothing may write over. It stays.
// CHECK-LABEL: func.func @layers
// CHECK:         %[[H:.*]] = linalg.matmul ins(%x, %a
// CHECK-DAG:     %[[B:.*]] = tensor.expand_shape %b {{\[\[}}0, 1], [2]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
// CHECK-DAG:     %[[C:.*]] = tensor.expand_shape %c
// CHECK-DAG:     %[[D:.*]] = tensor.expand_shape %d
// CHECK:         %[[W:.*]] = tensor.concat dim(0) %[[B]], %[[C]], %[[D]] : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<3x4x4xf32>
// CHECK:         %[[L:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[X:.*]] = %[[H]]) -> (tensor<1x4xf32>) {
// CHECK:           %[[P:.*]] = tensor.extract_slice %[[W]][%[[I]], 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf32> to tensor<4x4xf32>
// CHECK-NEXT:      %[[Y:.*]] = linalg.matmul ins(%[[X]], %[[P]]
// CHECK-NEXT:      scf.yield %[[Y]]
// CHECK:         return %[[L]]
func.func @layers(%x: tensor<1x4xf32>, %a: tensor<4x4xf32> {xbuf.weight}, %b: tensor<4x4xf32> {xbuf.weight}, %c: tensor<4x4xf32> {xbuf.weight}, %d: tensor<4x4xf32> {xbuf.weight}) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h0 = linalg.matmul ins(%x, %a : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %b : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h1, %c : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h2, %d : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h3 : tensor<1x4xf32>
}

// What is computed of weights alone is put together as it is computed.
// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-3: linalg.transpose
// CHECK-NOT:     linalg.transpose
// CHECK:         scf.for
// CHECK-NOT:     linalg.transpose
func.func @transposed(%x: tensor<1x4xf32>, %a: tensor<4x4xf32> {xbuf.weight}, %b: tensor<4x4xf32> {xbuf.weight}, %c: tensor<4x4xf32> {xbuf.weight}) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %m = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<1x4xf32>
  %ta = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%m : tensor<4x4xf32>) permutation = [1, 0]
  %h0 = linalg.matmul ins(%s, %ta : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %tb = linalg.transpose ins(%b : tensor<4x4xf32>) outs(%m : tensor<4x4xf32>) permutation = [1, 0]
  %h1 = linalg.matmul ins(%h0, %tb : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %tc = linalg.transpose ins(%c : tensor<4x4xf32>) outs(%m : tensor<4x4xf32>) permutation = [1, 0]
  %h2 = linalg.matmul ins(%h1, %tc : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h2 : tensor<1x4xf32>
}

// Convolutions without what they read are a loop.
// CHECK-LABEL: func.func @convolutions
// CHECK:         scf.for
// CHECK:           tensor.pad
// CHECK:           linalg.generic
// CHECK:           scf.yield
func.func @convolutions(%x: tensor<8x4xf32>, %z: tensor<8x4xf32>, %w0: tensor<3x4x4xf32> {xbuf.weight}, %w1: tensor<3x4x4xf32> {xbuf.weight}, %w2: tensor<3x4x4xf32> {xbuf.weight}, %w3: tensor<3x4x4xf32> {xbuf.weight}, %w4: tensor<3x4x4xf32> {xbuf.weight}) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %p0 = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x4xf32> to tensor<10x4xf32>
  %c0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p0, %w0 : tensor<10x4xf32>, tensor<3x4x4xf32>) outs(%z : tensor<8x4xf32>) attrs = {xsmm.sums_window} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %h1 = linalg.exp ins(%c0 : tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p1 = tensor.pad %h1 low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x4xf32> to tensor<10x4xf32>
  %c1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p1, %w1 : tensor<10x4xf32>, tensor<3x4x4xf32>) outs(%z : tensor<8x4xf32>) attrs = {xsmm.sums_window} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %h2 = linalg.exp ins(%c1 : tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p2 = tensor.pad %h2 low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x4xf32> to tensor<10x4xf32>
  %c2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p2, %w2 : tensor<10x4xf32>, tensor<3x4x4xf32>) outs(%z : tensor<8x4xf32>) attrs = {xsmm.sums_window} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %h3 = linalg.exp ins(%c2 : tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p3 = tensor.pad %h3 low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x4xf32> to tensor<10x4xf32>
  %c3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p3, %w3 : tensor<10x4xf32>, tensor<3x4x4xf32>) outs(%z : tensor<8x4xf32>) attrs = {xsmm.sums_window} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %h4 = linalg.exp ins(%c3 : tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p4 = tensor.pad %h4 low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x4xf32> to tensor<10x4xf32>
  %c4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p4, %w4 : tensor<10x4xf32>, tensor<3x4x4xf32>) outs(%z : tensor<8x4xf32>) attrs = {xsmm.sums_window} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %h5 = linalg.exp ins(%c4 : tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %h5 : tensor<8x4xf32>
}
