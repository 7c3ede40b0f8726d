#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<3x2x5xf32>) -> (tensor<2x18xf32>, tensor<2x6xf32>, tensor<2x6xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x6xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_24_torch.float32_1> : tensor<24xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_24_5_torch.float32> : tensor<24x5xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_24_torch.float32> : tensor<24xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_24_6_torch.float32> : tensor<24x6xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [1, 2, 5] [1, 1, 1] : tensor<3x2x5xf32> to tensor<1x2x5xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x5xf32> into tensor<2x5xf32>
    %0 = tensor.empty() : tensor<6x24xf32>
    %transposed = linalg.transpose ins(%cst_5 : tensor<24x6xf32>) outs(%0 : tensor<6x24xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<2x24xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %3 = linalg.matmul ins(%cst_1, %transposed : tensor<2x6xf32>, tensor<6x24xf32>) outs(%2 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_4 : tensor<2x24xf32>, tensor<24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %5 = tensor.empty() : tensor<5x24xf32>
    %transposed_6 = linalg.transpose ins(%cst_3 : tensor<24x5xf32>) outs(%5 : tensor<5x24xf32>) permutation = [1, 0] 
    %6 = linalg.matmul ins(%collapsed, %transposed_6 : tensor<2x5xf32>, tensor<5x24xf32>) outs(%2 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %cst_2 : tensor<2x24xf32>, tensor<24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<2x24xf32>, tensor<2x24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %extracted_slice_7 = tensor.extract_slice %8[0, 0] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_8 = tensor.extract_slice %8[0, 6] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_9 = tensor.extract_slice %8[0, 12] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_10 = tensor.extract_slice %8[0, 18] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %9 = tensor.empty() : tensor<2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_7 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_8 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_9 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.tanh %in : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_10 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_1 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %15 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.tanh %in : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %17 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %extracted_slice_11 = tensor.extract_slice %arg0[1, 0, 0] [1, 2, 5] [1, 1, 1] : tensor<3x2x5xf32> to tensor<1x2x5xf32>
    %collapsed_12 = tensor.collapse_shape %extracted_slice_11 [[0, 1], [2]] : tensor<1x2x5xf32> into tensor<2x5xf32>
    %19 = linalg.matmul ins(%18, %transposed : tensor<2x6xf32>, tensor<6x24xf32>) outs(%2 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %cst_4 : tensor<2x24xf32>, tensor<24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %21 = linalg.matmul ins(%collapsed_12, %transposed_6 : tensor<2x5xf32>, tensor<5x24xf32>) outs(%2 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %cst_2 : tensor<2x24xf32>, tensor<24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %22 : tensor<2x24xf32>, tensor<2x24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %extracted_slice_13 = tensor.extract_slice %23[0, 0] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_14 = tensor.extract_slice %23[0, 6] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_15 = tensor.extract_slice %23[0, 12] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_16 = tensor.extract_slice %23[0, 18] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_13 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_14 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_15 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.tanh %in : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_16 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %16 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %26 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %29 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.tanh %in : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %31 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %extracted_slice_17 = tensor.extract_slice %arg0[2, 0, 0] [1, 2, 5] [1, 1, 1] : tensor<3x2x5xf32> to tensor<1x2x5xf32>
    %collapsed_18 = tensor.collapse_shape %extracted_slice_17 [[0, 1], [2]] : tensor<1x2x5xf32> into tensor<2x5xf32>
    %33 = linalg.matmul ins(%32, %transposed : tensor<2x6xf32>, tensor<6x24xf32>) outs(%2 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %cst_4 : tensor<2x24xf32>, tensor<24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %35 = linalg.matmul ins(%collapsed_18, %transposed_6 : tensor<2x5xf32>, tensor<5x24xf32>) outs(%2 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %cst_2 : tensor<2x24xf32>, tensor<24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %36 : tensor<2x24xf32>, tensor<2x24xf32>) outs(%1 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x24xf32>
    %extracted_slice_19 = tensor.extract_slice %37[0, 0] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_20 = tensor.extract_slice %37[0, 6] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_21 = tensor.extract_slice %37[0, 12] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_22 = tensor.extract_slice %37[0, 18] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_19 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_20 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_21 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.tanh %in : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_22 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.negf %in : f32
      %48 = math.exp %47 : f32
      %49 = arith.addf %48, %cst_0 : f32
      %50 = arith.divf %cst_0, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x6xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %30 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%38, %40 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%42, %43 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.addf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.tanh %in : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%41, %45 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %47 = arith.mulf %in, %in_23 : f32
      linalg.yield %47 : f32
    } -> tensor<2x6xf32>
    %concat = tensor.concat dim(1) %18, %32, %46 : (tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x18xf32>
    return %concat, %46, %44 : tensor<2x18xf32>, tensor<2x6xf32>, tensor<2x6xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_24_torch.float32_1: "0x040000000C1A463E1403353EFBDB443E54503D3E87ED3A3E9C0037BE5CB0653DE52CBFBE469ABF3E42BB973EA8790A3E5FA7BA3EC190B93E68FB7ABEE8C290BE1540573D8CAD5EBD757F873D670A39BE7553A33ECA8AF23C9D12CDBE3332CE3D37066D3E",
      torch_tensor_24_5_torch.float32: "0x040000001A6E6DBD60FE373EA458BB3EEE1388BC93600A3D2316CD3E71D698BDE5836BBE8B5F84BE189B33BE372B6B3EBB36A5BE5F8E013E1A198D3E65CD84BEA0CC9F3C1EBE56BEE827C23E0605373B03A1C3BE0E9B8A3EDA81C7BDE55FF4BDA95271BE3150CA3EA877083E8D4F273EE78ACABEEBE5C1BDB51D783EE7B3DDBB7D2F62BDE11A693C9CF11F3E65FB8CBE5954673D9ACFA9BEE6AC22BEB35F9CBECD52633E9BE1AE3DE78DBE3EF602ADBEC20D393E2FC7B1BEA48BCFBE27ABA6BDA182963D96C09FBEE64A4A3E38BCBA3D4834C03E3D3201BD2A4EB13EEA0496BE31C0BF3E5D44A83E573E593D4E4C6DBE3D37C73E49B3A83D0DA65C3C54231ABE8D2FDEBDA47D553E69968D3EF49A013E7E5EC13EA29032BD342E82BED48DC7BE4778BE3ED373863BF8919BBE706BA3BE63C98B3EE39F903E4CAF82BE6A1A503ED70D8ABEC10AB93E407AE2BD84AE983E851FA3BE1ED5123E303A853D00AF98BE348A20BD0B0A8DBEFD442BBEBF1FA93E5BF43DBE14DF2ABE7A7CF2BD53C04D3EE68EFB3D48297C3EEBE6A6BED9DD983E2F3DC83E4CFAAD3E74DF49BE693B873EC39B8FBED398CDBEA82287BC399837BE2FE8B43E8CFC88BE2B02003E6C00123E71DA9A3C3408B2BD61F6913E9D88363E89E76ABDD94ECC3EA301A33D2160CBBEF424BFBE",
      torch_tensor_24_torch.float32: "0x04000000F8D0AE3D95B159BE505A1F3EBB04B03EF2D5D3BD97BDBC3D8DA5BFBEA80149BEA375973D447C9C3EF22D8C3EA6EEB13EF3E39F3ED791A5BE174E373E678EB63EAFA714BEE62A183DA44B993EF137293E9817F0BD03CE893EA2FC9FBED834113C",
      torch_tensor_24_6_torch.float32: "0x040000001865BBBE9B14BC3E08CF8EBEEE94BD3E3B1425BCE8D2C2BEB7C2903E2EFF1B3E6BCBCB3E0E57BABEF53251BEA6BE1DBED37D7D3E202EB93E0B2CA63E91B7C43E6F41D73D08C6593E72369B3EECE59F3EDBA7FA3D0D236C3E35F0193C21D3723E48ED84BD25ADC1BC08BDCDBC48C3973EECAAB03E687AA43E58075DBE7034AA3EBC48233E25D6C2BDDAC657BCA6E4A3BE6CA8C93ED347C2BE0DCFC4BEDF87763D40C92E3E11F00CBE9D0F2A3E9F4863BE6C44833DEE2BA2BE4733913EAA174EBE2223813E426EB9BEC796C7BDCC49103D518741BE32E2203E70A58A3D37F73DBE681AB3BED5A7B3BE20D398BEBD1AB53E4A2D373ECE37C4BEDD97823C92C771BE3ECD813EF54F07BEECC6A8BE1EACAF3EC8B9683E1092C5BE6ADA2DBBCE0A97BD16E7303D9E5C3CBEF4C6013E9732D43DCA5EE43A16003C3DCF539F3D9C0F8B3D8B2D693E8376C7BE71039F3E8AD37FBE90D474BECD0770BD0A0E193B08F7A83EDFE6623EB7B781BE4D9D13BC81B3BABE20ED8EBD30C9CE3ED48D9DBEE97653BE86907EBDF7EDB13E9C9E9ABD4F185D3E185BC8BE7F63CEBAFA2C393C608C083E9E8A27BEBE811CBD463291BEF66E6F3D27E9703D1B990EBEB36FCBBEC4EC303E9C6710BE702FB23E364BD53C406E9A3E11C0523E5646C3BD463A14BDC1FCCE3EE84A353E818D02BE4AB2C6BE44B5863E262AB53EDB8C6E3EDB17723E81AF7C3E9D72A83EBEFBCE3EE0EDA63EA178DE3D3839863E6B613F3D1FAF33BDAE35BFBED9EB333E863FBA3D3C70CB3B779D4ABE433364BE89B8D83BBFE7B13E0879333D"
    }
  }
#-}
