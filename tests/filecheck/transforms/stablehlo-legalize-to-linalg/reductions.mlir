// RUN: xbuf opt -p stablehlo-legalize-to-linalg,canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @sum(
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:     %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x9xf32>) outs(%2 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%4: f32, %5: f32):
// CHECK-NEXT:       %6 = arith.addf %5, %4 : f32
// CHECK-NEXT:       linalg.yield %6 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     func.return %3 : tensor<4xf32>
func.func @sum(%x: tensor<4x9xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x9xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A window that ends at its element, and is as long as the tensor.
// CHECK-LABEL: func.func @cumulative_sum(
// CHECK-NEXT:     %0 = tensor.empty() : tensor<9xf32>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<f32>
// CHECK-NEXT:     %2, %3 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<9xf32>) outs(%0, %1 : tensor<9xf32>, tensor<f32>) {
// CHECK-NEXT:     ^bb0(%4: f32, %5: f32):
// CHECK-NEXT:       %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:       tm_tensor.yield %6 : f32
// CHECK-NEXT:     } -> tensor<9xf32>, tensor<f32>
// CHECK-NEXT:     func.return %2 : tensor<9xf32>
func.func @cumulative_sum(%x: tensor<9xf32>) -> tensor<9xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[8, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 9>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// The region of tm_tensor asks whether the first may stay.
// CHECK-LABEL: func.func @sort(
// CHECK-NEXT:     %0 = tm_tensor.sort dimension(0) outs(%x : tensor<9xi32>) {
// CHECK-NEXT:     ^bb0(%1: i32, %2: i32):
// CHECK-NEXT:       %3 = arith.cmpi slt, %2, %1 : i32
// CHECK-NEXT:       %4 = arith.constant true
// CHECK-NEXT:       %5 = arith.xori %3, %4 : i1
// CHECK-NEXT:       tm_tensor.yield %5 : i1
// CHECK-NEXT:     } -> tensor<9xi32>
// CHECK-NEXT:     func.return %0 : tensor<9xi32>
func.func @sort(%x: tensor<9xi32>) -> tensor<9xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<9xi32>) -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
