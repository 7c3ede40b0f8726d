// RUN: xbuf opt %s -split-input-file -p 'stablehlo-refine-shapes{types="tensor<3x4xf32>"}' | filecheck %s

// The size is a constant, and so is what is computed with it. The results have sizes.
// CHECK-LABEL: func.func @rows(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
// CHECK-NEXT: %n = stablehlo.constant dense<3> : tensor<i32>
// CHECK-NEXT: %one = stablehlo.constant dense<3> : tensor<1xi32>
// CHECK-NEXT: %four = stablehlo.constant dense<4> : tensor<1xi32>
// CHECK-NEXT: %sizes = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
// CHECK-NEXT: %two = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %0 = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
// CHECK-NEXT: %1 = stablehlo.multiply %x, %0 : tensor<3x4xf32>
// CHECK-NEXT: return %1 : tensor<3x4xf32>
func.func @rows(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %one = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %sizes = stablehlo.concatenate %one, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %two, %sizes, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// A function is written for each set of sizes that it is called with.
// CHECK-LABEL: func.func @main(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<4x3xf32>) {
// CHECK-NEXT: %0 = func.call @twice_[[A:[0-9]+]](%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %2 = func.call @twice_[[B:[0-9]+]](%1) : (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %0, %2 : tensor<3x4xf32>, tensor<4x3xf32>
// CHECK: func.func private @twice_[[B]](%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
// CHECK: func.func private @twice_[[A]](%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
// CHECK-NOT: func.func
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = func.call @twice(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = func.call @twice(%1) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}
func.func private @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// The place of a part is not known, but its sizes are.
// CHECK-LABEL: func.func @row(%x: tensor<3x4xf32>) -> tensor<1x4xf32> {
// CHECK: stablehlo.while(
// CHECK: %[[S:.*]] = stablehlo.add %at, %{{.*}} : tensor<2xi32>
// CHECK: %[[I:.*]] = stablehlo.slice %at [0:1] : (tensor<2xi32>) -> tensor<1xi32>
// CHECK: %[[N:.*]] = stablehlo.reshape %[[I]] : (tensor<1xi32>) -> tensor<i32>
// CHECK: stablehlo.dynamic_slice %x, %[[N]], %{{.*}}, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
func.func @row(%x: tensor<?x4xf32>) -> tensor<1x4xf32> {
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %extent = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %c = stablehlo.constant dense<0.0> : tensor<1x4xf32>
  %r:2 = stablehlo.while(%at = %zeros, %y = %c) : tensor<2xi32>, tensor<1x4xf32>
  cond {
    %i = stablehlo.slice %at [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %j = stablehlo.reshape %i : (tensor<1xi32>) -> tensor<i32>
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %p = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %end = stablehlo.add %at, %extent : tensor<2xi32>
    %part = stablehlo.real_dynamic_slice %x, %at, %end, %ones : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x4xf32>
    %sum = stablehlo.add %y, %part : tensor<1x4xf32>
    %step = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %next = stablehlo.add %at, %step : tensor<2xi32>
    stablehlo.return %next, %sum : tensor<2xi32>, tensor<1x4xf32>
  }
  return %r#1 : tensor<1x4xf32>
}
