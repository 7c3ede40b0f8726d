// RUN: not xbuf opt %s -split-input-file -p 'stablehlo-refine-shapes{types="tensor<3x4xf32>"}' 2>&1 | filecheck %s

// CHECK: argument 0 is a tensor<?xf32>, and no tensor<3x4xf32>
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK: 1 types are given for 2 arguments
func.func @f(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK: 'stablehlo.dynamic_iota' has sizes that do not follow from those of the arguments; compute them before, and lower the function for them
func.func @f(%x: tensor<?x4xf32>) -> tensor<?xi32> {
  %first = stablehlo.slice %x [0:1, 0:1] : (tensor<?x4xf32>) -> tensor<1x1xf32>
  %one = stablehlo.reshape %first : (tensor<1x1xf32>) -> tensor<1xf32>
  %n = stablehlo.convert %one : (tensor<1xf32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// CHECK: at most 2 rows, not 3
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %p = stablehlo.compare LE, %n, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%p, %n) {error_message = "at most 2 rows, not {0}"} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?x4xf32>
}

// -----

// CHECK: @again calls itself, with the same sizes
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = func.call @again(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %0, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func private @again(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = func.call @again(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK: 'stablehlo.concatenate' on these sizes: expected operands of one size but in dimension 0
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %n = stablehlo.constant dense<[2, 5]> : tensor<2xi32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %c, %n, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.concatenate %x, %0, dim = 0 : (tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
