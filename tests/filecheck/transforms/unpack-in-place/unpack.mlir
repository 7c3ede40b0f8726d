// RUN: xdsl-opt -t mlir-22 -p unpack-in-place,simplify-pack %s | filecheck %s

// The result of a convolution becomes rows of channels; what else reads it does so there.
// CHECK-LABEL: func.func @rows
// CHECK:         [[E:%.*]] = tensor.empty() : tensor<1x6x2x32xf32>
// CHECK:         [[S:%.*]] = linalg.generic
// CHECK-SAME:      outs([[E]] : tensor<1x6x2x32xf32>) attrs = {xsmm.sums_window}
// CHECK:         [[B:%.*]] = linalg.generic
// CHECK-SAME:      outs([[S]] : tensor<1x6x2x32xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      ins([[B]] : tensor<1x6x2x32xf32>) outs(%{{.*}} : tensor<1x2x6x32xf32>)
// CHECK:         [[R:%.*]] = tensor.collapse_shape [[B]] {{\[\[}}0], [1], [2, 3]] : tensor<1x6x2x32xf32> into tensor<1x6x64xf32>
// CHECK:         return [[R]]
func.func @rows(%image: tensor<1x1x8x32xf32>, %filter: tensor<2x1x3x32x32xf32>, %bias: tensor<2x32xf32>) -> (tensor<1x6x64xf32>, tensor<1x2x6x32xf32>) {
  %e = tensor.empty() : tensor<1x2x6x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k, p, l, c, r, m) -> (n, c, p + r, m)>, affine_map<(n, k, p, l, c, r, m) -> (k, c, r, m, l)>, affine_map<(n, k, p, l, c, r, m) -> (n, k, p, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%image, %filter : tensor<1x1x8x32xf32>, tensor<2x1x3x32x32xf32>) outs(%e : tensor<1x2x6x32xf32>) attrs = {xsmm.sums_window} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  } -> tensor<1x2x6x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, k, p, l) -> (k, l)>, affine_map<(n, k, p, l) -> (n, k, p, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<2x32xf32>) outs(%0 : tensor<1x2x6x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = arith.addf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<1x2x6x32xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(n, k, p, l) -> (n, k, p, l)>, affine_map<(n, k, p, l) -> (n, k, p, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x2x6x32xf32>) outs(%e : tensor<1x2x6x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<1x2x6x32xf32>
  %r = tensor.empty() : tensor<1x6x64xf32>
  %3 = linalg.unpack %1 outer_dims_perm = [0, 2, 1] inner_dims_pos = [2] inner_tiles = [32] into %r : tensor<1x2x6x32xf32> -> tensor<1x6x64xf32>
  return %3, %2 : tensor<1x6x64xf32>, tensor<1x2x6x32xf32>
}

// Channels that are not neighbours in the end, or of an argument, are unpacked as before.
// CHECK-LABEL: func.func @elsewhere
// CHECK-COUNT-2: linalg.unpack
func.func @elsewhere(%x: tensor<1x2x6x32xf32>) -> (tensor<1x64x6xf32>, tensor<1x6x64xf32>) {
  %e = tensor.empty() : tensor<1x2x6x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k, p, l) -> (n, k, p, l)>, affine_map<(n, k, p, l) -> (n, k, p, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x6x32xf32>) outs(%e : tensor<1x2x6x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<1x2x6x32xf32>
  %f = tensor.empty() : tensor<1x64x6xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [1] inner_tiles = [32] into %f : tensor<1x2x6x32xf32> -> tensor<1x64x6xf32>
  %r = tensor.empty() : tensor<1x6x64xf32>
  %2 = linalg.unpack %x outer_dims_perm = [0, 2, 1] inner_dims_pos = [2] inner_tiles = [32] into %r : tensor<1x2x6x32xf32> -> tensor<1x6x64xf32>
  return %1, %2 : tensor<1x64x6xf32>, tensor<1x6x64xf32>
}

// A loop carries rows of channels, if its result is unpacked.
// CHECK-LABEL: func.func @carried
// CHECK:         [[A:%.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x6x2x32xf32>)
// CHECK:         [[L:%.*]] = scf.for {{.*}} iter_args([[T:%.*]] = [[A]]) -> (tensor<1x6x2x32xf32>) {
// CHECK:           tensor.pad [[T]] low[0, 1, 0, 0] high[0, 1, 0, 0]
// CHECK:           : tensor<1x6x2x32xf32> to tensor<1x8x2x32xf32>
// CHECK:           [[U:%.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x6x2x32xf32>)
// CHECK:           scf.yield [[U]]
// CHECK:         [[R:%.*]] = tensor.collapse_shape [[L]] {{\[\[}}0], [1], [2, 3]] : tensor<1x6x2x32xf32> into tensor<1x6x64xf32>
// CHECK:         return [[R]]
func.func @carried(%x: tensor<1x2x6x32xf32>, %f: tensor<3xf32>, %n: index) -> tensor<1x6x64xf32> {
  %zero = arith.constant 0.0 : f32
  %from = arith.constant 0 : index
  %step = arith.constant 1 : index
  %e = tensor.empty() : tensor<1x2x6x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k, p, l) -> (n, k, p, l)>, affine_map<(n, k, p, l) -> (n, k, p, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x6x32xf32>) outs(%e : tensor<1x2x6x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<1x2x6x32xf32>
  %1 = scf.for %i = %from to %n step %step iter_args(%c = %0) -> (tensor<1x2x6x32xf32>) {
    %p = tensor.pad %c low[0, 0, 1, 0] high[0, 0, 1, 0] {
    ^bb0(%h: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<1x2x6x32xf32> to tensor<1x2x8x32xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(n, k, p, l, r) -> (n, k, p + r, l)>, affine_map<(n, k, p, l, r) -> (r)>, affine_map<(n, k, p, l, r) -> (n, k, p, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p, %f : tensor<1x2x8x32xf32>, tensor<3xf32>) outs(%e : tensor<1x2x6x32xf32>) attrs = {xsmm.sums_window} {
    ^bb0(%a: f32, %b: f32, %s: f32):
      %m = arith.mulf %a, %b : f32
      %y = arith.addf %s, %m : f32
      linalg.yield %y : f32
    } -> tensor<1x2x6x32xf32>
    scf.yield %2 : tensor<1x2x6x32xf32>
  }
  %r = tensor.empty() : tensor<1x6x64xf32>
  %3 = linalg.unpack %1 outer_dims_perm = [0, 2, 1] inner_dims_pos = [2] inner_tiles = [32] into %r : tensor<1x2x6x32xf32> -> tensor<1x6x64xf32>
  return %3 : tensor<1x6x64xf32>
}

// A loop that starts with one tensor twice would need it in both orders.
// CHECK-LABEL: func.func @twice
// CHECK:         scf.for {{.*}} -> (tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>) {
// CHECK:         linalg.unpack
func.func @twice(%x: tensor<1x2x6x32xf32>, %n: index) -> (tensor<1x6x64xf32>, tensor<1x2x6x32xf32>) {
  %from = arith.constant 0 : index
  %step = arith.constant 1 : index
  %e = tensor.empty() : tensor<1x2x6x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k, p, l) -> (n, k, p, l)>, affine_map<(n, k, p, l) -> (n, k, p, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x6x32xf32>) outs(%e : tensor<1x2x6x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<1x2x6x32xf32>
  %1:2 = scf.for %i = %from to %n step %step iter_args(%c = %0, %d = %0) -> (tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>) {
    %2 = linalg.generic {indexing_maps = [affine_map<(n, k, p, l) -> (n, k, p, l)>, affine_map<(n, k, p, l) -> (n, k, p, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x2x6x32xf32>) outs(%e : tensor<1x2x6x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %y = math.exp %a : f32
      linalg.yield %y : f32
    } -> tensor<1x2x6x32xf32>
    scf.yield %2, %d : tensor<1x2x6x32xf32>, tensor<1x2x6x32xf32>
  }
  %r = tensor.empty() : tensor<1x6x64xf32>
  %3 = linalg.unpack %1#0 outer_dims_perm = [0, 2, 1] inner_dims_pos = [2] inner_tiles = [32] into %r : tensor<1x2x6x32xf32> -> tensor<1x6x64xf32>
  return %3, %1#1 : tensor<1x6x64xf32>, tensor<1x2x6x32xf32>
}
