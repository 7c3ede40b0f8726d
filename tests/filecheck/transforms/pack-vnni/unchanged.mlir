// RUN: xdsl-opt -t mlir-22 -p pack-vnni %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-vnni{explain}' %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: xdsl-opt -t mlir-22 -p 'pack-vnni{explain},pack-vnni{explain}' %s | filecheck %s

// CHECK-NOT: linalg.pack

// CHECK:     func.func @odd
// REMARK:      remark: 'linalg.matmul' is not packed: the number of sums is 7, not a multiple of 2
func.func @odd(%a: tensor<4x7xbf16>, %b: tensor<7x6xbf16>, %c: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x7xbf16>, tensor<7x6xbf16>) outs(%c : tensor<4x6xbf16>) -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}

// CHECK:     func.func @dynamic
// REMARK-NEXT: remark: 'linalg.matmul' is not packed: the number of sums is dynamic, not a multiple of 2
func.func @dynamic(%a: tensor<4x?xbf16>, %b: tensor<?x6xbf16>, %c: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xbf16>, tensor<?x6xbf16>) outs(%c : tensor<4x6xbf16>) -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}

// REMARK-NOT: remark

// CHECK:     func.func @other_type
func.func @other_type(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK:     func.func @one_column
func.func @one_column(%a: tensor<4x8xbf16>, %b: tensor<8xbf16>, %c: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = linalg.matvec ins(%a, %b : tensor<4x8xbf16>, tensor<8xbf16>) outs(%c : tensor<4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// What is packed already is not packed again.

// CHECK:     func.func @packed
func.func @packed(%a: tensor<4x4x2xbf16>, %b: tensor<4x6x2xbf16>, %c: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (m, k, p)>, affine_map<(m, n, k, p) -> (k, n, p)>, affine_map<(m, n, k, p) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a, %b : tensor<4x4x2xbf16>, tensor<4x6x2xbf16>) outs(%c : tensor<4x6xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %z: bf16):
    %1 = arith.mulf %x, %y : bf16
    %2 = arith.addf %z, %1 : bf16
    linalg.yield %2 : bf16
  } -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}
