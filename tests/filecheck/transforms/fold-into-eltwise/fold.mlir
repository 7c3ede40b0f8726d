// RUN: xdsl-opt -t mlir-22 -p fold-into-eltwise %s | filecheck %s

// CHECK-LABEL: @broadcast
// CHECK-NEXT:    %[[R:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-SAME:    ins(%x, %bias : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>)
// CHECK:         return %[[R]]
func.func @broadcast(%x: tensor<4x8xf32>, %bias: tensor<8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %1 = linalg.add ins(%x, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// A transposition of a broadcast, of different sizes.

// CHECK-LABEL: @both
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
// CHECK-SAME:    ins(%x : tensor<4x2xf32>) outs(%e : tensor<2x4x8xf32>)
func.func @both(%x: tensor<4x2xf32>, %b: tensor<4x8x2xf32>, %e: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = linalg.broadcast ins(%x : tensor<4x2xf32>) outs(%b : tensor<4x8x2xf32>) dimensions = [1]
  %1 = linalg.transpose ins(%0 : tensor<4x8x2xf32>) outs(%e : tensor<2x4x8xf32>) permutation = [2, 0, 1]
  %2 = linalg.exp ins(%1 : tensor<2x4x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %2 : tensor<2x4x8xf32>
}

// CHECK-LABEL: @elementwise
// CHECK-NEXT:    linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%x : tensor<8x4xf32>)
func.func @elementwise(%x: tensor<8x4xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Not into a product, nor as what is written to; what others use is not erased.

// CHECK-LABEL: @others
// CHECK-NEXT:    %[[T:.*]] = linalg.transpose
// CHECK-NEXT:    %[[M:.*]] = linalg.matmul ins(%[[T]], %x
// CHECK-NEXT:    %[[E:.*]] = linalg.exp ins(%[[M]] : {{.*}}) outs(%[[T]] :
// CHECK-NEXT:    return %[[E]]
func.func @others(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %1 = linalg.matmul ins(%0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// What a tensor is full of is a number; its last use goes, and with it the tensor.

// CHECK-LABEL: @filled
// CHECK-NEXT:    %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    linalg.generic {{.*}} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
// CHECK-NEXT:    ^{{.*}}(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      arith.maximumf %[[X]], %[[Z]]
func.func @filled(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.max ins(%x, %1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// What is transposed for a sum as well is there, and read in its order.

// CHECK:      func.func @needed
// CHECK:        %[[T:.*]] = linalg.transpose
// CHECK:        linalg.reduce { arith.addf } ins(%[[T]]
// CHECK:        linalg.exp ins(%[[T]]
func.func @needed(%x: tensor<8x4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  %2 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %2 : tensor<4xf32>, tensor<4x8xf32>
}
