// RUN: xbuf opt -p stablehlo-legalize-to-linalg,canonicalize %s | filecheck %s

// A bias is read by its row, and one value for all elements is in the body.
// CHECK-LABEL: func.func @bias_and_relu(
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%0 : tensor<4x8xf32>) {
// CHECK-NEXT:     ^bb0(%2: f32, %3: f32, %4: f32):
// CHECK-NEXT:       %5 = arith.addf %2, %3 : f32
// CHECK-NEXT:       linalg.yield %5 : f32
// CHECK-NEXT:     } -> tensor<4x8xf32>
// CHECK-NEXT:     %6 = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT:     %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%6 : tensor<4x8xf32>) {
// CHECK-NEXT:     ^bb0(%8: f32, %9: f32):
// CHECK-NEXT:       %10 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:       %11 = arith.maximumf %8, %10 : f32
// CHECK-NEXT:       linalg.yield %11 : f32
// CHECK-NEXT:     } -> tensor<4x8xf32>
// CHECK-NEXT:     func.return %7 : tensor<4x8xf32>
func.func @bias_and_relu(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.add %x, %0 : tensor<4x8xf32>
  %2 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %3 = stablehlo.maximum %1, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// Integers lose their sign, and ops that need the sign have it.
// CHECK-LABEL: func.func @unsigned(
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi32>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %x : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) {
// CHECK-NEXT:     ^bb0(%2: i32, %3: i32, %4: i32):
// CHECK-NEXT:       %5 = arith.maxui %2, %3 : i32
// CHECK-NEXT:       linalg.yield %5 : i32
// CHECK-NEXT:     } -> tensor<4xi32>
// CHECK-NEXT:     %6 = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:     %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<4xi32>) outs(%6 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%8: i32, %9: f32):
// CHECK-NEXT:       %10 = arith.uitofp %8 : i32 to f32
// CHECK-NEXT:       linalg.yield %10 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     func.return %7 : tensor<4xf32>
func.func @unsigned(%x: tensor<4xui32>) -> tensor<4xf32> {
  %0 = stablehlo.maximum %x, %x : tensor<4xui32>
  %1 = stablehlo.convert %0 : (tensor<4xui32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
