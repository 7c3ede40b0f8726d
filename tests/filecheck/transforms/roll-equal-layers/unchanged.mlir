// RUN: xdsl-opt -t mlir-22 -p roll-equal-layers %s | filecheck %s

// Without marks, nobody would put the weights together ahead.
// CHECK-LABEL: func.func @unmarked
// CHECK-NOT:     scf.for
func.func @unmarked(%x: tensor<1x4xf32>, %z: tensor<1x4xf32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %d: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %h0 = linalg.matmul ins(%x, %a : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %b : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h1, %c : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h2, %d : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h3 : tensor<1x4xf32>
}

// The last layer has weights of another shape, so that two are equal.
// CHECK-LABEL: func.func @shapes
// CHECK-NOT:     scf.for
func.func @shapes(%x: tensor<1x4xf32>, %z: tensor<1x4xf32>, %y: tensor<1x8xf32>, %a: tensor<4x4xf32> {xbuf.weight}, %b: tensor<4x4xf32> {xbuf.weight}, %c: tensor<4x4xf32> {xbuf.weight}, %d: tensor<4x8xf32> {xbuf.weight}) -> tensor<1x8xf32> {
  %h0 = linalg.matmul ins(%x, %a : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %b : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h1, %c : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h2, %d : tensor<1x4xf32>, tensor<4x8xf32>) outs(%y : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %h3 : tensor<1x8xf32>
}

// A tile of a convolution would be written before what it is added to is read there. So
// an iteration that pads this, too, would make copies.
// CHECK-LABEL: func.func @residual
// CHECK-NOT:     scf.for
func.func @residual(%x: tensor<8x4xf32>, %z: tensor<8x4xf32>, %w0: tensor<3x4x4xf32> {xbuf.weight}, %w1: tensor<3x4x4xf32> {xbuf.weight}, %w2: tensor<3x4x4xf32> {xbuf.weight}, %w3: tensor<3x4x4xf32> {xbuf.weight}, %w4: tensor<3x4x4xf32> {xbuf.weight}) -> tensor<8x4xf32> {
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
  %h1 = linalg.add ins(%c0, %x : tensor<8x4xf32>, tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
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
  %h2 = linalg.add ins(%c1, %h1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
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
  %h3 = linalg.add ins(%c2, %h2 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
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
  %h4 = linalg.add ins(%c3, %h3 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
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
  %h5 = linalg.add ins(%c4, %h4 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %h5 : tensor<8x4xf32>
}
