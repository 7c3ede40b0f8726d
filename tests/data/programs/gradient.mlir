// One step of gradient descent for a perceptron with one hidden layer: forward, the loss,
// backward by hand, and the weights updated in place of the old ones.

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#lhs_t = affine_map<(d0, d1, d2) -> (d2, d0)>
#rhs_t = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func private @hidden(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %b: tensor<6xf32>) -> (tensor<8x6xf32>, tensor<8x6xi1>) {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %flags = tensor.empty() : tensor<8x6xi1>
  %r:2 = linalg.generic {indexing_maps = [#id, #column, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%product, %b : tensor<8x6xf32>, tensor<6xf32>) outs(%empty, %flags : tensor<8x6xf32>, tensor<8x6xi1>) {
  ^bb0(%p: f32, %bias: f32, %o0: f32, %o1: i1):
    %sum = arith.addf %p, %bias : f32
    %positive = arith.cmpf ogt, %sum, %zero : f32
    %relu = arith.select %positive, %sum, %zero : f32
    linalg.yield %relu, %positive : f32, i1
  } -> (tensor<8x6xf32>, tensor<8x6xi1>)
  return %r#0, %r#1 : tensor<8x6xf32>, tensor<8x6xi1>
}

func.func private @predict(%h: tensor<8x6xf32>, %w: tensor<6x2xf32>) -> tensor<8x2xf32> {
  %start = arith.constant dense<0.000000e+00> : tensor<8x2xf32>
  %y = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<8x6xf32>, tensor<6x2xf32>) outs(%start : tensor<8x2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}

func.func private @loss(%y: tensor<8x2xf32>, %target: tensor<8x2xf32>) -> (f32, tensor<8x2xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %half = arith.constant 5.000000e-01 : f32
  %scale = arith.constant 6.250000e-02 : f32
  %empty = tensor.empty() : tensor<8x2xf32>
  %difference = linalg.sub ins(%y, %target : tensor<8x2xf32>, tensor<8x2xf32>) outs(%empty : tensor<8x2xf32>) -> tensor<8x2xf32>
  %point = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%point : tensor<f32>) -> tensor<f32>
  %total = linalg.reduce ins(%difference : tensor<8x2xf32>) outs(%start : tensor<f32>) dimensions = [0, 1]
    (%d: f32, %acc: f32) {
      %square = arith.mulf %d, %d : f32
      %part = arith.mulf %square, %half : f32
      %sum = arith.addf %acc, %part : f32
      linalg.yield %sum : f32
    }
  %value = tensor.extract %total[] : tensor<f32>
  %mean = arith.mulf %value, %scale : f32
  %scaled = linalg.map ins(%difference : tensor<8x2xf32>) outs(%empty : tensor<8x2xf32>)
    (%d: f32, %out: f32) {
      %g = arith.mulf %d, %scale : f32
      linalg.yield %g : f32
    }
  return %mean, %scaled : f32, tensor<8x2xf32>
}

func.func private @weights_of_output(%h: tensor<8x6xf32>, %g: tensor<8x2xf32>) -> tensor<6x2xf32> {
  %start = arith.constant dense<0.000000e+00> : tensor<6x2xf32>
  %r = linalg.generic {indexing_maps = [#lhs_t, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %g : tensor<8x6xf32>, tensor<8x2xf32>) outs(%start : tensor<6x2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6x2xf32>
  return %r : tensor<6x2xf32>
}

func.func private @back_through(%g: tensor<8x2xf32>, %w: tensor<6x2xf32>, %active: tensor<8x6xi1>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %start = arith.constant dense<0.000000e+00> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %all = linalg.generic {indexing_maps = [#lhs, #rhs_t, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g, %w : tensor<8x2xf32>, tensor<6x2xf32>) outs(%start : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r = linalg.select ins(%active, %all, %none : tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

func.func private @weights_of_hidden(%x: tensor<8x4xf32>, %g: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %flipped = tensor.empty() : tensor<4x8xf32>
  %xt = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%flipped : tensor<4x8xf32>) permutation = [1, 0]
  %empty = tensor.empty() : tensor<4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %w = linalg.matmul ins(%xt, %g : tensor<4x8xf32>, tensor<8x6xf32>) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %bias = tensor.empty() : tensor<6xf32>
  %start = linalg.fill ins(%zero : f32) outs(%bias : tensor<6xf32>) -> tensor<6xf32>
  %b = linalg.reduce { arith.addf } ins(%g : tensor<8x6xf32>) outs(%start : tensor<6xf32>) dimensions = [0]
  return %w, %b : tensor<4x6xf32>, tensor<6xf32>
}

func.func private @descend(%w: tensor<?x?xf32>, %g: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %rate = arith.constant 1.000000e-01 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<?x?xf32>) outs(%w : tensor<?x?xf32>) {
  ^bb0(%slope: f32, %old: f32):
    %step = arith.mulf %slope, %rate : f32
    %new = arith.subf %old, %step : f32
    linalg.yield %new : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @train(%x: tensor<8x4xf32>, %target: tensor<8x2xf32>, %w1: tensor<4x6xf32>, %b1: tensor<6xf32>, %w2: tensor<6x2xf32>) -> (f32, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>) {
  %h:2 = call @hidden(%x, %w1, %b1) : (tensor<8x4xf32>, tensor<4x6xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<8x6xi1>)
  %y = call @predict(%h#0, %w2) : (tensor<8x6xf32>, tensor<6x2xf32>) -> tensor<8x2xf32>
  %l:2 = call @loss(%y, %target) : (tensor<8x2xf32>, tensor<8x2xf32>) -> (f32, tensor<8x2xf32>)
  %g2 = call @weights_of_output(%h#0, %l#1) : (tensor<8x6xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %gh = call @back_through(%l#1, %w2, %h#1) : (tensor<8x2xf32>, tensor<6x2xf32>, tensor<8x6xi1>) -> tensor<8x6xf32>
  %g1:2 = call @weights_of_hidden(%x, %gh) : (tensor<8x4xf32>, tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  %w1d = tensor.cast %w1 : tensor<4x6xf32> to tensor<?x?xf32>
  %g1d = tensor.cast %g1#0 : tensor<4x6xf32> to tensor<?x?xf32>
  %new1d = call @descend(%w1d, %g1d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %new1 = tensor.cast %new1d : tensor<?x?xf32> to tensor<4x6xf32>
  %w2d = tensor.cast %w2 : tensor<6x2xf32> to tensor<?x?xf32>
  %g2d = tensor.cast %g2 : tensor<6x2xf32> to tensor<?x?xf32>
  %new2d = call @descend(%w2d, %g2d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %new2 = tensor.cast %new2d : tensor<?x?xf32> to tensor<6x2xf32>
  // The bias as a matrix of one row, for the same update.
  %b1m = tensor.expand_shape %b1 [[0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
  %gbm = tensor.expand_shape %g1#1 [[0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
  %b1d = tensor.cast %b1m : tensor<1x6xf32> to tensor<?x?xf32>
  %gbd = tensor.cast %gbm : tensor<1x6xf32> to tensor<?x?xf32>
  %newbd = call @descend(%b1d, %gbd) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %newbm = tensor.cast %newbd : tensor<?x?xf32> to tensor<1x6xf32>
  %newb = tensor.collapse_shape %newbm [[0, 1]] : tensor<1x6xf32> into tensor<6xf32>
  return %l#0, %new1, %newb, %new2 : f32, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
}
