#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<2x3x4xf32>) -> (tensor<2x3x5xf32>, tensor<1x2x5xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x5xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x2x5xf32>
    %cst_3 = arith.constant dense<[-0.236449972, 0.36416024, 0.174676552, -0.104215182, -0.0144269774, -0.350656152, 0.431455344, -0.415671259, -0.42108053, 0.0659328327, 0.186981067, -0.150771067, 0.181926236, -0.243141383, 0.0702129379]> : tensor<15xf32>
    %cst_4 = arith.constant dense<[[0.0902353301, 0.014752714, -0.164892301, -0.118843891, 0.228386164], [0.302932352, 0.138647914, 0.413721174, -0.0477558896, -0.278526485], [-4.269540e-01, 0.407518059, 0.00449478906, -0.332848817, -0.349643111], [0.299079329, 0.309430182, -0.279605418, 0.222622648, -0.295372337], [3.959050e-01, -0.121139504, 0.326668769, -0.34900865, 0.157077074], [0.0712613165, -0.326672822, -0.0429352038, -0.301759213, -0.183219045], [0.361847788, -0.203207746, -0.1827932, -0.129702315, 0.220106646], [0.134554774, 0.269754678, -0.357093722, 0.327064365, 0.42841956], [0.372232467, -0.215957642, 0.289334595, -0.307256162, -0.439883202], [-0.0180704799, -0.196404129, 0.3870579, -0.293088287, 0.13693969], [0.156188264, 0.0207071863, -0.09522672, 0.312292606, 0.195269108], [-0.062823467, 0.437125355, 0.0871897191, -0.435130268, -0.408961207], [-0.400939077, 0.402405947, -0.305545121, 0.405617952, -0.0110372929], [-0.416833639, 0.309721261, 0.166880786, 0.436026931, -0.398682237], [-0.223794982, -0.168750659, 0.271177739, 0.396200597, 0.355531901]]> : tensor<15x5xf32>
    %cst_5 = arith.constant dense<[0.420884222, 0.115137048, 0.232967749, 0.332083911, 0.342108637, 0.134072036, 0.252612323, 0.0102924174, 0.259766728, -0.0711006373, -0.0258986559, -0.0275116116, 0.324702799, 0.377987713, 0.35190776]> : tensor<15xf32>
    %cst_6 = arith.constant dense<[[-0.0634989291, 1.968310e-01, 4.008350e-01, -0.0181965102], [0.0370079726, 0.438790917, -0.0817506164, -0.251947254], [-0.283217937, -0.192137033, 0.251576662, -0.35348168], [0.138595358, 0.301885098, -0.284136027, 0.0213685744], [-0.229725361, 0.415404499, 0.00305920327, -0.418556184], [0.296552569, -0.106713489, -0.130712375, -0.258160114], [0.432857513, 0.145988822, 0.178984106, -0.433348209], [-0.103713244, 0.265427232, -0.00741159637, -0.0604916512], [0.0155855538, 0.17110315, -0.301636815, 0.0618673675], [-0.36331749, -0.174025342, -0.334568232, 0.243183926], [0.0935414209, 0.40769878, -0.370165348, 0.197965056], [-0.380363464, -0.44405207, -0.0891485661, 0.0805057287], [-0.341796607, 0.216406628, 0.0998819246, 0.411228836], [-0.0345525816, 0.379352033, -0.320972234, 0.410258621], [0.36001426, 0.0581001788, -0.253854483, 0.426230341]]> : tensor<15x4xf32>
    %0 = tensor.empty() : tensor<3x2x4xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x3x4xf32>) outs(%0 : tensor<3x2x4xf32>) permutation = [1, 0, 2] 
    %1 = tensor.empty() : tensor<4x15xf32>
    %transposed_7 = linalg.transpose ins(%cst_6 : tensor<15x4xf32>) outs(%1 : tensor<4x15xf32>) permutation = [1, 0] 
    %2 = tensor.empty() : tensor<3x4x15xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_7 : tensor<4x15xf32>) outs(%2 : tensor<3x4x15xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x15xf32>
    %4 = tensor.empty() : tensor<3x2x15xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x2x15xf32>) -> tensor<3x2x15xf32>
    %6 = linalg.batch_matmul ins(%transposed, %3 : tensor<3x2x4xf32>, tensor<3x4x15xf32>) outs(%5 : tensor<3x2x15xf32>) -> tensor<3x2x15xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %cst_5 : tensor<3x2x15xf32>, tensor<15xf32>) outs(%4 : tensor<3x2x15xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<3x2x15xf32>
    %extracted_slice = tensor.extract_slice %7[0, 0, 0] [1, 2, 15] [1, 1, 1] : tensor<3x2x15xf32> to tensor<1x2x15xf32>
    %extracted_slice_8 = tensor.extract_slice %7[1, 0, 0] [1, 2, 15] [1, 1, 1] : tensor<3x2x15xf32> to tensor<1x2x15xf32>
    %extracted_slice_9 = tensor.extract_slice %7[2, 0, 0] [1, 2, 15] [1, 1, 1] : tensor<3x2x15xf32> to tensor<1x2x15xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x15xf32> into tensor<2x15xf32>
    %collapsed_10 = tensor.collapse_shape %extracted_slice_8 [[0, 1], [2]] : tensor<1x2x15xf32> into tensor<2x15xf32>
    %collapsed_11 = tensor.collapse_shape %extracted_slice_9 [[0, 1], [2]] : tensor<1x2x15xf32> into tensor<2x15xf32>
    %extracted_slice_12 = tensor.extract_slice %collapsed[0, 0] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %extracted_slice_13 = tensor.extract_slice %collapsed[0, 5] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %extracted_slice_14 = tensor.extract_slice %collapsed[0, 10] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %8 = tensor.empty() : tensor<5x15xf32>
    %transposed_15 = linalg.transpose ins(%cst_4 : tensor<15x5xf32>) outs(%8 : tensor<5x15xf32>) permutation = [1, 0] 
    %9 = tensor.empty() : tensor<2x15xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x15xf32>) -> tensor<2x15xf32>
    %11 = linalg.matmul ins(%cst_1, %transposed_15 : tensor<2x5xf32>, tensor<5x15xf32>) outs(%10 : tensor<2x15xf32>) -> tensor<2x15xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_3 : tensor<2x15xf32>, tensor<15xf32>) outs(%9 : tensor<2x15xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<2x15xf32>
    %expanded = tensor.expand_shape %12 [[0, 1], [2]] output_shape [1, 2, 15] : tensor<2x15xf32> into tensor<1x2x15xf32>
    %extracted_slice_16 = tensor.extract_slice %expanded[0, 0, 0] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %extracted_slice_17 = tensor.extract_slice %expanded[0, 0, 5] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %extracted_slice_18 = tensor.extract_slice %expanded[0, 0, 10] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %13 = tensor.empty() : tensor<1x2x5xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_16, %extracted_slice_12 : tensor<1x2x5xf32>, tensor<2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.negf %in : f32
      %50 = math.exp %49 : f32
      %51 = arith.addf %50, %cst_0 : f32
      %52 = arith.divf %cst_0, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_17, %extracted_slice_13 : tensor<1x2x5xf32>, tensor<2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.negf %in : f32
      %50 = math.exp %49 : f32
      %51 = arith.addf %50, %cst_0 : f32
      %52 = arith.divf %cst_0, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_18, %15 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.mulf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_14, %18 : tensor<2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.tanh %in : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2, %20 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.subf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %17 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.mulf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %20 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %extracted_slice_19 = tensor.extract_slice %collapsed_10[0, 0] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %extracted_slice_20 = tensor.extract_slice %collapsed_10[0, 5] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %extracted_slice_21 = tensor.extract_slice %collapsed_10[0, 10] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %collapsed_22 = tensor.collapse_shape %23 [[0, 1], [2]] : tensor<1x2x5xf32> into tensor<2x5xf32>
    %24 = linalg.matmul ins(%collapsed_22, %transposed_15 : tensor<2x5xf32>, tensor<5x15xf32>) outs(%10 : tensor<2x15xf32>) -> tensor<2x15xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%24, %cst_3 : tensor<2x15xf32>, tensor<15xf32>) outs(%9 : tensor<2x15xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<2x15xf32>
    %expanded_23 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [1, 2, 15] : tensor<2x15xf32> into tensor<1x2x15xf32>
    %extracted_slice_24 = tensor.extract_slice %expanded_23[0, 0, 0] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %extracted_slice_25 = tensor.extract_slice %expanded_23[0, 0, 5] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %extracted_slice_26 = tensor.extract_slice %expanded_23[0, 0, 10] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_24, %extracted_slice_19 : tensor<1x2x5xf32>, tensor<2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.negf %in : f32
      %50 = math.exp %49 : f32
      %51 = arith.addf %50, %cst_0 : f32
      %52 = arith.divf %cst_0, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_25, %extracted_slice_20 : tensor<1x2x5xf32>, tensor<2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.negf %in : f32
      %50 = math.exp %49 : f32
      %51 = arith.addf %50, %cst_0 : f32
      %52 = arith.divf %cst_0, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_26, %27 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.mulf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_21, %30 : tensor<2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.tanh %in : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %32 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.subf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %29 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.mulf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %32 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %extracted_slice_27 = tensor.extract_slice %collapsed_11[0, 0] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %extracted_slice_28 = tensor.extract_slice %collapsed_11[0, 5] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %extracted_slice_29 = tensor.extract_slice %collapsed_11[0, 10] [2, 5] [1, 1] : tensor<2x15xf32> to tensor<2x5xf32>
    %collapsed_30 = tensor.collapse_shape %35 [[0, 1], [2]] : tensor<1x2x5xf32> into tensor<2x5xf32>
    %36 = linalg.matmul ins(%collapsed_30, %transposed_15 : tensor<2x5xf32>, tensor<5x15xf32>) outs(%10 : tensor<2x15xf32>) -> tensor<2x15xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%36, %cst_3 : tensor<2x15xf32>, tensor<15xf32>) outs(%9 : tensor<2x15xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<2x15xf32>
    %expanded_31 = tensor.expand_shape %37 [[0, 1], [2]] output_shape [1, 2, 15] : tensor<2x15xf32> into tensor<1x2x15xf32>
    %extracted_slice_32 = tensor.extract_slice %expanded_31[0, 0, 0] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %extracted_slice_33 = tensor.extract_slice %expanded_31[0, 0, 5] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %extracted_slice_34 = tensor.extract_slice %expanded_31[0, 0, 10] [1, 2, 5] [1, 1, 1] : tensor<1x2x15xf32> to tensor<1x2x5xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_32, %extracted_slice_27 : tensor<1x2x5xf32>, tensor<2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.negf %in : f32
      %50 = math.exp %49 : f32
      %51 = arith.addf %50, %cst_0 : f32
      %52 = arith.divf %cst_0, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_33, %extracted_slice_28 : tensor<1x2x5xf32>, tensor<2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.negf %in : f32
      %50 = math.exp %49 : f32
      %51 = arith.addf %50, %cst_0 : f32
      %52 = arith.divf %cst_0, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_34, %39 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.mulf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_29, %42 : tensor<2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.tanh %in : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %44 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.subf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %41 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.mulf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %44 : tensor<1x2x5xf32>, tensor<1x2x5xf32>) outs(%13 : tensor<1x2x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %49 = arith.addf %in, %in_36 : f32
      linalg.yield %49 : f32
    } -> tensor<1x2x5xf32>
    %concat = tensor.concat dim(0) %23, %35, %47 : (tensor<1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<3x2x5xf32>
    %48 = tensor.empty() : tensor<2x3x5xf32>
    %transposed_35 = linalg.transpose ins(%concat : tensor<3x2x5xf32>) outs(%48 : tensor<2x3x5xf32>) permutation = [1, 0, 2] 
    return %transposed_35, %47 : tensor<2x3x5xf32>, tensor<1x2x5xf32>
  }
}
