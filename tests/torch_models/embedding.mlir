#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2)>
module {
  func.func @main(%arg0: tensor<3x6xi64>) -> (tensor<3x8xf32>, tensor<3x6x20xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %c6 = arith.constant 6 : index
    %c20 = arith.constant 20 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<torch_tensor_6_8_torch.float32> : tensor<6x8xf32>
    %cst_1 = arith.constant dense_resource<torch_tensor_20_8_torch.float32> : tensor<20x8xf32>
    %cst_2 = arith.constant 6.000000e+00 : f32
    %0 = tensor.empty() : tensor<6xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %15 = linalg.index 0 : index
      %16 = arith.index_cast %15 : index to i64
      linalg.yield %16 : i64
    } -> tensor<6xi64>
    %2 = tensor.empty() : tensor<3x6x8xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x6xi64>) outs(%2 : tensor<3x6x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %15 = arith.index_cast %in : i64 to index
      %16 = linalg.index 2 : index
      %17 = arith.cmpi slt, %15, %c20 : index
      cf.assert %17, "index must be smaller than dim size"
      %18 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %18, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_1[%15, %16] : tensor<20x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<3x6x8xf32>
    %4 = tensor.empty() : tensor<6x8xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6xi64>) outs(%4 : tensor<6x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %15 = arith.index_cast %in : i64 to index
      %16 = linalg.index 1 : index
      %17 = arith.cmpi slt, %15, %c6 : index
      cf.assert %17, "index must be smaller than dim size"
      %18 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %18, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_0[%15, %16] : tensor<6x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<6x8xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %5 : tensor<3x6x8xf32>, tensor<6x8xf32>) outs(%2 : tensor<3x6x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %15 = arith.addf %in, %in_3 : f32
      linalg.yield %15 : f32
    } -> tensor<3x6x8xf32>
    %7 = tensor.empty() : tensor<3x8xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%6 : tensor<3x6x8xf32>) outs(%8 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.addf %in, %out : f32
      linalg.yield %15 : f32
    } -> tensor<3x8xf32>
    %10 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<3x8xf32>) outs(%7 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.divf %in, %cst_2 : f32
      linalg.yield %15 : f32
    } -> tensor<3x8xf32>
    %11 = tensor.empty() : tensor<8x20xf32>
    %transposed = linalg.transpose ins(%cst_1 : tensor<20x8xf32>) outs(%11 : tensor<8x20xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %6 [[0, 1], [2]] : tensor<3x6x8xf32> into tensor<18x8xf32>
    %12 = tensor.empty() : tensor<18x20xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<18x20xf32>) -> tensor<18x20xf32>
    %14 = linalg.matmul ins(%collapsed, %transposed : tensor<18x8xf32>, tensor<8x20xf32>) outs(%13 : tensor<18x20xf32>) -> tensor<18x20xf32>
    %expanded = tensor.expand_shape %14 [[0, 1], [2]] output_shape [3, 6, 20] : tensor<18x20xf32> into tensor<3x6x20xf32>
    return %10, %expanded : tensor<3x8xf32>, tensor<3x6x20xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_6_8_torch.float32: "0x040000005683113F246E573F4C0692BF4A8331BF10611CBE29B530BEE33ED7BFCB84DFBD0284BBBFA3859F3EB305883F8C5645BE671DA73F107BE9BE100877BFEBC0413F0E6B123E44984DBE7D4DE23E189402405290903E97A67B3E28F29ABF718B14BFF53BB7BE5532A63E11749C3E00198FBF71BFC8BFD1FF2E3DF176CA3CDE64BD3E0B8E6A3E94104B3FC077883F1EB1F73E52C2A03E5ED992BF0D23ACBF0E8F8B3FE1BD9FBF6C0BEB3D5D1A7FBF49BCA83F89BB913FCE370E3F4903C6BCC0CD3FBF",
      torch_tensor_20_8_torch.float32: "0x040000006D67DC3E7326B3BE8B2BF33E6D71673F6BBE33BFE153CC3F7879D83EBEA731BF5099773FAE48C73FA8B418C0BA0C333F332984BFA4AC26C0DC056F3FCBF5D6BD8B1F3E3F347CABBF7ECEBABE820B823E8841B4BF3723913EE4EE6EBFA4BA20BF49E999BDFE590DC0991290BF234FCB3C75D9A03F61DE6FBF9B38473DDE76913E23AE74BF61BDBC3FEEC7023F1C136EBE6DA4CA3E58835A3F1D3ED7BEF6CCB9BF7AC43CBF431ED7BE8B3B9D3EC16BA3BFFCAB4D3EFD519B3C52B49B3E22DA6BBFDACAD13EC260C1BF2783943EE37A2040047465BF629010C0207062BEF2E9D8BFA56D93BE393E27BF7318AC3FE59FBEBEDFAA28BF8F9270BE5160013F8181EF3F6EAED6BF94C0A93FAF91903F79E8A53F98E81D3FE7C37D3E29F7C1BA16549A3F8DFC58BD42F9AF3F656A6C3F6A850DC0266365BFCEDD183FDA315BBE70DE0B406DB49F3F607C88BE568DD33F2F0F8DBD8C44D9BEA78F4EBF38BC58BCC86924BF93880240160B6A3F7FA190BFAD67F43E0C3BB83F232B853F23B409BF499B63BFBDE9E53F8411EABE62DAC2BE7A3C22403BA7853F907DE2BECC7559BFDAC413BFB698BD3D3DFD6E3DC4CEFB3F1DE891BF5ABAFB3FD76F22BF4B27D4BF1F2FADBD529E723F2CBAEC3FFBD25D3FD1EA813F93193FC0E1C3A83F391AC03D70F5EABD8889A33EE6261ABF58ECAA3F92529CBEEB8B6D3E7E4B923EA5EB0ABE05858BBE6DCA02C098CFB33C47FF053F6487233FA2C687BF6EF6F73EDE3E08C0C8D22A3F8A1009C011A7AABE0A690CBFFBD114BF2FA0BABFBA0116C0B0E31DBE8C7D24C0393DB4BEEBE356BF3D558FBF8CBBC63F46E50F40B51F04401A85383FD4AAF9BFE0C67BBFCE1E413F5538E93D1626A03F22E97FBEE01DEE3E240A093EE85D79BF"
    }
  }
#-}
