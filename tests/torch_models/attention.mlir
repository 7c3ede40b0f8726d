#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0_i8 = arith.constant 0 : i8
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = arith.constant dense_resource<torch_tensor_16_torch.float32_5> : tensor<16xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_32_torch.float32> : tensor<16x32xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_32_torch.float32> : tensor<32xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_32_16_torch.float32> : tensor<32x16xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_16_torch.float32_3> : tensor<16xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_16_torch.float32_2> : tensor<16xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_13 = arith.constant 0.35355339059327379 : f64
    %cst_14 = arith.constant dense_resource<torch_tensor_48_torch.float32> : tensor<48xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_48_16_torch.float32> : tensor<48x16xf32>
    %cst_16 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_17 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_18 = arith.constant 1.000000e-05 : f64
    %cst_19 = arith.constant 1.600000e+01 : f64
    %cst_20 = arith.constant 1.600000e+01 : f32
    %cst_21 = arith.constant 1.41421354 : f32
    %cst_22 = arith.constant dense_resource<torch_tensor_6_6_torch.uint8> : tensor<6x6xi8>
    %0 = tensor.empty() : tensor<2x6x16xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x16xf32>) outs(%0 : tensor<2x6x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %85 = arith.extf %in : f32 to f64
      linalg.yield %85 : f64
    } -> tensor<2x6x16xf64>
    %2 = tensor.empty() : tensor<2x6x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x6x1xf64>) -> tensor<2x6x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x6x16xf64>) outs(%3 : tensor<2x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %85 = arith.addf %in, %out : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6x1xf64>) outs(%2 : tensor<2x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %85 = arith.divf %in, %cst_19 : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x6x16xf64>, tensor<2x6x1xf64>) outs(%0 : tensor<2x6x16xf64>) {
    ^bb0(%in: f64, %in_48: f64, %out: f64):
      %85 = arith.subf %in, %in_48 : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x16xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x6x16xf64>, tensor<2x6x16xf64>) outs(%0 : tensor<2x6x16xf64>) {
    ^bb0(%in: f64, %in_48: f64, %out: f64):
      %85 = arith.mulf %in, %in_48 : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x16xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x6x16xf64>) outs(%3 : tensor<2x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %85 = arith.addf %in, %out : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x6x1xf64>) outs(%2 : tensor<2x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %85 = arith.divf %in, %cst_19 : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x1xf64>
    %10 = tensor.empty() : tensor<2x6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x6x1xf64>) outs(%10 : tensor<2x6x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %85 = arith.truncf %in : f64 to f32
      linalg.yield %85 : f32
    } -> tensor<2x6x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x16xf32>) outs(%12 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %out : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x6x1xf32>) outs(%10 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.divf %in, %cst_20 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x6x1xf32>) outs(%10 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.truncf %cst_18 : f64 to f32
      %86 = arith.addf %in, %85 : f32
      linalg.yield %86 : f32
    } -> tensor<2x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x6x1xf32>) outs(%10 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = math.rsqrt %in : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x1xf32>
    %17 = tensor.empty() : tensor<2x6x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x6x16xf32>, tensor<2x6x1xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.subf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x6x16xf32>, tensor<2x6x1xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.mulf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %cst_17 : tensor<2x6x16xf32>, tensor<16xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.mulf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %cst_16 : tensor<2x6x16xf32>, tensor<16xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.addf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x6x16xf32> into tensor<12x16xf32>
    %22 = tensor.empty() : tensor<16x48xf32>
    %transposed = linalg.transpose ins(%cst_15 : tensor<48x16xf32>) outs(%22 : tensor<16x48xf32>) permutation = [1, 0] 
    %23 = tensor.empty() : tensor<12x48xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<12x48xf32>) -> tensor<12x48xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<12x16xf32>, tensor<16x48xf32>) outs(%24 : tensor<12x48xf32>) -> tensor<12x48xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%25, %cst_14 : tensor<12x48xf32>, tensor<48xf32>) outs(%23 : tensor<12x48xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.addf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<12x48xf32>
    %expanded = tensor.expand_shape %26 [[0, 1], [2]] output_shape [2, 6, 48] : tensor<12x48xf32> into tensor<2x6x48xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 6, 16] [1, 1, 1] : tensor<2x6x48xf32> to tensor<2x6x16xf32>
    %extracted_slice_23 = tensor.extract_slice %expanded[0, 0, 16] [2, 6, 16] [1, 1, 1] : tensor<2x6x48xf32> to tensor<2x6x16xf32>
    %extracted_slice_24 = tensor.extract_slice %expanded[0, 0, 32] [2, 6, 16] [1, 1, 1] : tensor<2x6x48xf32> to tensor<2x6x16xf32>
    %expanded_25 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 6, 2, 8] : tensor<2x6x16xf32> into tensor<2x6x2x8xf32>
    %27 = tensor.empty() : tensor<2x2x6x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<2x6x2x8xf32>) outs(%27 : tensor<2x2x6x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_27 = tensor.expand_shape %extracted_slice_23 [[0], [1], [2, 3]] output_shape [2, 6, 2, 8] : tensor<2x6x16xf32> into tensor<2x6x2x8xf32>
    %expanded_28 = tensor.expand_shape %extracted_slice_24 [[0], [1], [2, 3]] output_shape [2, 6, 2, 8] : tensor<2x6x16xf32> into tensor<2x6x2x8xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<2x6x2x8xf32>) outs(%27 : tensor<2x2x6x8xf32>) permutation = [0, 2, 1, 3] 
    %28 = tensor.empty() : tensor<2x2x8x6xf32>
    %transposed_30 = linalg.transpose ins(%expanded_27 : tensor<2x6x2x8xf32>) outs(%28 : tensor<2x2x8x6xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_31 = tensor.collapse_shape %transposed_26 [[0, 1], [2], [3]] : tensor<2x2x6x8xf32> into tensor<4x6x8xf32>
    %collapsed_32 = tensor.collapse_shape %transposed_30 [[0, 1], [2], [3]] : tensor<2x2x8x6xf32> into tensor<4x8x6xf32>
    %29 = tensor.empty() : tensor<4x6x6xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %31 = linalg.batch_matmul ins(%collapsed_31, %collapsed_32 : tensor<4x6x8xf32>, tensor<4x8x6xf32>) outs(%30 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %expanded_33 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [2, 2, 6, 6] : tensor<4x6x6xf32> into tensor<2x2x6x6xf32>
    %32 = tensor.empty() : tensor<2x2x6x6xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<2x2x6x6xf32>) outs(%32 : tensor<2x2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.truncf %cst_13 : f64 to f32
      %86 = arith.mulf %in, %85 : f32
      linalg.yield %86 : f32
    } -> tensor<2x2x6x6xf32>
    %34 = tensor.empty() : tensor<6x6xi1>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<6x6xi8>) outs(%34 : tensor<6x6xi1>) {
    ^bb0(%in: i8, %out: i1):
      %85 = arith.cmpi ne, %in, %c0_i8 : i8
      linalg.yield %85 : i1
    } -> tensor<6x6xi1>
    %36 = linalg.generic {indexing_maps = [#map6, #map7, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %cst_4, %33 : tensor<6x6xi1>, tensor<f32>, tensor<2x2x6x6xf32>) outs(%32 : tensor<2x2x6x6xf32>) {
    ^bb0(%in: i1, %in_48: f32, %in_49: f32, %out: f32):
      %85 = arith.select %in, %in_48, %in_49 : f32
      linalg.yield %85 : f32
    } -> tensor<2x2x6x6xf32>
    %37 = tensor.empty() : tensor<2x2x6xi64>
    %38 = linalg.fill ins(%c0_i64 : i64) outs(%37 : tensor<2x2x6xi64>) -> tensor<2x2x6xi64>
    %39 = tensor.empty() : tensor<2x2x6xf32>
    %40 = linalg.fill ins(%cst_1 : f32) outs(%39 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %41:2 = linalg.generic {indexing_maps = [#map5, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<2x2x6x6xf32>) outs(%40, %38 : tensor<2x2x6xf32>, tensor<2x2x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_48: i64):
      %85 = linalg.index 3 : index
      %86 = arith.index_cast %85 : index to i64
      %87 = arith.maximumf %in, %out : f32
      %88 = arith.cmpf ogt, %in, %out : f32
      %89 = arith.select %88, %86, %out_48 : i64
      linalg.yield %87, %89 : f32, i64
    } -> (tensor<2x2x6xf32>, tensor<2x2x6xi64>)
    %expanded_34 = tensor.expand_shape %41#0 [[0], [1], [2, 3]] output_shape [2, 2, 6, 1] : tensor<2x2x6xf32> into tensor<2x2x6x1xf32>
    %42 = linalg.generic {indexing_maps = [#map5, #map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %expanded_34 : tensor<2x2x6x6xf32>, tensor<2x2x6x1xf32>) outs(%32 : tensor<2x2x6x6xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.subf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x2x6x6xf32>
    %43 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<2x2x6x6xf32>) outs(%32 : tensor<2x2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = math.exp %in : f32
      linalg.yield %85 : f32
    } -> tensor<2x2x6x6xf32>
    %44 = tensor.empty() : tensor<2x2x6x1xf32>
    %45 = linalg.fill ins(%cst_0 : f32) outs(%44 : tensor<2x2x6x1xf32>) -> tensor<2x2x6x1xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<2x2x6x6xf32>) outs(%45 : tensor<2x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %out : f32
      linalg.yield %85 : f32
    } -> tensor<2x2x6x1xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map9, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %46 : tensor<2x2x6x6xf32>, tensor<2x2x6x1xf32>) outs(%32 : tensor<2x2x6x6xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.divf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x2x6x6xf32>
    %collapsed_35 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<2x2x6x6xf32> into tensor<4x6x6xf32>
    %collapsed_36 = tensor.collapse_shape %transposed_29 [[0, 1], [2], [3]] : tensor<2x2x6x8xf32> into tensor<4x6x8xf32>
    %48 = tensor.empty() : tensor<4x6x8xf32>
    %49 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    %50 = linalg.batch_matmul ins(%collapsed_35, %collapsed_36 : tensor<4x6x6xf32>, tensor<4x6x8xf32>) outs(%49 : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    %expanded_37 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [2, 2, 6, 8] : tensor<4x6x8xf32> into tensor<2x2x6x8xf32>
    %51 = tensor.empty() : tensor<2x6x2x8xf32>
    %transposed_38 = linalg.transpose ins(%expanded_37 : tensor<2x2x6x8xf32>) outs(%51 : tensor<2x6x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_39 = tensor.collapse_shape %transposed_38 [[0, 1], [2, 3]] : tensor<2x6x2x8xf32> into tensor<12x16xf32>
    %52 = tensor.empty() : tensor<16x16xf32>
    %transposed_40 = linalg.transpose ins(%cst_12 : tensor<16x16xf32>) outs(%52 : tensor<16x16xf32>) permutation = [1, 0] 
    %53 = tensor.empty() : tensor<12x16xf32>
    %54 = linalg.fill ins(%cst_0 : f32) outs(%53 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %55 = linalg.matmul ins(%collapsed_39, %transposed_40 : tensor<12x16xf32>, tensor<16x16xf32>) outs(%54 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %56 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%55, %cst_11 : tensor<12x16xf32>, tensor<16xf32>) outs(%53 : tensor<12x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.addf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<12x16xf32>
    %expanded_41 = tensor.expand_shape %56 [[0, 1], [2]] output_shape [2, 6, 16] : tensor<12x16xf32> into tensor<2x6x16xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_41 : tensor<2x6x16xf32>, tensor<2x6x16xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.addf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x6x16xf32>) outs(%0 : tensor<2x6x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %85 = arith.extf %in : f32 to f64
      linalg.yield %85 : f64
    } -> tensor<2x6x16xf64>
    %59 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%58 : tensor<2x6x16xf64>) outs(%3 : tensor<2x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %85 = arith.addf %in, %out : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x1xf64>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x6x1xf64>) outs(%2 : tensor<2x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %85 = arith.divf %in, %cst_19 : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x1xf64>
    %61 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %60 : tensor<2x6x16xf64>, tensor<2x6x1xf64>) outs(%0 : tensor<2x6x16xf64>) {
    ^bb0(%in: f64, %in_48: f64, %out: f64):
      %85 = arith.subf %in, %in_48 : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x16xf64>
    %62 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %61 : tensor<2x6x16xf64>, tensor<2x6x16xf64>) outs(%0 : tensor<2x6x16xf64>) {
    ^bb0(%in: f64, %in_48: f64, %out: f64):
      %85 = arith.mulf %in, %in_48 : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x16xf64>
    %63 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<2x6x16xf64>) outs(%3 : tensor<2x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %85 = arith.addf %in, %out : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x1xf64>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x6x1xf64>) outs(%2 : tensor<2x6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %85 = arith.divf %in, %cst_19 : f64
      linalg.yield %85 : f64
    } -> tensor<2x6x1xf64>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x6x1xf64>) outs(%10 : tensor<2x6x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %85 = arith.truncf %in : f64 to f32
      linalg.yield %85 : f32
    } -> tensor<2x6x1xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%57 : tensor<2x6x16xf32>) outs(%12 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.addf %in, %out : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<2x6x1xf32>) outs(%10 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.divf %in, %cst_20 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x6x1xf32>) outs(%10 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.truncf %cst_18 : f64 to f32
      %86 = arith.addf %in, %85 : f32
      linalg.yield %86 : f32
    } -> tensor<2x6x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x6x1xf32>) outs(%10 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = math.rsqrt %in : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %67 : tensor<2x6x16xf32>, tensor<2x6x1xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.subf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %69 : tensor<2x6x16xf32>, tensor<2x6x1xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.mulf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %cst_10 : tensor<2x6x16xf32>, tensor<16xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.mulf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %cst_9 : tensor<2x6x16xf32>, tensor<16xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.addf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    %collapsed_42 = tensor.collapse_shape %73 [[0, 1], [2]] : tensor<2x6x16xf32> into tensor<12x16xf32>
    %74 = tensor.empty() : tensor<16x32xf32>
    %transposed_43 = linalg.transpose ins(%cst_8 : tensor<32x16xf32>) outs(%74 : tensor<16x32xf32>) permutation = [1, 0] 
    %75 = tensor.empty() : tensor<12x32xf32>
    %76 = linalg.fill ins(%cst_0 : f32) outs(%75 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %77 = linalg.matmul ins(%collapsed_42, %transposed_43 : tensor<12x16xf32>, tensor<16x32xf32>) outs(%76 : tensor<12x32xf32>) -> tensor<12x32xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%77, %cst_7 : tensor<12x32xf32>, tensor<32xf32>) outs(%75 : tensor<12x32xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.addf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<12x32xf32>
    %expanded_44 = tensor.expand_shape %78 [[0, 1], [2]] output_shape [2, 6, 32] : tensor<12x32xf32> into tensor<2x6x32xf32>
    %79 = tensor.empty() : tensor<2x6x32xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<2x6x32xf32>) outs(%79 : tensor<2x6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %85 = arith.divf %in, %cst_21 : f32
      %86 = math.erf %85 : f32
      %87 = arith.addf %86, %cst_2 : f32
      %88 = arith.mulf %87, %cst_3 : f32
      %89 = arith.mulf %in, %88 : f32
      linalg.yield %89 : f32
    } -> tensor<2x6x32xf32>
    %collapsed_45 = tensor.collapse_shape %80 [[0, 1], [2]] : tensor<2x6x32xf32> into tensor<12x32xf32>
    %81 = tensor.empty() : tensor<32x16xf32>
    %transposed_46 = linalg.transpose ins(%cst_6 : tensor<16x32xf32>) outs(%81 : tensor<32x16xf32>) permutation = [1, 0] 
    %82 = linalg.matmul ins(%collapsed_45, %transposed_46 : tensor<12x32xf32>, tensor<32x16xf32>) outs(%54 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %83 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%82, %cst_5 : tensor<12x16xf32>, tensor<16xf32>) outs(%53 : tensor<12x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.addf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<12x16xf32>
    %expanded_47 = tensor.expand_shape %83 [[0, 1], [2]] output_shape [2, 6, 16] : tensor<12x16xf32> into tensor<2x6x16xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %expanded_47 : tensor<2x6x16xf32>, tensor<2x6x16xf32>) outs(%17 : tensor<2x6x16xf32>) {
    ^bb0(%in: f32, %in_48: f32, %out: f32):
      %85 = arith.addf %in, %in_48 : f32
      linalg.yield %85 : f32
    } -> tensor<2x6x16xf32>
    return %84 : tensor<2x6x16xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_torch.float32_5: "0x04000000906DB03D3B8E58BCBA9800BEEA9E54BD27E96F3DC86013BE141D183BFF72053E9C6785BD7F99DDBC46108D3D7B0EBE3DABFCF0BD5B57A53DF682EFBD864D903D",
      torch_tensor_16_32_torch.float32: "0x0400000068C9FABC040DBB3DD03EFEBD2533F63DCAC72EBE9819B8BD5CAFBE3DE1E5B2BDC424D53D394417BEDF46BC3BFD5507BEE821EC3D449208BE572DA93DE02CE03D41A1CE3D4161DEBD24D1263E9C1D89BDF13732BEF35A79BC23A7603D735BDB3DBEDF9EBDAFF6693DDB9201BE9FB04EBC2FB71ABE62B4AEBD30ABD0BD55E730BE7B64A53DED69023EC1D9D7BD3295C03DA923A13D122AAFBD83B3E43D140B40BDEE7903BD4A0F6C3D0C7CA1BD97AD60BDDE16AFBD17D783BBC818F03DD2FF2DBE2685C5BD0AE9953DA98228BE842CF23C9321AFBDF7822CBE1EB420BEE4F8CA3DEEF90F3E8F209A3A9CE1223E9223473D163C99BD7F020F3D1ED8BCBDED5DC33D960E6B3D9BAEDC3DE9C2863D0CD96AB97BF637BD525103BE989B2A3E8E9CC2BDBAB021BD3F5CEDBCCA8214BDAB76AB3DC1BC0F3DE089333E5B02193DC89BF9BD27A2DA3B5FEECCBD4E1E44BD1B5C303EC835EA3DC00C293EC1BEBBBB77F71CBB761F163E0C4EA4BDAD106DBD12A7F93D6A51333D90678CBC3ED9DCBD753E21BE608B593B1B7E7DBCFE6A6C3D6D0DA83D4555FBBDD906F03D34ABF5BD4AD0FABD6BC296BDC559653DA389333E90C31DBEC7F87BBD7B8257BDE298363DB8142B3E4F4CFBBD9F9FD0BD4E67B93D876F1F3E80B4DF3DA9BDE33CD76CCC3DEADB733D4868B43C72669DBDC71B053E699926BC7C3E223ECD4BC4BDE04AE13D8924BE3D521E34BD18C8123E5622FB3D3EFC08BE664C9ABB0415123E1F1843BDC601BE3D2F99183EBC90D3BD948C2EBE0FE58F3D57E7C9BC9CB7A13D5F9E563D404A9FBD41CF663C2884843A230F113E805A103E1C33EABD765915BE6454073E53E10ABEBB926FBD11AAD7BD6C4B05BE389FEC3D9016973D013AA43CB8ABC13DBC364EBCFAB198BD1AB7F1BDB7871C3E562FA1BDCC0AAE3DA63553BD7CB1CABCD5971E3E1090CABD673F273E10250B3E08A5ADBDCAD10ABE9BCCFB3C52D18CBC9884123E1C39AFBDF01C8D3DD8E52A3E6DC6DEBDA1140F3E3EC8183E76131C3E48203EBC8225FBBD3AD216BE36A09ABD71C184BD9821D3BD6870ADBD38C101BE1129EA3DDCC1D6BD16341F3DAD66C13D5944F83DF802123EF6E2BFBD1C2B04BEF06B9FBDF8C4E4BC48D9DBBD54F7963DD44894BD0FC994BC1A4BF7BDB84B323E7C0C24B7EF54F33D5BC6F23C836830BE1D2AFFBDEDA256BDBC42DFBB90090BBE17FB9EBDCC210DBC0260E43D9F4C593DF8CF303E439E06BE82A8ADBAAF96BDBDD1BDAC3DD2160B3EA18F183E23EB163E5E369ABD2CEA09BE5693953DE345F5BCC0A20BBE96BCC03C7F2AF3BCDD2A1E3E2D482DBE85FE77BCAFC064BD8ED67E3C02D6D73D6234A6BD00681DBE6A09A8BC4A01243E1F3BAA3DB072D23DF43547BC375013BC5219023EEF47BC3C53522A3DABFB38BD064BD8BD8C61A4BD4D181DBE542654BD60DECC3D43389B3C57D489BDFC5D283EABD462BC974FA5BC9E6E20BD71DB143DC6853EBDF053253E2F66013D5CF2FDBD120B6C3DEC51DBBD713490BDD7D514BEA359C43D15D4753D037DD73D604400BE24736DBC563FE63DB8A412BD17BA33BEBACD113E3667A13C7D9FDABD7538703CC6B6893D9609ADBB923C4E3DC73C1FBE72E025BEFA5B2F3D3CD5ECBCCC260C3E177F233EA7E2D0BD2348023E10EE37BCCB3802BDA80146BC5706E6BD69FB22BE788FEDBDD74A70BDF5E437BDFA17B9BD602915BE318D043E681EE53DC452543CC6F4203E9B29BE3C79EFF33D581AB0BC55D1B43BBB296EBD5F82CA3C51E7F5BDA6EB9BBB707A08BEDB494D3CB77A7FBD1DEE003EC728BCBC761FE43D87D8B1BCBB8004BD7BD834BECA6C9FBABE2B0CBE69D3043E74EF833D174A8739FF869B3D5A266DBDF6D609BEFC800ABD39DD48BDF382AE3DAF142CBE32E90EBEDE9124BEEE4F303DCADF823DD36FE3BD92EC0DBE2D85FB3D497BA1BD6AAFBCBD15C2063EC07D15BE36241DBD862666BDAA1F11BE6EA10FBEBA89683C7A33BF3D9848AEBDCED16D3C842B5E3C2E8AAB3D01AB36BCCD74173EABEB1BBD203113BEA9BE8E3C91E41FBE8E580EBE4D912A3EDE10F3BC98F1123DAA56073DA5B3133EF1E81B3EFE42C9BD6D80AD3DAF0588BDA3E18CBDD663CEBDB68595BD8AD2423CB4DE96BB41F316BE29A7BCBD98711F3EE01B1CBEADA7C53CDAEA013E712067BD09E91EBED37B1D3ED8DD22BE3CBC163EC6A216BA0CB2AFBDC801D83D885C9CBD720BCA3D9F8AA7BDEEC72ABEC117C6BDC3CE313E9E8F293E9549C6BD601DEC3D7B8595BD50C04EBDC74AF4BD5B0A99BDD34194BDB28813BB7CCB01BEC192D1BDBD720CBEC76C0EBEC61AE3BDF99B50BD8A8822BED41601BEEF1A053E9F6E67BC6AE2163E655A2BBE19550FBE5C38213EFE9DD73CD5FE98BD4B391FBE5286023ED6C0A9BC4507AFBD8DB8CD3D0C1A093ECF3C073E193B9EBC7543223E7DF2A93DC48F99BDC4BEC33DB2B719BEB16C293D46C4813D0D4E17BD552A233E14F610BE1DBC413D42E120BD5C375E3D49A605BEA5C1E6BC867F253ED3CFB5BDD11A273E6DFC14BEA7CBA5BD2A52623DCC89B3BD50D9F43DFC9D93BD80AF133EA53DE2BDEF76E23DC7E8123E251920BC21A12D3E03C0333DD351DBBD87881EBDC5F2F63DCC85743D29E797BD77C8BDBD286DF5BDEB6DCD3D462F32BEA2C97DBD825D1E3EBE38903D5D6285BD8544013EE75BDD3DAD662B3E1DF62DBD08DDE23D34C013BCC623ECBD3E5E2FBE6176DEBB28117B3D4D5511BE874647BD4BB7D33C061972BD30EAA83CE1279F3DDFA11D3EFDE517BD111E33BE225BDEBD107FA13DC70A1D3EF8D799BD5361AF3D477F0A3E7F8FD7BB98C4943CF5802EBE5AD7BABDF8DD6F3D3CCCE7BD7C22973D0690C93D7FF7163D1BF29A3D",
      torch_tensor_32_torch.float32: "0x04000000AC4947BE1055C03C94B07EBEC4E8993DB8A6CB3D701063BE10ECA8BD882724BD40045F3CA85F34BE409FAA3D3067173EDEE43D3EB01B7DBDC08AD23C10BB50BD5C0FBCBD166E39BEB044F03C40A673BCDCA86E3EDAAD663E10A8DD3D6C58793E5C8458BEB285333E9A30423EF013E0BD40CE6E3D9EA8063E96A25B3E9E32233E",
      torch_tensor_32_16_torch.float32: "0x0400000004DCABBD22FB553E68C28ABDA0FE403D321904BE6812ABBD10498BBD5C911EBE188121BD383202BEA047623E88EABFBDE833FFBD60631BBE7CE3723E6A8048BEC88F08BE586C72BE2673043E3A11793EC20836BE8075103B50D6E6BD6079DE3D0E6265BEA208573EEE476D3E88F050BED871083E822401BE66D554BE80CF22BB4424B63DCCD6623EE8EAAEBD0C6EA5BD80021ABEE021A3BC7A75053E661F4FBEC885643E409EFBBBD4B119BED0FCA8BD482114BE50DB1ABEB0AA1EBD90ACF93CFC8637BEAC5402BE44FFBEBD0058053EC091ECBD96903EBEC2245A3EA0789EBC04ACA33DCCA5D7BD88C90C3EE04242BE641F73BE707C843CC417D03D7CF996BDB0B2ED3C68F27B3DC4EBF5BD1CB9003E001926BEB4EB3B3E0019AF3A906CDD3D28509A3DB8899DBD142526BE660C1C3EE0E4B9BDA2C57FBEE848563E6CFCC83D40CA983DD4D0F53D5EE4713E10AB9D3D42D1203E8450253EBCA5173E580DB93D4A4A39BE9440C6BD9422E63DEC5EC2BDC2952D3E0C526F3EC849223D4080F7BC889BC73D207CC7BC48D14F3D586D383E305914BD384A0BBDC03587BC30E7363D20837E3EDA51383E8C1D393EF8E23B3ECAA921BE648BF7BDD40DDCBD10D2AF3CFA1753BE50AC95BC464505BE0495D2BD300BF33CD82D0E3E08F1353EE8B15E3E9225203E64A1EBBDB62200BEAA3D6E3E00C57BBCE05280BD4011FB3D54E3473E0840C33DE4AA6BBE5CA1DE3D785C12BD8EEF323EB49CE6BD24A934BE80402F3D3EDE623EC0E01B3E00F1813B8CE8333E9AC018BE5AE5063E50DAE43C1CFD343E9C40A3BD0C74A7BDF4A16B3E4CCA07BEB87B593EBC995DBE50D4C13C72A667BEE878943DF8E73E3EC0E0C5BC84C869BE00AF89BDA05108BDD8CFEF3D5CEF8F3D50D9B4BDD86BF1BD983CDABDC0C8BD3D1A0840BEA0AF783EE4A5C4BDA46ECFBDDEAE65BE20CD1FBE904B73BE5878053E56643EBEA8CC6B3D2494753E686423BE068268BE365F483E6EDB30BED063CD3DB0EE6FBD0C2EA3BDDE9A1E3E1EF21CBEB098BBBD482B573D6E6B4A3E4C9DD0BD1072CB3D7E38613E48200ABE6E0050BE18E77C3DFC5844BE78B525BEA0F06E3E686D78BE0293453E1C2F3FBE28906C3E22E3423E989EBF3D40F67CBCE052673EF2B314BE689172BEDEE81FBE84D54CBEF86B723D9038C23C00E15DBDC09FD63CEAAA3DBEB2A02DBE00F2F6BA9CB14C3E8011F1BC208DB3BCA680483E0010AABD60168C3DF8BDACBD3A59523E2037BABCBE39453E7436843D44B1BBBDC095183D60F415BE1402F2BDA8F2E53D688671BE6857983DFCA978BE6C074BBE2CB9BF3DDC869FBDFEFF083E0077023E50DF97BD6C7C183E2E94223E4890F33DA0BA113C1CF4303E40ACE33C40CC14BEB05A8A3C48E6563D084DD03D08CCD9BDF881353D3E942FBE1CF0AF3D4EB703BE3097883DB08AFB3D60AD2ABD68F659BE74C5CF3D0E5E75BE827F703E60EA9BBC482D20BE98C83ABD38EB6F3D503D7CBE10872ABD88BBF3BDE07D3FBCC07F3EBC2C5BDA3D683160BD0C5F253EA06C913DFA1922BE6880123E008795BBB84F243EE40C80BDBE2A483EE6A074BEAED11DBE48CD7ABDB45AD63D72437D3EBEDA1BBE2095063C004154BD50ADB23C225248BED01A743E4803F4BD7015E23DEA392E3EFE3E71BE46735D3ECC17073EC86996BD4EFC56BEC8CB403DBCA9483EFC938E3D4432BB3D06896E3EF84116BE207138BE00B0333EC6900EBE56F82ABEFA0E5ABE006F403BCCCDA03DC6335DBEE06755BEF0D518BEF095D3BD801CA73C5C0856BE323F1ABEA06EF4BC2898FB3DBC3DED3D92B06FBE70EEF5BC2021293D94F05DBE64DF983D40D3243C922A63BEDE685C3EA040013E10125BBED2AF25BE88660BBEB23A65BEF27441BE08112DBEC235073E947DC4BD3C3F83BD8AA701BE7C6A32BEC67B7ABE4C167EBE2ACB043EBAAC05BEC0C5B5BCEC7A843D228A1FBEB8DB413DB814CBBDA865973D840E533EF09BF2BD5C79A43D48F9D5BDAC9C5A3EC0757FBE987777BD302BCBBD24E9C7BDC09B2FBD7050DDBD10D7BDBC5E324F3E76531ABE28EC40BD48C9203D5858873D0059403BFC3F32BEF83DB1BD586B15BE7C4234BEF6BB073EEAC658BE6AE550BE50EA913C408B45BCE6E260BE00BEC6BAACF5DD3DF8B4603E7076D83D04EC34BE4E241E3E7878173E50BB55BDC6EE21BE8815663EA898BB3DF435EABDD046843D6C71C93DD0003E3DCA096A3E0A9038BEF8BABD3D6404DDBD2CBB96BD782D313D8CFABB3DACD049BE907A463DE4B30EBE4CE84CBEB0EDE53C6C675EBEBC28D13D52AA31BE94475ABEF82AE7BD00AC213D20F084BC80C2793C06064C3E649E04BE16503A3E2C269EBD608A7CBD88081E3E4A9D43BE40E518BD3A684E3E2457BCBDEC3ADABD82BC3F3E000B79BCDC4747BE004863BA609FABBDF87D313EA0FF293CF01261BD38BFD13D00964EBBEE2F3BBE7049833CF04C6E3E4410473E20CC93BDC4654EBE301B0F3E4CB80DBE50B64DBD948A27BE4075A13C24F36EBEBA1E683E00DC10BD2CFF29BE9A87353E062D2CBE8AC7423E14BA593E52AB2A3E44E349BED0ECAEBD0E98203EBE1125BEBCD71BBEF860123E00AD9CBCFC0FD63D4866EABD18177FBD527F58BEE0DDF33D50C3ACBC56C651BE40A6093E08968EBD66BE4C3EE8BB0FBE003470BC00AA683B20F7AABD04F6DCBDD80A0D3D40C4DF3C50E318BEC810D83DCE1103BE64CCE93DC07D443D4043EABD4856D53D20C1373DE0757E3C107F123E08F330BD70FA1C3E52C277BEA0FE703DFE092E3E80FB533DE0B824BE36CC6C3E807FBFBB80F1123EA02E693CFCB4413EC058A6BCA4B983BD60F814BCB47C053E282B373D82E07EBECC3587BD1E3A593EACAB513E",
      torch_tensor_16_torch.float32_4: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_3: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_2: "0x04000000007CA93AFC48C6BDC62903BED0ACD8BC1A255ABECE7308BEE2DD2A3EC032623D78582ABE26C74EBE7EFA3EBE887A44BD109A8FBC08A358BE92790B3EA2471B3E",
      torch_tensor_16_16_torch.float32: "0x04000000D24F29BE281B49BE54993F3ED8A5213D90001BBEA2A3033E48F444BD88CD2A3D80935BBDF8FF77BDF4D675BE005CA8BB2E99663E64D20F3E1EEE43BEACA3323E107EDC3D264F0BBE9E8A70BE6EA30BBE000FA43BF039A3BC0EB95F3E405798BB64E94A3E62570BBEEA42303EE842183EEAF7013E62DD54BE5484C4BDAE010A3EA2BB7A3E524C3EBEC424653E087D203DB64A36BE5811C7BD489851BDF02303BE60A9403C686837BDE0549D3D18CC2ABDC4A4B43DDCD6D9BDC89D34BEEA71203ECE2A383E0E553A3EE03B38BDF2C22EBEA6A32F3ED8C83EBD306D2ABD789171BDA0164C3CF4A73B3E485AE13DD2476FBE1A6F53BE04BEB4BD60554EBE8E4E7FBEC080E7BC389D52BE309AA23D80C0213B602313BDD25C59BEA85409BE10B898BCC837FFBD38C21FBE2C403D3EE031723C9E250F3E30366D3EE6D64FBE8C11E8BD1A1A003E4CD0533EF4B3DABDF85F443E8071ABBB105EB3BCA0E2063D5EC15EBE9C76B83D085CE0BD06EA6C3E48CF253D1E3D2D3ED817573D00C263BDEC6AA83DCC2CDD3D921B7ABEC86B22BDB06D25BD405FB93B4C845A3EE6E04BBE62681EBE70B76FBEC8A816BD68CE7F3DE83C57BDB84B20BD56DA54BE00DB6B3BF2CD36BE601AF43D96A71E3EF6D63CBEC834553DF07CD53C2C78773ED6E96CBE9CDCF2BDD6D7433E9C8F8ABD482F76BDFCCB4EBE70DDD83DE082243CCAC422BE1CC296BD16A6003E482A33BEFC9F4DBE6CB6DB3D501EA6BD309C503D605070BDAEEB333ED89434BE101B263EBC14E13D6879153D682DDD3DC80B2CBE6C524C3E10C8C0BDE013583DAE7A363E609310BD20E12A3D343828BEE8A5823DBCE42C3E50B373BD66E47FBE1A7A5F3EC2CA303E7C3DBDBDC4C9FDBDA021383E4073E23B3E515CBEE091133D5ECC40BE584E893D500AE3BDE015873D86B85FBE72C964BE00A598BCB81295BD14CC41BEE21C54BEA00651BD8A07163E8836CD3DF80496BDB4066A3E60728E3D3E85483EB013B13D1C544D3E9C148D3D8CFD1B3ED07225BEAA45413E02B5253E6A4A2DBE6E022DBEFC43593E42E4473E329320BEF01B9A3D888B40BEF41F02BE802F67BEFAFC1FBE703C16BD56E5473E208821BCFCE04DBE8888073EB0DCF9BC9268083ED2175F3E246D65BE804EAB3C00B679BB749A52BE78E5243EF057FF3CC4D4E7BD580B5FBD6AF83DBEC4887FBEF0D4CFBC243CCDBDA86B74BDC458693E980625BD5822DF3D184C813D80823FBD34E0303E96843F3E7A4859BE368E3CBEBEF153BEEC1879BED0A20FBEBC2EF13DA6FE4CBEC0C5303EC47C903DB4E629BE624B733EE03A473C5091AA3C7E27473EF0C771BEE00858BDAC9C43BE82E813BE00D4903D64CA9EBDBCE435BEC8F587BD5CF5A63DC8A3153E805BF1BC90C5FF3CBE230EBE002C7EBAA44E42BEE0DD673C88204CBD7013A2BC8ED13D3E",
      torch_tensor_48_torch.float32: "0x040000007665393EB85943BE006648BCD0813A3E70C92C3E46020F3EE093EE3CB8E28B3D984113BD00FCE3B940C6973B4AFF22BEC019633C26246F3EBC54DE3D20FE013C58A8B4BDB2FE543E64EFB73DC255083EB44162BED0FCE1BDE41A683E80F0683B305869BD70B193BD568B09BE8226603E9081F7BD466565BE467849BEB23F413E8651473E48DFED3D5E9705BE2024D03D9C9E9CBD38C967BDFE9D1BBE50554ABEA00BEEBD8CB8DBBD0837CC3D6A401BBEC29F543EE86546BE405E713C28700D3D",
      torch_tensor_48_16_torch.float32: "0x04000000486511BD6458E13D8C73653E20A926BC107AA93CB82D7B3EE82F3BBD183910BE981F22BEA8F8DBBDCA02103E40584ABE58AC9E3D22CF2C3E22A622BEA0B6433CA28003BE9ACA6D3E0027E03A76986FBEB0C1293E705874BDF4A595BD8CC713BE38C8773E4423A73DB8E9CC3D201078BEC8796DBD7EF0173EC0C387BB80820ABD40BF0E3CECE3C33DC0AA2CBEE8A80D3D9EF94FBE603CC7BD9E843FBEE4340B3E582F563D6261693E20E553BEC4A4E23D96BB59BEB4307EBE60204CBD3056383DE2A743BEBCC1F73DF8B3643DB0666B3E803B9EBC5E27593E38BC37BE82D86A3E8E154E3EB008053D965011BE0EFD733E689D4E3D801E073C9CC7BCBD780F88BD62BC023E9A682D3EC0BB9E3DECD36C3E50B2DABC18701FBE1A6774BEE646693E80AB243BA6883EBEBC2548BEF8332B3ED020313E340E20BE90DFFE3DBC1429BE16A1623E48B08ABD02FF3A3EC2C847BE14D5B33D602B233D9AFF3ABED09EC4BCB0BC2CBEECC2D1BD3E224F3E54A5E8BD1C46D1BDEC7D94BD28FEFB3D1C0C9A3DA66A1A3E92694CBEFA383B3EDE3D753E0C14553E243EF7BDF29F253E3AE22FBEC8CD7BBEA08125BC48DBE0BD9C905D3E06C627BE18C79C3D94D0B23DE0A73D3C380B5ABD48C4323EA08EDF3D58D90FBDA4397A3E28A4473D461579BE621A6ABECC8265BEC259663E7CE72EBE7430683E002ECABB089C6EBE784B313E680EBF3DAC98793E123864BE941B00BE7032C1BD303B1B3E68CC623EB2844B3E9EED703E0CD1833DC85B053E8E183E3E9CD5433EA07E993D8E9A103E0089BC3BFCB2143E30CD22BD40346DBC20FA7BBCE8DE393E705F583E9A71493E145A07BE1E75503E3CFBC73D00A06EBDC02204BC30BA48BEBEFA763EB2F16DBE620A71BEF8F7163D8411D63DE09CACBD0448D03DA82E0BBED8C4203D6C9E46BE54D5313E2069FCBD00291E3EF41A63BE107274BD60B7B03CEC05EDBD940AC53D68CE293DD4A8E8BD0C5B5BBE42085CBED82B3BBE86CE5D3E5058E03D245170BE80F11F3C240F14BE58F91E3E1CB9A5BD74B54EBE5E27573ECA830E3E38F971BE00EDD4BAF8FC38BD20A9D83CF4B1E6BDA4F19E3DA8F1813D00D98B3AA040E63CA822433D70502A3DAECA0E3E8C4A74BE3AC0423E36A91CBE66ED15BEF0FC12BD0074BB3A60F04E3ECCF20A3EFADE1EBE40CAB4BB4CA964BE580C2FBD8C427D3EA6F640BEBA7E01BE68E31BBD16EB593E985E3DBD7864073E806275BE00C67CBA00CBE23BA43CA73D1032CDBD50AEBFBC1AD431BE589F123DF086133D70A5AEBD582879BE14B0D83DE4DBB0BD463B5A3E809D823C5E233D3EC20E013E68296FBD808AB5BCB4817D3E8409DE3DD0E49FBD3A5A73BEA6FB243E66E15D3EE214123E4E40143ED8BC1A3E324E4E3E76807D3E18724C3E383C883DBA63243E7064EA3C3011DCBCDE2E6ABE905BDC3D401B643D0029793BDC26F8BD58BE0BBEC0B6843B78E3593EF0CEDB3CC49FF23D8CB1DD3D381AF13D70DCE73D5CF0E43D9821E0BDB8A70C3D1C246ABE12AA6A3E14D5393EC898A93D709A643E3445633ECAB119BEB44B31BE38D0033DA05C08BD48F3253DA8A0E2BD5E08483EB086943C68297BBEA0897C3DAA25113EF81A563D424F05BEA02AC33DE693573EECB881BDB828673DE2B76ABE802EF6BDD07F393D9AA73F3E20AF2B3EECEB593E32D3433ED6C74ABE7C80E03DB8955F3E8010B6BDD05DBA3C72BF3B3EE03FCF3D9C0693BD90C6283E6CF143BE40D7B13B9472F7BD20A93C3EF06C3A3E745DE53DF2D357BE80CDE23B208E653C40D44CBDC0EF0F3DBE4B5D3EA0F57A3DC4D30E3E642544BEE8D358BEA0EEF3BD184F553E9AF60F3EDC0D453E62F152BE4A6276BEBA1316BEE043A6BDCCEAB3BD921A6E3EA2CC6F3E0850D43D28A243BD00BEE93BE0BA6C3E008C893904004EBE3E0D213EA47523BEEC39CFBDA4A0653E4CF1883D5CD2B23D2E600CBEFC1FACBDD09C7B3E1C98A13D4EDC573E60124C3CA4EFC83D8024E0BC8071C3BC664F76BEAA012ABE5C3247BE8051813D88E01DBE58E03F3E1827623ED0B09B3D626432BE14EF85BD721A6A3EC00B8A3B62001FBE6442CA3DAA0C04BEFC782B3E3E3F55BED863F33D7C4265BE4C3D41BE6029F3BD98E8DF3D180179BEC84B11BD9C3E26BEF450083E5C33CB3D8467FCBDD64C5EBE1CF70D3E4829C6BD40B267BD3E6747BEF88233BDAECE22BE9089CB3C2CB3453E2E6802BEE007ACBC301A2FBE38D7E93D50147EBDDCD1CF3D5C41413E801521BB78174ABDB66043BEF65B76BE16F67A3E72555DBE445A82BDF089ABBC26F320BEEA61743ECC4E5B3ED61F15BE6848003E50EDA9BCB001A53C88C6DDBD60DBB6BDB4569FBD5073833CA06B5EBDBEE61C3EA4C5A0BDDE183FBE50A165BECC3A22BE804AF7BC3AAF14BE388A113E9099A73D4096AABD489160BE20CA093C18799BBD70EBBBBDC086323C7442983D768410BE24BCBBBD70E129BE62FA6D3E7065B53CFA8C69BEDCC753BEC8E3C23D3033183EA4832B3E1027F23D3C6707BE884323BD4892AABD72F5543EF852CFBD647D123EF0B84C3E34326F3EC06308BECC65A53DEE84403E1C673D3EC00FA8BDE80A1ABE8C9E403E8E413A3E14C14BBE485645BD2C772BBE001EB9BB7CF1E53DFEC737BEF0EED23C3A8D7CBE28EC623DA084393C645E4A3E18E7053E70A092BC30BEBCBC14FFF7BD84492A3E2CD83B3E4A4205BEB85F64BEC06C673C80A3873BF2B60FBEB4121CBE9623743E3092C8BCC04C9EBBB068E83DD609343EB8EC0EBE089F293E9000F4BDFEC773BE3EB81E3E004B033EBCA803BEA0EE5B3E22AB043E666F603EB4D9C6BDE04AC2BC3CAE813DFA637BBEC060F53DB2A010BE1C6B88BDB444ACBD3C0B3D3E0008473C14F790BD3A722B3EE03444BC9486B6BD3476353E2081343D6C5C0B3EBE2E163E58966F3DF0A267BDD87C1BBDB64E13BE90F66E3ECC6EC53D6876483EF01478BE206C6C3DC049A2BC1E6A773E52B753BE3839AABD7448593EC6A5623E8C99833D60CFFABC1215673E26125F3EC0DA38BC382E83BDD4055CBE20252DBDD87E123ED47CB33DEA46143EB897103E9EC400BE005DC2BD320A6A3E50ACCFBCE842693E8E9411BEE4C241BEF6BE65BE006E11BAB8E341BD6455C43D2A147A3EE06151BC34FDEF3DD8B3CC3D805E01BCB0B76F3DA42D8DBDFAFF25BE067E133E4CDB413E6014073DB6FE403E0EE1403E465862BE4A575EBEFC00DD3DFAFE373E4C1DB13DA0053F3D4A8D1FBEC04B61BC44DF963D5C37083E00E56EBC60494DBDA0BF693EF2E7013EA0307B3C48FB51BDCCFEB2BD9EAD173E705279BDD637703EF4450B3E30568CBC1448583E508588BDA4CC34BE94F620BE623E5EBE942054BE2C4B003E8AFA583E209C2D3CB85312BDEC066D3E328B383EB8622DBE88A7053DB8675DBDE006033E78B8513D102592BDF0BA30BDCC247ABE48773D3EF04EF03C20349BBD18B46B3D628B6A3E205377BC540DD73DFCF503BE6668453E549DD5BD8E537DBE8CD90EBE6446B5BDB8350B3DE47C673E80D31FBBA0A177BD0C885C3E3C7A5DBEE0059BBC12464A3E50FAC7BCB4EFAB3D90D34F3DFC7763BEFAF74E3EF8502F3E34A0BABD822264BEE2C8763E9EA43BBEE08C11BDD6E96CBE72F170BE78EC5BBD74F1703E80F7C8BDD05DC2BC82C0283E8820ECBD4863A83D8CE4913D687C0B3ED8833A3E7C92F93DBC16ADBDA44D7E3E205769BC20E649BC640699BD1E2E6E3E940213BE38524F3E6097543CA09504BE68A5763DB070573D54F5FA3D8A55583E68886CBE4884E63D72254ABE78FD5A3E384829BD2EE551BED8F859BDFC7D7B3EC2AB263EA05212BE18EFECBD3A3C4D3E64F5F63D82426C3E0C7428BE1E1575BEB6753E3EE8DB76BD68C1953D5826713D9E5203BE80A33F3B1012FCBD9C71D63DDCC375BEE25E043E40CF51BEC815F53D1CB1F73DCA181E3E30CE7E3EC4928FBD68CABEBD767D643E409035BCE4BE6FBE7A02243E7EAF313EE0C48FBDF094ACBCC868823D907E56BD24A79F3D709A30BEB0E6CE3DDC79BE3D7C0802BE0CEA3FBEA0BE6DBD98DAB03DD8880FBDF8658B3D58EB6CBED6231FBE409BF2BB1C25483E460112BE5AD633BE9EF05ABE144E05BEB2262EBE40C9953D8453BF3D3C1C013EF0D0BA3CA084FC3DDAC1533E98D57FBD20D336BDA83681BD22AC153E3CF1D83D0818073D220B663EFCF510BEC8F3B3BDD01855BD3C369D3D707DE1BD644E6D3EA28C55BEE0BE1D3CD0EC6B3D1832BCBDA058F33CB0B2BF3C80F3F53BF24662BE908B75BEEE16563E2CFF87BD2C0C4DBE96E168BEB8B467BE1E27143E",
      torch_tensor_16_torch.float32_1: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_6_6_torch.uint8: "0x01000000000101010101000001010101000000010101000000000101000000000001000000000000"
    }
  }
#-}
