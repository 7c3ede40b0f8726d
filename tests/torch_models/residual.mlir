#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @main(%arg0: tensor<1x4x8x8xf32>) -> tensor<1x6x4x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense_resource<torch_tensor_6_torch.float32_11> : tensor<6xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_6_torch.float32_10> : tensor<6xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_6_torch.float32_9> : tensor<6xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_6_torch.float32_8> : tensor<6xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_6_4_1_1_torch.float32> : tensor<6x4x1x1xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_6_torch.float32_7> : tensor<6xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_6_torch.float32_6> : tensor<6xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_6_torch.float32_5> : tensor<6xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_6_torch.float32_4> : tensor<6xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_6_6_3_3_torch.float32> : tensor<6x6x3x3xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_6_torch.float32_3> : tensor<6xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_6_torch.float32_2> : tensor<6xf32>
    %cst_13 = arith.constant 1.000000e-05 : f64
    %cst_14 = arith.constant dense_resource<torch_tensor_6_torch.float32_1> : tensor<6xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_6_torch.float32> : tensor<6xf32>
    %cst_16 = arith.constant dense_resource<torch_tensor_6_4_3_3_torch.float32> : tensor<6x4x3x3xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
    %0 = tensor.empty() : tensor<1x6x4x4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_16 : tensor<1x4x10x10xf32>, tensor<6x4x3x3xf32>) outs(%1 : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
    %3 = tensor.empty() : tensor<6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_14 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.truncf %cst_13 : f64 to f32
      %31 = arith.addf %in, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.sqrt %in : f32
      linalg.yield %30 : f32
    } -> tensor<6xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf one, %in, %cst : f32
      cf.assert %30, "unimplemented: tensor with zero element"
      %31 = arith.divf %cst_0, %in : f32
      linalg.yield %31 : f32
    } -> tensor<6xf32>
    %expanded = tensor.expand_shape %cst_15 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %expanded_17 = tensor.expand_shape %6 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.subf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_17 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.mulf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %expanded_18 = tensor.expand_shape %cst_12 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_18 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.mulf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %expanded_19 = tensor.expand_shape %cst_11 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %expanded_19 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.addf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x6x4x4xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf ugt, %in, %cst : f32
      %31 = arith.select %30, %in, %cst : f32
      linalg.yield %31 : f32
    } -> tensor<1x6x4x4xf32>
    %padded_20 = tensor.pad %11 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x6x4x4xf32> to tensor<1x6x6x6xf32>
    %12 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_20, %cst_10 : tensor<1x6x6x6xf32>, tensor<6x6x3x3xf32>) outs(%1 : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_8 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.truncf %cst_13 : f64 to f32
      %31 = arith.addf %in, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<6xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%13 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.sqrt %in : f32
      linalg.yield %30 : f32
    } -> tensor<6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%14 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf one, %in, %cst : f32
      cf.assert %30, "unimplemented: tensor with zero element"
      %31 = arith.divf %cst_0, %in : f32
      linalg.yield %31 : f32
    } -> tensor<6xf32>
    %expanded_21 = tensor.expand_shape %cst_9 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %expanded_22 = tensor.expand_shape %15 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_21 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.subf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_22 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.mulf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %expanded_23 = tensor.expand_shape %cst_7 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_23 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.mulf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %expanded_24 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_24 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.addf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %20 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %cst_5 : tensor<1x4x8x8xf32>, tensor<6x4x1x1xf32>) outs(%1 : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_3 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.truncf %cst_13 : f64 to f32
      %31 = arith.addf %in, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<6xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%21 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.sqrt %in : f32
      linalg.yield %30 : f32
    } -> tensor<6xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%22 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf one, %in, %cst : f32
      cf.assert %30, "unimplemented: tensor with zero element"
      %31 = arith.divf %cst_0, %in : f32
      linalg.yield %31 : f32
    } -> tensor<6xf32>
    %expanded_25 = tensor.expand_shape %cst_4 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %expanded_26 = tensor.expand_shape %23 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_25 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.subf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %expanded_26 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.mulf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %expanded_27 = tensor.expand_shape %cst_2 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %expanded_27 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.mulf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %expanded_28 = tensor.expand_shape %cst_1 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %expanded_28 : tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.addf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %27 : tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %30 = arith.addf %in, %in_29 : f32
      linalg.yield %30 : f32
    } -> tensor<1x6x4x4xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x6x4x4xf32>) outs(%0 : tensor<1x6x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf ugt, %in, %cst : f32
      %31 = arith.select %30, %in, %cst : f32
      linalg.yield %31 : f32
    } -> tensor<1x6x4x4xf32>
    return %29 : tensor<1x6x4x4xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_6_torch.float32_11: "0x04000000A4DCA7BFE4319D3FF71FB4BFCF01413F23F1B63F38652DBF",
      torch_tensor_6_torch.float32_10: "0x040000007E78E33FEFFA98BEC59F06BEA85E3ABFD43CDD3F5BC855BF",
      torch_tensor_6_torch.float32_9: "0x0400000096F6EC3F034ECE3FF198F83FF7A8413F2A30083F246CE73F",
      torch_tensor_6_torch.float32_8: "0x0400000035CA2B3FF420523F7C9111BF46D228BF2840863FA46B0D40",
      torch_tensor_6_4_1_1_torch.float32: "0x040000008E53FDBE8CD98EBE644635BEB8358B3DE47CE73E80D39FBBA0A1F7BD0C88DC3E3C7ADDBEE0051BBD1246CA3E50FA47BDB4EF2B3E90D3CF3DFC77E3BEFAF7CE3EF850AF3E34A03ABE8222E4BEE2C8F63E9EA4BBBEE08C91BDD6E9ECBE72F1F0BE",
      torch_tensor_6_torch.float32_7: "0x04000000BC130CBEAB6D053F65B7B93EC2DD47BF0956DA3FFEDDDDBE",
      torch_tensor_6_torch.float32_6: "0x0400000046B1E6BE4647DA3ED980C1BDF6CC86BCDF53413FD0A2AE3F",
      torch_tensor_6_torch.float32_5: "0x0400000045F4F73F0D349A3F8052C83F83075D3F2607EA3F00E56F3F",
      torch_tensor_6_torch.float32_4: "0x0400000072F11B3E6E09B9BF46F8233D8394AD3F263A1D3F1007D03D",
      torch_tensor_6_6_3_3_torch.float32: "0x0400000028A0073BA51387BD2D2298BD067B103BFF34ED3D0A4C6F3C5D11843D7059713D523D833D1B6B7C3DB43C793DD00074BD3E20993C87E6FEBD5E78FF3D024FCA3D35A2383D2ADFF83DAC6BF73D4552A7BDE003C1BD0E808F3CB37394BCF1A9B43C8AB876BD9CC4D93DDCB1213C14B708BECD76093D24049E3DA016E93C0E2191BD6B78543DFAB0EA3D4C390DBD74A7FB3C6787FFBD1B0186BD2FF2C93CB0A5D03DEDE7BA3D333EED3DEF2FD53D73C2DCBD1E68743D8A68F33DE93446BDDEE34A3CDB64CC3DEC9F613DBB0F20BD59BDB73DD750D5BDCB9B413B83B186BD4063CD3D55F4CA3D78B3793DB4F6EABD5BE9763B75E8F93B5CFDDEBCC0B29C3C9BEAF03DE49A083D967D9B3D6B89D5BD5B0DECBDA3C784BDAD38E83D36BA9C3D7F86D63D43A5E5BD4C1D06BE1A62A3BDAE0135BD78DE43BD779B013EBE87023E0023673D8CFAD4BC5E777E3B07DC003EF9BD1539B443E0BDB754AF3DC4F3B1BD719961BD9DFCF93D8D15153D2BAD423D5CD298BDCB623BBDE5F5083EE5EB2F3DCDFFEA3D4C2ADE3B64C05A3DFA0374BC94C554BC031306BE6314B9BDA1DBD8BDB4C80C3DF3DFABBD75E3D03D3234F63D9A7E293D7135C2BD0BCF11BD02DCFE3D0C49163B5219ADBD2D315C3DDCC18FBDFCACBA3D6B27E8BD187C843D1C96F9BD5A5FD2BD455C84BDC3C2733D6F8A07BEA42D9EBCF2FBB4BDFE66943D82375D3D3C6489BD7F02F2BD5E8D9A3D0CBB57BD2E3DFCBC3315D9BD6F6DC3BC003EB1BD5B955D3C783AD73D18F88DBD8B483BBC93A0BEBDD2927E3DA44D0ABDDA3E623DC663D23DB55DAFBA7202DCBC4DB3D4BDDA1906BE249B083E2CF5F0BDF2E80DBD71BF3ABC4F38AFBD6506053E8AC0EE3D9658A2BD1BA88B3D3BFE38BCEDA2333C487071BDC61147BD4B772DBDE91A0F3C0424F2BC03D0AA3DC4062FBD4C0AD0BD58FDF9BD029DB0BDB29B86BCFEDDA1BD9D719E3DA975363D26B639BD687AF4BD9B01963BF24129BDBF944CBDDB5AC23B5EC2253DA6549DBD42614CBD4EF1B8BDF289013EAE7A453CFF41FEBDC18EE6BD4B2B543DBFB1A53D96B8BA3DA9CF833D8D6893BD36BDB1BCD4B139BD14D7E73DB6B461BD587A9F3DA0DFDE3DAE33023E757B94BDE90F343DA396D13D1532CE3D54F636BD4AB3A7BD87B2D13D1BC5CA3DCBD1DDBD57D5D6BC03ABBABDB38749BBA0547A3D5E13C8BD99A2653CC37809BEBB0AF73C6CF7C93BA84FDC3D5AC6913D80A01FBC2F7A4DBCFDFD86BD9C62B93DC67FCC3DEF1291BD3D9FF8BD84F1FB3B29AA133BE9749CBD2CE9A9BD77E4043EA75A5ABCC3552CBBCB037D3D4300C43DC1989BBD03A9B83D67D184BD9CB204BEC9CAAC3D06EF8E3D12558FBD896EEF3D616E903D8455F43D1D7B58BDD58453BCA92D0D3DF5D608BE1C91853D62739DBD788314BDC48A3BBD0FCECD3D84ADD83B6DD11DBDA1A5BA3D469AD5BB75B546BDEF8CC53D2082C43C92B7973D837FA33D306A023D822CFCBC0746A9BC395EA0BD3713023E08F0563D683CDA3DE30907BE29B1003D49AD30BCE8AC063EC07CE6BDDE5039BD3D8CEC3D1CBEF63D89440F3D128688BC1092FB3D4DD9F23D7D3EC9BBB1CF0EBDCC87EFBD167FBCBCED7B9F3DC066433D6F6CA13D9D699D3D552F8CBD909853BD51CAFE3DFA1562BC5CF1FD3DDD7C9EBDCAF0D2BD9F1DFABDE4529EB98714D3BCACBD553D2A20083E55F2E3BB2EA2823D15DA5E3DDBD68CBB577C023D09B219BDC3B7B4BDBB91A03D5C0BD33D580E933C371BD23DEEFAD13DBD69F6BDE00DF2BD3999703D3A4FC83D5BD1403D59F5CF3CB8B2ADBD6845F5BBB03F243D214B943D",
      torch_tensor_6_torch.float32_3: "0x0400000087BC82BDD61629BF517B5ABF3B85383E8307DF3D5008263F",
      torch_tensor_6_torch.float32_2: "0x04000000E70BD8BE0F8D60BE7EA910BF38F304BFC054B73FDDD6183E",
      torch_tensor_6_torch.float32_1: "0x0400000066A5DD3FB5FCAA3F32AF953FDA5C103F2B51C93F8E62B53F",
      torch_tensor_6_torch.float32: "0x0400000001021ABFF95EFB3E12397A3E1932D63E907010BF9493DA3E",
      torch_tensor_6_4_3_3_torch.float32: "0x0400000060DCC1BCEE3A963DB3F7183ED636DEBB16F8613CD073273E3695F9BC204CC0BD202AD8BDC6A592BDB803C03D80E506BE7690533D8369E63D83DDD8BDC079023C2E56AFBD12871E3E566F953AFABA1FBE9657E23DA0E522BDF08747BD100AC5BD2630253EB0D95E3DD09B883D166025BE30511EBDFE95CA3D000535BB00AEB8BC5654BE3BF397823D0039E6BD36E1BC3C6AA60ABEEBD284BD7E5BFFBDDB9BB93D3BCA0E3D42961B3E6B430DBE8318973DBA2711BECE7529BE961508BD40C8F53CEC6F02BED32BA53DFB77183D20EF1C3E00FA52BCEAC4103EF6FAF4BD57901C3EB463093EEB60B13CC8C0C1BDB4A8223E46BE093DAB28B43BD0B47BBDF66935BD8350AE3D2336E73D00A5533D9EE21D3E36CC91BC7695D4BD67EF22BE9A841B3E568FDB3A880BFEBD7E6E05BE4B45E43DC02BEC3D4668D5BD60EAA93DFB70E1BD0F16173E0BEB38BD0354F93D823005BEC6C66F3D2B8FD93CCE54F9BD8B1483BCEB50E6BD48D78BBDD4160A3EE3189BBD13848BBD3BFD45BDC6FEA73D7B654D3D88E3CD3D624608BE4EA1F93D947E233E5E0D0E3E18D4A4BD43D5DC3DF882EABD86DE27BED6ACDCBB86E795BDBEB5133EB3B2DFBD7609513D706B6E3DD6DFFC3BD05C11BD0B5BEE3DC009953D76CCBFBC18D1263E1B18053D2F0E26BE97111CBEDE0119BE2C91193EA634E9BDF8CA1A3E56C986BBB0121FBEA064EC3DE0BD7E3DC865263E622518BE70CFAABD4BCC80BD96F9CE3DF032173ECCAD073E6A9E203E66C12F3DB6CFB13D1376FD3D688E023ED6A84C3D13CEC03D56617B3BFB43C63D9611D9BCD6221EBC16FC27BCE0D3F73DA03F103EBC4B063E1B78B4BDBFF80A3E2852853D56151FBD562EB0BB76D105BE2AA7243E22A11EBE97B120BEA04AC93C58B68E3D802666BDAEDA8A3D8B93B9BDCB5BD63C9E6904BE701CED3D1646A8BD56E1D23D4E6717BEB6F622BD2B9F6B3CF3039EBD635C833D8B68E23C381B9BBDB33C12BE2CB012BECB8FF9BD04DF133E3690953D183620BE0042D53B8669C5BD20F7D33DD0F65CBD4ECE09BE946F0F3E0E05BE3DD05021BE56F38DBAA0A6F6BCC070903CF8CB99BDDBEC533D36422D3DAB763A3A6B80993C1B17023DEB15E33C9363BE3D5EDC22BE7CD5013E9EE1D0BD33E7C7BDEBFBC3BC00F0793A96F5093EBB43B93DF8D3D3BDAB0D71BBDE7018BECB65E9BC08D7283E6FA400BEF8A8ACBD"
    }
  }
#-}
