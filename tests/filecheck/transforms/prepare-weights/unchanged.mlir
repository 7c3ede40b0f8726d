// RUN: xdsl-opt -t mlir-22 -p prepare-weights %s | filecheck %s

// CHECK-NOT:  _weights

// Nothing is a weight.

// CHECK:      func.func @no_weight(%{{.*}}: tensor<4x8xf32>)
func.func @no_weight(%w: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  return %t : tensor<8x4xf32>
}

// A reshape of a weight costs nothing.

// CHECK:      func.func @view(%{{.*}}: tensor<4x8xf32> {xbuf.weight})
// CHECK-NEXT:   tensor.collapse_shape
func.func @view(%w: tensor<4x8xf32> {xbuf.weight}) -> tensor<32xf32> {
  %t = tensor.collapse_shape %w [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %t : tensor<32xf32>
}

// A payload may end the program, and does so in the call.

// CHECK:      func.func @asserts
// CHECK:        cf.assert
func.func @asserts(%w: tensor<8xf32> {xbuf.weight}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %z = arith.constant 0.0 : f32
  %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %in, %c : f32
    cf.assert %p, "negative"
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %t : tensor<8xf32>
}

// A size of the weight is open.

// CHECK:      func.func @dynamic
// CHECK:        linalg.transpose
func.func @dynamic(%w: tensor<?x8xf32> {xbuf.weight}, %n: index) -> tensor<8x?xf32> {
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %t = linalg.transpose ins(%w : tensor<?x8xf32>) outs(%e : tensor<8x?xf32>) permutation = [1, 0]
  return %t : tensor<8x?xf32>
}
