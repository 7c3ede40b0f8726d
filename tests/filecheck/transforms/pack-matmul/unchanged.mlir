// RUN: xdsl-opt -t mlir-22 -p pack-matmul %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-matmul{explain}' %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// CHECK-NOT: linalg.pack

// CHECK:     func.func @does_not_divide
// CHECK:       linalg.matmul
// REMARK:      remark: 'linalg.matmul' is not packed: the number of columns, 48, is not a multiple of the block factor 32; set block-factors or allow-padding
func.func @does_not_divide(%a: tensor<32x32xf32>, %b: tensor<32x48xf32>, %c: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x48xf32>) outs(%c : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %0 : tensor<32x48xf32>
}

// CHECK:     func.func @dynamic
// CHECK:       linalg.matmul
// REMARK-NEXT: remark: 'linalg.matmul' is not packed: the number of rows is dynamic; set allow-padding
func.func @dynamic(%a: tensor<?x32xf32>, %b: tensor<32x32xf32>, %c: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x32xf32>, tensor<32x32xf32>) outs(%c : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}

// What is no product of two matrices is none of this pass's business.

// REMARK-NOT: remark

// CHECK:     func.func @no_sum_of_products
// CHECK:       linalg.generic
func.func @no_sum_of_products(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%c : tensor<32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.addf %x, %y : f32
    %2 = arith.maximumf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}

// CHECK:     func.func @batch
// CHECK:       linalg.batch_matmul
func.func @batch(%a: tensor<2x32x32xf32>, %b: tensor<2x32x32xf32>, %c: tensor<2x32x32xf32>) -> tensor<2x32x32xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x32x32xf32>, tensor<2x32x32xf32>) outs(%c : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  return %0 : tensor<2x32x32xf32>
}

// CHECK:     func.func @buffers
// CHECK:       linalg.matmul
func.func @buffers(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  linalg.matmul ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return
}
