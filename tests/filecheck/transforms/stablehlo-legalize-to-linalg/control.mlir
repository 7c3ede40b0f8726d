// RUN: xbuf opt -p stablehlo-legalize-to-linalg,canonicalize %s | filecheck %s

// A counter up to a bound is an index, and what does not change is not handed on.
// CHECK-LABEL: func.func @counted(
// CHECK-NEXT:     %0 = arith.constant 0 : i32
// CHECK-NEXT:     %1 = arith.constant 5 : i32
// CHECK-NEXT:     %2 = arith.index_cast %0 : i32 to index
// CHECK-NEXT:     %3 = arith.index_cast %1 : i32 to index
// CHECK-NEXT:     %4 = arith.constant 1 : index
// CHECK-NEXT:     %5 = scf.for %6 = %2 to %3 step %4 iter_args(%7 = %x) -> (tensor<4xf32>) {
// CHECK-NEXT:       %8 = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:       %9 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7, %y : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
// CHECK-NEXT:       ^bb0(%10: f32, %11: f32, %12: f32):
// CHECK-NEXT:         %13 = arith.mulf %10, %11 : f32
// CHECK-NEXT:         linalg.yield %13 : f32
// CHECK-NEXT:       } -> tensor<4xf32>
// CHECK-NEXT:       scf.yield %9 : tensor<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %5 : tensor<4xf32>
func.func @counted(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0, %1, %2 = stablehlo.while(%i = %first, %a = %x, %b = %y) : tensor<i32>, tensor<4xf32>, tensor<4xf32> cond {
    %five = stablehlo.constant dense<5> : tensor<i32>
    %3 = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    %4 = stablehlo.multiply %a, %b : tensor<4xf32>
    stablehlo.return %3, %4, %b : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @branches(
// CHECK-NEXT:     %0 = tensor.extract %p[] : tensor<i1>
// CHECK-NEXT:     %1 = scf.if %0 -> (tensor<4xf32>) {
// CHECK-NEXT:       scf.yield %x : tensor<4xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %2 = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:       %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%2 : tensor<4xf32>) {
// CHECK-NEXT:       ^bb0(%4: f32, %5: f32):
// CHECK-NEXT:         %6 = arith.negf %4 : f32
// CHECK-NEXT:         linalg.yield %6 : f32
// CHECK-NEXT:       } -> tensor<4xf32>
// CHECK-NEXT:       scf.yield %3 : tensor<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %1 : tensor<4xf32>
func.func @branches(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    %1 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
