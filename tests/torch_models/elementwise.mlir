#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
    %c3_i64 = arith.constant 3 : i64
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant dense<-1.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = arith.constant 1.000000e-01 : f64
    %cst_6 = arith.constant 1.41421354 : f32
    %cst_7 = arith.constant 2.000000e+00 : f32
    %cst_8 = arith.constant -7.500000e-01 : f32
    %cst_9 = arith.constant 3.000000e+00 : f32
    %cst_10 = arith.constant 2.000000e+01 : f32
    %cst_11 = arith.constant 6.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.absf %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %cst_1 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.exp %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.expm1 %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.tanh %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.negf %in : f32
      %83 = math.exp %82 : f32
      %84 = arith.addf %83, %cst : f32
      %85 = arith.divf %cst, %84 : f32
      linalg.yield %85 : f32
    } -> tensor<4x6xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.mulf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.erf %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.divf %in, %cst_6 : f32
      %83 = math.erf %82 : f32
      %84 = arith.addf %83, %cst : f32
      %85 = arith.mulf %84, %cst_1 : f32
      %86 = arith.mulf %in, %85 : f32
      linalg.yield %86 : f32
    } -> tensor<4x6xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.subf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = math.powf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %15 = tensor.empty() : tensor<4x6xi1>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%15 : tensor<4x6xi1>) {
    ^bb0(%in: f32, %in_12: f32, %out: i1):
      %82 = arith.cmpf ogt, %in, %in_12 : f32
      linalg.yield %82 : i1
    } -> tensor<4x6xi1>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.mulf %in, %cst_7 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %arg0, %17 : tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %82 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.cmpf ult, %in, %cst_8 : f32
      %83 = arith.select %82, %cst_8, %in : f32
      %84 = arith.cmpf ugt, %83, %cst_1 : f32
      %85 = arith.select %84, %cst_1, %83 : f32
      linalg.yield %85 : f32
    } -> tensor<4x6xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.truncf %cst_5 : f64 to f32
      %83 = arith.cmpf ult, %in, %82 : f32
      %84 = arith.select %83, %82, %in : f32
      linalg.yield %84 : f32
    } -> tensor<4x6xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %20 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.sin %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.cos %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %cst_7 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %24 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.divf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.log %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.log1p %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %27 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.log2 %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %29 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.sqrt %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %cst : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.rsqrt %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %33 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.mulf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.cmpf one, %in, %cst_0 : f32
      cf.assert %82, "unimplemented: tensor with zero element"
      %83 = arith.divf %cst, %in : f32
      linalg.yield %83 : f32
    } -> tensor<4x6xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %35 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.floor %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.ceil %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %38 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.mulf %in, %cst_9 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.roundeven %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %41 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%15 : tensor<4x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %82 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %82 : i1
    } -> tensor<4x6xi1>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%15 : tensor<4x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %82 = arith.cmpf olt, %in, %cst_0 : f32
      linalg.yield %82 : i1
    } -> tensor<4x6xi1>
    %45 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%43, %cst_4, %cst_3 : tensor<4x6xi1>, tensor<f32>, tensor<f32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %82 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%44, %cst_2, %45 : tensor<4x6xi1>, tensor<f32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %82 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%42, %46 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.atan %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = math.atan2 %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%48, %49 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.cmpf ogt, %in, %in_12 : f32
      %83 = arith.select %82, %in, %in_12 : f32
      linalg.yield %83 : f32
    } -> tensor<4x6xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.cmpf olt, %in, %in_12 : f32
      %83 = arith.select %82, %in, %in_12 : f32
      linalg.yield %83 : f32
    } -> tensor<4x6xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%51, %52 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.subf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.divf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<4x6xf32>) outs(%15 : tensor<4x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %82 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %82 : i1
    } -> tensor<4x6xi1>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<4x6xf32>) outs(%15 : tensor<4x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %82 = arith.cmpf olt, %in, %cst_0 : f32
      linalg.yield %82 : i1
    } -> tensor<4x6xi1>
    %57 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%55, %cst_4, %cst_3 : tensor<4x6xi1>, tensor<f32>, tensor<f32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %82 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%56, %cst_2, %57 : tensor<4x6xi1>, tensor<f32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %82 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.absf %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.floor %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%58, %60 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.mulf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%61, %2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.mulf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %62 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.subf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.remf %in, %in_12 : f32
      %83 = arith.cmpf one, %82, %cst_0 : f32
      %84 = arith.cmpf olt, %in_12, %cst_0 : f32
      %85 = arith.cmpf olt, %82, %cst_0 : f32
      %86 = arith.xori %84, %85 : i1
      %87 = arith.andi %83, %86 : i1
      %88 = arith.addf %82, %in_12 : f32
      %89 = arith.select %87, %88, %82 : f32
      linalg.yield %89 : f32
    } -> tensor<4x6xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%63, %64 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3, %arg0 : tensor<f32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.cmpf ogt, %in, %in_12 : f32
      %83 = arith.select %82, %in, %in_12 : f32
      linalg.yield %83 : f32
    } -> tensor<4x6xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3, %arg0 : tensor<f32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.cmpf olt, %in, %in_12 : f32
      %83 = arith.select %82, %in, %in_12 : f32
      linalg.yield %83 : f32
    } -> tensor<4x6xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%67 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.exp %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%68 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.subf %in, %cst : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%66, %69 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.exp %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%71 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = math.log1p %in : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%15 : tensor<4x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %82 = arith.cmpf ogt, %in, %cst_10 : f32
      linalg.yield %82 : i1
    } -> tensor<4x6xi1>
    %74 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%73, %arg1, %72 : tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %82 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%70, %74 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %in, %cst_9 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%76 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.cmpf ult, %in, %cst_0 : f32
      %83 = arith.select %82, %cst_0, %in : f32
      linalg.yield %83 : f32
    } -> tensor<4x6xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%77 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.cmpf ugt, %in, %cst_11 : f32
      %83 = arith.select %82, %cst_11, %in : f32
      linalg.yield %83 : f32
    } -> tensor<4x6xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %78 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.mulf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%79 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.divf %in, %cst_11 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%75, %80 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %82 = arith.addf %in, %in_12 : f32
      linalg.yield %82 : f32
    } -> tensor<4x6xf32>
    return %5, %8, %11, %14, %18, %21, %25, %30, %36, %47, %50, %53, %65, %81 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
  }
}
