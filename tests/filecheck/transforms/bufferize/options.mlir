// RUN: xbuf opt -p bufferize %s | filecheck %s
// RUN: xbuf opt -p bufferize{duplicate-fill=false} %s | filecheck %s --check-prefix ONE-FILL
// RUN: xbuf opt -p bufferize{dealloc=false} %s | filecheck %s --check-prefix KEPT
// RUN: xbuf opt -p bufferize{test-analysis-only} %s | filecheck %s --check-prefix DECISIONS

// Two products start from one tensor of zeros.

// CHECK-LABEL: @two_sums
// CHECK-COUNT-2: linalg.fill
// CHECK-NOT:     memref.copy
// CHECK:         return

// ONE-FILL-LABEL: @two_sums
// ONE-FILL:         linalg.fill
// ONE-FILL-NOT:     linalg.fill
// ONE-FILL:         memref.copy
// ONE-FILL:         return
func.func @two_sums(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: @temporary
// CHECK:         memref.dealloc
// KEPT-LABEL:  @temporary
// KEPT:          memref.alloc
// KEPT-NOT:      memref.dealloc
// KEPT:          return
// DECISIONS-LABEL: @temporary
// DECISIONS:         linalg.exp {__inplace_operands_attr__ = ["true", "true"]}
func.func @temporary(%x: tensor<4xf32>, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
