#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<3x4x5xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<3x1x5xf32>, tensor<4x5xf32>, tensor<3x4xf32>, tensor<3x4xi64>, tensor<3x5xi64>, tensor<3x4xi64>, tensor<3x4xf32>, tensor<3x5xf32>, tensor<3x4xf32>, tensor<3x4x5xf32>, tensor<3x4x5xf32>, tensor<3x4xf32>, tensor<3x5xi1>, tensor<3x4xi1>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0x7F800000 : f32
    %cst_2 = arith.constant 0.000000e+00 : f64
    %cst_3 = arith.constant 1.000000e+00 : f32
    %false = arith.constant false
    %true = arith.constant true
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant 4.000000e+00 : f64
    %cst_6 = arith.constant 9.000000e-01 : f64
    %cst_7 = arith.constant 0x7FF0000000000000 : f64
    %cst_8 = arith.constant 4.000000e+00 : f32
    %cst_9 = arith.constant 5.000000e+00 : f64
    %cst_10 = arith.constant 5.000000e-01 : f32
    %cst_11 = arith.constant -1.000000e+00 : f32
    %cst_12 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<3x4xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<3x4xi64>) -> tensor<3x4xi64>
    %2 = tensor.empty() : tensor<3x4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%3, %1 : tensor<3x4xf32>, tensor<3x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_14: i64):
      %75 = linalg.index 2 : index
      %76 = arith.index_cast %75 : index to i64
      %77 = arith.maximumf %in, %out : f32
      %78 = arith.cmpf ogt, %in, %out : f32
      %79 = arith.select %78, %76, %out_14 : i64
      linalg.yield %77, %79 : f32, i64
    } -> (tensor<3x4xf32>, tensor<3x4xi64>)
    %5 = tensor.empty() : tensor<f32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<f32>) -> tensor<f32>
    %7 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction", "reduction"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%6 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %in, %out : f32
      linalg.yield %75 : f32
    } -> tensor<f32>
    %8 = tensor.empty() : tensor<4xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<4xf32>) -> tensor<4xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "parallel", "reduction"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %in, %out : f32
      linalg.yield %75 : f32
    } -> tensor<4xf32>
    %11 = tensor.empty() : tensor<3x1x5xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<3x1x5xf32>) -> tensor<3x1x5xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%12 : tensor<3x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %in, %out : f32
      linalg.yield %75 : f32
    } -> tensor<3x1x5xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<3x1x5xf32>) outs(%11 : tensor<3x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.divf %in, %cst_8 : f32
      linalg.yield %75 : f32
    } -> tensor<3x1x5xf32>
    %15 = tensor.empty() : tensor<4x5xi64>
    %16 = linalg.fill ins(%c0_i64 : i64) outs(%15 : tensor<4x5xi64>) -> tensor<4x5xi64>
    %17 = tensor.empty() : tensor<4x5xf32>
    %18 = linalg.fill ins(%cst_1 : f32) outs(%17 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %19:2 = linalg.generic {indexing_maps = [#map, #map5, #map5], iterator_types = ["reduction", "parallel", "parallel"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%18, %16 : tensor<4x5xf32>, tensor<4x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_14: i64):
      %75 = linalg.index 0 : index
      %76 = arith.index_cast %75 : index to i64
      %77 = arith.minimumf %in, %out : f32
      %78 = arith.cmpf olt, %in, %out : f32
      %79 = arith.select %78, %76, %out_14 : i64
      linalg.yield %77, %79 : f32, i64
    } -> (tensor<4x5xf32>, tensor<4x5xi64>)
    %20 = tensor.empty() : tensor<3x5xi64>
    %21 = linalg.fill ins(%c0_i64 : i64) outs(%20 : tensor<3x5xi64>) -> tensor<3x5xi64>
    %22 = tensor.empty() : tensor<3x5xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %24:2 = linalg.generic {indexing_maps = [#map, #map6, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%23, %21 : tensor<3x5xf32>, tensor<3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_14: i64):
      %75 = linalg.index 1 : index
      %76 = arith.index_cast %75 : index to i64
      %77 = arith.maximumf %in, %out : f32
      %78 = arith.cmpf ogt, %in, %out : f32
      %79 = arith.select %78, %76, %out_14 : i64
      linalg.yield %77, %79 : f32, i64
    } -> (tensor<3x5xf32>, tensor<3x5xi64>)
    %25 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %26:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%25, %1 : tensor<3x4xf32>, tensor<3x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_14: i64):
      %75 = linalg.index 2 : index
      %76 = arith.index_cast %75 : index to i64
      %77 = arith.minimumf %in, %out : f32
      %78 = arith.cmpf olt, %in, %out : f32
      %79 = arith.select %78, %76, %out_14 : i64
      linalg.yield %77, %79 : f32, i64
    } -> (tensor<3x4xf32>, tensor<3x4xi64>)
    %27 = tensor.empty() : tensor<3x4x5xf64>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%27 : tensor<3x4x5xf64>) {
    ^bb0(%in: f32, %out: f64):
      %75 = arith.extf %in : f32 to f64
      linalg.yield %75 : f64
    } -> tensor<3x4x5xf64>
    %29 = tensor.empty() : tensor<3x4x1xf64>
    %30 = linalg.fill ins(%cst_2 : f64) outs(%29 : tensor<3x4x1xf64>) -> tensor<3x4x1xf64>
    %31 = linalg.generic {indexing_maps = [#map, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%28 : tensor<3x4x5xf64>) outs(%30 : tensor<3x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %75 = arith.addf %in, %out : f64
      linalg.yield %75 : f64
    } -> tensor<3x4x1xf64>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<3x4x1xf64>) outs(%29 : tensor<3x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %75 = arith.divf %in, %cst_9 : f64
      linalg.yield %75 : f64
    } -> tensor<3x4x1xf64>
    %33 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %32 : tensor<3x4x5xf64>, tensor<3x4x1xf64>) outs(%27 : tensor<3x4x5xf64>) {
    ^bb0(%in: f64, %in_14: f64, %out: f64):
      %75 = arith.subf %in, %in_14 : f64
      linalg.yield %75 : f64
    } -> tensor<3x4x5xf64>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %33 : tensor<3x4x5xf64>, tensor<3x4x5xf64>) outs(%27 : tensor<3x4x5xf64>) {
    ^bb0(%in: f64, %in_14: f64, %out: f64):
      %75 = arith.mulf %in, %in_14 : f64
      linalg.yield %75 : f64
    } -> tensor<3x4x5xf64>
    %35 = tensor.empty() : tensor<3x4xf64>
    %36 = linalg.fill ins(%cst_2 : f64) outs(%35 : tensor<3x4xf64>) -> tensor<3x4xf64>
    %37 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%34 : tensor<3x4x5xf64>) outs(%36 : tensor<3x4xf64>) {
    ^bb0(%in: f64, %out: f64):
      %75 = arith.addf %in, %out : f64
      linalg.yield %75 : f64
    } -> tensor<3x4xf64>
    %38 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<3x4xf64>) outs(%35 : tensor<3x4xf64>) {
    ^bb0(%in: f64, %out: f64):
      %75 = arith.divf %in, %cst_5 : f64
      linalg.yield %75 : f64
    } -> tensor<3x4xf64>
    %39 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<3x4xf64>) outs(%2 : tensor<3x4xf32>) {
    ^bb0(%in: f64, %out: f32):
      %75 = arith.truncf %in : f64 to f32
      linalg.yield %75 : f32
    } -> tensor<3x4xf32>
    %40 = linalg.fill ins(%cst_3 : f32) outs(%22 : tensor<3x5xf32>) -> tensor<3x5xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%40 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.mulf %in, %out : f32
      linalg.yield %75 : f32
    } -> tensor<3x5xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%42 : tensor<3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.absf %in : f32
      %76 = math.powf %75, %cst_12 : f32
      %77 = arith.addf %76, %out : f32
      linalg.yield %77 : f32
    } -> tensor<3x4xf32>
    %44 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<3x4xf32>) outs(%2 : tensor<3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.powf %in, %cst_10 : f32
      linalg.yield %75 : f32
    } -> tensor<3x4xf32>
    %expanded = tensor.expand_shape %24#0 [[0, 1], [2]] output_shape [3, 1, 5] : tensor<3x5xf32> into tensor<3x1x5xf32>
    %45 = tensor.empty() : tensor<3x4x5xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded : tensor<3x4x5xf32>, tensor<3x1x5xf32>) outs(%45 : tensor<3x4x5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %75 = arith.subf %in, %in_14 : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x5xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<3x4x5xf32>) outs(%45 : tensor<3x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.exp %in : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x5xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "reduction", "parallel"]} ins(%47 : tensor<3x4x5xf32>) outs(%12 : tensor<3x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %in, %out : f32
      linalg.yield %75 : f32
    } -> tensor<3x1x5xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %48 : tensor<3x4x5xf32>, tensor<3x1x5xf32>) outs(%45 : tensor<3x4x5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %75 = arith.divf %in, %in_14 : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x5xf32>
    %expanded_13 = tensor.expand_shape %4#0 [[0], [1, 2]] output_shape [3, 4, 1] : tensor<3x4xf32> into tensor<3x4x1xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_13 : tensor<3x4x5xf32>, tensor<3x4x1xf32>) outs(%45 : tensor<3x4x5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %75 = arith.subf %in, %in_14 : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x5xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<3x4x5xf32>) outs(%45 : tensor<3x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.exp %in : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x5xf32>
    %52 = tensor.empty() : tensor<3x4x1xf32>
    %53 = linalg.fill ins(%cst_0 : f32) outs(%52 : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%51 : tensor<3x4x5xf32>) outs(%53 : tensor<3x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %in, %out : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x1xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<3x4x1xf32>) outs(%52 : tensor<3x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.log %in : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x1xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %55 : tensor<3x4x5xf32>, tensor<3x4x1xf32>) outs(%45 : tensor<3x4x5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %75 = arith.subf %in, %in_14 : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x5xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<3x4x1xf32>) outs(%52 : tensor<3x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.absf %in : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x1xf32>
    %58 = tensor.empty() : tensor<3x4x1xi1>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<3x4x1xf32>) outs(%58 : tensor<3x4x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %75 = arith.extf %in : f32 to f64
      %76 = arith.cmpf oeq, %75, %cst_7 : f64
      linalg.yield %76 : i1
    } -> tensor<3x4x1xi1>
    %60 = linalg.generic {indexing_maps = [#map, #map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %cst_4, %expanded_13 : tensor<3x4x1xi1>, tensor<f32>, tensor<3x4x1xf32>) outs(%52 : tensor<3x4x1xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %75 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x1xf32>
    %collapsed = tensor.collapse_shape %60 [[0], [1, 2]] : tensor<3x4x1xf32> into tensor<3x4xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %60 : tensor<3x4x5xf32>, tensor<3x4x1xf32>) outs(%45 : tensor<3x4x5xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %75 = arith.subf %in, %in_14 : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x5xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<3x4x5xf32>) outs(%45 : tensor<3x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.exp %in : f32
      linalg.yield %75 : f32
    } -> tensor<3x4x5xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<3x4x5xf32>) outs(%42 : tensor<3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %in, %out : f32
      linalg.yield %75 : f32
    } -> tensor<3x4xf32>
    %64 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<3x4xf32>) outs(%2 : tensor<3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.log %in : f32
      linalg.yield %75 : f32
    } -> tensor<3x4xf32>
    %65 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%64, %collapsed : tensor<3x4xf32>, tensor<3x4xf32>) outs(%2 : tensor<3x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %75 = arith.addf %in, %in_14 : f32
      linalg.yield %75 : f32
    } -> tensor<3x4xf32>
    %66 = tensor.empty() : tensor<3x4x5xi1>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%66 : tensor<3x4x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %75 = arith.extf %in : f32 to f64
      %76 = arith.cmpf ogt, %75, %cst_6 : f64
      linalg.yield %76 : i1
    } -> tensor<3x4x5xi1>
    %68 = tensor.empty() : tensor<3x5xi1>
    %69 = linalg.fill ins(%false : i1) outs(%68 : tensor<3x5xi1>) -> tensor<3x5xi1>
    %70 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%67 : tensor<3x4x5xi1>) outs(%69 : tensor<3x5xi1>) {
    ^bb0(%in: i1, %out: i1):
      %75 = arith.ori %in, %out : i1
      linalg.yield %75 : i1
    } -> tensor<3x5xi1>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x4x5xf32>) outs(%66 : tensor<3x4x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %75 = arith.cmpf ogt, %in, %cst_11 : f32
      linalg.yield %75 : i1
    } -> tensor<3x4x5xi1>
    %72 = tensor.empty() : tensor<3x4xi1>
    %73 = linalg.fill ins(%true : i1) outs(%72 : tensor<3x4xi1>) -> tensor<3x4xi1>
    %74 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<3x4x5xi1>) outs(%73 : tensor<3x4xi1>) {
    ^bb0(%in: i1, %out: i1):
      %75 = arith.andi %in, %out : i1
      linalg.yield %75 : i1
    } -> tensor<3x4xi1>
    return %7, %10, %14, %19#0, %4#0, %4#1, %24#1, %26#1, %39, %41, %44, %49, %56, %65, %70, %74 : tensor<f32>, tensor<4xf32>, tensor<3x1x5xf32>, tensor<4x5xf32>, tensor<3x4xf32>, tensor<3x4xi64>, tensor<3x5xi64>, tensor<3x4xi64>, tensor<3x4xf32>, tensor<3x5xf32>, tensor<3x4xf32>, tensor<3x4x5xf32>, tensor<3x4x5xf32>, tensor<3x4xf32>, tensor<3x5xi1>, tensor<3x4xi1>
  }
}
