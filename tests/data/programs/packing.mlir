// A matrix product in blocked layouts: operands packed into tiles, the product of tiles,
// and the result unpacked, next to the plain product and the difference between them.

#blocks_a = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#blocks_b = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
#blocks_c = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
#plane = affine_map<(d0, d1) -> (d0, d1)>
#point = affine_map<(d0, d1) -> ()>

func.func private @pack_lhs(%a: tensor<13x16xf32>) -> tensor<4x4x4x4xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<4x4x4x4xf32>
  // Thirteen rows are four tiles of four, the last one filled up.
  %packed = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %empty : tensor<13x16xf32> -> tensor<4x4x4x4xf32>
  return %packed : tensor<4x4x4x4xf32>
}

func.func private @pack_rhs(%b: tensor<16x8xf32>) -> tensor<2x4x4x4xf32> {
  %empty = tensor.empty() : tensor<2x4x4x4xf32>
  %packed = linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 4] into %empty : tensor<16x8xf32> -> tensor<2x4x4x4xf32>
  return %packed : tensor<2x4x4x4xf32>
}

func.func private @blocked(%a: tensor<13x16xf32>, %b: tensor<16x8xf32>) -> tensor<13x8xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %lhs = call @pack_lhs(%a) : (tensor<13x16xf32>) -> tensor<4x4x4x4xf32>
  %rhs = call @pack_rhs(%b) : (tensor<16x8xf32>) -> tensor<2x4x4x4xf32>
  %empty = tensor.empty() : tensor<4x2x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2x4x4xf32>) -> tensor<4x2x4x4xf32>
  %tiles = linalg.mmt4d ins(%lhs, %rhs : tensor<4x4x4x4xf32>, tensor<2x4x4x4xf32>) outs(%init : tensor<4x2x4x4xf32>) -> tensor<4x2x4x4xf32>
  %result = tensor.empty() : tensor<13x8xf32>
  %unpacked = linalg.unpack %tiles inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %result : tensor<4x2x4x4xf32> -> tensor<13x8xf32>
  return %unpacked : tensor<13x8xf32>
}

func.func private @contracted(%a: tensor<13x16xf32>, %b: tensor<16x8xf32>) -> tensor<13x8xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %lhs = call @pack_lhs(%a) : (tensor<13x16xf32>) -> tensor<4x4x4x4xf32>
  %rhs = call @pack_rhs(%b) : (tensor<16x8xf32>) -> tensor<2x4x4x4xf32>
  %empty = tensor.empty() : tensor<4x2x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2x4x4xf32>) -> tensor<4x2x4x4xf32>
  %tiles = linalg.contract indexing_maps = [#blocks_a, #blocks_b, #blocks_c] ins(%lhs, %rhs : tensor<4x4x4x4xf32>, tensor<2x4x4x4xf32>) outs(%init : tensor<4x2x4x4xf32>) -> tensor<4x2x4x4xf32>
  %result = tensor.empty() : tensor<13x8xf32>
  %unpacked = linalg.unpack %tiles inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %result : tensor<4x2x4x4xf32> -> tensor<13x8xf32>
  return %unpacked : tensor<13x8xf32>
}

func.func private @largest_difference(%x: tensor<13x8xf32>, %y: tensor<13x8xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.000000e+00> : tensor<f32>
  %r = linalg.generic {indexing_maps = [#plane, #plane, #point], iterator_types = ["reduction", "reduction"]} ins(%x, %y : tensor<13x8xf32>, tensor<13x8xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %d = arith.subf %a, %b : f32
    %size = math.absf %d : f32
    %max = arith.maximumf %size, %acc : f32
    linalg.yield %max : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func @packing(%a: tensor<13x16xf32>, %b: tensor<16x8xf32>) -> (tensor<13x8xf32>, tensor<13x8xf32>, tensor<i1>) {
  %zero = arith.constant 0.000000e+00 : f32
  %limit = arith.constant 1.000000e-03 : f32
  %empty = tensor.empty() : tensor<13x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<13x8xf32>) -> tensor<13x8xf32>
  %plain = linalg.matmul ins(%a, %b : tensor<13x16xf32>, tensor<16x8xf32>) outs(%init : tensor<13x8xf32>) -> tensor<13x8xf32>
  %blocked = call @blocked(%a, %b) : (tensor<13x16xf32>, tensor<16x8xf32>) -> tensor<13x8xf32>
  %contracted = call @contracted(%a, %b) : (tensor<13x16xf32>, tensor<16x8xf32>) -> tensor<13x8xf32>
  %largest = call @largest_difference(%plain, %contracted) : (tensor<13x8xf32>, tensor<13x8xf32>) -> tensor<f32>
  %value = tensor.extract %largest[] : tensor<f32>
  %close = arith.cmpf olt, %value, %limit : f32
  %flag = tensor.from_elements %close : tensor<i1>
  return %blocked, %contracted, %flag : tensor<13x8xf32>, tensor<13x8xf32>, tensor<i1>
}
