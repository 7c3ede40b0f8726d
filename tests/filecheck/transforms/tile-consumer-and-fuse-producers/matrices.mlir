// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers{use-for-all=false} %s | filecheck %s --check-prefix FOR
// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers{max-depth=0\ num-iters=1} %s | filecheck %s --check-prefix ALONE
// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers{min-tile-factor=3} %s | filecheck %s --check-prefix FACTOR

#id = affine_map<(d0, d1) -> (d0, d1)>
#relu = {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}

// Matrices that are not packed have tiles of 32x32.

// CHECK-LABEL: @relu
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (64, 128) step (32, 32) shared_outs(
// CHECK:           tensor.extract_slice %a[%[[I]], 0] [32, 16]
// CHECK:           tensor.extract_slice %b[0, %[[J]]] [16, 32]
// CHECK:           linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<32x16xf32>, tensor<16x32xf32>)
// CHECK:           linalg.generic
// CHECK:           scf.forall.in_parallel

// FOR-LABEL: @relu
// FOR:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (tensor<64x128xf32>) {
// FOR-NEXT:      %[[R:.*]] = scf.for %[[J:.*]] = %{{.*}} iter_args(%[[O:.*]] = %[[X]]) -> (tensor<64x128xf32>) {
// FOR:             linalg.fill
// FOR:             linalg.matmul
// FOR:             %[[T:.*]] = linalg.generic
// FOR:             %[[S:.*]] = tensor.insert_slice %[[T]] into %[[O]][%[[I]], %[[J]]] [32, 32]
// FOR-NEXT:        scf.yield %[[S]]
// FOR-NEXT:      }
// FOR-NEXT:      scf.yield %[[R]]

// ALONE-LABEL: @relu
// ALONE:         %[[G:.*]] = scf.forall
// ALONE:         linalg.matmul
// ALONE:         linalg.generic {{.*}} outs(%[[G]] : tensor<64x128xf32>)

// FACTOR-LABEL: @relu
// FACTOR:         scf.forall (%[[J:.*]]) = (0) to (128) step (32)
// FACTOR:         linalg.matmul ins(%a, %{{.*}} : tensor<64x16xf32>, tensor<16x32xf32>)
func.func @relu(%a: tensor<64x16xf32>, %b: tensor<16x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<64x16xf32>, tensor<16x128xf32>) outs(%1 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %3 = linalg.generic #relu outs(%2 : tensor<64x128xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// A position is counted from the start of the tensor and not of the tile.

// CHECK-LABEL: @index
// CHECK:         scf.forall (%[[I:.*]], %{{.*}}) = (0, 0) to (64, 64)
// CHECK:           %[[K:.*]] = linalg.index 0
// CHECK-NEXT:      affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%[[K]], %[[I]])
func.func @index(%a: tensor<64x16xi32>, %b: tensor<16x64xi32>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x16xi32>, tensor<16x64xi32>) outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
  %1 = linalg.generic #relu outs(%0 : tensor<64x64xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %sum = arith.addi %out, %n : i32
    linalg.yield %sum : i32
  } -> tensor<64x64xi32>
  return %1 : tensor<64x64xi32>
}
