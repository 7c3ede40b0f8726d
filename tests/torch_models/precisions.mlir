#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<4x6xf32>) -> (tensor<4x5xf32>, tensor<4x5xf16>, tensor<4x5xf64>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : bf16
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant dense_resource<torch_tensor_6_5_torch.float16> : tensor<6x5xf16>
    %cst_3 = arith.constant dense_resource<torch_tensor_6_5_torch.float32> : tensor<6x5xf32>
    %cst_4 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<4x6xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<4x6xbf16>
    %2 = tensor.empty() : tensor<6x5xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<6x5xf32>) outs(%2 : tensor<6x5xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<6x5xbf16>
    %4 = tensor.empty() : tensor<4x5xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %6 = linalg.matmul ins(%1, %3 : tensor<4x6xbf16>, tensor<6x5xbf16>) outs(%5 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %7 = tensor.empty() : tensor<4x5xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x5xf32>) outs(%7 : tensor<4x5xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<4x5xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<4x5xbf16>) outs(%7 : tensor<4x5xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %25 = arith.cmpf ugt, %in, %cst_0 : bf16
      %26 = arith.select %25, %in, %cst_0 : bf16
      linalg.yield %26 : bf16
    } -> tensor<4x5xbf16>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4x5xbf16>) outs(%4 : tensor<4x5xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %25 = arith.extf %in : bf16 to f32
      linalg.yield %25 : f32
    } -> tensor<4x5xf32>
    %11 = tensor.empty() : tensor<4x6xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%11 : tensor<4x6xf16>) {
    ^bb0(%in: f32, %out: f16):
      %25 = arith.truncf %in : f32 to f16
      linalg.yield %25 : f16
    } -> tensor<4x6xf16>
    %13 = linalg.matmul ins(%12, %cst_2 : tensor<4x6xf16>, tensor<6x5xf16>) outs(%5 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %14 = tensor.empty() : tensor<4x5xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<4x5xf32>) outs(%14 : tensor<4x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %25 = arith.truncf %in : f32 to f16
      linalg.yield %25 : f16
    } -> tensor<4x5xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<4x5xf16>) outs(%14 : tensor<4x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      %25 = arith.addf %in, %cst_4 : f16
      linalg.yield %25 : f16
    } -> tensor<4x5xf16>
    %17 = tensor.empty() : tensor<4x6xf64>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%17 : tensor<4x6xf64>) {
    ^bb0(%in: f32, %out: f64):
      %25 = arith.extf %in : f32 to f64
      linalg.yield %25 : f64
    } -> tensor<4x6xf64>
    %19 = tensor.empty() : tensor<6x5xf64>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<6x5xf32>) outs(%19 : tensor<6x5xf64>) {
    ^bb0(%in: f32, %out: f64):
      %25 = arith.extf %in : f32 to f64
      linalg.yield %25 : f64
    } -> tensor<6x5xf64>
    %21 = tensor.empty() : tensor<4x5xf64>
    %22 = linalg.fill ins(%cst_1 : f64) outs(%21 : tensor<4x5xf64>) -> tensor<4x5xf64>
    %23 = linalg.matmul ins(%18, %20 : tensor<4x6xf64>, tensor<6x5xf64>) outs(%22 : tensor<4x5xf64>) -> tensor<4x5xf64>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<4x5xf64>) outs(%21 : tensor<4x5xf64>) {
    ^bb0(%in: f64, %out: f64):
      %25 = math.tanh %in : f64
      linalg.yield %25 : f64
    } -> tensor<4x5xf64>
    return %10, %16, %24 : tensor<4x5xf32>, tensor<4x5xf16>, tensor<4x5xf64>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_6_5_torch.float16: "0x020000001D392A3D8E360BBEA43404412CBB85C0453A7CB59BB43AB9613DF5B5E63A5B3BB5BE4E3D853C2F3DEF38EE33E82F36B4C8AA803D633B6CC02BBBC738",
      torch_tensor_6_5_torch.float32: "0x040000006D67DC3E7326B3BE8B2BF33E6D71673F6BBE33BFE153CC3F7879D83EBEA731BF5099773FAE48C73FA8B418C0BA0C333F332984BFA4AC26C0AD57513F0D66153E23AE74BF61BDBC3FEEC7023F1C136EBE6DA4CA3E58835A3F68D5533F1DEF86BF7AC43CBF431ED7BE8B3B9D3EC16BA3BFFCAB4D3EFD519B3C"
    }
  }
#-}
