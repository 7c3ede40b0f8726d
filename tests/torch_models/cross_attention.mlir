#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<2x3x8xf32>, %arg1: tensor<2x5x6xf32>) -> tensor<2x3x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x3x5xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.59460355750136051 : f64
    %cst_4 = arith.constant dense_resource<torch_tensor_8_8_torch.float32> : tensor<8x8xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_16_6_torch.float32> : tensor<16x6xf32>
    %0 = tensor.empty() : tensor<6x16xf32>
    %transposed = linalg.transpose ins(%cst_5 : tensor<16x6xf32>) outs(%0 : tensor<6x16xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<2x5x6xf32> into tensor<10x6xf32>
    %1 = tensor.empty() : tensor<10x16xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<10x6xf32>, tensor<6x16xf32>) outs(%2 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2]] output_shape [2, 5, 16] : tensor<10x16xf32> into tensor<2x5x16xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 5, 8] [1, 1, 1] : tensor<2x5x16xf32> to tensor<2x5x8xf32>
    %extracted_slice_6 = tensor.extract_slice %expanded[0, 0, 8] [2, 5, 8] [1, 1, 1] : tensor<2x5x16xf32> to tensor<2x5x8xf32>
    %4 = tensor.empty() : tensor<8x8xf32>
    %transposed_7 = linalg.transpose ins(%cst_4 : tensor<8x8xf32>) outs(%4 : tensor<8x8xf32>) permutation = [1, 0] 
    %collapsed_8 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
    %5 = tensor.empty() : tensor<6x8xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %7 = linalg.matmul ins(%collapsed_8, %transposed_7 : tensor<6x8xf32>, tensor<8x8xf32>) outs(%6 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %expanded_9 = tensor.expand_shape %7 [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
    %8 = tensor.empty() : tensor<2x3x8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<2x3x8xf32>) outs(%8 : tensor<2x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.truncf %cst_3 : f64 to f32
      %35 = arith.mulf %in, %34 : f32
      linalg.yield %35 : f32
    } -> tensor<2x3x8xf32>
    %10 = tensor.empty() : tensor<2x8x5xf32>
    %transposed_10 = linalg.transpose ins(%extracted_slice : tensor<2x5x8xf32>) outs(%10 : tensor<2x8x5xf32>) permutation = [0, 2, 1] 
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<2x8x5xf32>) outs(%10 : tensor<2x8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.truncf %cst_3 : f64 to f32
      %35 = arith.mulf %in, %34 : f32
      linalg.yield %35 : f32
    } -> tensor<2x8x5xf32>
    %12 = tensor.empty() : tensor<2x3x5xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %14 = linalg.batch_matmul ins(%9, %11 : tensor<2x3x8xf32>, tensor<2x8x5xf32>) outs(%13 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %15 = tensor.empty() : tensor<2x3xi64>
    %16 = linalg.fill ins(%c0_i64 : i64) outs(%15 : tensor<2x3xi64>) -> tensor<2x3xi64>
    %17 = tensor.empty() : tensor<2x3xf32>
    %18 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %19:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x3x5xf32>) outs(%18, %16 : tensor<2x3xf32>, tensor<2x3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_12: i64):
      %34 = linalg.index 2 : index
      %35 = arith.index_cast %34 : index to i64
      %36 = arith.maximumf %in, %out : f32
      %37 = arith.cmpf ogt, %in, %out : f32
      %38 = arith.select %37, %35, %out_12 : i64
      linalg.yield %36, %38 : f32, i64
    } -> (tensor<2x3xf32>, tensor<2x3xi64>)
    %expanded_11 = tensor.expand_shape %19#0 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %expanded_11 : tensor<2x3x5xf32>, tensor<2x3x1xf32>) outs(%12 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %34 = arith.subf %in, %in_12 : f32
      linalg.yield %34 : f32
    } -> tensor<2x3x5xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x3x5xf32>) outs(%12 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.exp %in : f32
      linalg.yield %34 : f32
    } -> tensor<2x3x5xf32>
    %22 = tensor.empty() : tensor<2x3x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<2x3x5xf32>) outs(%23 : tensor<2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<2x3x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<2x3x5xf32>, tensor<2x3x1xf32>) outs(%12 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %34 = arith.divf %in, %in_12 : f32
      linalg.yield %34 : f32
    } -> tensor<2x3x5xf32>
    %26 = tensor.empty() : tensor<2x3x5xi1>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x3x5xf32>) outs(%26 : tensor<2x3x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %34 = arith.extf %in : f32 to f64
      %35 = arith.cmpf oeq, %34, %cst_2 : f64
      linalg.yield %35 : i1
    } -> tensor<2x3x5xi1>
    %28 = tensor.empty() : tensor<2x3x1xi1>
    %29 = linalg.fill ins(%true : i1) outs(%28 : tensor<2x3x1xi1>) -> tensor<2x3x1xi1>
    %30 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<2x3x5xi1>) outs(%29 : tensor<2x3x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %34 = arith.andi %in, %out : i1
      linalg.yield %34 : i1
    } -> tensor<2x3x1xi1>
    %31 = linalg.generic {indexing_maps = [#map2, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %cst_1, %25 : tensor<2x3x1xi1>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) outs(%12 : tensor<2x3x5xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %34 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %34 : f32
    } -> tensor<2x3x5xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
    %33 = linalg.batch_matmul ins(%31, %extracted_slice_6 : tensor<2x3x5xf32>, tensor<2x5x8xf32>) outs(%32 : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
    return %33 : tensor<2x3x8xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_8_torch.float32: "0x04000000D79E4DBDDA571F3E223FA23E99B16BBC28ADEF3C2E9CB13E7D5C84BD50F64BBEF24665BE0F8B1BBE83A94B3E4F148FBED765E03D9563743E360566BEE8638A3CFBF839BED824A83EE87F1E3B6D6BA9BE7312703E41C7ACBD74A2D3BDE3FD50BE5A35AF3E555EEC3D35E5103E3268AFBEB2EBA7BDF2DF563E0D00C0BBE4E143BDF5DF493CEF830A3E213074BE5256483D820F93BE8AE10CBE786C87BE2CDE443E9D73973D5D06A53E18D595BEE042203ED7F599BE59BDB3BED65690BD8058823D7B598ABEC4302F3EAAB7A13D2774A63E41C6DFBC088D993EA1EB81BE9E0FA63E39B9913E6E233C3D92814DBEA286AC3E4919923D5A163F3CC87C05BE226BC0BD",
      torch_tensor_16_6_torch.float32: "0x04000000A47D553E69968D3EF49A013E7E5EC13EA29032BD342E82BED48DC7BE4778BE3ED373863BF8919BBE706BA3BE63C98B3EE39F903E4CAF82BE6A1A503ED70D8ABEC10AB93E407AE2BD84AE983E851FA3BE1ED5123E303A853D00AF98BE348A20BD0B0A8DBEFD442BBEBF1FA93E5BF43DBE14DF2ABE7A7CF2BD53C04D3EE68EFB3D48297C3EEBE6A6BED9DD983E2F3DC83E4CFAAD3E74DF49BE693B873EC39B8FBED398CDBEA82287BC399837BE2FE8B43E8CFC88BE2B02003E6C00123E71DA9A3C3408B2BD61F6913E9D88363E89E76ABDD94ECC3EA301A33D2160CBBEF424BFBE1865BBBE9B14BC3E08CF8EBEEE94BD3E3B1425BCE8D2C2BEB7C2903E2EFF1B3E6BCBCB3E0E57BABEF53251BEA6BE1DBED37D7D3E202EB93E0B2CA63E91B7C43E6F41D73D08C6593E72369B3EECE59F3EDBA7FA3D0D236C3E35F0193C21D3723E48ED84BD25ADC1BC08BDCDBC48C3973EECAAB03E687AA43E58075DBE7034AA3EBC48233E25D6C2BDDAC657BCA6E4A3BE6CA8C93ED347C2BE0DCFC4BEDF87763D"
    }
  }
#-}
