// RUN: xdsl-opt -t mlir-22 -p roll-equal-layers %s | filecheck %s

// Two equal layers are a loop if each computes three products.

// CHECK-LABEL: @two_large
// CHECK-COUNT-3: tensor.concat
// CHECK:         scf.for
func.func @two_large(%x: tensor<4x4xf32>, %w00: tensor<4x6xf32> {xbuf.weight}, %w01: tensor<6x8xf32> {xbuf.weight}, %w02: tensor<8x4xf32> {xbuf.weight}, %w10: tensor<4x6xf32> {xbuf.weight}, %w11: tensor<6x8xf32> {xbuf.weight}, %w12: tensor<8x4xf32> {xbuf.weight}) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%u: f32, %v: f32):
    %n = arith.negf %u : f32
    linalg.yield %n : f32
  } -> tensor<4x4xf32>
  %e6 = tensor.empty() : tensor<4x6xf32>
  %z6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e8 = tensor.empty() : tensor<4x8xf32>
  %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a0 = linalg.matmul ins(%g, %w00 : tensor<4x4xf32>, tensor<4x6xf32>) outs(%z6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %a1 = linalg.matmul ins(%a0, %w01 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%z8 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a2 = linalg.matmul ins(%a1, %w02 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b0 = linalg.matmul ins(%a2, %w10 : tensor<4x4xf32>, tensor<4x6xf32>) outs(%z6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %b1 = linalg.matmul ins(%b0, %w11 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%z8 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b2 = linalg.matmul ins(%b1, %w12 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b2 : tensor<4x4xf32>
}

// A loop of two small layers would not save what it costs.

// CHECK-LABEL: @two_small
// CHECK-NOT:     scf.for
func.func @two_small(%x: tensor<4x4xf32>, %w00: tensor<4x6xf32> {xbuf.weight}, %w01: tensor<6x4xf32> {xbuf.weight}, %w10: tensor<4x6xf32> {xbuf.weight}, %w11: tensor<6x4xf32> {xbuf.weight}) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%u: f32, %v: f32):
    %n = arith.negf %u : f32
    linalg.yield %n : f32
  } -> tensor<4x4xf32>
  %e6 = tensor.empty() : tensor<4x6xf32>
  %z6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e8 = tensor.empty() : tensor<4x8xf32>
  %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a0 = linalg.matmul ins(%g, %w00 : tensor<4x4xf32>, tensor<4x6xf32>) outs(%z6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %a1 = linalg.matmul ins(%a0, %w01 : tensor<4x6xf32>, tensor<6x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b0 = linalg.matmul ins(%a1, %w10 : tensor<4x4xf32>, tensor<4x6xf32>) outs(%z6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %b1 = linalg.matmul ins(%b0, %w11 : tensor<4x6xf32>, tensor<6x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b1 : tensor<4x4xf32>
}

// A layer behind the loop would put a border around its result, in a copy.

// CHECK-LABEL: @two_that_pad
// CHECK-NOT:     scf.for
func.func @two_that_pad(%x: tensor<4x4xf32>, %w00: tensor<6x8xf32> {xbuf.weight}, %w01: tensor<8x6xf32> {xbuf.weight}, %w02: tensor<6x4xf32> {xbuf.weight}, %w10: tensor<6x8xf32> {xbuf.weight}, %w11: tensor<8x6xf32> {xbuf.weight}, %w12: tensor<6x4xf32> {xbuf.weight}) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%u: f32, %v: f32):
    %n = arith.negf %u : f32
    linalg.yield %n : f32
  } -> tensor<4x4xf32>
  %e6 = tensor.empty() : tensor<4x6xf32>
  %z6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e8 = tensor.empty() : tensor<4x8xf32>
  %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %ap = tensor.pad %g low[0, 0] high[0, 2] {
  ^bb0(%ai: index, %aj: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<4x6xf32>
  %a0 = linalg.matmul ins(%ap, %w00 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%z8 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a1 = linalg.matmul ins(%a0, %w01 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %a2 = linalg.matmul ins(%a1, %w02 : tensor<4x6xf32>, tensor<6x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a2 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%u: f32, %v: f32):
    %n = arith.negf %u : f32
    linalg.yield %n : f32
  } -> tensor<4x4xf32>
  %bp = tensor.pad %a low[0, 0] high[0, 2] {
  ^bb0(%bi: index, %bj: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<4x6xf32>
  %b0 = linalg.matmul ins(%bp, %w10 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%z8 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b1 = linalg.matmul ins(%b0, %w11 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z6 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %b2 = linalg.matmul ins(%b1, %w12 : tensor<4x6xf32>, tensor<6x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b2 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%u: f32, %v: f32):
    %n = arith.negf %u : f32
    linalg.yield %n : f32
  } -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}
