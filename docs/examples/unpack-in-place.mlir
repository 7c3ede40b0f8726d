// xdsl-opt -p 'unpack-in-place'
#image = affine_map<(k, p, l, r, m) -> (p + r, m)>
#filter = affine_map<(k, p, l, r, m) -> (k, r, m, l)>
#sums = affine_map<(k, p, l, r, m) -> (k, p, l)>
func.func @rows(%image: tensor<8x32xf32>, %filter: tensor<2x3x32x32xf32>) -> tensor<6x64xf32> {
  %e = tensor.empty() : tensor<2x6x32xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%image, %filter : tensor<8x32xf32>, tensor<2x3x32x32xf32>) outs(%e : tensor<2x6x32xf32>) attrs = {xsmm.sums_window} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x6x32xf32>
  %d = tensor.empty() : tensor<6x64xf32>
  %1 = linalg.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into %d : tensor<2x6x32xf32> -> tensor<6x64xf32>
  return %1 : tensor<6x64xf32>
}
