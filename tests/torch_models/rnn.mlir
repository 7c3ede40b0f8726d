#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<4x2x6xf32>, %arg1: tensor<2x8xf32>) -> (tensor<4x2x3xf32>, tensor<2x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<torch_tensor_3_torch.float32> : tensor<3xf32>
    %cst_1 = arith.constant dense_resource<torch_tensor_3_8_torch.float32> : tensor<3x8xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_8_torch.float32_1> : tensor<8xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_8_6_torch.float32> : tensor<8x6xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_8_torch.float32> : tensor<8xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_8_8_torch.float32> : tensor<8x8xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<4x2x6xf32> to tensor<1x2x6xf32>
    %extracted_slice_6 = tensor.extract_slice %arg0[1, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<4x2x6xf32> to tensor<1x2x6xf32>
    %extracted_slice_7 = tensor.extract_slice %arg0[2, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<4x2x6xf32> to tensor<1x2x6xf32>
    %extracted_slice_8 = tensor.extract_slice %arg0[3, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<4x2x6xf32> to tensor<1x2x6xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %collapsed_9 = tensor.collapse_shape %extracted_slice_6 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %collapsed_10 = tensor.collapse_shape %extracted_slice_7 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %collapsed_11 = tensor.collapse_shape %extracted_slice_8 [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    %0 = tensor.empty() : tensor<8x8xf32>
    %transposed = linalg.transpose ins(%cst_5 : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<2x8xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %3 = linalg.matmul ins(%arg1, %transposed : tensor<2x8xf32>, tensor<8x8xf32>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_4 : tensor<2x8xf32>, tensor<8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %5 = tensor.empty() : tensor<6x8xf32>
    %transposed_12 = linalg.transpose ins(%cst_3 : tensor<8x6xf32>) outs(%5 : tensor<6x8xf32>) permutation = [1, 0] 
    %6 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<2x6xf32>, tensor<6x8xf32>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %cst_2 : tensor<2x8xf32>, tensor<8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<2x8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.tanh %in : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %10 = tensor.empty() : tensor<8x3xf32>
    %transposed_13 = linalg.transpose ins(%cst_1 : tensor<3x8xf32>) outs(%10 : tensor<8x3xf32>) permutation = [1, 0] 
    %11 = tensor.empty() : tensor<2x3xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %13 = linalg.matmul ins(%9, %transposed_13 : tensor<2x8xf32>, tensor<8x3xf32>) outs(%12 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %cst_0 : tensor<2x3xf32>, tensor<3xf32>) outs(%11 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3xf32>
    %15 = linalg.matmul ins(%9, %transposed : tensor<2x8xf32>, tensor<8x8xf32>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %cst_4 : tensor<2x8xf32>, tensor<8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %17 = linalg.matmul ins(%collapsed_9, %transposed_12 : tensor<2x6xf32>, tensor<6x8xf32>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %cst_2 : tensor<2x8xf32>, tensor<8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %18 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.tanh %in : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %21 = linalg.matmul ins(%20, %transposed_13 : tensor<2x8xf32>, tensor<8x3xf32>) outs(%12 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %cst_0 : tensor<2x3xf32>, tensor<3xf32>) outs(%11 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3xf32>
    %23 = linalg.matmul ins(%20, %transposed : tensor<2x8xf32>, tensor<8x8xf32>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %cst_4 : tensor<2x8xf32>, tensor<8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %25 = linalg.matmul ins(%collapsed_10, %transposed_12 : tensor<2x6xf32>, tensor<6x8xf32>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %cst_2 : tensor<2x8xf32>, tensor<8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %26 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<2x8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.tanh %in : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %29 = linalg.matmul ins(%28, %transposed_13 : tensor<2x8xf32>, tensor<8x3xf32>) outs(%12 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %cst_0 : tensor<2x3xf32>, tensor<3xf32>) outs(%11 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3xf32>
    %31 = linalg.matmul ins(%28, %transposed : tensor<2x8xf32>, tensor<8x8xf32>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %cst_4 : tensor<2x8xf32>, tensor<8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %33 = linalg.matmul ins(%collapsed_11, %transposed_12 : tensor<2x6xf32>, tensor<6x8xf32>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %cst_2 : tensor<2x8xf32>, tensor<8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%32, %34 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<2x8xf32>) outs(%1 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.tanh %in : f32
      linalg.yield %39 : f32
    } -> tensor<2x8xf32>
    %37 = linalg.matmul ins(%36, %transposed_13 : tensor<2x8xf32>, tensor<8x3xf32>) outs(%12 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %cst_0 : tensor<2x3xf32>, tensor<3xf32>) outs(%11 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %39 = arith.addf %in, %in_14 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3xf32>
    %concat = tensor.concat dim(0) %14, %22, %30, %38 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
    %expanded = tensor.expand_shape %concat [[0, 1], [2]] output_shape [4, 2, 3] : tensor<8x3xf32> into tensor<4x2x3xf32>
    return %expanded, %36 : tensor<4x2x3xf32>, tensor<2x8xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_3_torch.float32: "0x040000007F680D3EBDBBA8BD3FDE3ABC",
      torch_tensor_3_8_torch.float32: "0x04000000C57DB03E0E60A1BEF32B35BE659C08BEB2875B3EE85EA03EC1E88F3EA95CAA3EB46ABA3DF1983C3E096B863ED1798A3EFE12D93D24804C3E8250053CD84A523E713C66BD87BAA7BCB82CB2BC326E833EA9FF983E37718E3E9C6A3FBED666933E",
      torch_tensor_8_torch.float32_1: "0x04000000262E9ABD77D07C3E2A141E3EE66E4BBD97EFB03EEC2A8D3DDB20B0BE2E89A5BE",
      torch_tensor_8_6_torch.float32: "0x04000000D79E4DBDDA571F3E223FA23E99B16BBC28ADEF3C2E9CB13E7D5C84BD50F64BBEF24665BE0F8B1BBE83A94B3E4F148FBED765E03D9563743E360566BEE8638A3CFBF839BED824A83EE87F1E3B6D6BA9BE7312703E41C7ACBD74A2D3BDE3FD50BE5A35AF3E555EEC3D35E5103E3268AFBEB2EBA7BDF2DF563E0D00C0BBE4E143BDF5DF493CEF830A3E213074BE5256483D820F93BE8AE10CBE786C87BE2CDE443E9D73973D5D06A53E18D595BEE042203ED7F599BE59BDB3BED65690BD8058823D",
      torch_tensor_8_torch.float32: "0x04000000EA49A2BEEAE1A23E195A77BEBF2EA43E6FF60EBCEFB8A8BE93BB7A3EE118073E",
      torch_tensor_8_8_torch.float32: "0x040000007B598ABEC4302F3EAAB7A13D2774A63E41C6DFBC088D993EA1EB81BE9E0FA63E39B9913E6E233C3D92814DBEA286AC3E4919923D5A163F3CC87C05BE226BC0BD71E3383E9E3C753EA17BE03D6A76A73E4DA41ABDAC7A61BE9FD1ACBEA3F3A43EE1E0683B4CBA86BE8C868DBE1B1E723E3F7F7A3E465A62BEFE38343EDB1D6FBE4640A03EA322C4BDEA39843ECE448DBE4252FE3DA5C1663D553A84BE16080BBD7F4974BEDF5214BE3777923E648124BE9EFA13BECEFFD1BD912F323E14DBD93DC7605A3E988A90BEE762843E7C69AD3E4BAB963EB7D32EBE943A6A3EB3BC78BE5D0DB2BEB30F6ABC63FF1EBE87AB9C3E81446DBE98B7DD3DDBE1FC3D5C1B863C"
    }
  }
#-}
