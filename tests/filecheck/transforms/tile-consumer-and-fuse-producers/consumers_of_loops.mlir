// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers %s | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#relu = {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}

// What works on the result of a loop is computed in the loop, one after the other.

// CHECK-LABEL: @chain
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    %[[R:.*]] = scf.forall (%[[I:.*]]) = (0) to (10) step (4) shared_outs(%[[O:.*]] = %e) -> (tensor<8x10xf32>) {
// CHECK-NEXT:      %[[N:.*]] = affine.min affine_map<(d0) -> (-d0 + 10, 4)>(%[[I]])
// CHECK:           %[[E:.*]] = linalg.exp
// CHECK:           %[[X:.*]] = linalg.generic {{.*}} outs(%[[E]] : tensor<?x8xf32>)
// CHECK:           %[[T:.*]] = tensor.extract_slice %[[O]][0, %[[I]]] [8, %[[N]]]
// CHECK:           %[[Y:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?x8xf32>) outs(%[[T]] : tensor<8x?xf32>)
// CHECK:           tensor.parallel_insert_slice %[[Y]] into %[[O]][0, %[[I]]] [8, %[[N]]]
// CHECK:         return %[[R]]
func.func @chain(%a: tensor<10x8xf32>, %e: tensor<8x10xf32>) -> tensor<8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = scf.forall (%i) = (0) to (10) step (4) shared_outs(%o = %a) -> (tensor<10x8xf32>) {
    %n = affine.min affine_map<(d0) -> (-d0 + 10, 4)>(%i)
    %1 = tensor.extract_slice %o[%i, 0] [%n, 8] [1, 1] : tensor<10x8xf32> to tensor<?x8xf32>
    %2 = linalg.exp ins(%1 : tensor<?x8xf32>) outs(%1 : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<10x8xf32>
    }
  }
  %3 = linalg.generic #relu outs(%0 : tensor<10x8xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<10x8xf32>
  %4 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<10x8xf32>) outs(%e : tensor<8x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x10xf32>
  return %4 : tensor<8x10xf32>
}

// The tiles are not all of the result: the rest has to be computed as well.

// CHECK-LABEL: @in_part
// CHECK:         scf.forall
// CHECK:         linalg.generic
// CHECK-SAME:    outs(%{{.*}} : tensor<10x8xf32>)
func.func @in_part(%a: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = scf.forall (%i) in (2) shared_outs(%o = %a) -> (tensor<10x8xf32>) {
    %1 = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<10x8xf32> to tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<10x8xf32>
    }
  }
  %3 = linalg.generic #relu outs(%0 : tensor<10x8xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<10x8xf32>
  return %3 : tensor<10x8xf32>
}

// CHECK-LABEL: @used_elsewhere
// CHECK:         %[[L:.*]] = scf.forall
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} outs(%[[L]] : tensor<2x8xf32>)
// CHECK:         return %[[L]], %[[R]]
func.func @used_elsewhere(%a: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = scf.forall (%i) in (2) shared_outs(%o = %a) -> (tensor<2x8xf32>) {
    %1 = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<2x8xf32>
    }
  }
  %3 = linalg.generic #relu outs(%0 : tensor<2x8xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<2x8xf32>
  return %0, %3 : tensor<2x8xf32>, tensor<2x8xf32>
}

// Dimensions of one element need no loops in the body.

// CHECK-LABEL: @rows
// CHECK:         scf.forall
// CHECK:           %[[E:.*]] = linalg.exp
// CHECK-NEXT:      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%[[E]] : tensor<8xf32>)
func.func @rows(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = scf.forall (%i) in (2) shared_outs(%o = %a) -> (tensor<2x8xf32>) {
    %1 = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<2x8xf32>
    }
  }
  %3 = linalg.generic #relu outs(%0 : tensor<2x8xf32>) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  } -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}
