// RUN: xdsl-opt -t mlir-22 -p constant-fold-pack %s | filecheck %s

// CHECK:      func.func @splat
// CHECK-NEXT:   %[[C:.*]] = arith.constant dense<1.500000e+00> : tensor<3x2x32x16xf32>
// CHECK-NEXT:   func.return %[[C]]
func.func @splat() -> tensor<3x2x32x16xf32> {
  %c = arith.constant dense<1.5> : tensor<64x48xf32>
  %e = tensor.empty() : tensor<3x2x32x16xf32>
  %0 = linalg.pack %c outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<64x48xf32> -> tensor<3x2x32x16xf32>
  return %0 : tensor<3x2x32x16xf32>
}

// CHECK:      func.func @elements
// CHECK-NEXT:   arith.constant dense<{{\[\[\[\[1, 2\], \[5, 6\]\], \[\[3, 4\], \[7, 8\]\]\]\]}}> : tensor<1x2x2x2xi16>
// CHECK-NEXT:   func.return
func.func @elements() -> tensor<1x2x2x2xi16> {
  %c = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi16>
  %e = tensor.empty() : tensor<1x2x2x2xi16>
  %0 = linalg.pack %c inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<2x4xi16> -> tensor<1x2x2x2xi16>
  return %0 : tensor<1x2x2x2xi16>
}

// CHECK:      func.func @padded
// CHECK:        arith.constant dense<{{\[\[\[1, 2\], \[3, 9\]\], \[\[4, 5\], \[6, 9\]\]\]}}> : tensor<2x2x2xi32>
func.func @padded() -> tensor<2x2x2xi32> {
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %p = arith.constant 9 : i32
  %e = tensor.empty() : tensor<2x2x2xi32>
  %0 = linalg.pack %c padding_value(%p : i32) inner_dims_pos = [1] inner_tiles = [2] into %e : tensor<2x3xi32> -> tensor<2x2x2xi32>
  return %0 : tensor<2x2x2xi32>
}

// One after the other.

// CHECK:      func.func @twice
// CHECK-NEXT:   arith.constant dense<{{\[\[\[1, 3\], \[2, 4\]\]\]}}> : tensor<1x2x2xi8>
// CHECK-NEXT:   func.return
func.func @twice() -> tensor<1x2x2xi8> {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %e = tensor.empty() : tensor<2x2xi8>
  %f = tensor.empty() : tensor<1x2x2xi8>
  %0 = linalg.pack %c inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<4xi8> -> tensor<2x2xi8>
  %1 = linalg.pack %0 inner_dims_pos = [0] inner_tiles = [2] into %f : tensor<2x2xi8> -> tensor<1x2x2xi8>
  return %1 : tensor<1x2x2xi8>
}

// CHECK:      func.func @resource
// CHECK:        arith.constant dense<{{\[\[\[1.000000e\+00, 3.000000e\+00\]\], \[\[2.000000e\+00, 4.000000e\+00\]\]\]}}> : tensor<2x1x2xf32>
func.func @resource() -> tensor<2x1x2xf32> {
  %c = arith.constant dense_resource<weights> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x1x2xf32>
  %0 = linalg.pack %c outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<2x2xf32> -> tensor<2x1x2xf32>
  return %0 : tensor<2x1x2xf32>
}

// A fill is made where it is wanted.

// CHECK:      func.func @fill
// CHECK-NEXT:   %[[EMPTY:.*]] = tensor.empty() : tensor<2x3x32x16xf32>
// CHECK-NEXT:   linalg.fill ins(%z : f32) outs(%[[EMPTY]] : tensor<2x3x32x16xf32>) -> tensor<2x3x32x16xf32>
// CHECK-NEXT:   func.return
func.func @fill(%z: f32) -> tensor<2x3x32x16xf32> {
  %e = tensor.empty() : tensor<64x48xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %f = tensor.empty() : tensor<2x3x32x16xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<64x48xf32> -> tensor<2x3x32x16xf32>
  return %1 : tensor<2x3x32x16xf32>
}

// CHECK:      func.func @padded_fill
// CHECK-NOT:    linalg.pack
// CHECK:        linalg.fill {{.*}} -> tensor<2x3x32x16xf32>
func.func @padded_fill() -> tensor<2x3x32x16xf32> {
  %z = arith.constant 0.0 : f32
  %p = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<63x48xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<63x48xf32>) -> tensor<63x48xf32>
  %f = tensor.empty() : tensor<2x3x32x16xf32>
  %1 = linalg.pack %0 padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %f : tensor<63x48xf32> -> tensor<2x3x32x16xf32>
  return %1 : tensor<2x3x32x16xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
