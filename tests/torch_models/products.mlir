#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<2x4x5xf64>, %arg1: tensor<2x5x3xf64>, %arg2: tensor<4x5xf64>, %arg3: tensor<5xf64>) -> (tensor<2x4x3xf64>, tensor<2x4x3xf64>, tensor<4xf64>, tensor<f64>, tensor<5x5xf64>, tensor<2x4x4xf64>, tensor<4x3xf64>, tensor<4x3xf64>) {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 5.000000e-01 : f64
    %cst_1 = arith.constant 2.000000e+00 : f64
    %0 = tensor.empty() : tensor<2x4x3xf64>
    %1 = linalg.fill ins(%cst : f64) outs(%0 : tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
    %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<2x4x5xf64>, tensor<2x5x3xf64>) outs(%1 : tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x4x3xf64>) outs(%0 : tensor<2x4x3xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.mulf %in, %cst_1 : f64
      linalg.yield %31 : f64
    } -> tensor<2x4x3xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x4x3xf64>) outs(%0 : tensor<2x4x3xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.mulf %in, %cst_0 : f64
      linalg.yield %31 : f64
    } -> tensor<2x4x3xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %3 : tensor<2x4x3xf64>, tensor<2x4x3xf64>) outs(%0 : tensor<2x4x3xf64>) {
    ^bb0(%in: f64, %in_17: f64, %out: f64):
      %31 = arith.addf %in, %in_17 : f64
      linalg.yield %31 : f64
    } -> tensor<2x4x3xf64>
    %6 = tensor.empty() : tensor<4x5xf64>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2, %arg3 : tensor<4x5xf64>, tensor<5xf64>) outs(%6 : tensor<4x5xf64>) {
    ^bb0(%in: f64, %in_17: f64, %out: f64):
      %31 = arith.mulf %in, %in_17 : f64
      linalg.yield %31 : f64
    } -> tensor<4x5xf64>
    %8 = tensor.empty() : tensor<4xf64>
    %9 = linalg.fill ins(%cst : f64) outs(%8 : tensor<4xf64>) -> tensor<4xf64>
    %10 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<4x5xf64>) outs(%9 : tensor<4xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.addf %in, %out : f64
      linalg.yield %31 : f64
    } -> tensor<4xf64>
    %11 = tensor.empty() : tensor<5xf64>
    %12 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg3, %arg3 : tensor<5xf64>, tensor<5xf64>) outs(%11 : tensor<5xf64>) {
    ^bb0(%in: f64, %in_17: f64, %out: f64):
      %31 = arith.mulf %in, %in_17 : f64
      linalg.yield %31 : f64
    } -> tensor<5xf64>
    %13 = tensor.empty() : tensor<f64>
    %14 = linalg.fill ins(%cst : f64) outs(%13 : tensor<f64>) -> tensor<f64>
    %15 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction"]} ins(%12 : tensor<5xf64>) outs(%14 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.addf %in, %out : f64
      linalg.yield %31 : f64
    } -> tensor<f64>
    %expanded = tensor.expand_shape %arg3 [[0, 1]] output_shape [5, 1] : tensor<5xf64> into tensor<5x1xf64>
    %16 = tensor.empty() : tensor<5x5xf64>
    %17 = linalg.generic {indexing_maps = [#map6, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %arg3 : tensor<5x1xf64>, tensor<5xf64>) outs(%16 : tensor<5x5xf64>) {
    ^bb0(%in: f64, %in_17: f64, %out: f64):
      %31 = arith.mulf %in, %in_17 : f64
      linalg.yield %31 : f64
    } -> tensor<5x5xf64>
    %18 = tensor.empty() : tensor<5x4xf64>
    %transposed = linalg.transpose ins(%arg2 : tensor<4x5xf64>) outs(%18 : tensor<5x4xf64>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x4x5xf64> into tensor<8x5xf64>
    %19 = tensor.empty() : tensor<8x4xf64>
    %20 = linalg.fill ins(%cst : f64) outs(%19 : tensor<8x4xf64>) -> tensor<8x4xf64>
    %21 = linalg.matmul ins(%collapsed, %transposed : tensor<8x5xf64>, tensor<5x4xf64>) outs(%20 : tensor<8x4xf64>) -> tensor<8x4xf64>
    %expanded_2 = tensor.expand_shape %21 [[0, 1], [2]] output_shape [2, 4, 4] : tensor<8x4xf64> into tensor<2x4x4xf64>
    %expanded_3 = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [2, 4, 5, 1] : tensor<2x4x5xf64> into tensor<2x4x5x1xf64>
    %22 = tensor.empty() : tensor<4x2x5x1xf64>
    %transposed_4 = linalg.transpose ins(%expanded_3 : tensor<2x4x5x1xf64>) outs(%22 : tensor<4x2x5x1xf64>) permutation = [1, 0, 2, 3] 
    %collapsed_5 = tensor.collapse_shape %transposed_4 [[0], [1, 2, 3]] : tensor<4x2x5x1xf64> into tensor<4x10xf64>
    %expanded_6 = tensor.expand_shape %collapsed_5 [[0, 1], [2]] output_shape [1, 4, 10] : tensor<4x10xf64> into tensor<1x4x10xf64>
    %collapsed_7 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<2x5x3xf64> into tensor<10x3xf64>
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1], [2]] output_shape [1, 10, 3] : tensor<10x3xf64> into tensor<1x10x3xf64>
    %23 = tensor.empty() : tensor<1x4x3xf64>
    %24 = linalg.fill ins(%cst : f64) outs(%23 : tensor<1x4x3xf64>) -> tensor<1x4x3xf64>
    %25 = linalg.batch_matmul ins(%expanded_6, %expanded_8 : tensor<1x4x10xf64>, tensor<1x10x3xf64>) outs(%24 : tensor<1x4x3xf64>) -> tensor<1x4x3xf64>
    %collapsed_9 = tensor.collapse_shape %25 [[0, 1], [2]] : tensor<1x4x3xf64> into tensor<4x3xf64>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0], [1, 2, 3]] output_shape [4, 1, 1, 3] : tensor<4x3xf64> into tensor<4x1x1x3xf64>
    %26 = tensor.empty() : tensor<4x3x1x1xf64>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<4x1x1x3xf64>) outs(%26 : tensor<4x3x1x1xf64>) permutation = [0, 3, 1, 2] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1, 2, 3]] : tensor<4x3x1x1xf64> into tensor<4x3xf64>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<2x4x5xf64> to tensor<1x4x5xf64>
    %collapsed_13 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x4x5xf64> into tensor<4x5xf64>
    %extracted_slice_14 = tensor.extract_slice %collapsed_13[0, 0] [4, 3] [1, 1] : tensor<4x5xf64> to tensor<4x3xf64>
    %extracted_slice_15 = tensor.extract_slice %arg1[0, 0, 0] [1, 5, 3] [1, 1, 1] : tensor<2x5x3xf64> to tensor<1x5x3xf64>
    %collapsed_16 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2]] : tensor<1x5x3xf64> into tensor<5x3xf64>
    %27 = tensor.empty() : tensor<4x3xf64>
    %28 = linalg.fill ins(%cst : f64) outs(%27 : tensor<4x3xf64>) -> tensor<4x3xf64>
    %29 = linalg.matmul ins(%arg2, %collapsed_16 : tensor<4x5xf64>, tensor<5x3xf64>) outs(%28 : tensor<4x3xf64>) -> tensor<4x3xf64>
    %30 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%29, %extracted_slice_14 : tensor<4x3xf64>, tensor<4x3xf64>) outs(%27 : tensor<4x3xf64>) {
    ^bb0(%in: f64, %in_17: f64, %out: f64):
      %31 = arith.addf %in, %in_17 : f64
      linalg.yield %31 : f64
    } -> tensor<4x3xf64>
    return %2, %5, %10, %15, %17, %expanded_2, %collapsed_12, %30 : tensor<2x4x3xf64>, tensor<2x4x3xf64>, tensor<4xf64>, tensor<f64>, tensor<5x5xf64>, tensor<2x4x4xf64>, tensor<4x3xf64>, tensor<4x3xf64>
  }
}
