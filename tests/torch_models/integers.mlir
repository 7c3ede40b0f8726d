#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<4x6xi64>, %arg1: tensor<4x6xi64>, %arg2: tensor<4x6xf32>) -> (tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x4xi64>, tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x6xi1>, tensor<4x6xi64>, tensor<4xi64>, tensor<2x2xi64>) {
    %c0_i64 = arith.constant 0 : i64
    %c-3_i64 = arith.constant -3 : i64
    %c2_i64 = arith.constant 2 : i64
    %c3_i64 = arith.constant 3 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant dense<7> : tensor<2x2xi64>
    %0 = tensor.empty() : tensor<4x6xi64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = math.absi %in : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.addi %in, %c1_i64 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.muli %in, %c3_i64 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %3 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.addi %in, %in_1 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.subi %in, %c1_i64 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.sitofp %in : i64 to f64
      %41 = arith.sitofp %in_1 : i64 to f64
      %42 = arith.divf %40, %41 : f64
      %43 = math.floor %42 : f64
      %44 = arith.fptosi %43 : f64 to i64
      linalg.yield %44 : i64
    } -> tensor<4x6xi64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.divsi %in, %in_1 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.remsi %in, %in_1 : i64
      %41 = arith.cmpi ne, %40, %c0_i64 : i64
      %42 = arith.cmpi slt, %in_1, %c0_i64 : i64
      %43 = arith.cmpi slt, %40, %c0_i64 : i64
      %44 = arith.xori %42, %43 : i1
      %45 = arith.andi %41, %44 : i1
      %46 = arith.addi %40, %in_1 : i64
      %47 = arith.select %45, %46, %40 : i64
      linalg.yield %47 : i64
    } -> tensor<4x6xi64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.andi %in, %in_1 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.xori %in, %in_1 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.ori %in, %in_1 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.shli %in, %c2_i64 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.shrsi %in, %c1_i64 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.addi %in, %in_1 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.maxsi %in, %in_1 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.maxsi %in, %c-3_i64 : i64
      %41 = arith.minsi %40, %c3_i64 : i64
      linalg.yield %41 : i64
    } -> tensor<4x6xi64>
    %17 = tensor.empty() : tensor<6x4xi64>
    %transposed = linalg.transpose ins(%arg1 : tensor<4x6xi64>) outs(%17 : tensor<6x4xi64>) permutation = [1, 0] 
    %18 = tensor.empty() : tensor<4x4xi64>
    %19 = linalg.fill ins(%c0_i64 : i64) outs(%18 : tensor<4x4xi64>) -> tensor<4x4xi64>
    %20 = linalg.matmul ins(%arg0, %transposed : tensor<4x6xi64>, tensor<6x4xi64>) outs(%19 : tensor<4x4xi64>) -> tensor<4x4xi64>
    %21 = tensor.empty() : tensor<4x6xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xi64>) outs(%21 : tensor<4x6xf32>) {
    ^bb0(%in: i64, %out: f32):
      %40 = arith.sitofp %in : i64 to f32
      linalg.yield %40 : f32
    } -> tensor<4x6xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %2 : tensor<4x6xf32>, tensor<4x6xi64>) outs(%21 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_1: i64, %out: f32):
      %40 = arith.sitofp %in_1 : i64 to f32
      %41 = arith.divf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<4x6xf32>
    %24 = tensor.empty() : tensor<4x6xi32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<4x6xf32>) outs(%24 : tensor<4x6xi32>) {
    ^bb0(%in: f32, %out: i32):
      %40 = arith.fptosi %in : f32 to i32
      linalg.yield %40 : i32
    } -> tensor<4x6xi32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xi64>) outs(%24 : tensor<4x6xi32>) {
    ^bb0(%in: i64, %out: i32):
      %40 = arith.trunci %in : i64 to i32
      linalg.yield %40 : i32
    } -> tensor<4x6xi32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<4x6xi32>, tensor<4x6xi32>) outs(%24 : tensor<4x6xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %40 = arith.addi %in, %in_1 : i32
      linalg.yield %40 : i32
    } -> tensor<4x6xi32>
    %28 = tensor.empty() : tensor<4x6xi1>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%28 : tensor<4x6xi1>) {
    ^bb0(%in: i64, %in_1: i64, %out: i1):
      %40 = arith.cmpi sgt, %in, %in_1 : i64
      linalg.yield %40 : i1
    } -> tensor<4x6xi1>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xi64>) outs(%28 : tensor<4x6xi1>) {
    ^bb0(%in: i64, %out: i1):
      %40 = arith.cmpi ne, %in, %c2_i64 : i64
      linalg.yield %40 : i1
    } -> tensor<4x6xi1>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %30 : tensor<4x6xi1>, tensor<4x6xi1>) outs(%28 : tensor<4x6xi1>) {
    ^bb0(%in: i1, %in_1: i1, %out: i1):
      %40 = arith.andi %in, %in_1 : i1
      linalg.yield %40 : i1
    } -> tensor<4x6xi1>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%28 : tensor<4x6xi1>) {
    ^bb0(%in: i64, %in_1: i64, %out: i1):
      %40 = arith.cmpi eq, %in, %in_1 : i64
      linalg.yield %40 : i1
    } -> tensor<4x6xi1>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.sitofp %in : i64 to f32
      %41 = arith.negf %40 : f32
      %42 = arith.fptosi %41 : f32 to i64
      linalg.yield %42 : i64
    } -> tensor<4x6xi64>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%32, %arg0, %33 : tensor<4x6xi1>, tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i1, %in_1: i64, %in_2: i64, %out: i64):
      %40 = arith.select %in, %in_1, %in_2 : i64
      linalg.yield %40 : i64
    } -> tensor<4x6xi64>
    %35 = tensor.empty() : tensor<4xi64>
    %36 = linalg.fill ins(%c0_i64 : i64) outs(%35 : tensor<4xi64>) -> tensor<4xi64>
    %37 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x6xi64>) outs(%36 : tensor<4xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.addi %in, %out : i64
      linalg.yield %40 : i64
    } -> tensor<4xi64>
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [2, 6] [1, 1] : tensor<4x6xi64> to tensor<2x6xi64>
    %extracted_slice_0 = tensor.extract_slice %extracted_slice[0, 0] [2, 2] [1, 1] : tensor<2x6xi64> to tensor<2x2xi64>
    %38 = tensor.empty() : tensor<2x2xi64>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst, %extracted_slice_0 : tensor<2x2xi64>, tensor<2x2xi64>) outs(%38 : tensor<2x2xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %40 = arith.muli %in, %in_1 : i64
      linalg.yield %40 : i64
    } -> tensor<2x2xi64>
    return %5, %6, %7, %8, %11, %14, %16, %20, %23, %27, %31, %34, %37, %39 : tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x6xi64>, tensor<4x4xi64>, tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x6xi1>, tensor<4x6xi64>, tensor<4xi64>, tensor<2x2xi64>
  }
}
