// RUN: xdsl-opt -t mlir-22 -p convert-elementwise-to-linalg %s | filecheck %s

// A new tensor instead of an argument, and then one after the other in place. Flags stay.

// CHECK-LABEL: @chain
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT:    %[[SUM:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%[[E]] : tensor<4x8xf32>) {
// CHECK-NEXT:    ^{{.*}}(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[Z:.*]] = arith.addf %[[X]], %[[Y]] fastmath<nnan> : f32
// CHECK-NEXT:      linalg.yield %[[Z]] : f32
// CHECK-NEXT:    } -> tensor<4x8xf32>
// CHECK-NEXT:    %[[EXP:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xf32>) outs(%[[SUM]] : tensor<4x8xf32>) {
// CHECK:           math.exp %{{.*}} : f32
// CHECK:         return %[[EXP]]
func.func @chain(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = arith.addf %a, %b fastmath<nnan> : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// One value for all elements is no tensor.

// CHECK-LABEL: @relu
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         linalg.generic {{.*}} ins(%a : tensor<4x8xf32>)
// CHECK-NEXT:    ^{{.*}}(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      arith.maximumf %[[X]], %[[ZERO]] : f32
func.func @relu(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %0 = arith.maximumf %a, %zero : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Several values are.

// CHECK-LABEL: @offsets
// CHECK:         %[[C:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK:         linalg.generic {{.*}} ins(%a, %[[C]] : tensor<2xf32>, tensor<2xf32>)
func.func @offsets(%a: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = arith.addf %a, %c : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Zeros of two signs are two values.

// CHECK-LABEL: @signed_zeros
// CHECK:         linalg.generic {{.*}} ins(%a, %{{.*}} : tensor<2xf32>, tensor<2xf32>)
func.func @signed_zeros(%a: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %0 = arith.mulf %a, %c : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Results of another type are new tensors, as large as the operands.

// CHECK-LABEL: @compare
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[N:.*]] = tensor.dim %a, %[[ONE]] : tensor<4x?xf32>
// CHECK-NEXT:    %[[E:.*]] = tensor.empty(%[[N]]) : tensor<4x?xi1>
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[E]] : tensor<4x?xi1>)
// CHECK:           arith.cmpf olt, %{{.*}}, %{{.*}} : f32
func.func @compare(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> tensor<4x?xi1> {
  %0 = arith.cmpf olt, %a, %b : tensor<4x?xf32>
  return %0 : tensor<4x?xi1>
}

// One condition for all elements, or one for each.

// CHECK-LABEL: @select
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], {{.*}} ins(%s, %a, %b : i1, tensor<3xf32>, tensor<3xf32>)
// CHECK:         linalg.generic {{.*}} ins(%c, %{{.*}}, %b : tensor<3xi1>, tensor<3xf32>, tensor<3xf32>)
func.func @select(%s: i1, %c: tensor<3xi1>, %a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %0 = arith.select %s, %a, %b : tensor<3xf32>
  %1 = arith.select %c, %0, %b : tensor<3xi1>, tensor<3xf32>
  return %1 : tensor<3xf32>
}

// Two results, of a tensor without dimensions.

// CHECK-LABEL: @extended
// CHECK:         linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
// CHECK:           linalg.yield %{{.*}}, %{{.*}} : i32, i1
func.func @extended(%a: tensor<i32>, %b: tensor<i32>) -> (tensor<i32>, tensor<i1>) {
  %0, %1 = arith.addui_extended %a, %b : tensor<i32>, tensor<i1>
  return %0, %1 : tensor<i32>, tensor<i1>
}

// Scalars and vectors stay, and so does what has no operands.

// CHECK-LABEL: @others
// CHECK-NOT:     linalg.generic
func.func @others(%a: f32, %v: vector<4xf32>) -> (f32, vector<4xf32>, tensor<2xf32>) {
  %0 = arith.addf %a, %a : f32
  %1 = arith.addf %v, %v : vector<4xf32>
  %2 = arith.constant dense<1.0> : tensor<2xf32>
  return %0, %1, %2 : f32, vector<4xf32>, tensor<2xf32>
}
