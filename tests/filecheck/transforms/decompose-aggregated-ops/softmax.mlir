// RUN: xdsl-opt -t mlir-22 -p decompose-aggregated-ops %s | filecheck %s

// CHECK-LABEL: @softmax
// CHECK:         %[[M:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x?xf32>)
// CHECK:         arith.maximumf
// CHECK:         %[[E:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %[[M]] : tensor<4x?xf32>, tensor<4xf32>) outs(%o : tensor<4x?xf32>)
// CHECK:         arith.subf
// CHECK-NEXT:    math.exp
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%[[E]] :
// CHECK:         arith.addf
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<4xf32>) outs(%[[E]] : tensor<4x?xf32>)
// CHECK:         arith.divf
// CHECK:         return %[[R]]
func.func @softmax(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// What is left has sizes that are not known.

// CHECK-LABEL: @first_dimension
// CHECK:         %[[N:.*]] = tensor.dim %x
// CHECK:         tensor.empty(%[[N]]) : tensor<?xf32>
func.func @first_dimension(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.softmax dimension(0) ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: @no_softmax
// CHECK-NEXT:    linalg.exp
func.func @no_softmax(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// On buffers, the lowering makes loops of the op.

// CHECK-LABEL: @buffers
// CHECK-NEXT:    linalg.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%o : memref<4x8xf32>)
func.func @buffers(%x: memref<4x8xf32>, %o: memref<4x8xf32>, %t: tensor<4xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%o : memref<4x8xf32>)
  return
}
