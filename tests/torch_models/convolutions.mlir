#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x4x9x8xf32>) -> (tensor<1x2x3x9xf32>, tensor<1x3x3xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<6.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense_resource<torch_tensor_3_torch.float32> : tensor<3xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_3_2_3_torch.float32> : tensor<3x2x3xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_2_torch.float32> : tensor<2xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_3_2_3_3_torch.float32> : tensor<3x2x3x3xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_3_4_2_2_torch.float32> : tensor<3x4x2x2xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_4_torch.float32_1> : tensor<4xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_4_3_2_2_torch.float32> : tensor<4x3x2x2xf32>
    %cst_11 = arith.constant 1.000000e-01 : f64
    %cst_12 = arith.constant dense_resource<torch_tensor_6_torch.float32> : tensor<6xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_6_4_3_2_torch.float32> : tensor<6x4x3x2xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_4_1_3_3_torch.float32> : tensor<4x1x3x3xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %c2 = arith.constant 2 : index
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x4x9x8xf32> to tensor<1x4x11x10xf32>
    %0 = tensor.empty() : tensor<1x4x9x8xf32>
    %broadcasted = linalg.broadcast ins(%cst_15 : tensor<4xf32>) outs(%0 : tensor<1x4x9x8xf32>) dimensions = [0, 2, 3] 
    %collapsed = tensor.collapse_shape %cst_14 [[0, 1], [2], [3]] : tensor<4x1x3x3xf32> into tensor<4x3x3xf32>
    %1 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %collapsed : tensor<1x4x11x10xf32>, tensor<4x3x3xf32>) outs(%broadcasted : tensor<1x4x9x8xf32>) -> tensor<1x4x9x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %cst_3 : tensor<1x4x9x8xf32>, tensor<f32>) outs(%0 : tensor<1x4x9x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %31 = arith.cmpf ogt, %in, %in_24 : f32
      %32 = arith.select %31, %in, %in_24 : f32
      linalg.yield %32 : f32
    } -> tensor<1x4x9x8xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %2 : tensor<f32>, tensor<1x4x9x8xf32>) outs(%0 : tensor<1x4x9x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %31 = arith.cmpf olt, %in, %in_24 : f32
      %32 = arith.select %31, %in, %in_24 : f32
      linalg.yield %32 : f32
    } -> tensor<1x4x9x8xf32>
    %4 = tensor.empty() : tensor<1x6x4x7xf32>
    %broadcasted_16 = linalg.broadcast ins(%cst_12 : tensor<6xf32>) outs(%4 : tensor<1x6x4x7xf32>) dimensions = [0, 2, 3] 
    %5 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%3, %cst_13 : tensor<1x4x9x8xf32>, tensor<6x4x3x2xf32>) outs(%broadcasted_16 : tensor<1x6x4x7xf32>) -> tensor<1x6x4x7xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3, %5 : tensor<f32>, tensor<1x6x4x7xf32>) outs(%4 : tensor<1x6x4x7xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %31 = arith.cmpf ogt, %in, %in_24 : f32
      %32 = arith.select %31, %in, %in_24 : f32
      linalg.yield %32 : f32
    } -> tensor<1x6x4x7xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3, %5 : tensor<f32>, tensor<1x6x4x7xf32>) outs(%4 : tensor<1x6x4x7xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %31 = arith.cmpf olt, %in, %in_24 : f32
      %32 = arith.select %31, %in, %in_24 : f32
      linalg.yield %32 : f32
    } -> tensor<1x6x4x7xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x6x4x7xf32>) outs(%4 : tensor<1x6x4x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.truncf %cst_11 : f64 to f32
      %32 = arith.mulf %in, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<1x6x4x7xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<1x6x4x7xf32>, tensor<1x6x4x7xf32>) outs(%4 : tensor<1x6x4x7xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %31 = arith.addf %in, %in_24 : f32
      linalg.yield %31 : f32
    } -> tensor<1x6x4x7xf32>
    %10 = tensor.empty() : tensor<1x4x3x6xf32>
    %broadcasted_17 = linalg.broadcast ins(%cst_9 : tensor<4xf32>) outs(%10 : tensor<1x4x3x6xf32>) dimensions = [0, 2, 3] 
    %expanded = tensor.expand_shape %9 [[0], [1, 2], [3], [4]] output_shape [1, 2, 3, 4, 7] : tensor<1x6x4x7xf32> into tensor<1x2x3x4x7xf32>
    %expanded_18 = tensor.expand_shape %cst_10 [[0, 1], [2], [3], [4]] output_shape [2, 2, 3, 2, 2] : tensor<4x3x2x2xf32> into tensor<2x2x3x2x2xf32>
    %expanded_19 = tensor.expand_shape %broadcasted_17 [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 3, 6] : tensor<1x4x3x6xf32> into tensor<1x2x2x3x6xf32>
    %11 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%expanded, %expanded_18 : tensor<1x2x3x4x7xf32>, tensor<2x2x3x2x2xf32>) outs(%expanded_19 : tensor<1x2x2x3x6xf32>) -> tensor<1x2x2x3x6xf32>
    %collapsed_20 = tensor.collapse_shape %11 [[0], [1, 2], [3], [4]] : tensor<1x2x2x3x6xf32> into tensor<1x4x3x6xf32>
    %12 = tensor.empty() : tensor<1x3x1x4xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<1x3x1x4xf32>) -> tensor<1x3x1x4xf32>
    %14 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%collapsed_20, %cst_8 : tensor<1x4x3x6xf32>, tensor<3x4x2x2xf32>) outs(%13 : tensor<1x3x1x4xf32>) -> tensor<1x3x1x4xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x3x1x4xf32>) outs(%12 : tensor<1x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.negf %in : f32
      %32 = math.exp %31 : f32
      %33 = arith.addf %32, %cst_0 : f32
      %34 = arith.divf %cst_0, %33 : f32
      linalg.yield %34 : f32
    } -> tensor<1x3x1x4xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %15 : tensor<1x3x1x4xf32>, tensor<1x3x1x4xf32>) outs(%12 : tensor<1x3x1x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %31 = arith.mulf %in, %in_24 : f32
      linalg.yield %31 : f32
    } -> tensor<1x3x1x4xf32>
    %17 = tensor.empty() : tensor<2x3x3x3xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %19 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%18 : tensor<2x3x3x3xf32>) {
    ^bb0(%out: f32):
      %31 = linalg.index 0 : index
      %32 = linalg.index 1 : index
      %33 = linalg.index 2 : index
      %34 = linalg.index 3 : index
      %35 = arith.subi %c2, %33 : index
      %36 = arith.subi %c2, %34 : index
      %extracted = tensor.extract %cst_7[%32, %31, %35, %36] : tensor<3x2x3x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x3x3x3xf32>
    %20 = tensor.empty() : tensor<1x3x5x11xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<1x3x5x11xf32>) -> tensor<1x3x5x11xf32>
    %inserted_slice = tensor.insert_slice %16 into %21[0, 0, 2, 2] [1, 3, 1, 4] [1, 1, 2, 2] : tensor<1x3x1x4xf32> into tensor<1x3x5x11xf32>
    %22 = tensor.empty() : tensor<1x2x3x9xf32>
    %broadcasted_21 = linalg.broadcast ins(%cst_6 : tensor<2xf32>) outs(%22 : tensor<1x2x3x9xf32>) dimensions = [0, 2, 3] 
    %23 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%inserted_slice, %19 : tensor<1x3x5x11xf32>, tensor<2x3x3x3xf32>) outs(%broadcasted_21 : tensor<1x2x3x9xf32>) -> tensor<1x2x3x9xf32>
    %24 = tensor.empty() : tensor<1x2x3xi64>
    %25 = linalg.fill ins(%c0_i64 : i64) outs(%24 : tensor<1x2x3xi64>) -> tensor<1x2x3xi64>
    %26 = tensor.empty() : tensor<1x2x3xf32>
    %27 = linalg.fill ins(%cst_1 : f32) outs(%26 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %28:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<1x2x3x9xf32>) outs(%27, %25 : tensor<1x2x3xf32>, tensor<1x2x3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_24: i64):
      %31 = linalg.index 3 : index
      %32 = arith.index_cast %31 : index to i64
      %33 = arith.maximumf %in, %out : f32
      %34 = arith.cmpf ogt, %in, %out : f32
      %35 = arith.select %34, %32, %out_24 : i64
      linalg.yield %33, %35 : f32, i64
    } -> (tensor<1x2x3xf32>, tensor<1x2x3xi64>)
    %padded_22 = tensor.pad %28#0 low[0, 0, 1] high[0, 0, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } : tensor<1x2x3xf32> to tensor<1x2x5xf32>
    %29 = tensor.empty() : tensor<1x3x3xf32>
    %broadcasted_23 = linalg.broadcast ins(%cst_4 : tensor<3xf32>) outs(%29 : tensor<1x3x3xf32>) dimensions = [0, 2] 
    %30 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%padded_22, %cst_5 : tensor<1x2x5xf32>, tensor<3x2x3xf32>) outs(%broadcasted_23 : tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
    return %23, %30 : tensor<1x2x3x9xf32>, tensor<1x3x3xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_3_torch.float32: "0x0400000026A7B83EE83DFE3D14A891BE",
      torch_tensor_3_2_3_torch.float32: "0x04000000767DBB3E54A0DF3DE001123E8A3B65BE188A0CBED870CD3EECF0033EDA3FB03EB99FA63C4B10243EFC0237BD2F941FBD851CC9BE4BCF8ABEB9A4A2BE0F2DD33DF6E780BE98AA9C3E",
      torch_tensor_2_torch.float32: "0x04000000731C1ABEF25FC3BD",
      torch_tensor_3_2_3_3_torch.float32: "0x040000003701B83DA63F4B3E589B74BD59F0593D664B5DBE2F1AE8BDF0E32E3D9BB1343E85DD213E5B754D3E25A0383EF32E3FBE94A9D33D3DCC523EEAA6ABBD3EB5AF3CA702313E8F65C33D059E8ABD8A1F1F3EA4BC38BE81ABA73BBA4BE9BDF7DE313E81C32F3E593FD83D097C4BBEE8D4D53B3C6D583C5F1D41BD64B4073DC6A3503E5B9B6C3DA6A8063EA4ED38BE5B6D4CBE3EFBE5BD101C493EDABA073ED0C8393EFEE046BE034B68BE777E0DBE9BC19CBDA6A0A9BD857C603EC215623E962BC83DE97138BDCF5FDC3BF0305F3E31AE8139FE3742BE4DD7173E",
      torch_tensor_3_4_2_2_torch.float32: "0x040000003A5A73BEA6FB243E66E15D3EE214123E4E40143ED8BC1A3E324E4E3E76807D3E18724C3E383C883DBA63243E7064EA3C3011DCBCDE2E6ABE905BDC3D401B643D0029793BDC26F8BD58BE0BBEC0B6843B78E3593EF0CEDB3CC49FF23D8CB1DD3D381AF13D70DCE73D5CF0E43D9821E0BDB8A70C3D1C246ABE12AA6A3E14D5393EC898A93D709A643E3445633ECAB119BEB44B31BE38D0033DA05C08BD48F3253DA8A0E2BD5E08483EB086943C68297BBEA0897C3DAA25113EF81A563D424F05BE",
      torch_tensor_4_torch.float32_1: "0x0400000021A0D1BCB55C923E7731003E24A1B8BD",
      torch_tensor_4_3_2_2_torch.float32: "0x0400000092DDF5BA1E9B55BD9C2DFA3C203105BE5988B73DDF0B963D6F7BA13AB2EF043DAB52613D73A9443DB5E1243EA50A8DBE03E1603E82E534BE051F2DBE27BA29BDC573D83AD9F36E3E9E71203ECC7237BE23C2D0BB860484BED6204ABD3E38923EA5D05EBE298715BE1A0134BD61A17B3E42AA5ABD76561C3E47AC8DBE56F091BA61F0023CC71BC13D7EF0ECBD8455DDBCB4564DBE154E293D81592A3D03AAC9BDE8D98FBEA335FA3D1838CCBDF8FD7B3E4CD2963CDE655A3EDF05153E81148ABD",
      torch_tensor_6_torch.float32: "0x040000003ECD013EF54F87BDECC628BE1EAC2F3EC8B9E83D109245BE",
      torch_tensor_6_4_3_2_torch.float32: "0x040000009BE12E3DE78D3E3EF6022DBEC20DB93D2FC731BEA48B4FBE27AB26BDA182163D96C01FBEE64ACA3D38BC3A3D4834403E3D3281BC2A4E313EEA0416BE31C03F3E5D44283E573ED93C4E4CEDBD3D37473E49B3283D0DA6DC3B54239ABD8D2F5EBDA47DD53D69960D3EF49A813D7E5E413EA290B2BC342E02BED48D47BE47783E3ED373063BF8911BBE706B23BE63C90B3EE39F103E4CAF02BE6A1AD03DD70D0ABEC10A393E407A62BD84AE183E851F23BE1ED5923D303A053D00AF18BE348AA0BC0B0A0DBEFD44ABBDBF1F293E5BF4BDBD14DFAABD7A7C72BD53C0CD3DE68E7B3D4829FC3DEBE626BED9DD183E2F3D483E4CFA2D3E74DFC9BD693B073EC39B0FBED3984DBEA82207BC3998B7BD2FE8343E8CFC08BE2B02803D6C00923D71DA1A3C340832BD61F6113E9D88B63D89E7EABCD94E4C3EA301233D21604BBEF4243FBE18653BBE9B143C3E08CF0EBEEE943D3E3B14A5BBE8D242BEB7C2103E2EFF9B3D6BCB4B3E0E573ABEF532D1BDA6BE9DBDD37DFD3D202E393E0B2C263E91B7443E6F41573D08C6D93D72361B3EECE51F3EDBA77A3D0D23EC3D35F0993B21D3F23D48ED04BD25AD41BC08BD4DBC48C3173EECAA303E687A243E5807DDBD70342A3EBC48A33D25D642BDDAC6D7BBA6E423BE6CA8493ED34742BE0DCF44BEDF87F63C40C9AE3D11F08CBD9D0FAA3D9F48E3BD6C44033DEE2B22BE4733113EAA17CEBD2223013E426E39BEC79647BDCC49903C5187C1BD32E2A03D70A50A3D37F7BDBD681A33BED5A733BE20D318BEBD1A353E4A2DB73DCE3744BEDD97023C92C7F1BD",
      torch_tensor_4_1_3_3_torch.float32: "0x0400000060DC41BDEE3A163EB3F7983ED6365EBC16F8E13CD073A73E369579BD204C40BE202A58BEC6A512BEB803403E80E586BE7690D33D8369663E83DD58BEC079823C2E562FBE12879E3E566F153BFABA9FBE9657623EA0E5A2BDF087C7BD100A45BE2630A53EB0D9DE3DD09B083E1660A5BE30519EBDFE954A3E0005B5BB00AE38BD56543E3CF397023E003966BE36E13C3D",
      torch_tensor_4_torch.float32: "0x040000006AA68ABEEBD204BE7E5B7FBEDB9B393E"
    }
  }
#-}
