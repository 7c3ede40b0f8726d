// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers{num-iters=1} %s | filecheck %s --check-prefix ONCE

#a = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#b = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#c = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d1, d3)>

#gemm = {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
#bias = {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
#row_bias = {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
#relu = {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}

// A layer: zeros, product, bias and ReLU are computed tile by tile, in place.

// CHECK-LABEL: @layer
// CHECK-SAME:  (%[[A:.*]]: tensor<8x4x32x32xf32>, %[[B:.*]]: tensor<16x4x32x32xf32>, %[[D:.*]]: tensor<8x16x32x32xf32>)
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<8x16x32x32xf32>
// CHECK-NEXT:    %[[R:.*]] = scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 16) shared_outs(%[[O:.*]] = %[[E]]) -> (tensor<8x16x32x32xf32>) {
// CHECK-NEXT:      %[[T:.*]] = tensor.extract_slice %[[O]][%[[I]], %[[J]], 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<8x16x32x32xf32> to tensor<32x32xf32>
// CHECK-NEXT:      %[[F:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[T]] : tensor<32x32xf32>)
// CHECK-NEXT:      %[[TA:.*]] = tensor.extract_slice %[[A]][%[[I]], 0, 0, 0] [1, 4, 32, 32]
// CHECK-NEXT:      %[[TB:.*]] = tensor.extract_slice %[[B]][%[[J]], 0, 0, 0] [1, 4, 32, 32]
// CHECK-NEXT:      %[[G:.*]] = linalg.batch_reduce_matmul ins(%[[TA]], %[[TB]] : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%[[F]] : tensor<32x32xf32>)
// CHECK-NEXT:      %[[TD:.*]] = tensor.extract_slice %[[D]][%[[I]], %[[J]], 0, 0] [1, 1, 32, 32]
// CHECK-NEXT:      %[[H:.*]] = linalg.generic {{.*}} ins(%[[TD]] : tensor<32x32xf32>) outs(%[[G]] : tensor<32x32xf32>)
// CHECK:           arith.addf
// CHECK:           %[[X:.*]] = linalg.generic {{.*}} outs(%[[H]] : tensor<32x32xf32>)
// CHECK:           arith.maximumf
// CHECK:           scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %[[X]] into %[[O]][%[[I]], %[[J]], 0, 0] [1, 1, 32, 32]
// CHECK:         return %[[R]]
func.func @layer(%a: tensor<8x4x32x32xf32>, %b: tensor<16x4x32x32xf32>, %d: tensor<8x16x32x32xf32>) -> tensor<8x16x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x16x32x32xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x16x32x32xf32>) -> tensor<8x16x32x32xf32>
  %2 = linalg.generic #gemm ins(%a, %b : tensor<8x4x32x32xf32>, tensor<16x4x32x32xf32>) outs(%1 : tensor<8x16x32x32xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %product = arith.mulf %in, %weight : f32
    %sum = arith.addf %out, %product : f32
    linalg.yield %sum : f32
  } -> tensor<8x16x32x32xf32>
  %3 = linalg.generic #bias ins(%d : tensor<8x16x32x32xf32>) outs(%2 : tensor<8x16x32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<8x16x32x32xf32>
  %4 = linalg.generic #relu outs(%3 : tensor<8x16x32x32xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<8x16x32x32xf32>
  return %4 : tensor<8x16x32x32xf32>
}

// A bias that is one row needs a part of that for each tile.

// CHECK-LABEL: @row_bias
// CHECK:         tensor.extract_slice %{{.*}}[%[[J:.*]], 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<32xf32>
func.func @row_bias(%a: tensor<2x4x32x32xf32>, %b: tensor<4x4x32x32xf32>, %c: tensor<2x4x32x32xf32>, %d: tensor<4x32xf32>) -> tensor<2x4x32x32xf32> {
  %0 = linalg.generic #gemm ins(%a, %b : tensor<2x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%c : tensor<2x4x32x32xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %product = arith.mulf %in, %weight : f32
    %sum = arith.addf %out, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x32xf32>
  %1 = linalg.generic #row_bias ins(%d : tensor<4x32xf32>) outs(%0 : tensor<2x4x32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x32xf32>
  return %1 : tensor<2x4x32x32xf32>
}

// The result is unpacked in the loop, from the second time on; nothing is filled before.

// CHECK-LABEL: @unpacked
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<64x128xf32>
// CHECK-NEXT:    scf.forall (%[[I:.*]], %[[J:.*]]) in (2, 4) shared_outs(%[[O:.*]] = %[[E]]) -> (tensor<64x128xf32>) {
// CHECK-NEXT:      %[[X:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[I]])
// CHECK-NEXT:      %[[Y:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>(%[[J]])
// CHECK-NEXT:      %[[T:.*]] = tensor.extract_slice %[[O]][%[[X]], %[[Y]]] [32, 32]
// CHECK-NEXT:      linalg.fill {{.*}} outs(%[[T]] : tensor<32x32xf32>)
// CHECK:           %[[G:.*]] = linalg.batch_reduce_matmul
// CHECK:           tensor.parallel_insert_slice %[[G]] into %[[O]][%[[X]], %[[Y]]] [32, 32]

