// RUN: xdsl-opt -t mlir-22 -p pack-convolutions,propagate-pack-and-unpack,tile-convolutions %s | filecheck %s

// A tile reads all rows of the image. The first three and the last two are zeros.
// CHECK-LABEL: @all_rows
// CHECK:         tensor.pad
// CHECK:         scf.forall
// CHECK:           linalg.generic {{.*}} : tensor<12x13x16xf32>, {{.*}} {xsmm.image_rows = array<i64: 3, 10>, xsmm.sums_window}
func.func @all_rows(%i: tensor<2x16x7x7xf32>, %f: tensor<16x16x7x7xf32>, %o: tensor<2x16x6x7xf32>) -> tensor<2x16x6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %i low[0, 0, 3, 3] high[0, 0, 2, 3] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x16x7x7xf32> to tensor<2x16x12x13xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %f : tensor<2x16x12x13xf32>, tensor<16x16x7x7xf32>) outs(%o : tensor<2x16x6x7xf32>) -> tensor<2x16x6x7xf32>
  return %1 : tensor<2x16x6x7xf32>
}

// Each tile reads other rows.
// CHECK-LABEL: @some_rows
// CHECK:         scf.forall
// CHECK-NOT:       xsmm.image_rows
func.func @some_rows(%i: tensor<1x16x28x28xf32>, %f: tensor<16x16x3x3xf32>, %o: tensor<1x16x28x28xf32>) -> tensor<1x16x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %i low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x16x28x28xf32> to tensor<1x16x30x30xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %f : tensor<1x16x30x30xf32>, tensor<16x16x3x3xf32>) outs(%o : tensor<1x16x28x28xf32>) -> tensor<1x16x28x28xf32>
  return %1 : tensor<1x16x28x28xf32>
}

// A border of ones counts.
// CHECK-LABEL: @ones
// CHECK:         scf.forall
// CHECK-NOT:       xsmm.image_rows
func.func @ones(%i: tensor<1x16x7x7xf32>, %f: tensor<16x16x3x3xf32>, %o: tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %0 = tensor.pad %i low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x16x7x7xf32> to tensor<1x16x9x9xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %f : tensor<1x16x9x9xf32>, tensor<16x16x3x3xf32>) outs(%o : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  return %1 : tensor<1x16x7x7xf32>
}

// One row of pixels: only the loop over columns and that over the window share a dimension.
// CHECK-LABEL: @single_row
// CHECK:         scf.forall
// CHECK-NOT:       xsmm.image_rows
func.func @single_row(%i: tensor<1x16x5x7xf32>, %f: tensor<16x16x7x3xf32>, %o: tensor<1x16x1x7xf32>) -> tensor<1x16x1x7xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %i low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x16x5x7xf32> to tensor<1x16x7x9xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %f : tensor<1x16x7x9xf32>, tensor<16x16x7x3xf32>) outs(%o : tensor<1x16x1x7xf32>) -> tensor<1x16x1x7xf32>
  return %1 : tensor<1x16x1x7xf32>
}
