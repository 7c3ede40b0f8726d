// RUN: xdsl-opt -t mlir-22 -p linalg-degeneralize-generic-ops %s | filecheck %s

#mm = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
#mtm = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]

// CHECK-LABEL: @difference
// CHECK-NEXT:    linalg.generic
func.func @difference(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = #mm, iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.subf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: @transposed
// CHECK-NEXT:    linalg.generic
func.func @transposed(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = #mtm, iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// Sums of truth values are not what linalg.matmul computes of them.

// CHECK-LABEL: @bits
// CHECK-NEXT:    linalg.generic
func.func @bits(%a: tensor<4x4xi1>) -> tensor<4x4xi1> {
  %0 = linalg.generic {indexing_maps = #mm, iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %a : tensor<4x4xi1>, tensor<4x4xi1>) outs(%a : tensor<4x4xi1>) {
  ^bb0(%x: i1, %y: i1, %out: i1):
    %p = arith.muli %x, %y : i1
    %s = arith.addi %out, %p : i1
    linalg.yield %s : i1
  } -> tensor<4x4xi1>
  return %0 : tensor<4x4xi1>
}
