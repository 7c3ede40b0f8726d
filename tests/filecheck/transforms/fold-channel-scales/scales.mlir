// RUN: xdsl-opt -t mlir-22 -p fold-channel-scales %s | filecheck %s

#c = affine_map<(n, c, h, w) -> (c)>
#unit = affine_map<(n, c, h, w) -> (c, 0, 0)>
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>

// Mean, scale and shift: the scale goes to the weights, the rest is one shift.
// CHECK-LABEL: func.func @several
// CHECK:         arith.negf
// CHECK:         arith.mulf
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %beta : tensor<8xf32>, tensor<8xf32>)
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%w, %gamma : tensor<8x4x3x3xf32>, tensor<8xf32>)
// CHECK:         %[[C:.*]] = linalg.conv_2d_nchw_fchw ins(%x, %[[W]] :
// CHECK-NEXT:    %[[R:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<8xf32>) outs(%[[C]] :
// CHECK:         return %[[R]]
func.func @several(%x: tensor<1x4x9x9xf32>, %w: tensor<8x4x3x3xf32>, %mean: tensor<8x1x1xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> tensor<1x8x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>) outs(%z : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  %1 = linalg.generic {indexing_maps = [#unit, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%mean : tensor<8x1x1xf32>) outs(%0 : tensor<1x8x7x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.subf %o, %a : f32
    linalg.yield %2 : f32
  } -> tensor<1x8x7x7xf32>
  %3 = linalg.generic {indexing_maps = [#all, #c, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %gamma, %beta : tensor<1x8x7x7xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<1x8x7x7xf32>) {
  ^bb0(%i: f32, %a: f32, %b: f32, %o: f32):
    %4 = arith.mulf %i, %a : f32
    %5 = arith.addf %4, %b : f32
    linalg.yield %5 : f32
  } -> tensor<1x8x7x7xf32>
  return %3 : tensor<1x8x7x7xf32>
}

// A bias alone stays as it is, and so does what is no number for each channel.
// CHECK-LABEL: func.func @nothing_to_scale
// CHECK:         linalg.conv_2d_nchw_fchw ins(%x, %w :
// CHECK:         ins(%b : tensor<8xf32>)
// CHECK:         arith.mulf
func.func @nothing_to_scale(%x: tensor<1x4x9x9xf32>, %w: tensor<8x4x3x3xf32>, %b: tensor<8xf32>) -> tensor<1x8x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>) outs(%z : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  %1 = linalg.generic {indexing_maps = [#c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<8xf32>) outs(%0 : tensor<1x8x7x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %o, %a : f32
    linalg.yield %2 : f32
  } -> tensor<1x8x7x7xf32>
  %3 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%1 : tensor<1x8x7x7xf32>) {
  ^bb0(%o: f32):
    %4 = arith.mulf %o, %o : f32
    linalg.yield %4 : f32
  } -> tensor<1x8x7x7xf32>
  return %3 : tensor<1x8x7x7xf32>
}
