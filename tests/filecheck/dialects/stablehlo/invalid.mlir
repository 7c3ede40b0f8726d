// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // CHECK: expected operands and result of one shape, but operand 1 is a tensor<3xf32> and the result a tensor<4xf32>
  %0 = stablehlo.add %x, %y : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: expected integers, but got f32
  %0 = stablehlo.xor %x, %x : tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: expected 4 elements of f32, but got tensor<5xf32>
  %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: expected size 1 or 5 for dimension 1 of the result, but the operand has 4
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: 2:5:1 is no part of 4 elements
  %0 = stablehlo.slice %x [2:5] : (tensor<4xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x3xf32>) {
  // CHECK: expected one size of dimensions 1 and 0, but got 3 and 4
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>, %i: tensor<f32>) {
  // CHECK: expected a result of type tensor<f32>, got tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>, %i: tensor<f32>) {
  // CHECK: expected an op of stablehlo, not arith.addf
  %0 = stablehlo.reduce(%x init: %i) applies arith.addf across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: dialect 'stablehlo' has no such op; did you mean stablehlo.cosine?
  %0 = stablehlo.cosin %x : tensor<4xf32>
  func.return
}
