module @jit_cnn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x12x12xf32>, %arg1: tensor<4x3x3x3xf32>, %arg2: tensor<6x4x3x3xf32>, %arg3: tensor<6x5xf32>) -> (tensor<2x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x12x12xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x12x12xf32>
    %1 = call @relu(%0) : (tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.reduce_window"(%1, %2) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %22 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %22 : tensor<f32>
    }) : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %4 = stablehlo.convolution(%3, %arg2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x6x6xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x2x2xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<2x6x2x2xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<2x6x2x2xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x2x2xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<2x6x2x2xf32>
    %9 = stablehlo.add %4, %8 : tensor<2x6x2x2xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x2x2xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<2x6x2x2xf32>
    %12 = stablehlo.tanh %11 : tensor<2x6x2x2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x2x2xf32>
    %14 = stablehlo.add %13, %12 : tensor<2x6x2x2xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x2x2xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<2x6x2x2xf32>
    %17 = stablehlo.multiply %4, %16 : tensor<2x6x2x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x6x2x2xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %20 = stablehlo.divide %18, %19 : tensor<2x6xf32>
    %21 = stablehlo.dot_general %20, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x5xf32>) -> tensor<2x5xf32>
    return %21 : tensor<2x5xf32>
  }
  func.func private @relu(%arg0: tensor<2x4x12x12xf32>) -> tensor<2x4x12x12xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x4x12x12xf32>
    return %1 : tensor<2x4x12x12xf32>
  }
}
