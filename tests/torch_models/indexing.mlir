#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<4x5xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<4xi64>, %arg3: tensor<4x2xi64>) -> (tensor<5x8xf32>, tensor<3x3xf32>, tensor<4x5xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %c5 = arith.constant 5 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %padded = tensor.pad %arg0 low[0, 1] high[1, 2] {
    ^bb0(%arg4: index, %arg5: index):
      tensor.yield %cst_0 : f32
    } : tensor<4x5xf32> to tensor<5x8xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [2, 5] [1, 1] : tensor<4x5xf32> to tensor<2x5xf32>
    %concat = tensor.concat dim(0) %arg0, %arg1, %extracted_slice : (tensor<4x5xf32>, tensor<3x5xf32>, tensor<2x5xf32>) -> tensor<9x5xf32>
    %extracted_slice_1 = tensor.extract_slice %concat[1, 0] [3, 5] [3, 1] : tensor<9x5xf32> to tensor<3x5xf32>
    %extracted_slice_2 = tensor.extract_slice %extracted_slice_1[0, 0] [3, 3] [1, 2] : tensor<3x5xf32> to tensor<3x3xf32>
    %0 = tensor.empty() : tensor<4x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<4xi64>) outs(%0 : tensor<4x5xf32>) {
    ^bb0(%in: i64, %out: f32):
      %7 = arith.index_cast %in : i64 to index
      %8 = linalg.index 1 : index
      %extracted = tensor.extract %arg1[%7, %8] : tensor<3x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x5xf32>
    %2 = tensor.empty() : tensor<4x2xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x2xf32>) -> tensor<4x2xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<4x2xi64>) outs(%3 : tensor<4x2xf32>) {
    ^bb0(%in: i64, %out: f32):
      %7 = linalg.index 0 : index
      %8 = arith.index_cast %in : i64 to index
      %9 = arith.cmpi slt, %8, %c5 : index
      cf.assert %9, "index must be smaller than dim size"
      %10 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %10, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%7, %8] : tensor<4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x2xf32>
    %extracted_slice_3 = tensor.extract_slice %arg0[0, 1] [4, 1] [1, 1] : tensor<4x5xf32> to tensor<4x1xf32>
    %extracted_slice_4 = tensor.extract_slice %arg1[0, 0] [1, 5] [1, 1] : tensor<3x5xf32> to tensor<1x5xf32>
    %collapsed = tensor.collapse_shape %extracted_slice_4 [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
    %extracted_slice_5 = tensor.extract_slice %collapsed[0] [4] [1] : tensor<5xf32> to tensor<4xf32>
    %expanded = tensor.expand_shape %extracted_slice_5 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %concat_6 = tensor.concat dim(1) %extracted_slice_3, %expanded : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x5xf32>) outs(%5 : tensor<4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = linalg.index 0 : index
      %8 = linalg.index 1 : index
      %9 = arith.subi %c3, %7 : index
      %10 = arith.subi %c4, %8 : index
      %extracted = tensor.extract %arg0[%9, %10] : tensor<4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x5xf32>
    %extracted_slice_7 = tensor.extract_slice %6[0, 4] [4, 1] [1, 1] : tensor<4x5xf32> to tensor<4x1xf32>
    %cast = tensor.cast %extracted_slice_7 : tensor<4x1xf32> to tensor<4x?xf32>
    %extracted_slice_8 = tensor.extract_slice %6[0, 0] [4, 4] [1, 1] : tensor<4x5xf32> to tensor<4x4xf32>
    %cast_9 = tensor.cast %extracted_slice_8 : tensor<4x4xf32> to tensor<4x?xf32>
    %concat_10 = tensor.concat dim(1) %cast, %cast_9 : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x5xf32>
    %extracted_slice_11 = tensor.extract_slice %arg1[0, 0] [2, 5] [1, 1] : tensor<3x5xf32> to tensor<2x5xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice_11 into %arg0[1, 0] [2, 5] [1, 1] : tensor<2x5xf32> into tensor<4x5xf32>
    return %padded, %extracted_slice_2, %1, %4, %concat_6, %concat_10, %inserted_slice : tensor<5x8xf32>, tensor<3x3xf32>, tensor<4x5xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x5xf32>, tensor<4x5xf32>
  }
}
