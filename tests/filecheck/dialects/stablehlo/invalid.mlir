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

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: expected a format such as e5m10
  %0 = stablehlo.reduce_precision %x, format = f16 : tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: expected exponent_bits from 1, mantissa_bits from 0
  %0 = stablehlo.reduce_precision %x, format = e0m3 : tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<8xcomplex<f32>>) {
  // CHECK: 'stablehlo.rng' is not supported: it is not lowered; compute it in NumPy before or after
  %0 = "stablehlo.rng"(%x) : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  func.return
}

// -----

func.func @f(%x: tensor<?xf32>) {
  // CHECK: Operation does not verify: dimension 1 must be at least 0, below 1
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?xf32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: 'sdy.all_gather' is not supported: it is for several devices; lower the function for one device
"sdy.all_gather"() : () -> ()

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: Operation does not verify: expected the types of operand and result to be one
  %0 = "sdy.reshard"(%x) <{sharding = #sdy.sharding<@mesh, [{}]>}> : (tensor<4xf32>) -> tensor<5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: 'stablehlo.all_reduce' is not supported: it is for several devices
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<8xcomplex<f32>>) {
  // CHECK: expected the last sizes [5], got [8]
  %0 = stablehlo.fft %x, type = IRFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  func.return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // CHECK: expected complex numbers, got f32
  %0 = stablehlo.fft %x, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  func.return
}

// -----

func.func @f(%x: tensor<8xcomplex<f32>>) {
  // CHECK: expected one to three lengths, of dimensions
  %0 = stablehlo.fft %x, type = FFT, length = [8, 8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  func.return
}

// -----

// CHECK: expected each dimension of the kernel once
"test.op"() {numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 1, output_batch_dimension = 0, output_feature_dimension = 1>} : () -> ()

// -----

func.func @f(%x: tensor<2x4xf32>, %y: tensor<3xf32>) {
  // CHECK: expected one size of what is summed, but got 4 and 3
  %0 = "stablehlo.dot"(%x, %y) : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x2x4xf32>) {
  // CHECK: expected vectors or matrices
  %0 = "stablehlo.dot"(%x, %x) : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: expected a result of type tensor<2x4xf32>, got tensor<4x2xf32>
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<4xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x4xf32>) {
  // CHECK: expected all dimensions in order
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // CHECK: expected a region with an element of each tensor
  %0 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // CHECK: expected tensors of one shape
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %s: tensor<2xf32>) {
  // CHECK: expected 4 numbers of f32 as operand 1
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 0.1 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<3x4xf32>) {
  // CHECK: expected a square matrix that fits [3, 4]
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return
}

// -----

func.func @f(%a: tensor<3x4xf32>) {
  // CHECK: expected square matrices
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x4xf32>
  func.return
}
