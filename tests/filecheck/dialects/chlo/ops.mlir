// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @functions(
// CHECK: %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
// CHECK: %1 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
// CHECK: %2 = chlo.next_after %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK: %values, %indices = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
func.func @functions(%x: tensor<4xf32>) {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  %2 = chlo.next_after %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %values, %indices = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  func.return
}
