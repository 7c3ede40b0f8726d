// A small image classifier: padding, convolution, bias and ReLU, pooling, a dense layer
// and softmax.

#nhwc = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d3)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

func.func private @convolve(%image: tensor<2x8x8x3xf32>, %filter: tensor<3x3x3x4xf32>, %bias: tensor<4xf32>) -> tensor<2x8x8x4xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x8x8x3xf32> to tensor<2x10x10x3xf32>
  %empty = tensor.empty() : tensor<2x8x8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %filter : tensor<2x10x10x3xf32>, tensor<3x3x3x4xf32>) outs(%init : tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
  %relu = linalg.generic {indexing_maps = [#channel, #nhwc], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<4xf32>) outs(%conv : tensor<2x8x8x4xf32>) {
  ^bb0(%b: f32, %x: f32):
    %sum = arith.addf %x, %b : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<2x8x8x4xf32>
  return %relu : tensor<2x8x8x4xf32>
}

func.func private @pool(%features: tensor<2x8x8x4xf32>) -> tensor<2x4x4x4xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<2x4x4x4xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%empty : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  %pooled = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%features, %window : tensor<2x8x8x4xf32>, tensor<2x2xf32>) outs(%init : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %pooled : tensor<2x4x4x4xf32>
}

func.func private @dense(%x: tensor<2x64xf32>) -> tensor<2x5xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %bias = arith.constant dense<[1.000000e-01, -2.000000e-01, 3.000000e-01, -4.000000e-01, 5.000000e-01]> : tensor<5xf32>
  %scale = arith.constant 3.125000e-02 : f32
  %offset = arith.constant 1.600000e+02 : f32
  // Weights that a formula gives, so that this text stays small.
  %weights = tensor.generate {
  ^bb0(%i: index, %j: index):
    %five = arith.constant 5 : index
    %row = arith.muli %i, %five : index
    %at = arith.addi %row, %j : index
    %int = arith.index_cast %at : index to i32
    %float = arith.sitofp %int : i32 to f32
    %centered = arith.subf %float, %offset : f32
    %weight = arith.mulf %centered, %scale : f32
    tensor.yield %weight : f32
  } : tensor<64x5xf32>
  %empty = tensor.empty() : tensor<2x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x5xf32>) -> tensor<2x5xf32>
  %product = linalg.matmul ins(%x, %weights : tensor<2x64xf32>, tensor<64x5xf32>) outs(%init : tensor<2x5xf32>) -> tensor<2x5xf32>
  %logits = linalg.generic {indexing_maps = [#matrix, #column, #matrix], iterator_types = ["parallel", "parallel"]} ins(%product, %bias : tensor<2x5xf32>, tensor<5xf32>) outs(%empty : tensor<2x5xf32>) {
  ^bb0(%p: f32, %b: f32, %out: f32):
    %sum = arith.addf %p, %b : f32
    %small = arith.mulf %sum, %scale : f32
    linalg.yield %small : f32
  } -> tensor<2x5xf32>
  return %logits : tensor<2x5xf32>
}

func.func @classify(%image: tensor<2x8x8x3xf32>, %filter: tensor<3x3x3x4xf32>, %bias: tensor<4xf32>) -> tensor<2x5xf32> {
  %features = call @convolve(%image, %filter, %bias) : (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<4xf32>) -> tensor<2x8x8x4xf32>
  %pooled = call @pool(%features) : (tensor<2x8x8x4xf32>) -> tensor<2x4x4x4xf32>
  %flat = tensor.collapse_shape %pooled [[0], [1, 2, 3]] : tensor<2x4x4x4xf32> into tensor<2x64xf32>
  %logits = call @dense(%flat) : (tensor<2x64xf32>) -> tensor<2x5xf32>
  %empty = tensor.empty() : tensor<2x5xf32>
  %classes = linalg.softmax dimension(1) ins(%logits : tensor<2x5xf32>) outs(%empty : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %classes : tensor<2x5xf32>
}
