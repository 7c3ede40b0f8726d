// RUN: xbuf opt -p 'default-tpp-passes{explain=false block-factors=32,32,32}' %s | filecheck %s
// RUN: xbuf opt -p 'default-tpp-passes{explain=false block-factors=32,32,32 modify-public-functions=false}' %s | filecheck %s --check-prefix KEPT

// The product is added to the caller's matrix, tile by tile: no other matrix is made for
// it, and nothing is returned.

// CHECK:      func.func @add_product(%a: memref<2x2x32x32xf32>, %b: memref<2x2x32x32xf32>, %out: memref<64x64xf32>) {
// CHECK-NOT:    memref.alloc
// CHECK-NOT:    xsmm.unary
// CHECK:        scf.parallel
// CHECK:          %[[TILE:.*]] = memref.subview %out
// CHECK-NOT:      xsmm.unary
// CHECK:          xsmm.brgemm({{.*}}, %[[TILE]], %{{.*}}) :
// CHECK-NOT:    memref.alloc
// CHECK:        func.return
// CHECK-NEXT: }

// Without the option, a result is the caller's to free: it gets a matrix of its own.

// KEPT:       func.func @add_product({{.*}}) -> memref<64x64xf32> {
// KEPT:         scf.parallel
// KEPT:         %[[RESULT:.*]] = memref.alloc() : memref<64x64xf32>
// KEPT:         func.return %[[RESULT]] : memref<64x64xf32>

#lhs = affine_map<(m, n, k, i, j, l) -> (m, k, i, l)>
#rhs = affine_map<(m, n, k, i, j, l) -> (n, k, l, j)>
#sum = affine_map<(m, n, k, i, j, l) -> (m, n, i, j)>

func.func @add_product(%a: tensor<2x2x32x32xf32>, %b: tensor<2x2x32x32xf32>, %out: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<2x2x32x32xf32>
  %packed = linalg.pack %out inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %e : tensor<64x64xf32> -> tensor<2x2x32x32xf32>
  %product = linalg.generic {indexing_maps = [#lhs, #rhs, #sum], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x2x32x32xf32>, tensor<2x2x32x32xf32>) outs(%packed : tensor<2x2x32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x2x32x32xf32>
  %result = linalg.unpack %product inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %out : tensor<2x2x32x32xf32> -> tensor<64x64xf32>
  return %result : tensor<64x64xf32>
}
