// RUN: xdsl-opt -t mlir-22 -p arith-bufferize %s | filecheck %s

// CHECK: memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}

// CHECK:      func.func @constant() -> tensor<2xf32> {
// CHECK-NEXT:   %0 = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:   %1 = bufferization.to_tensor %0 : memref<2xf32> to tensor<2xf32>
// CHECK-NEXT:   func.return %1 : tensor<2xf32>
// CHECK-NEXT: }
func.func @constant() -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK:      func.func @select(%p: i1, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %b {bufferization.core} : tensor<2xf32> to memref<2xf32>
// CHECK-NEXT:   %1 = bufferization.to_buffer %a {bufferization.core} : tensor<2xf32> to memref<2xf32>
// CHECK-NEXT:   %2 = arith.select %p, %1, %0 : memref<2xf32>
// CHECK-NEXT:   %3 = bufferization.to_tensor %2 : memref<2xf32> to tensor<2xf32>
// CHECK-NEXT:   func.return %3 : tensor<2xf32>
// CHECK-NEXT: }
func.func @select(%p: i1, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.select %p, %a, %b : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK:      func.func @scalars(%f: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.addf %f, %f : f32
// CHECK-NEXT:   func.return %0 : f32
// CHECK-NEXT: }
func.func @scalars(%f: f32) -> f32 {
  %0 = arith.addf %f, %f : f32
  return %0 : f32
}
