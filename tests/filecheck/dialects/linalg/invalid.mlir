// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected the number of indexing_map (2) to be equal to the number of input/output operands (3)
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: Unexpected dim expression in map result.
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0+d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: Unexpected dim expression in map result.
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: inferred input/output operand #2 has shape's dimension #0 to be 6, but found 4
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d1, d0)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected indexing_map #0 to have 3 dim(s) to match the number of loops
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: Invalid broadcast requested, should be (d2).
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b: tensor<4xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4xf32>, %b: tensor<2x8x6xf32>, %c: tensor<2x4x6xf32>) {
  // CHECK: Invalid broadcast requested.
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, d0, d1, d2) -> (b, d0)>, affine_map<(b, d0, d1, d2) -> (b, d2, d1)>, affine_map<(b, d0, d1, d2) -> (b, d0, d1)>] ins(%a, %b: tensor<2x4xf32>, tensor<2x8x6xf32>) outs(%c : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<8x2x4xf32>, %b: tensor<2x8x6xf32>, %c: tensor<2x4x6xf32>) {
  // CHECK: Invalid batch dimension expression.
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, d0, d1, d2) -> (d2, b, d0)>, affine_map<(b, d0, d1, d2) -> (b, d2, d1)>, affine_map<(b, d0, d1, d2) -> (b, d0, d1)>] ins(%a, %b: tensor<8x2x4xf32>, tensor<2x8x6xf32>) outs(%c : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: Invalid output map result dimension.
  %0 = linalg.batch_reduce_matmul indexing_maps = [affine_map<(b, d0, d1, d2) -> (b, d2, d0)>, affine_map<(b, d0, d1, d2) -> (b, d2, d1)>, affine_map<(b, d0, d1, d2) -> (d0, d0)>] ins(%a, %b: tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>, %c: tensor<2x4x6xf32>) {
  // CHECK: Invalid output map result dimension.
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, d0, d1, d2) -> (b, d0, d2)>, affine_map<(b, d0, d1, d2) -> (b, d2, d1)>, affine_map<(b, d0, d1, d2) -> (d0, b, d1)>] ins(%a, %b: tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%c : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4x8xf32>, %b: tensor<6x8xf32>, %c: tensor<2x4x6xf32>) {
  // CHECK: Invalid broadcast requested.
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, d0, d1, d2) -> (b, d0, d2)>, affine_map<(b, d0, d1, d2) -> (d1, d2)>, affine_map<(b, d0, d1, d2) -> (b, d0, d1)>] ins(%a, %b: tensor<2x4x8xf32>, tensor<6x8xf32>) outs(%c : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected the number of indexing_map (2) to be equal to the number of input/output operands (3): two inputs and one output
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: provided affine_map is not a projected permutation
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0+d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: iteration space dim at index 2 is neither a contracting dim nor of parallel iteration type
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: iteration spaces of provided affine_maps differ
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: ranks of shaped operand and results of corresponding affine_map differ
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6xf32>, %b: tensor<4x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: 'indexing_maps' do not specify a contracting dimension
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%a, %b: tensor<4x6xf32>, tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x5xf32>) {
  // CHECK: inferred input/output operand #2 has shape's dimension #1 to be 6, but found 5
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected 'indexing_maps' attribute
  %0 = linalg.contract ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: Expected 'kind'
  %0 = linalg.elementwise ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected 1 input(s) and one output, but got 2 and 1
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x6xf32>) {
  // CHECK: inferred input/output operand #1 has shape's dimension #0 to be greater than or equal to 11, but found 8
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0+d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected the number of indexing_map (2) to be equal to the number of input/output operands (3)
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected operand #1 of rank 1 to match the result count of indexing_map #1, 2
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %b: tensor<4x8xf32>, tensor<8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<8xf32>) {
  // CHECK: expected indexing_map #0 to have 1 dim(s) to match the number of loops
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<4x8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected one of exp, log, abs, ceil, floor, negf, reciprocal, round, sqrt, rsqrt, square, tanh, erf, add, sub, mul, div, div_unsigned, max_signed, min_signed, max_unsigned, min_unsigned, powf, select
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<bogus> ins(%a, %b: tensor<4x8xf32>, tensor<8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected the number of tensor results (0) to be equal to the number of output tensors (1)
  linalg.matmul ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected type of output operand #0 (tensor<4x6xf32>) to match type of corresponding result (tensor<4x?xf32>)
  %0 = linalg.matmul ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: memref<4x6xf32>) {
  // CHECK: expected to have pure tensor or buffer semantics
  linalg.matmul ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: 'linalg.matmul' has 3 operands, but got 2
  %0 = linalg.matmul ins(%a: tensor<4x8xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: 'linalg.matmul' has 3 operands, but got 2
  %0 = linalg.matmul ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<9x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: inferred input/output operand #1 has shape's dimension #0 to be 8, but found 9
  %0 = linalg.matmul ins(%a, %b: tensor<4x8xf32>, tensor<9x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8x1xf32>, %b: tensor<9x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected operand #0 of rank 3 to match the result count of indexing_map #0, 2
  %0 = linalg.matmul ins(%a, %b: tensor<4x8x1xf32>, tensor<9x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<1x6x6x4xf32>) {
  // CHECK: incorrect shape for index attribute 'strides'
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<3xi64>} ins(%a, %b: tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<1x6x6x4xf32>) {
  // CHECK: incorrect element type for index attribute 'strides'
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi32>} ins(%a, %b: tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<1x6x6x4xf32>) {
  // CHECK: Unexpected attribute f32
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1.0> : tensor<2xf32>} ins(%a, %b: tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<1x6x6x4xf32>) {
  // CHECK: [1 : i64, 1 : i64] should be of base attribute dense
  %0 = linalg.conv_2d_nhwc_hwcf {strides = [1, 1]} ins(%a, %b: tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<1x6x6x4xf32>) {
  // CHECK: inferred input/output operand #0 has shape's dimension #1 to be greater than or equal to 13, but found 8
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%a, %b: tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @f(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<1x6x6x4xf32>) {
  // MLIR accepts: reading in front of the input is left to run time
  // CHECK: 'dilations' must not be negative
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<-1> : tensor<2xi64>} ins(%a, %b: tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%c : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: 1 : i32 should be of base attribute linalg.type_fn
  %0 = linalg.matmul {cast = 1 : i32} ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: 'linalg.dot' has fixed indexing maps
  %0 = linalg.dot indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: inferred input/output operand #1 has shape's dimension #0 to be 4, but found 8
  %0 = linalg.add ins(%a, %b: tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // CHECK: 'linalg.add' has 3 operands, but got 2
  %0 = linalg.add ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<*xf32>) {
  // CHECK: type of yield operand 1 (f32) doesn't match the element type of the output (tensor<*xf32>)
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%b : tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<*xf32>) {
  // CHECK: unsupported non numeric type: 'exp' is defined on floating-point numbers, but got tensor<*xf32>
  %0 = linalg.exp ins(%b : tensor<*xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  // CHECK: unsupported non numeric type: 'exp' is defined on floating-point numbers, but got i32
  %0 = linalg.exp ins(%a : tensor<4x8xi32>) outs(%b : tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @f(%a: f32, %b: tensor<4x8xi32>) {
  // CHECK: type of yield operand 1 (f32) doesn't match the element type of the output (i32)
  %0 = linalg.fill ins(%a : f32) outs(%b : tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: expected op with scalar input
  %0 = linalg.fill ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%b: tensor<4x8xi1>) {
  // CHECK: unsupported operation: 'sub' on i1
  %0 = linalg.sub ins(%b, %b : tensor<4x8xi1>, tensor<4x8xi1>) outs(%b : tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @f(%b: tensor<4x8xindex>) {
  // CHECK: Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or allInteger, got index and index
  %0 = linalg.add ins(%b, %b : tensor<4x8xindex>, tensor<4x8xindex>) outs(%b : tensor<4x8xindex>) -> tensor<4x8xindex>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x6xf32>) {
  // CHECK: expected shape of input (4, 8) to match shape of output (4, 6)
  %0 = linalg.map { arith.addf } ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%c : tensor<4x6xf32>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x8xf64>) {
  // CHECK: attribute f32 expected from variable 'T', but got f64
  %0 = linalg.map { arith.addf } ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%c : tensor<4x8xf64>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x8xf64>) {
  // CHECK: expects number of operands to match the arity of mapper, but got: 3 and 1
  %0 = linalg.map ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) (%x : f32) { linalg.yield %x : f32 }
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x8xf64>) {
  // CHECK: expected element type of operand #0 (f32) to match bbArg type f64
  %0 = linalg.map ins(%a: tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) (%x : f64, %y: f32) { linalg.yield %y : f32 }
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x8xf64>) {
  // CHECK: expected element type of operand #1 (f32) to match bbArg type f64
  %0 = linalg.map ins(%a: tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) (%x : f32, %y: f64) { linalg.yield %x : f32 }
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x8xf64>) {
  // CHECK: type of yield operand 1 (f64) doesn't match the element type of the enclosing linalg.generic op (f32)
  %0 = linalg.map ins(%a: tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) (%x : f32, %y: f32) { %z = arith.extf %x : f32 to f64 linalg.yield %z : f64 }
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x8xf64>) {
  // CHECK: expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)
  %0 = linalg.map ins(%a: tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) (%x : f32, %y: f32) { linalg.yield %x, %x : f32, f32 }
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: memref<4x8xf32>) {
  // CHECK: expected to have pure tensor or buffer semantics
  linalg.map ins(%a: tensor<4x8xf32>) outs(%c : memref<4x8xf32>) (%x : f32, %y: f32) { linalg.yield %x : f32 }
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %c: tensor<4xf32>) {
  // CHECK: init dimensions [4] doesn't match input dimensions after reduction [8]
  %0 = linalg.reduce { arith.addf } ins(%a: tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [0]
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %c: tensor<4xf32>) {
  // CHECK: dimensions for reduction should be in the range [0, 1].
  %0 = linalg.reduce { arith.addf } ins(%a: tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [2]
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %c: tensor<4xf32>) {
  // CHECK: attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order
  %0 = linalg.reduce { arith.addf } ins(%a: tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1, 1]
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %c: tensor<4xf32>) {
  // CHECK: number of dimensions after reduction 0 doesn't match the init rank 1
  %0 = linalg.reduce { arith.addf } ins(%a: tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [0, 1]
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %c: tensor<4xf32>) {
  // CHECK: dimensions for reduction should be in the range [0, 1].
  %0 = linalg.reduce { arith.addf } ins(%a: tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [-1]
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>, %c: tensor<4xf32>) {
  // CHECK: expects all inputs to have the same shapes. Shape at input-index 1 is not equal to the shape at input-index 0.
  %0:2 = linalg.reduce ins(%a, %b: tensor<4x8xf32>, tensor<4x9xf32>) outs(%c, %c : tensor<4xf32>, tensor<4xf32>) dimensions = [1] (%x: f32, %y: f32, %z: f32, %w: f32) { linalg.yield %x, %y: f32, f32 }
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4xf32>, %d: tensor<5xf32>) {
  // CHECK: expects all outputs to have the same shapes. Shape at output-index 1 is not equal to the shape at output-index 0.
  %0:2 = linalg.reduce ins(%a, %b: tensor<4x8xf32>, tensor<4x8xf32>) outs(%c, %d : tensor<4xf32>, tensor<5xf32>) dimensions = [1] (%x: f32, %y: f32, %z: f32, %w: f32) { linalg.yield %x, %y: f32, f32 }
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %c: tensor<4xf32>) {
  // CHECK: mismatching number of operands and block arguments
  %0 = linalg.reduce ins(%a: tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1] (%x: f32) { linalg.yield %x : f32}
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %c: tensor<4xf32>) {
  // CHECK: input element type f32 does not match corresponding block argument type f64
  %0 = linalg.reduce ins(%a: tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1] (%x: f64, %y: f32) { linalg.yield %y : f32}
  return
}

// -----

func.func @r(%a: tensor<4x8xf32>, %c: tensor<4xf64>) {
  // CHECK: expected as many inits as inputs, but got 1 inputs and 2 inits
  %0:2 = linalg.reduce ins(%a: tensor<4x8xf32>) outs(%c, %c : tensor<4xf64>, tensor<4xf64>) dimensions = [1] (%x: f32, %y: f64) { linalg.yield %y : f64}
  return
}

// -----

func.func @t(%a: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  // CHECK: dim(result, 0) = 4 doesn't match dim(input, permutation[0]) = 8
  %0 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%c : tensor<4x8xf32>) permutation = [1, 0]
  return
}

// -----

func.func @t(%a: tensor<4x8xf32>, %c: tensor<8x4xf32>) {
  // CHECK: permutation is not valid
  %0 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%c : tensor<8x4xf32>) permutation = [1, 1]
  return
}

// -----

func.func @t(%a: tensor<4x8xf32>, %c: tensor<8x4xf32>) {
  // CHECK: permutation is not valid
  %0 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%c : tensor<8x4xf32>) permutation = [1]
  return
}

// -----

func.func @t(%a: tensor<4x8xf32>, %c: tensor<8x4x1xf32>) {
  // CHECK: input rank 2 does not match init rank 3
  %0 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%c : tensor<8x4x1xf32>) permutation = [1, 0]
  return
}

// -----

func.func @t(%a: tensor<4x8xf32>, %c: tensor<8x4xf64>) {
  // CHECK: type of yield operand 1 (f32) doesn't match the element type of the output (f64)
  %0 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%c : tensor<8x4xf64>) permutation = [1, 0]
  return
}

// -----

func.func @t(%a: tensor<4x?xf32>, %c: tensor<8x4xf32>) {
  // CHECK: dim(result, 0) = 8 doesn't match dim(input, permutation[0]) = -9223372036854775808
  %0 = linalg.transpose ins(%a: tensor<4x?xf32>) outs(%c : tensor<8x4xf32>) permutation = [1, 0]
  return
}

// -----

func.func @b(%a: tensor<4xf32>, %c: tensor<4x8xf32>) {
  // CHECK: input dim 0 should match init dim 1. input: 4, init: 8
  %0 = linalg.broadcast ins(%a: tensor<4xf32>) outs(%c : tensor<4x8xf32>) dimensions = [0]
  return
}

// -----

func.func @b(%a: tensor<4xf32>, %c: tensor<4x8xf32>) {
  // CHECK: input rank plus added dimensions does not match init rank. input rank: 1, dimensions size: 2, init rank: 2
  %0 = linalg.broadcast ins(%a: tensor<4xf32>) outs(%c : tensor<4x8xf32>) dimensions = [0, 1]
  return
}

// -----

func.func @b(%a: tensor<4xf32>, %c: tensor<4x8xf32>) {
  // CHECK: dimension 0 is out of range. expected range: [0, 1], got: 2
  %0 = linalg.broadcast ins(%a: tensor<4xf32>) outs(%c : tensor<4x8xf32>) dimensions = [2]
  return
}

// -----

func.func @b(%a: tensor<4xf32>, %c: tensor<4x8xf64>) {
  // CHECK: type of yield operand 1 (f32) doesn't match the element type of the output (f64)
  %0 = linalg.broadcast ins(%a: tensor<4xf32>) outs(%c : tensor<4x8xf64>) dimensions = [1]
  return
}

// -----

func.func @i(%a: tensor<4xf32>, %c: tensor<4x8xf64>) {
  // CHECK: expected parent op with LinalgOp interface
  %0 = linalg.index 0 : index
  return
}

// -----

func.func @i(%a: tensor<4xf32>, %c: tensor<4x8xf64>) {
  // CHECK: expected parent op with LinalgOp interface
  linalg.yield
}

// -----

func.func @i(%a: tensor<4x8xf32>) {
  // CHECK: expected dim (2) to be lower than the number of loops (2) of the enclosing LinalgOp
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32):
     %k = linalg.index 2 : index
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @i(%a: tensor<4x8xf32>) {
  // CHECK: attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32):
     %k = linalg.index -1 : index
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @s(%a: tensor<4x8xf32>, %c: tensor<4x6xf32>) {
  // CHECK: incompatible output shape
  %0 = linalg.softmax dimension(1) ins(%a: tensor<4x8xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @s(%a: tensor<4x8xf32>, %c: tensor<4x6xf32>) {
  // CHECK: incorrect dimension specified
  %0 = linalg.softmax dimension(2) ins(%a: tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @s(%a: tensor<4x8xf32>, %c: tensor<4x8xf64>) {
  // CHECK: failed to verify that input and output have same element type
  %0 = linalg.softmax dimension(1) ins(%a: tensor<4x8xf32>) outs(%c : tensor<4x8xf64>) -> tensor<4x8xf64>
  return
}

// -----

func.func @s(%a: tensor<4x8xi32>, %c: tensor<4x8xf64>) {
  // MLIR accepts: it fails when it is decomposed
  // CHECK: expected floating-point elements, but got i32
  %0 = linalg.softmax dimension(1) ins(%a: tensor<4x8xi32>) outs(%a : tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @s(%a: tensor<4x8xf32>, %c: tensor<4x8xf64>) {
  // CHECK: incorrect dimension specified
  %0 = linalg.softmax dimension(-1) ins(%a: tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @s(%a: tensor<4x8xf32>, %c: memref<4x8xf32>) {
  // MLIR accepts: it fails when it is bufferized
  // CHECK: expected to have pure tensor or buffer semantics
  linalg.softmax dimension(1) ins(%a: tensor<4x8xf32>) outs(%c : memref<4x8xf32>)
  return
}

// -----

func.func @s(%a: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  // CHECK: expected the number of tensor results (0) to be equal to the number of output tensors (1)
  linalg.softmax dimension(1) ins(%a: tensor<4x8xf32>) outs(%c : tensor<4x8xf32>)
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2x4xf32>) {
  // CHECK: invalid inner_dims_pos vector
  %0 = linalg.pack %a inner_dims_pos = [0, 0] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2x4xf32>) {
  // CHECK: invalid inner_dims_pos vector
  %0 = linalg.pack %a inner_dims_pos = [0, 2] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2x4xf32>) {
  // CHECK: tiling factors must equal the number of dimensions to tile
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2x4xf32>) {
  // CHECK: invalid zero tile factor
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 0] into %c : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2x4xf32>) {
  // CHECK: invalid outer_dims_perm vector
  %0 = linalg.pack %a outer_dims_perm = [0, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2x4xf32>) {
  // CHECK: outer_dims_perm must be a permutation or empty
  %0 = linalg.pack %a outer_dims_perm = [0] inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<5x8xf32>, %c: tensor<3x2x2x4xf32>) {
  // CHECK: invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<5x8xf32> -> tensor<3x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<5x8xf32>, %c: tensor<3x2x2x4xf32>, %p: f64) {
  // CHECK: expected padding_value has f32 but got: f64
  %0 = linalg.pack %a padding_value(%p : f64) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<5x8xf32> -> tensor<3x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2x5xf32>) {
  // CHECK: mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<2x2x2x5xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<3x2x2x4xf32>) {
  // CHECK: expected tensor<2x2x2x4xf32> for the packed domain value, got tensor<3x2x2x4xf32>
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<3x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2xf32>) {
  // CHECK: packed rank != (unpacked rank + num tiling factors), got 3 != 4
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<2x2x2xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<2x2x2x4xf64>) {
  // MLIR accepts: it fails when it is lowered
  // CHECK: element types f32 and f64 differ
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<2x2x2x4xf64>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<1x2x2x4xf32>) {
  // CHECK: expected tensor<2x2x2x4xf32> for the packed domain value, got tensor<1x2x2x4xf32>
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<4x8xf32> -> tensor<1x2x2x4xf32>
  return
}

// -----

func.func @u(%a: tensor<4x8xf32>, %c: tensor<3x2x2x4xf32>) {
  // CHECK: expected tensor<2x2x2x4xf32> for the packed domain value, got tensor<3x2x2x4xf32>
  %0 = linalg.unpack %c inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %a : tensor<3x2x2x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @u(%a: tensor<5x7xf32>, %c: tensor<2x2x2x4xf32>) {
  // CHECK: expected tensor<3x2x2x4xf32> for the packed domain value, got tensor<2x2x2x4xf32>
  %0 = linalg.unpack %c inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %a : tensor<2x2x2x4xf32> -> tensor<5x7xf32>
  return
}

// -----

func.func @u(%a: tensor<5x7xf32>, %c: tensor<3x2x2x4xf32>, %t: index) {
  // CHECK: mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type
  %0 = linalg.unpack %c inner_dims_pos = [0, 1] inner_tiles = [%t, 4] into %a : tensor<3x2x2x4xf32> -> tensor<5x7xf32>
  return
}

// -----

func.func @p(%a: tensor<5x8xf32>, %c: tensor<?x2x2x4xf32>, %t: index) {
  // CHECK: invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<5x8xf32> -> tensor<?x2x2x4xf32>
  return
}

// -----

func.func @p(%a: tensor<4x8xf32>, %c: tensor<4x2xf32>, %t: index) {
  // CHECK: expected tensor<4x8xf32> for the packed domain value, got tensor<4x2xf32>
  %0 = linalg.pack %a inner_dims_pos = [] inner_tiles = [] into %c : tensor<4x8xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @p(%a: memref<4x8xf32>, %c: memref<2x2x2x4xf32>) {
  // CHECK: memref<4x8xf32> should be of base attribute tensor
  linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : memref<4x8xf32> -> memref<2x2x2x4xf32>
  return
}

// -----

func.func @w(%a: tensor<2x3x4x5xf32>, %b: tensor<6x6x5x2xf32>) {
  // CHECK: expect filter width either equals to r or 1
  %w1 = linalg.winograd_filter_transform fmr(F_4_3) ins(%a : tensor<2x3x4x5xf32>) outs(%b : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return
}

// -----

func.func @w(%a: tensor<2x3x3x5xf32>, %b: tensor<6x5x5x2xf32>) {
  // CHECK: the output shape is not expected
  %w1 = linalg.winograd_filter_transform fmr(F_4_3) ins(%a : tensor<2x3x3x5xf32>) outs(%b : tensor<6x5x5x2xf32>) -> tensor<6x5x5x2xf32>
  return
}

// -----

func.func @w(%a: tensor<2x3x3x5xf32>, %b: tensor<6x6x5x3xf32>) {
  // CHECK: the output shape is not expected
  %w1 = linalg.winograd_filter_transform fmr(F_4_3) ins(%a : tensor<2x3x3x5xf32>) outs(%b : tensor<6x6x5x3xf32>) -> tensor<6x6x5x3xf32>
  return
}

// -----

func.func @w(%a: tensor<2x9x10x5xf32>, %b: tensor<6x6x2x2x2x5xf32>) {
  // CHECK: the output shape is not expected
  %w2 = linalg.winograd_input_transform fmr(F_4_3) ins(%a : tensor<2x9x10x5xf32>) outs(%b : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  return
}

// -----

func.func @w(%a: tensor<2x10x10x5xf32>, %b: tensor<6x6x2x3x2x5xf32>) {
  // CHECK: the output shape is not expected
  %w2 = linalg.winograd_input_transform fmr(F_4_3) ins(%a : tensor<2x10x10x5xf32>) outs(%b : tensor<6x6x2x3x2x5xf32>) -> tensor<6x6x2x3x2x5xf32>
  return
}

// -----

func.func @w(%a: tensor<6x6x2x2x2x2xf32>, %b: tensor<2x8x9x2xf32>) {
  // CHECK: the output shape is not expected
  %w2 = linalg.winograd_output_transform fmr(F_4_3) ins(%a : tensor<6x6x2x2x2x2xf32>) outs(%b : tensor<2x8x9x2xf32>) -> tensor<2x8x9x2xf32>
  return
}

// -----

func.func @w(%a: tensor<6x5x2x2x2x2xf32>, %b: tensor<2x8x8x2xf32>) {
  // CHECK: expect input width equals to input tile size
  %w2 = linalg.winograd_output_transform fmr(F_4_3) ins(%a : tensor<6x5x2x2x2x2xf32>) outs(%b : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: expected the number of indexing_map (1) to be equal to the number of input/output operands (2)
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: expected indexing_map #0 to have 1 dim(s) to match the number of loops
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: 'foo' is not a valid IteratorType
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "foo"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: expected as many non-induction variable region arguments as the number of input/output operands, 2, but got 1
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: expected type of bb argument #0 (f64) to match element or self type of the corresponding operand (f32)
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f64, %p: f32):
     linalg.yield %p : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %p, %q : f32, f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: type of yield operand 1 (index) doesn't match the element type of the enclosing linalg.generic op (f32)
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     %i = linalg.index 0 : index
     linalg.yield %i : index
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1)[s0] -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: unexpected symbols in indexing_map #0
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (d0)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: expected operand #0 of rank 2 to match the result count of indexing_map #0, 1
  %0 = linalg.generic {indexing_maps = [#one, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#one = affine_map<(d0, d1) -> (d0 + d1)>
func.func @g(%a: tensor<4xf32>, %b: tensor<4x8xf32>) {
  // CHECK: invalid indexing maps are non-invertible: ((d0, d1) -> ((d0 + d1)))
  %0 = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel", "parallel"]} outs(%a: tensor<4xf32>) {
   ^bb0(%p: f32):
     linalg.yield %p : f32
  } -> tensor<4xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (d0 - 1, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // CHECK: unexpected result less than 0 at expression #0 in (d0, d1) -> ((d0 + -1), d1)
  %0 = linalg.generic {indexing_maps = [#one, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // CHECK: inferred input/output operand #1 has shape's dimension #1 to be 9, but found 8
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b: tensor<4x9xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // CHECK: expected type of output operand #0 (tensor<4x8xf32>) to match type of corresponding result (tensor<4x9xf32>)
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x9xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: memref<4x8xf32>) {
  // CHECK: expected to have pure tensor or buffer semantics
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%b: memref<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } 
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // CHECK: expected an array 'indexing_maps'
  %0 = linalg.generic {iterator_types = ["parallel", "parallel"]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @g(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // CHECK: expected an array 'iterator_types'
  %0 = linalg.generic {indexing_maps = [#id, #id]} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {
   ^bb0(%q: f32, %p: f32):
     linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return
}
