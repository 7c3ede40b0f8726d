#map = affine_map<(d0, d1, d2) -> (d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
module {
  func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3x1xf32>) -> (tensor<6x4xf32>, tensor<2x2x2x3xf32>, tensor<2x4x1xf32>, tensor<2x3x4xf32>, tensor<6x3xf32>, tensor<2x3x7xf32>, tensor<2x2x4xf32>) {
    %c-2_i64 = arith.constant -2 : i64
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %c4_i64 = arith.constant 4 : i64
    %cst = arith.constant dense<3> : tensor<i64>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
    %0 = tensor.empty() : tensor<4x2x3xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x3x4xf32>) outs(%0 : tensor<4x2x3xf32>) permutation = [2, 0, 1] 
    %expanded = tensor.expand_shape %transposed [[0, 1], [2], [3]] output_shape [2, 2, 2, 3] : tensor<4x2x3xf32> into tensor<2x2x2x3xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [2, 1, 4] [1, 1, 1] : tensor<2x3x4xf32> to tensor<2x1x4xf32>
    %collapsed_0 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<2x1x4xf32> into tensor<2x4xf32>
    %expanded_1 = tensor.expand_shape %collapsed_0 [[0], [1, 2]] output_shape [2, 4, 1] : tensor<2x4xf32> into tensor<2x4x1xf32>
    %1 = tensor.empty() : tensor<2x3x4xf32>
    %collapsed_2 = tensor.collapse_shape %arg1 [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<3xf32>) outs(%1 : tensor<2x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x4xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %arg0 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%1 : tensor<2x3x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %20 = arith.addf %in, %in_7 : f32
      linalg.yield %20 : f32
    } -> tensor<2x3x4xf32>
    %4 = tensor.empty() : tensor<2x3x3xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<3xf32>) outs(%4 : tensor<2x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x3xf32>
    %collapsed_3 = tensor.collapse_shape %5 [[0, 1], [2]] : tensor<2x3x3xf32> into tensor<6x3xf32>
    %6 = tensor.empty() : tensor<7xi64>
    %7 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%6 : tensor<7xi64>) {
    ^bb0(%out: i64):
      %20 = linalg.index 0 : index
      %21 = arith.index_cast %20 : index to i64
      %22 = arith.addi %21, %c-2_i64 : i64
      linalg.yield %22 : i64
    } -> tensor<7xi64>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%7 : tensor<7xi64>) outs(%6 : tensor<7xi64>) {
    ^bb0(%in: i64, %out: i64):
      %20 = math.absi %in : i64
      linalg.yield %20 : i64
    } -> tensor<7xi64>
    %9 = linalg.generic {indexing_maps = [#map3, #map2, #map2], iterator_types = ["parallel"]} ins(%cst, %8 : tensor<i64>, tensor<7xi64>) outs(%6 : tensor<7xi64>) {
    ^bb0(%in: i64, %in_7: i64, %out: i64):
      %20 = arith.subi %in, %in_7 : i64
      linalg.yield %20 : i64
    } -> tensor<7xi64>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%9 : tensor<7xi64>) outs(%6 : tensor<7xi64>) {
    ^bb0(%in: i64, %out: i64):
      %20 = math.absi %in : i64
      linalg.yield %20 : i64
    } -> tensor<7xi64>
    %11 = linalg.generic {indexing_maps = [#map3, #map2, #map2], iterator_types = ["parallel"]} ins(%cst, %10 : tensor<i64>, tensor<7xi64>) outs(%6 : tensor<7xi64>) {
    ^bb0(%in: i64, %in_7: i64, %out: i64):
      %20 = arith.subi %in, %in_7 : i64
      linalg.yield %20 : i64
    } -> tensor<7xi64>
    %12 = tensor.empty() : tensor<3xi64>
    %13 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%12 : tensor<3xi64>) {
    ^bb0(%out: i64):
      %20 = linalg.index 0 : index
      %21 = arith.index_cast %20 : index to i64
      linalg.yield %21 : i64
    } -> tensor<3xi64>
    %expanded_4 = tensor.expand_shape %13 [[0, 1]] output_shape [3, 1] : tensor<3xi64> into tensor<3x1xi64>
    %14 = tensor.empty() : tensor<2xi64>
    %15 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%14 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %20 = linalg.index 0 : index
      %21 = arith.index_cast %20 : index to i64
      linalg.yield %21 : i64
    } -> tensor<2xi64>
    %expanded_5 = tensor.expand_shape %15 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xi64> into tensor<2x1x1xi64>
    %16 = tensor.empty() : tensor<2x3x7xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map5, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_5, %expanded_4, %11 : tensor<2x1x1xi64>, tensor<3x1xi64>, tensor<7xi64>) outs(%16 : tensor<2x3x7xf32>) {
    ^bb0(%in: i64, %in_7: i64, %in_8: i64, %out: f32):
      %20 = arith.cmpi slt, %in, %c0_i64 : i64
      %21 = arith.addi %in, %c2_i64 : i64
      %22 = arith.select %20, %21, %in : i64
      %23 = arith.index_cast %22 : i64 to index
      %24 = arith.cmpi slt, %in_7, %c0_i64 : i64
      %25 = arith.addi %in_7, %c3_i64 : i64
      %26 = arith.select %24, %25, %in_7 : i64
      %27 = arith.index_cast %26 : i64 to index
      %28 = arith.cmpi slt, %in_8, %c0_i64 : i64
      %29 = arith.addi %in_8, %c4_i64 : i64
      %30 = arith.select %28, %29, %in_8 : i64
      %31 = arith.index_cast %30 : i64 to index
      %extracted = tensor.extract %arg0[%23, %27, %31] : tensor<2x3x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x3x7xf32>
    %extracted_slice_6 = tensor.extract_slice %arg0[0, 1, 0] [2, 2, 4] [1, 1, 1] : tensor<2x3x4xf32> to tensor<2x2x4xf32>
    %18 = tensor.empty() : tensor<2x2x4xf32>
    %19 = linalg.generic {indexing_maps = [#map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_6 : tensor<2x1x4xf32>, tensor<2x2x4xf32>) outs(%18 : tensor<2x2x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %20 = arith.mulf %in, %in_7 : f32
      linalg.yield %20 : f32
    } -> tensor<2x2x4xf32>
    return %collapsed, %expanded, %expanded_1, %3, %collapsed_3, %17, %19 : tensor<6x4xf32>, tensor<2x2x2x3xf32>, tensor<2x4x1xf32>, tensor<2x3x4xf32>, tensor<6x3xf32>, tensor<2x3x7xf32>, tensor<2x2x4xf32>
  }
}
