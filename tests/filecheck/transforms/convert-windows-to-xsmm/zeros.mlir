// RUN: xdsl-opt -t mlir-22 -p convert-windows-to-xsmm %s | filecheck %s

#a = affine_map<(p, q, k, r, s, c) -> (p * 2 + r, q + s, c)>
#b = affine_map<(p, q, k, r, s, c) -> (r, s, c, k)>
#c = affine_map<(p, q, k, r, s, c) -> (p, q, k)>

// Of nine rows of the image, the first two and the last two are zeros. Rows are 144
// elements apart, and loop 2 is over rows of the window.
// CHECK-LABEL: func.func @zeros
// CHECK:         xsmm.window.dispatch product [3, 7, 32, 288, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 5, 144, 1536, 48, 1, 32, 0, 0, 0, 0, 2, 288, 1008] flags = (beta_0) data_type = f32
// CHECK-NEXT:    xsmm.window product
func.func @zeros(%a: memref<9x9x16xf32>, %b: memref<5x3x16x32xf32>, %c: memref<3x7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x7x32xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%a, %b : memref<9x9x16xf32>, memref<5x3x16x32xf32>) outs(%c : memref<3x7x32xf32>) attrs = {xsmm.image_rows = array<i64: 2, 7>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// The last row of the image is not read at all.
// CHECK-LABEL: func.func @nothing_left_out
// CHECK:         xsmm.window.dispatch product [3, 7, 32, 288, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 5, 144, 1536, 48, 1, 32] flags = (beta_0)
func.func @nothing_left_out(%a: memref<10x9x16xf32>, %b: memref<5x3x16x32xf32>, %c: memref<3x7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x7x32xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%a, %b : memref<10x9x16xf32>, memref<5x3x16x32xf32>) outs(%c : memref<3x7x32xf32>) attrs = {xsmm.image_rows = array<i64: 0, 9>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// Sums that start with something else may be -0.0, and would be 0.0 instead.
// CHECK-LABEL: func.func @other_start
// CHECK:         xsmm.window.dispatch product [3, 7, 32, 288, 16, 224, 32, 0, 0, 1, 0, 0, 1, 0, 0, 5, 144, 1536, 48, 1, 32] flags = (none)
func.func @other_start(%a: memref<9x9x16xf32>, %b: memref<5x3x16x32xf32>, %c: memref<3x7x32xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%a, %b : memref<9x9x16xf32>, memref<5x3x16x32xf32>) outs(%c : memref<3x7x32xf32>) attrs = {xsmm.image_rows = array<i64: 2, 7>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// Weights of 600 KiB are read once for as many rows of pixels as fit into registers.
// CHECK-LABEL: func.func @many_weights
// CHECK:         xsmm.window.dispatch product [3, 7, 32, 576, 32, 224, 32, 0, 0, 1, 0, 0, 20, 2592, 15360, 5, 288, 3072, 96, 1, 32] flags = (beta_0)
func.func @many_weights(%a: memref<20x9x9x32xf32>, %b: memref<20x5x3x32x32xf32>, %c: memref<3x7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x7x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(p, q, k, n, r, s, c) -> (n, p * 2 + r, q + s, c)>, affine_map<(p, q, k, n, r, s, c) -> (n, r, s, c, k)>, affine_map<(p, q, k, n, r, s, c) -> (p, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%a, %b : memref<20x9x9x32xf32>, memref<20x5x3x32x32xf32>) outs(%c : memref<3x7x32xf32>) attrs = {xsmm.image_rows = array<i64: 2, 7>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
