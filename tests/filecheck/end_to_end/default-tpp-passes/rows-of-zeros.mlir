// RUN: xbuf opt -p default-tpp-passes %s | filecheck %s

// Of 13 rows with 208 elements, three are zeros at each end: loop 2 leaves them out.
// CHECK-LABEL: func.func @entry
// CHECK:         xsmm.window.dispatch product [7, 7, 16, 208, 16, 112, 16, 0, 0, 1, 0, 0, 1, 0, 0, 7, 208, 1792, 112, 1, 16, 0, 0, 0, 0, 2, 624, 2080] flags = (beta_0, relu) data_type = f32
// CHECK-NOT:     linalg.
func.func @entry(%i: tensor<2x16x7x7xf32>, %f: tensor<16x16x7x7xf32>) -> tensor<2x16x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %i low[0, 0, 3, 3] high[0, 0, 3, 3] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x16x7x7xf32> to tensor<2x16x13x13xf32>
  %e = tensor.empty() : tensor<2x16x7x7xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x7x7xf32>) -> tensor<2x16x7x7xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%0, %f : tensor<2x16x13x13xf32>, tensor<16x16x7x7xf32>) outs(%1 : tensor<2x16x7x7xf32>) -> tensor<2x16x7x7xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x16x7x7xf32>) outs(%e : tensor<2x16x7x7xf32>) {
  ^bb0(%s: f32, %o: f32):
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x16x7x7xf32>
  return %3 : tensor<2x16x7x7xf32>
}
