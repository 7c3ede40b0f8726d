#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map10 = affine_map<(d0) -> (d0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
module {
  func.func @main(%arg0: tensor<2x4x4x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x8x8xf32>, tensor<2x4x3x6xf32>) {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c3_i64 = arith.constant 3 : i64
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0.66666666666666663 : f64
    %cst_3 = arith.constant 1.3333333333333333 : f64
    %cst_4 = arith.constant dense_resource<torch_tensor_4_torch.float32_4> : tensor<4xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_4_torch.float32_3> : tensor<4xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_4_torch.float32_2> : tensor<4xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_4_torch.float32_1> : tensor<4xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_9 = arith.constant 1.000000e-05 : f64
    %cst_10 = arith.constant 3.200000e+01 : f64
    %cst_11 = arith.constant 3.200000e+01 : f32
    %cst_12 = arith.constant 1.600000e+01 : f64
    %cst_13 = arith.constant 1.600000e+01 : f32
    %cst_14 = arith.constant 4.000000e+00 : f32
    %cst_15 = arith.constant 2.000000e+00 : f32
    %cst_16 = arith.constant 5.000000e-01 : f32
    %cst_17 = arith.constant 3.000000e+00 : f32
    %c4_i64 = arith.constant 4 : i64
    %cst_18 = arith.constant dense_resource<torch_tensor_2_4_torch.int64> : tensor<2x4xi64>
    %cst_19 = arith.constant dense_resource<torch_tensor_2_4_torch.int64_1> : tensor<2x4xi64>
    %cst_20 = arith.constant dense_resource<torch_tensor_2_4_torch.int64_2> : tensor<2x4xi64>
    %cst_21 = arith.constant dense_resource<torch_tensor_2_4_torch.int64_3> : tensor<2x4xi64>
    %cst_22 = arith.constant dense_resource<torch_tensor_2_4_torch.int64_4> : tensor<2x4xi64>
    %cst_23 = arith.constant dense_resource<torch_tensor_2_4_torch.int64_5> : tensor<2x4xi64>
    %cst_24 = arith.constant dense_resource<torch_tensor_2_4_torch.int64_6> : tensor<2x4xi64>
    %cst_25 = arith.constant dense_resource<torch_tensor_2_4_torch.int64_7> : tensor<2x4xi64>
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<2x4x4x4xf32> into tensor<2x4x16xf32>
    %expanded = tensor.expand_shape %collapsed [[0], [1, 2], [3]] output_shape [2, 2, 2, 16] : tensor<2x4x16xf32> into tensor<2x2x2x16xf32>
    %0 = tensor.empty() : tensor<2x2x2x16xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x2x2x16xf32>) outs(%0 : tensor<2x2x2x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %110 = arith.extf %in : f32 to f64
      linalg.yield %110 : f64
    } -> tensor<2x2x2x16xf64>
    %2 = tensor.empty() : tensor<2x2x1x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x2x1x1xf64>) -> tensor<2x2x1x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%1 : tensor<2x2x2x16xf64>) outs(%3 : tensor<2x2x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %110 = arith.addf %in, %out : f64
      linalg.yield %110 : f64
    } -> tensor<2x2x1x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x2x1x1xf64>) outs(%2 : tensor<2x2x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %110 = arith.divf %in, %cst_10 : f64
      linalg.yield %110 : f64
    } -> tensor<2x2x1x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x2x2x16xf64>, tensor<2x2x1x1xf64>) outs(%0 : tensor<2x2x2x16xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %110 = arith.subf %in, %in_41 : f64
      linalg.yield %110 : f64
    } -> tensor<2x2x2x16xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x2x2x16xf64>, tensor<2x2x2x16xf64>) outs(%0 : tensor<2x2x2x16xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %110 = arith.mulf %in, %in_41 : f64
      linalg.yield %110 : f64
    } -> tensor<2x2x2x16xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%7 : tensor<2x2x2x16xf64>) outs(%3 : tensor<2x2x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %110 = arith.addf %in, %out : f64
      linalg.yield %110 : f64
    } -> tensor<2x2x1x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x2x1x1xf64>) outs(%2 : tensor<2x2x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %110 = arith.divf %in, %cst_10 : f64
      linalg.yield %110 : f64
    } -> tensor<2x2x1x1xf64>
    %10 = tensor.empty() : tensor<2x2x1x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x2x1x1xf64>) outs(%10 : tensor<2x2x1x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %110 = arith.truncf %in : f64 to f32
      linalg.yield %110 : f32
    } -> tensor<2x2x1x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x2x1x1xf32>) -> tensor<2x2x1x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%expanded : tensor<2x2x2x16xf32>) outs(%12 : tensor<2x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.addf %in, %out : f32
      linalg.yield %110 : f32
    } -> tensor<2x2x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x2x1x1xf32>) outs(%10 : tensor<2x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.divf %in, %cst_11 : f32
      linalg.yield %110 : f32
    } -> tensor<2x2x1x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x2x1x1xf32>) outs(%10 : tensor<2x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.truncf %cst_9 : f64 to f32
      %111 = arith.addf %in, %110 : f32
      linalg.yield %111 : f32
    } -> tensor<2x2x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x2x1x1xf32>) outs(%10 : tensor<2x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = math.rsqrt %in : f32
      linalg.yield %110 : f32
    } -> tensor<2x2x1x1xf32>
    %expanded_26 = tensor.expand_shape %cst_8 [[0, 1, 2, 3]] output_shape [1, 2, 2, 1] : tensor<4xf32> into tensor<1x2x2x1xf32>
    %17 = tensor.empty() : tensor<2x2x2x1xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_26 : tensor<2x2x1x1xf32>, tensor<1x2x2x1xf32>) outs(%17 : tensor<2x2x2x1xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x2x2x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x2x1x1xf32>) outs(%10 : tensor<2x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.negf %in : f32
      linalg.yield %110 : f32
    } -> tensor<2x2x1x1xf32>
    %20 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<2x2x1x1xf32>, tensor<2x2x2x1xf32>) outs(%17 : tensor<2x2x2x1xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x2x2x1xf32>
    %expanded_27 = tensor.expand_shape %cst_7 [[0, 1, 2, 3]] output_shape [1, 2, 2, 1] : tensor<4xf32> into tensor<1x2x2x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_27 : tensor<2x2x2x1xf32>, tensor<1x2x2x1xf32>) outs(%17 : tensor<2x2x2x1xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.addf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x2x2x1xf32>
    %22 = tensor.empty() : tensor<2x4xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_18, %cst_19, %cst_20, %cst_21 : tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>) outs(%22 : tensor<2x4xf32>) {
    ^bb0(%in: i64, %in_41: i64, %in_42: i64, %in_43: i64, %out: f32):
      %110 = arith.cmpi slt, %in, %c0_i64 : i64
      %111 = arith.addi %in, %c2_i64 : i64
      %112 = arith.select %110, %111, %in : i64
      %113 = arith.index_cast %112 : i64 to index
      %114 = arith.cmpi slt, %in_41, %c0_i64 : i64
      %115 = arith.addi %in_41, %c2_i64 : i64
      %116 = arith.select %114, %115, %in_41 : i64
      %117 = arith.index_cast %116 : i64 to index
      %118 = arith.cmpi slt, %in_42, %c0_i64 : i64
      %119 = arith.addi %in_42, %c2_i64 : i64
      %120 = arith.select %118, %119, %in_42 : i64
      %121 = arith.index_cast %120 : i64 to index
      %122 = arith.cmpi slt, %in_43, %c0_i64 : i64
      %123 = arith.addi %in_43, %c1_i64 : i64
      %124 = arith.select %122, %123, %in_43 : i64
      %125 = arith.index_cast %124 : i64 to index
      %extracted = tensor.extract %18[%113, %117, %121, %125] : tensor<2x2x2x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_22, %cst_23, %cst_24, %cst_25 : tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>) outs(%22 : tensor<2x4xf32>) {
    ^bb0(%in: i64, %in_41: i64, %in_42: i64, %in_43: i64, %out: f32):
      %110 = arith.cmpi slt, %in, %c0_i64 : i64
      %111 = arith.addi %in, %c2_i64 : i64
      %112 = arith.select %110, %111, %in : i64
      %113 = arith.index_cast %112 : i64 to index
      %114 = arith.cmpi slt, %in_41, %c0_i64 : i64
      %115 = arith.addi %in_41, %c2_i64 : i64
      %116 = arith.select %114, %115, %in_41 : i64
      %117 = arith.index_cast %116 : i64 to index
      %118 = arith.cmpi slt, %in_42, %c0_i64 : i64
      %119 = arith.addi %in_42, %c2_i64 : i64
      %120 = arith.select %118, %119, %in_42 : i64
      %121 = arith.index_cast %120 : i64 to index
      %122 = arith.cmpi slt, %in_43, %c0_i64 : i64
      %123 = arith.addi %in_43, %c1_i64 : i64
      %124 = arith.select %122, %123, %in_43 : i64
      %125 = arith.index_cast %124 : i64 to index
      %extracted = tensor.extract %21[%113, %117, %121, %125] : tensor<2x2x2x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4xf32>
    %expanded_28 = tensor.expand_shape %23 [[0], [1, 2, 3]] output_shape [2, 4, 1, 1] : tensor<2x4xf32> into tensor<2x4x1x1xf32>
    %expanded_29 = tensor.expand_shape %24 [[0], [1, 2, 3]] output_shape [2, 4, 1, 1] : tensor<2x4xf32> into tensor<2x4x1x1xf32>
    %25 = tensor.empty() : tensor<2x4x4x4xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %expanded_28 : tensor<2x4x4x4xf32>, tensor<2x4x1x1xf32>) outs(%25 : tensor<2x4x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x4xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %expanded_29 : tensor<2x4x4x4xf32>, tensor<2x4x1x1xf32>) outs(%25 : tensor<2x4x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.addf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x4xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<4xf32>) outs(%22 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4xf32>
    %collapsed_30 = tensor.collapse_shape %28 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<4xf32>) outs(%22 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4xf32>
    %collapsed_31 = tensor.collapse_shape %29 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %collapsed_32 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x4x4xf32> into tensor<8x4x4xf32>
    %expanded_33 = tensor.expand_shape %collapsed_32 [[0, 1], [2], [3]] output_shape [1, 8, 4, 4] : tensor<8x4x4xf32> into tensor<1x8x4x4xf32>
    %30 = tensor.empty() : tensor<1x8x4x4xf64>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<1x8x4x4xf32>) outs(%30 : tensor<1x8x4x4xf64>) {
    ^bb0(%in: f32, %out: f64):
      %110 = arith.extf %in : f32 to f64
      linalg.yield %110 : f64
    } -> tensor<1x8x4x4xf64>
    %32 = tensor.empty() : tensor<1x8x1x1xf64>
    %33 = linalg.fill ins(%cst : f64) outs(%32 : tensor<1x8x1x1xf64>) -> tensor<1x8x1x1xf64>
    %34 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%31 : tensor<1x8x4x4xf64>) outs(%33 : tensor<1x8x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %110 = arith.addf %in, %out : f64
      linalg.yield %110 : f64
    } -> tensor<1x8x1x1xf64>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x8x1x1xf64>) outs(%32 : tensor<1x8x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %110 = arith.divf %in, %cst_12 : f64
      linalg.yield %110 : f64
    } -> tensor<1x8x1x1xf64>
    %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %35 : tensor<1x8x4x4xf64>, tensor<1x8x1x1xf64>) outs(%30 : tensor<1x8x4x4xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %110 = arith.subf %in, %in_41 : f64
      linalg.yield %110 : f64
    } -> tensor<1x8x4x4xf64>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %36 : tensor<1x8x4x4xf64>, tensor<1x8x4x4xf64>) outs(%30 : tensor<1x8x4x4xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %110 = arith.mulf %in, %in_41 : f64
      linalg.yield %110 : f64
    } -> tensor<1x8x4x4xf64>
    %38 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%37 : tensor<1x8x4x4xf64>) outs(%33 : tensor<1x8x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %110 = arith.addf %in, %out : f64
      linalg.yield %110 : f64
    } -> tensor<1x8x1x1xf64>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x8x1x1xf64>) outs(%32 : tensor<1x8x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %110 = arith.divf %in, %cst_12 : f64
      linalg.yield %110 : f64
    } -> tensor<1x8x1x1xf64>
    %40 = tensor.empty() : tensor<1x8x1x1xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x8x1x1xf64>) outs(%40 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %110 = arith.truncf %in : f64 to f32
      linalg.yield %110 : f32
    } -> tensor<1x8x1x1xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%40 : tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%expanded_33 : tensor<1x8x4x4xf32>) outs(%42 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.addf %in, %out : f32
      linalg.yield %110 : f32
    } -> tensor<1x8x1x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x8x1x1xf32>) outs(%40 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.divf %in, %cst_13 : f32
      linalg.yield %110 : f32
    } -> tensor<1x8x1x1xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x8x1x1xf32>) outs(%40 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.truncf %cst_9 : f64 to f32
      %111 = arith.addf %in, %110 : f32
      linalg.yield %111 : f32
    } -> tensor<1x8x1x1xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x8x1x1xf32>) outs(%40 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = math.rsqrt %in : f32
      linalg.yield %110 : f32
    } -> tensor<1x8x1x1xf32>
    %47 = tensor.empty() : tensor<1x8x4x4xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33, %44 : tensor<1x8x4x4xf32>, tensor<1x8x1x1xf32>) outs(%47 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.subf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<1x8x4x4xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %46 : tensor<1x8x4x4xf32>, tensor<1x8x1x1xf32>) outs(%47 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<1x8x4x4xf32>
    %expanded_34 = tensor.expand_shape %collapsed_30 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %expanded_34 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%47 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<1x8x4x4xf32>
    %expanded_35 = tensor.expand_shape %collapsed_31 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %expanded_35 : tensor<1x8x4x4xf32>, tensor<8x1x1xf32>) outs(%47 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.addf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<1x8x4x4xf32>
    %collapsed_36 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x8x4x4xf32> into tensor<8x4x4xf32>
    %expanded_37 = tensor.expand_shape %collapsed_36 [[0, 1], [2], [3]] output_shape [2, 4, 4, 4] : tensor<8x4x4xf32> into tensor<2x4x4x4xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) outs(%25 : tensor<2x4x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x4xf32>
    %53 = tensor.empty() : tensor<2x4x4x1xf32>
    %54 = linalg.fill ins(%cst_0 : f32) outs(%53 : tensor<2x4x4x1xf32>) -> tensor<2x4x4x1xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<2x4x4x4xf32>) outs(%54 : tensor<2x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.addf %in, %out : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x1xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<2x4x4x1xf32>) outs(%53 : tensor<2x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.divf %in, %cst_14 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x1xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<2x4x4x1xf32>) outs(%53 : tensor<2x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.truncf %cst_9 : f64 to f32
      %111 = arith.addf %in, %110 : f32
      linalg.yield %111 : f32
    } -> tensor<2x4x4x1xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %expanded_37 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) outs(%25 : tensor<2x4x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.addf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x4xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<2x4x4x1xf32>) outs(%53 : tensor<2x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = math.rsqrt %in : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %59 : tensor<2x4x4x4xf32>, tensor<2x4x4x1xf32>) outs(%25 : tensor<2x4x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x4xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %cst_4 : tensor<2x4x4x4xf32>, tensor<4xf32>) outs(%25 : tensor<2x4x4x4xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x4x4xf32>
    %62 = tensor.empty() : tensor<2x4x8x8xf32>
    %63 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%62 : tensor<2x4x8x8xf32>) {
    ^bb0(%out: f32):
      %110 = linalg.index 0 : index
      %111 = linalg.index 1 : index
      %112 = linalg.index 2 : index
      %113 = linalg.index 3 : index
      %114 = arith.index_cast %112 : index to i64
      %115 = arith.sitofp %114 : i64 to f32
      %116 = arith.divf %115, %cst_15 : f32
      %117 = math.floor %116 : f32
      %118 = arith.maximumf %117, %cst_0 : f32
      %119 = arith.minimumf %118, %cst_17 : f32
      %120 = arith.fptosi %119 : f32 to i64
      %121 = arith.index_cast %120 : i64 to index
      %122 = arith.index_cast %113 : index to i64
      %123 = arith.sitofp %122 : i64 to f32
      %124 = arith.divf %123, %cst_15 : f32
      %125 = math.floor %124 : f32
      %126 = arith.maximumf %125, %cst_0 : f32
      %127 = arith.minimumf %126, %cst_17 : f32
      %128 = arith.fptosi %127 : f32 to i64
      %129 = arith.index_cast %128 : i64 to index
      %extracted = tensor.extract %arg0[%110, %111, %121, %129] : tensor<2x4x4x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x8x8xf32>
    %64 = tensor.empty() : tensor<3xi64>
    %65 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel"]} outs(%64 : tensor<3xi64>) {
    ^bb0(%out: i64):
      %110 = linalg.index 0 : index
      %111 = arith.index_cast %110 : index to i64
      linalg.yield %111 : i64
    } -> tensor<3xi64>
    %66 = tensor.empty() : tensor<3xf32>
    %67 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%65 : tensor<3xi64>) outs(%66 : tensor<3xf32>) {
    ^bb0(%in: i64, %out: f32):
      %110 = arith.sitofp %in : i64 to f32
      linalg.yield %110 : f32
    } -> tensor<3xf32>
    %68 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%67 : tensor<3xf32>) outs(%66 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.addf %in, %cst_16 : f32
      linalg.yield %110 : f32
    } -> tensor<3xf32>
    %69 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%68 : tensor<3xf32>) outs(%66 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.truncf %cst_3 : f64 to f32
      %111 = arith.mulf %in, %110 : f32
      linalg.yield %111 : f32
    } -> tensor<3xf32>
    %70 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%69 : tensor<3xf32>) outs(%66 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.subf %in, %cst_16 : f32
      linalg.yield %110 : f32
    } -> tensor<3xf32>
    %71 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%70 : tensor<3xf32>) outs(%66 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.cmpf ult, %in, %cst_0 : f32
      %111 = arith.select %110, %cst_0, %in : f32
      linalg.yield %111 : f32
    } -> tensor<3xf32>
    %expanded_38 = tensor.expand_shape %71 [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
    %72 = tensor.empty() : tensor<3x1xi64>
    %73 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_38 : tensor<3x1xf32>) outs(%72 : tensor<3x1xi64>) {
    ^bb0(%in: f32, %out: i64):
      %110 = arith.fptosi %in : f32 to i64
      linalg.yield %110 : i64
    } -> tensor<3x1xi64>
    %74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<3x1xi64>) outs(%72 : tensor<3x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %110 = arith.addi %in, %c1_i64 : i64
      linalg.yield %110 : i64
    } -> tensor<3x1xi64>
    %75 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%74 : tensor<3x1xi64>) outs(%72 : tensor<3x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %110 = arith.minsi %in, %c3_i64 : i64
      linalg.yield %110 : i64
    } -> tensor<3x1xi64>
    %76 = tensor.empty() : tensor<6xi64>
    %77 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel"]} outs(%76 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %110 = linalg.index 0 : index
      %111 = arith.index_cast %110 : index to i64
      linalg.yield %111 : i64
    } -> tensor<6xi64>
    %78 = tensor.empty() : tensor<6xf32>
    %79 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%77 : tensor<6xi64>) outs(%78 : tensor<6xf32>) {
    ^bb0(%in: i64, %out: f32):
      %110 = arith.sitofp %in : i64 to f32
      linalg.yield %110 : f32
    } -> tensor<6xf32>
    %80 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%79 : tensor<6xf32>) outs(%78 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.addf %in, %cst_16 : f32
      linalg.yield %110 : f32
    } -> tensor<6xf32>
    %81 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%80 : tensor<6xf32>) outs(%78 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.truncf %cst_2 : f64 to f32
      %111 = arith.mulf %in, %110 : f32
      linalg.yield %111 : f32
    } -> tensor<6xf32>
    %82 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%81 : tensor<6xf32>) outs(%78 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.subf %in, %cst_16 : f32
      linalg.yield %110 : f32
    } -> tensor<6xf32>
    %83 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%82 : tensor<6xf32>) outs(%78 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.cmpf ult, %in, %cst_0 : f32
      %111 = arith.select %110, %cst_0, %in : f32
      linalg.yield %111 : f32
    } -> tensor<6xf32>
    %84 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%83 : tensor<6xf32>) outs(%76 : tensor<6xi64>) {
    ^bb0(%in: f32, %out: i64):
      %110 = arith.fptosi %in : f32 to i64
      linalg.yield %110 : i64
    } -> tensor<6xi64>
    %85 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%84 : tensor<6xi64>) outs(%76 : tensor<6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %110 = arith.addi %in, %c1_i64 : i64
      linalg.yield %110 : i64
    } -> tensor<6xi64>
    %86 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%85 : tensor<6xi64>) outs(%76 : tensor<6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %110 = arith.minsi %in, %c3_i64 : i64
      linalg.yield %110 : i64
    } -> tensor<6xi64>
    %87 = tensor.empty() : tensor<4xi64>
    %88 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel"]} outs(%87 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %110 = linalg.index 0 : index
      %111 = arith.index_cast %110 : index to i64
      linalg.yield %111 : i64
    } -> tensor<4xi64>
    %expanded_39 = tensor.expand_shape %88 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xi64> into tensor<4x1x1xi64>
    %89 = tensor.empty() : tensor<2xi64>
    %90 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel"]} outs(%89 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %110 = linalg.index 0 : index
      %111 = arith.index_cast %110 : index to i64
      linalg.yield %111 : i64
    } -> tensor<2xi64>
    %expanded_40 = tensor.expand_shape %90 [[0, 1, 2, 3]] output_shape [2, 1, 1, 1] : tensor<2xi64> into tensor<2x1x1x1xi64>
    %91 = tensor.empty() : tensor<2x4x3x6xf32>
    %92 = linalg.generic {indexing_maps = [#map11, #map7, #map12, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_40, %expanded_39, %73, %84 : tensor<2x1x1x1xi64>, tensor<4x1x1xi64>, tensor<3x1xi64>, tensor<6xi64>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: i64, %in_41: i64, %in_42: i64, %in_43: i64, %out: f32):
      %110 = arith.cmpi slt, %in, %c0_i64 : i64
      %111 = arith.addi %in, %c2_i64 : i64
      %112 = arith.select %110, %111, %in : i64
      %113 = arith.index_cast %112 : i64 to index
      %114 = arith.cmpi slt, %in_41, %c0_i64 : i64
      %115 = arith.addi %in_41, %c4_i64 : i64
      %116 = arith.select %114, %115, %in_41 : i64
      %117 = arith.index_cast %116 : i64 to index
      %118 = arith.cmpi slt, %in_42, %c0_i64 : i64
      %119 = arith.addi %in_42, %c4_i64 : i64
      %120 = arith.select %118, %119, %in_42 : i64
      %121 = arith.index_cast %120 : i64 to index
      %122 = arith.cmpi slt, %in_43, %c0_i64 : i64
      %123 = arith.addi %in_43, %c4_i64 : i64
      %124 = arith.select %122, %123, %in_43 : i64
      %125 = arith.index_cast %124 : i64 to index
      %extracted = tensor.extract %arg0[%113, %117, %121, %125] : tensor<2x4x4x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x3x6xf32>
    %93 = linalg.generic {indexing_maps = [#map11, #map7, #map12, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_40, %expanded_39, %73, %86 : tensor<2x1x1x1xi64>, tensor<4x1x1xi64>, tensor<3x1xi64>, tensor<6xi64>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: i64, %in_41: i64, %in_42: i64, %in_43: i64, %out: f32):
      %110 = arith.cmpi slt, %in, %c0_i64 : i64
      %111 = arith.addi %in, %c2_i64 : i64
      %112 = arith.select %110, %111, %in : i64
      %113 = arith.index_cast %112 : i64 to index
      %114 = arith.cmpi slt, %in_41, %c0_i64 : i64
      %115 = arith.addi %in_41, %c4_i64 : i64
      %116 = arith.select %114, %115, %in_41 : i64
      %117 = arith.index_cast %116 : i64 to index
      %118 = arith.cmpi slt, %in_42, %c0_i64 : i64
      %119 = arith.addi %in_42, %c4_i64 : i64
      %120 = arith.select %118, %119, %in_42 : i64
      %121 = arith.index_cast %120 : i64 to index
      %122 = arith.cmpi slt, %in_43, %c0_i64 : i64
      %123 = arith.addi %in_43, %c4_i64 : i64
      %124 = arith.select %122, %123, %in_43 : i64
      %125 = arith.index_cast %124 : i64 to index
      %extracted = tensor.extract %arg0[%113, %117, %121, %125] : tensor<2x4x4x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x3x6xf32>
    %94 = linalg.generic {indexing_maps = [#map11, #map7, #map12, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_40, %expanded_39, %75, %84 : tensor<2x1x1x1xi64>, tensor<4x1x1xi64>, tensor<3x1xi64>, tensor<6xi64>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: i64, %in_41: i64, %in_42: i64, %in_43: i64, %out: f32):
      %110 = arith.cmpi slt, %in, %c0_i64 : i64
      %111 = arith.addi %in, %c2_i64 : i64
      %112 = arith.select %110, %111, %in : i64
      %113 = arith.index_cast %112 : i64 to index
      %114 = arith.cmpi slt, %in_41, %c0_i64 : i64
      %115 = arith.addi %in_41, %c4_i64 : i64
      %116 = arith.select %114, %115, %in_41 : i64
      %117 = arith.index_cast %116 : i64 to index
      %118 = arith.cmpi slt, %in_42, %c0_i64 : i64
      %119 = arith.addi %in_42, %c4_i64 : i64
      %120 = arith.select %118, %119, %in_42 : i64
      %121 = arith.index_cast %120 : i64 to index
      %122 = arith.cmpi slt, %in_43, %c0_i64 : i64
      %123 = arith.addi %in_43, %c4_i64 : i64
      %124 = arith.select %122, %123, %in_43 : i64
      %125 = arith.index_cast %124 : i64 to index
      %extracted = tensor.extract %arg0[%113, %117, %121, %125] : tensor<2x4x4x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x3x6xf32>
    %95 = linalg.generic {indexing_maps = [#map11, #map7, #map12, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_40, %expanded_39, %75, %86 : tensor<2x1x1x1xi64>, tensor<4x1x1xi64>, tensor<3x1xi64>, tensor<6xi64>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: i64, %in_41: i64, %in_42: i64, %in_43: i64, %out: f32):
      %110 = arith.cmpi slt, %in, %c0_i64 : i64
      %111 = arith.addi %in, %c2_i64 : i64
      %112 = arith.select %110, %111, %in : i64
      %113 = arith.index_cast %112 : i64 to index
      %114 = arith.cmpi slt, %in_41, %c0_i64 : i64
      %115 = arith.addi %in_41, %c4_i64 : i64
      %116 = arith.select %114, %115, %in_41 : i64
      %117 = arith.index_cast %116 : i64 to index
      %118 = arith.cmpi slt, %in_42, %c0_i64 : i64
      %119 = arith.addi %in_42, %c4_i64 : i64
      %120 = arith.select %118, %119, %in_42 : i64
      %121 = arith.index_cast %120 : i64 to index
      %122 = arith.cmpi slt, %in_43, %c0_i64 : i64
      %123 = arith.addi %in_43, %c4_i64 : i64
      %124 = arith.select %122, %123, %in_43 : i64
      %125 = arith.index_cast %124 : i64 to index
      %extracted = tensor.extract %arg0[%113, %117, %121, %125] : tensor<2x4x4x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x3x6xf32>
    %96 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel"]} ins(%83, %84 : tensor<6xf32>, tensor<6xi64>) outs(%78 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_41: i64, %out: f32):
      %110 = arith.sitofp %in_41 : i64 to f32
      %111 = arith.subf %in, %110 : f32
      linalg.yield %111 : f32
    } -> tensor<6xf32>
    %97 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel"]} ins(%96 : tensor<6xf32>) outs(%78 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.cmpf ult, %in, %cst_0 : f32
      %111 = arith.select %110, %cst_0, %in : f32
      %112 = arith.cmpf ugt, %111, %cst_1 : f32
      %113 = arith.select %112, %cst_1, %111 : f32
      linalg.yield %113 : f32
    } -> tensor<6xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93, %92 : tensor<2x4x3x6xf32>, tensor<2x4x3x6xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.subf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98, %97 : tensor<2x4x3x6xf32>, tensor<6xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %99 : tensor<2x4x3x6xf32>, tensor<2x4x3x6xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.addf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95, %94 : tensor<2x4x3x6xf32>, tensor<2x4x3x6xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.subf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101, %97 : tensor<2x4x3x6xf32>, tensor<6xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %102 : tensor<2x4x3x6xf32>, tensor<2x4x3x6xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.addf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    %104 = tensor.empty() : tensor<3x1xf32>
    %105 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_38, %73 : tensor<3x1xf32>, tensor<3x1xi64>) outs(%104 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %in_41: i64, %out: f32):
      %110 = arith.sitofp %in_41 : i64 to f32
      %111 = arith.subf %in, %110 : f32
      linalg.yield %111 : f32
    } -> tensor<3x1xf32>
    %106 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%105 : tensor<3x1xf32>) outs(%104 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %110 = arith.cmpf ult, %in, %cst_0 : f32
      %111 = arith.select %110, %cst_0, %in : f32
      %112 = arith.cmpf ugt, %111, %cst_1 : f32
      %113 = arith.select %112, %cst_1, %111 : f32
      linalg.yield %113 : f32
    } -> tensor<3x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103, %100 : tensor<2x4x3x6xf32>, tensor<2x4x3x6xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.subf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map12, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %106 : tensor<2x4x3x6xf32>, tensor<3x1xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.mulf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100, %108 : tensor<2x4x3x6xf32>, tensor<2x4x3x6xf32>) outs(%91 : tensor<2x4x3x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %110 = arith.addf %in, %in_41 : f32
      linalg.yield %110 : f32
    } -> tensor<2x4x3x6xf32>
    return %58, %61, %63, %109 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x8x8xf32>, tensor<2x4x3x6xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.float32_4: "0x04000000AEA6DB3E1956383FC6B9723F6E95F53E",
      torch_tensor_4_torch.float32_3: "0x0400000000000000000000000000000000000000",
      torch_tensor_4_torch.float32_2: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32_1: "0x0400000000000000000000000000000000000000",
      torch_tensor_4_torch.float32: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_2_4_torch.int64: "0x0800000000000000000000000000000000000000000000000000000000000000000000000100000000000000010000000000000001000000000000000100000000000000",
      torch_tensor_2_4_torch.int64_1: "0x0800000000000000000000000000000000000000010000000000000001000000000000000000000000000000000000000000000001000000000000000100000000000000",
      torch_tensor_2_4_torch.int64_2: "0x0800000000000000000000000100000000000000000000000000000001000000000000000000000000000000010000000000000000000000000000000100000000000000",
      torch_tensor_2_4_torch.int64_3: "0x0800000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_2_4_torch.int64_4: "0x0800000000000000000000000000000000000000000000000000000000000000000000000100000000000000010000000000000001000000000000000100000000000000",
      torch_tensor_2_4_torch.int64_5: "0x0800000000000000000000000000000000000000010000000000000001000000000000000000000000000000000000000000000001000000000000000100000000000000",
      torch_tensor_2_4_torch.int64_6: "0x0800000000000000000000000100000000000000000000000000000001000000000000000000000000000000010000000000000000000000000000000100000000000000",
      torch_tensor_2_4_torch.int64_7: "0x0800000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    }
  }
#-}