// ONCE-LABEL: @unpacked
// ONCE:         scf.forall
// ONCE-SAME:    tensor<2x4x32x32xf32>
// ONCE:         linalg.unpack
func.func @unpacked(%a: tensor<2x4x32x32xf32>, %b: tensor<4x4x32x32xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x4x32x32xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x4x32x32xf32>) -> tensor<2x4x32x32xf32>
  %2 = linalg.generic #gemm ins(%a, %b : tensor<2x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%1 : tensor<2x4x32x32xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %product = arith.mulf %in, %weight : f32
    %sum = arith.addf %out, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x32xf32>
  %3 = tensor.empty() : tensor<64x128xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %5 = linalg.unpack %2 inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %4 : tensor<2x4x32x32xf32> -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}

// The last tiles are cut off where the unpacked tensor ends.

// CHECK-LABEL: @unpacked_in_part
// CHECK:         %[[X:.*]] = affine.apply affine_map<(d0) -> (d0 * 32)>
// CHECK-NEXT:    %[[M:.*]] = affine.min
// CHECK-SAME:    32
// CHECK:         %[[G:.*]] = linalg.batch_reduce_matmul
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[G]][0, 0] [%[[M]], 32]
// CHECK:         tensor.parallel_insert_slice %[[S]] into %{{.*}}[%[[X]], %{{.*}}] [%[[M]], 32]
func.func @unpacked_in_part(%a: tensor<2x4x32x32xf32>, %b: tensor<4x4x32x32xf32>, %c: tensor<2x4x32x32xf32>) -> tensor<50x128xf32> {
  %2 = linalg.generic #gemm ins(%a, %b : tensor<2x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%c : tensor<2x4x32x32xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %product = arith.mulf %in, %weight : f32
    %sum = arith.addf %out, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x32xf32>
  %3 = tensor.empty() : tensor<50x128xf32>
  %5 = linalg.unpack %2 inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %3 : tensor<2x4x32x32xf32> -> tensor<50x128xf32>
  return %5 : tensor<50x128xf32>
}

// What other ops use as well is computed once, before the loop of its other user.

// CHECK-LABEL: @used_twice
// CHECK:         %[[G:.*]] = scf.forall
// CHECK:         linalg.batch_reduce_matmul
// CHECK:         %[[R:.*]] = linalg.generic
// CHECK-SAME:    outs(%[[G]]
// CHECK:         return %[[G]], %[[R]]
func.func @used_twice(%a: tensor<2x4x32x32xf32>, %b: tensor<4x4x32x32xf32>, %c: tensor<2x4x32x32xf32>) -> (tensor<2x4x32x32xf32>, tensor<2x4x32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic #gemm ins(%a, %b : tensor<2x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%c : tensor<2x4x32x32xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %product = arith.mulf %in, %weight : f32
    %sum = arith.addf %out, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x32xf32>
  %1 = linalg.generic #relu outs(%0 : tensor<2x4x32x32xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<2x4x32x32xf32>
  return %0, %1 : tensor<2x4x32x32xf32>, tensor<2x4x32x32xf32>
}

// The input of a product is not computed again for each tile of the result.

// CHECK-LABEL: @no_work_twice
// CHECK:         %[[R:.*]] = linalg.generic
// CHECK:         scf.forall
// CHECK:         tensor.extract_slice %[[R]]
func.func @no_work_twice(%a: tensor<2x4x32x32xf32>, %b: tensor<4x4x32x32xf32>, %c: tensor<2x4x32x32xf32>) -> tensor<2x4x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic #relu outs(%a : tensor<2x4x32x32xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<2x4x32x32xf32>
  %1 = linalg.generic #gemm ins(%0, %b : tensor<2x4x32x32xf32>, tensor<4x4x32x32xf32>) outs(%c : tensor<2x4x32x32xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %product = arith.mulf %in, %weight : f32
    %sum = arith.addf %out, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x32xf32>
  return %1 : tensor<2x4x32x32xf32>
}

// The size of a tile that the result leaves open, the right factor says.

// CHECK-LABEL: @open_size_of_the_result
// CHECK:         %[[TILE:.*]] = tensor.extract_slice %{{.*}} [1, 1, 1, 2, 2] [1, 1, 1, 1, 1] : tensor<9x9x9x2x?xi32> to tensor<2x2xi32>
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %{{.*}} [1, 1, 1, 2, 2] [1, 1, 1, 1, 1] : tensor<2x2xi32> into tensor<9x9x9x2x?xi32>
func.func @open_size_of_the_result(%a: tensor<9x9x3x2x4xi32>, %b: tensor<9x9x3x2x4xi32>, %c: tensor<9x9x9x2x?xi32>) -> tensor<9x9x9x2x?xi32> {
  %0 = linalg.batch_mmt4d ins(%a, %b : tensor<9x9x3x2x4xi32>, tensor<9x9x3x2x4xi32>) outs(%c : tensor<9x9x9x2x?xi32>) -> tensor<9x9x9x2x?xi32>
  return %0 : tensor<9x9x9x2x?xi32>
}
