// RUN: xbuf opt -p stablehlo-legalize-to-linalg,canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT:     %0 = tensor.collapse_shape %x [{{\[}}0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
// CHECK-NEXT:     %1 = tensor.expand_shape %0 [{{\[}}0], [1, 2]] output_shape [6, 2, 2] : tensor<6x4xf32> into tensor<6x2x2xf32>
// CHECK-NEXT:     func.return %1 : tensor<6x2x2xf32>
func.func @reshape(%x: tensor<2x3x4xf32>) -> tensor<6x2x2xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x2x2xf32>
  return %0 : tensor<6x2x2xf32>
}

// CHECK-LABEL: func.func @dynamic_slice(
// CHECK-NEXT:     %0 = tensor.extract %i[] : tensor<i32>
// CHECK-NEXT:     %1 = arith.index_cast %0 : i32 to index
// CHECK-NEXT:     %2 = arith.constant 2 : index
// CHECK-NEXT:     %3 = arith.minsi %1, %2 : index
// CHECK-NEXT:     %4 = arith.constant 0 : index
// CHECK-NEXT:     %5 = arith.maxsi %3, %4 : index
// CHECK-NEXT:     %6 = tensor.extract_slice %x[%5, 0] [2, 9] [1, 1] : tensor<4x9xf32> to tensor<2x9xf32>
// CHECK-NEXT:     func.return %6 : tensor<2x9xf32>
func.func @dynamic_slice(%x: tensor<4x9xf32>, %i: tensor<i32>) -> tensor<2x9xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 9] : (tensor<4x9xf32>, tensor<i32>, tensor<i32>) -> tensor<2x9xf32>
  return %0 : tensor<2x9xf32>
}

// CHECK-LABEL: func.func @pad(
// CHECK-NEXT:     %0 = tensor.extract %f[] : tensor<f32>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<9xf32>
// CHECK-NEXT:     %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<9xf32>) -> tensor<9xf32>
// CHECK-NEXT:     %3 = tensor.insert_slice %x into %2[2] [4] [2] : tensor<4xf32> into tensor<9xf32>
// CHECK-NEXT:     func.return %3 : tensor<9xf32>
func.func @pad(%x: tensor<4xf32>, %f: tensor<f32>) -> tensor<9xf32> {
  %0 = stablehlo.pad %x, %f, low = [2], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
